import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, utimesSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programFolder, type Ran } from '../support/command-line.js';
import { copySamples, newFolder, writeRanks } from '../support/folders.js';
import { compute } from '../support/jobs.js';
import { attributes } from '../support/preparation.js';
import { REPOSITORY } from '../support/repository.js';
import type { NodeObject } from '../support/traces.js';

const folder = newFolder();
const out = join(folder, 'check', 'out');
const path = `${programFolder()}${delimiter}${process.env.PATH}`;
const hasMake = spawnSync('make', ['--version']).status === 0;

const make = (...words: string[]): Ran =>
  spawnSync('make', words, {
    cwd: join(folder, 'check'),
    encoding: 'utf8',
    env: { ...process.env, PATH: path, MAKEFLAGS: '', NODE_OPTIONS: '' },
  });

/** A rank that computes and takes part in one AllReduce over both ranks. */
function rank(micros: number, dataDeps: number[] = []): NodeObject[] {
  const attr = attributes({ type: 0, size: 2000, order: 0 });
  return [compute(1, micros, dataDeps), { id: 2, name: 'sum', type: 'COMM_COLL_NODE', data_deps: [1], attr }];
}

(hasMake ? describe : describe.skip)('samples/check/Makefile', () => {
  beforeAll(() => {
    copySamples(join(REPOSITORY, 'samples', 'check'), join(folder, 'check'));
    writeRanks(join(folder, 'traces'), [rank(5), rank(8)]);
  });

  test('checks, prepares, checks for the feeders, simulates', () => {
    const { status, stdout } = make();
    expect(status).toBe(0);
    expect([...stdout.matchAll(/^chakra-prep (\w+) \S+( --for \w+)?/gm)].map(([, command, target]) => command + (target ?? ''))).toEqual([
      'validate',
      'prepare',
      'validate --for feeder',
      'simulate',
    ]);
    // Rank 1 enters at 8 µs and passes the barrier at 10; two steps of 1 µs and 1,000 B at 50 B/ns; acknowledged 1 µs later.
    expect(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'))).toMatchObject({ status: 'finished', endNs: 13040 });
  });

  test('does nothing the second time, and everything again when a rank was touched', () => {
    expect(make().stdout).toContain('up to date');
    const soon = new Date(Date.now() + 2000);
    utimesSync(join(folder, 'traces', 'job.1.et'), soon, soon);
    expect(make().stdout).toContain('chakra-prep prepare');
  });

  test('an error stops it before anything is made of the traces', () => {
    make('clean');
    writeRanks(join(folder, 'traces'), [rank(5, [7]), rank(8)]);
    const { status, stderr } = make();
    expect(status).toBe(2);
    expect(stderr).toContain('error DANGLING_DATA: rank 0');
    expect(existsSync(join(out, 'prepared'))).toBe(false);
  });

  test('astra-sim: what ASTRA-sim would make of the raw traces', () => {
    cpSync(join(REPOSITORY, 'samples', 'traces'), join(folder, 'samples'), { recursive: true });
    const { status, stderr } = make('astra-sim', 'RAW=../samples');
    expect(status).toBe(2);
    expect(stderr).toContain('error ASTRA_COLLECTIVE_TYPE');
  });
});
