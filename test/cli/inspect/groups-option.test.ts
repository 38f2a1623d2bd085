import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWithSamples } from '../../support/folders.js';
import { runHere } from '../../support/in-process.js';

let folder: string;
let traces: string;
let file: string;
beforeAll(() => {
  folder = folderWithSamples();
  traces = join(folder, 'traces');
  file = join(folder, 'g.json');
  writeFileSync(file, '{"1": [0, 1], "elsewhere": [0]}');
});

/** The names of the groups that the view shows, and where the first one is from. */
async function shown(...words: string[]): Promise<{ names: string[]; from: string; status: number | null }> {
  const { stdout, status } = await runHere(['inspect', ...words, '--json']);
  const { groups } = JSON.parse(stdout) as { groups: { list: { name: string; origin: string }[] } };
  return { names: groups.list.map(({ name }) => name), from: groups.list[0].origin, status };
}

const OWN = ['1', '2', '3', '4', 'world'];

test.each([
  ['behind the input', () => [traces, '--groups']],
  ['before the input', () => ['--groups', traces]],
  ['before another option', () => ['--groups', '--pairs', traces]],
  ['before a prefix', () => ['--groups', join(traces, 'job')]],
  ['before a glob', () => ['--groups', join(traces, '*.et')]],
  [
    'before the first of several files',
    () => ['--groups', ...[0, 1, 2, 3].map((rank) => join(traces, `job.${rank}.et`))],
  ],
])('%s it is the view, and the group file is the one beside the traces', async (_place, words) => {
  expect(await shown(...words())).toEqual({ names: OWN, from: join(traces, 'comm_group.json'), status: 0 });
});

test.each([
  ['behind the input', () => [traces, '--groups', file]],
  ['before the input', () => ['--groups', file, traces]],
  ['with =', () => [traces, `--groups=${file}`]],
])('a group file %s is that, and the view', async (_place, words) => {
  const { names, from } = await shown(...words());
  expect(names).toEqual(['1', 'elsewhere', '2', '3', '4', 'world']);
  expect(from).toBe(file);
});

test('given again, every word counts for itself', async () => {
  for (const words of [
    ['--groups', traces, '--groups', file],
    ['--groups', file, '--groups', traces],
  ]) {
    expect((await shown(...words)).from).toBe(file);
  }
  expect((await runHere(['inspect', traces, '--groups', '--no-groups', '--pairs'])).stdout).not.toContain(
    'process group',
  );
});

test('a group file of another ending is known by its content', async () => {
  cpSync(file, join(folder, 'groups.txt'));
  expect((await shown(traces, '--groups', join(folder, 'groups.txt'))).from).toBe(join(folder, 'groups.txt'));
});

test('a file that is named and used is not said to be found, the other one is not said to be used', async () => {
  expect((await runHere(['inspect', traces, '--groups', file])).stderr).not.toContain('GROUP_FILE_FOUND');
});

test('a .json that is not there is a group file that cannot be read', async () => {
  const { status, stderr } = await runHere(['inspect', traces, '--groups', join(folder, 'no.json')]);
  expect(status).toBe(3);
  expect(stderr).toContain(`error FILE_UNREADABLE: ${join(folder, 'no.json')}: `);
});

test('the only word is the input, whatever it holds', async () => {
  const { status, stderr } = await runHere(['inspect', '--groups', file]);
  expect(status).toBe(3);
  expect(stderr).toContain(`error WRONG_KIND: ${file} is a process group file, expected a Chakra trace`);
});

test('a trace in JSON lines is an input', async () => {
  await runHere(['convert', traces, '--to', 'jsonl', '-o', join(folder, 'text')]);
  const ranks = [0, 1, 2, 3].map((rank) => join(folder, 'text', `job.${rank}.jsonl`));
  cpSync(ranks[0], join(folder, 'text', 'job.0.json'));
  expect((await shown('--groups', join(folder, 'text', 'job.0.json'), ...ranks.slice(1))).names).toContain('world');
});

test('stdin is an input', async () => {
  const ran = await runHere(['inspect', '--groups', '-', '--json'], { stdin: new Uint8Array(0) });
  expect(ran.stderr).toContain('error FILE_EMPTY: ');
});

test('a configuration names the group file and asks for no view; the bare option takes the file from it', async () => {
  writeFileSync(join(folder, 'run.yaml'), `groups: ${file}\n`);
  const config = ['--config', join(folder, 'run.yaml')];
  const plain = JSON.parse((await runHere(['inspect', traces, '--json', ...config])).stdout) as object;
  expect(Object.keys(plain)).toEqual(['schema', 'files', 'traceset']);
  expect((await shown(traces, '--groups', ...config)).from).toBe(file);
});
