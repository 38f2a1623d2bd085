import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../../../src/base/catalogue.js';
import { STOP_CODES } from '../../../src/base/stop-codes.js';
import { REPOSITORY } from '../../support/repository.js';
import { DIFFERING_ROWS } from './differing-rows.js';

/** The tables of docs/astra-sim.md against the rows that the command line is tested with. */

interface PageRow {
  readonly rows: readonly string[];
  readonly status: number;
  readonly codes: readonly string[];
}

const [, section] = readFileSync(join(REPOSITORY, 'docs', 'astra-sim.md'), 'utf8').split(
  '## Where the program stops, stalls or misleads\n',
);
const page: PageRow[] = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (situation|---)/.test(line))
  .map((line) => {
    const [, rows, , here] = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
    return { rows, here };
  })
  .map(({ rows, here }) => ({
    rows: rows === 'none' ? [] : rows.split(' '),
    status: Number(/exit (\d)/.exec(here)?.[1] ?? 0),
    codes: [...here.matchAll(/`([A-Z_]+|[a-z-]+)`/g)].map(([, code]) => code),
  }));

test('every reference row that differs is on the page, with the status and code it is tested with', () => {
  const onPage = page.flatMap(({ rows, status, codes }) => rows.map((row) => [row, { status, codes }] as const));
  expect(new Set(onPage.map(([row]) => row)).size).toBe(onPage.length);
  const told = new Map(onPage);
  const tested = DIFFERING_ROWS.flatMap(({ rows, ...expected }) => rows.map((row) => [row, expected] as const));
  expect([...told.keys()].sort()).toEqual(tested.map(([row]) => row).sort());
  for (const [row, { status, code }] of tested) {
    expect([row, told.get(row)?.status]).toEqual([row, status]);
    if (code !== '') expect([row, told.get(row)?.codes]).toEqual([row, expect.arrayContaining([code])]);
  }
});

test('every code on the page is one of the program', () => {
  const codes = page.flatMap((row) => row.codes).filter((code) => /^[A-Z]/.test(code));
  expect(codes.filter((code) => !(code in CATALOGUE) && !(code in STOP_CODES))).toEqual([]);
});
