import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programFolder, type Ran } from '../support/command-line.js';
import { copySamples, newFolder, writeRanks } from '../support/folders.js';
import { compute } from '../support/jobs.js';
import { attributes } from '../support/preparation.js';
import { REPOSITORY } from '../support/repository.js';
import type { NodeObject } from '../support/traces.js';

const folder = newFolder();
const out = join(folder, 'pipeline', 'out');
const traces = join(folder, 'traces');
const path = `${programFolder()}${delimiter}${process.env.PATH}`;

const make = (...words: string[]): Ran =>
  spawnSync('make', words, {
    cwd: join(folder, 'pipeline'),
    encoding: 'utf8',
    env: { ...process.env, PATH: path, MAKEFLAGS: '', NODE_OPTIONS: '' },
  });

/** A rank that computes and takes part in one AllReduce. */
function rank(micros: number, bytes: number): NodeObject[] {
  const attr = attributes({ type: 0, size: bytes, order: 0 });
  return [compute(1, micros), { id: 2, name: 'sum', type: 'COMM_COLL_NODE', data_deps: [1], attr }];
}

/** When each output was written, by path; only those with a rank in their name. */
function writtenAt(): Map<string, number> {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => /\/job\.\d+\.et$/.test(name));
  return new Map(files.sort().map((name) => [name, statSync(join(out, name)).mtimeMs]));
}

function changedSince(before: Map<string, number>): string[] {
  return [...writtenAt()].filter(([name, time]) => before.get(name) !== time).map(([name]) => name);
}

const outputsOf = (ranks: number[]): string[] =>
  ['annotated', 'expanded', 'serialized', 'synced'].flatMap((stage) => ranks.map((one) => `${stage}/job.${one}.et`));

beforeAll(() => {
  copySamples(join(REPOSITORY, 'samples', 'pipeline'), join(folder, 'pipeline'));
  writeRanks(traces, [rank(5, 2000), rank(8, 2000)]);
});

describe('samples/pipeline/Makefile', () => {
  test('builds every stage of every rank, and the result', () => {
    const { status, stderr } = make();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect([...writtenAt().keys()]).toEqual(outputsOf([0, 1]));
    // Barrier passed at 9 and 10 µs; two steps of 1 µs each way with 1,000 B at 50 B/ns; acknowledged 1 µs later.
    const result = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as { status: string; endNs: number };
    expect(result).toMatchObject({ status: 'finished', endNs: 13040 });
  });

  test('does nothing the second time', () => {
    const before = writtenAt();
    expect(make()).toMatchObject({ status: 0, stdout: expect.stringContaining('up to date') as string });
    expect(changedSince(before)).toEqual([]);
  });

  test('rebuilds one rank when only that one was touched, and then nothing', () => {
    const before = writtenAt();
    utimesSync(join(traces, 'job.1.et'), new Date(), new Date());
    expect(make()).toMatchObject({ status: 0, stderr: '' });
    expect(changedSince(before)).toEqual(outputsOf([1]));
    expect(make().stdout).toContain('up to date');
  });

  test('rebuilds one rank when only its computation changed', () => {
    const before = writtenAt();
    writeRanks(traces, [rank(6, 2000)]);
    expect(make()).toMatchObject({ status: 0, stderr: '' });
    expect(changedSince(before)).toEqual(outputsOf([0]));
  });

  test('rebuilds all ranks when a collective of one changed', () => {
    const before = writtenAt();
    writeRanks(traces, [rank(6, 4000)]);
    expect(make('-j2').status).toBe(0);
    expect(changedSince(before)).toEqual(outputsOf([0, 1]));
    // The largest size counts on all members: two steps with 2,000 B each.
    const { transfers, bytes } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as Record<string, number>;
    expect({ transfers, bytes }).toEqual({ transfers: 4, bytes: 8000 });
  });

  test('stops at a trace with an error and leaves what was built', () => {
    const before = writtenAt();
    writeRanks(traces, [[compute(1, 5, [7])]]);
    expect(make().status).toBeGreaterThan(0);
    expect(changedSince(before)).toEqual([]);
  });
});

test('samples/generate.js makes samples/traces, byte for byte', () => {
  const made = newFolder();
  const { status } = spawnSync(process.execPath, [join(REPOSITORY, 'samples', 'generate.js'), made]);
  expect(status).toBe(0);
  const expected = join(REPOSITORY, 'samples', 'traces');
  expect(readdirSync(made).sort()).toEqual(readdirSync(expected).sort());
  for (const name of readdirSync(expected)) {
    expect(readFileSync(join(made, name)).equals(readFileSync(join(expected, name)))).toBe(true);
  }
});
