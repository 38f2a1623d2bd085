import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './support/repository.js';

/** docs/architecture.md walks through the rooms of src; what it names is there, and no room is left out. */

const source = join(REPOSITORY, 'src');
const page = readFileSync(join(REPOSITORY, 'docs', 'architecture.md'), 'utf8');
const rooms = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('files and folders of rooms that are named exist', () => {
  const named = [...page.matchAll(/`([a-z-]+)(\/[a-z0-9/-]*(?:\.ts)?)`/g)].filter(([, room]) => rooms.includes(room));
  expect(named.length).toBeGreaterThan(50);
  const missing = named.map(([, room, path]) => room + path).filter((path) => !existsSync(join(source, path)));
  expect(missing).toEqual([]);
});

test('every room is in the picture of the house', () => {
  const [, picture] = page.split('```');
  const drawn: string[] = picture.match(/[a-z-]+/g) ?? [];
  expect(rooms.filter((room) => !drawn.includes(room))).toEqual([]);
});
