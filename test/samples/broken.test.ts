import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { REPOSITORY } from '../support/repository.js';

/**
 * The faults of samples/broken, one by one, as samples/README.md tells them, and the times of docs/finding-faults.md,
 * worked out by its formulas in whole picoseconds.
 */

const BROKEN = join(REPOSITORY, 'samples', 'broken');
const NETWORK = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'];

/** What mends a fault by hand: a file, a text in it, and what takes its place. */
const MENDED: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  order: [
    ['step.1.jsonl', '"id":5,"name":"gradients","type":"COMM_COLL_NODE","dataDeps":[6]', '"id":5,"name":"gradients","type":"COMM_COLL_NODE","dataDeps":[4]'],
    ['step.1.jsonl', '"id":6,"name":"norm","type":"COMM_COLL_NODE","dataDeps":[4]', '"id":6,"name":"norm","type":"COMM_COLL_NODE","dataDeps":[5]'],
  ],
  lost: [['step.2.jsonl', '{"id":7,', `${lineOf('step.3.jsonl', '{"id":6,')}\n{"id":7,`]],
  tag: [['step.3.jsonl', '"comm_tag","int32":8', '"comm_tag","int32":7']],
  group: [['comm_group.json', '"replica0": [0,2]', '"replica0": [0,2], "replica1": [1,3]']],
  nesting: [0, 1, 2, 3].map((rank) => [`step.${rank}.jsonl`, '"ctrlDeps":[9],', ''] as const),
  arm: [['step.2.jsonl', '"uint64":', '"int64":']],
};

function lineOf(file: string, start: string): string {
  return readFileSync(join(BROKEN, file), 'utf8').split('\n').find((line) => line.startsWith(start))!;
}

/** A copy of the sample in which these faults are mended. */
function mended(faults: readonly string[]): string {
  const folder = newFolder();
  cpSync(BROKEN, folder, { recursive: true });
  for (const [file, from, to] of faults.flatMap((fault) => MENDED[fault])) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(folder, file), text.replaceAll(from, to));
  }
  return folder;
}

/** Codes of errors and warnings, each once, in alphabetical order. */
async function codesOf(folder: string, ...words: string[]): Promise<string[]> {
  const { stdout } = await runHere(['validate', folder, '--json', ...words]);
  const { findings } = JSON.parse(stdout) as { findings: { code: string; severity: string }[] };
  return [...new Set(findings.filter(({ severity }) => severity !== 'note').map(({ code }) => code))].sort();
}

const CODES: Readonly<Record<string, readonly string[]>> = {
  order: ['WAIT_CYCLE'],
  lost: ['COLLECTIVE_COUNT', 'DANGLING_DATA'],
  tag: ['RECEIVE_UNMATCHED', 'SEND_UNMATCHED'],
  group: ['GROUP_UNDECLARED'],
  nesting: ['CYCLE', 'NODES_NEVER_START'],
  arm: ['ATTRIBUTE_ARM'],
};
const FAULTS = Object.keys(CODES);

describe('samples/broken', () => {
  test('has a finding for each of its faults', async () => {
    expect(await codesOf(BROKEN)).toEqual(Object.values(CODES).flat().sort());
  });

  test.each(FAULTS)('%s: mended, its findings are gone and the others stay', async (fault) => {
    const others = FAULTS.filter((other) => other !== fault).flatMap((other) => CODES[other]);
    expect(await codesOf(mended([fault]))).toEqual(others.sort());
  });

  test.each(FAULTS)('%s: with all others mended, its findings are the only ones', async (fault) => {
    expect(await codesOf(mended(FAULTS.filter((other) => other !== fault)))).toEqual([...CODES[fault]].sort());
  });

  test('nesting: --deps data does without an edit', async () => {
    const folder = mended(FAULTS.filter((fault) => fault !== 'nesting'));
    expect(await codesOf(folder, '--deps', 'data')).toEqual([]);
  });

  test('arm: --fix moves the sizes', async () => {
    const folder = mended(FAULTS.filter((fault) => fault !== 'arm'));
    expect(await codesOf(folder, '--fix', '-o', newFolder())).toEqual([]);
  });

  test.each([
    ['order', 4],
    ['lost', 1],
    ['tag', 4],
    ['group', 1],
    ['nesting', 4],
    ['arm', 0],
  ])('%s alone: simulate ends with status %d', async (fault, expected) => {
    const folder = mended(FAULTS.filter((other) => other !== fault));
    expect((await runHere(['simulate', folder, ...NETWORK])).status).toBe(expected);
  });
});

describe('the times of docs/finding-faults.md', () => {
  const MICRO = 1_000_000; // ps
  /** A step of a ring: α = 1 µs, β = 50 B/ns, so a byte takes 20 ps. */
  const step = (bytes: number): number => MICRO + bytes * 20;
  /** The last of two ranks passes the barrier after two hops, the last of four after four. */
  const [barrierOfTwo, barrierOfFour] = [2 * MICRO, 4 * MICRO];

  const activations = 100 * MICRO + barrierOfTwo + 2 * step(4_000_000 / 2);
  const backward = activations + 200 * MICRO;
  const gradients = backward + barrierOfFour + 6 * step(8_000_000 / 4);
  const norm = gradients + barrierOfTwo + 2 * step(100_000 / 2);
  const weights = (shard: number): number => norm + barrierOfTwo + step(shard);
  const end = (shard: number): number => weights(shard) + 50 * MICRO + 5 * MICRO;

  const endNs = async (...words: string[]): Promise<number> => {
    const { stdout } = await runHere(['simulate', mended(FAULTS), ...NETWORK, '--json', ...words]);
    return (JSON.parse(stdout) as { endNs: number }).endNs;
  };

  test('with shards, and with the gathered size read as a shard', async () => {
    expect(await endNs('--assume', 'allgather-size=total')).toBe(end(2_000_000) / 1000);
    expect(await endNs()).toBe(end(4_000_000) / 1000);
  });

  test('are those of the page', () => {
    const page = readFileSync(join(REPOSITORY, 'docs', 'finding-faults.md'), 'utf8');
    const ends = [...page.matchAll(/^\| (\d) \| .*\| ([\d,]+) \|$/gm)].map(([, node, micros]) => [Number(node), Number(micros)]);
    const optimizer = weights(2_000_000) + 50 * MICRO;
    expect(ends).toEqual(
      [100 * MICRO, activations, backward, gradients, norm, weights(2_000_000), optimizer, end(2_000_000)].map(
        (time, index) => [[1, 2, 4, 5, 6, 7, 8, 9][index], time / MICRO],
      ),
    );
    expect(page).toContain(`It ends at ${end(4_000_000) / MICRO} µs, ${(4_000_000 - 2_000_000) / 50_000} µs after`);
  });
});
