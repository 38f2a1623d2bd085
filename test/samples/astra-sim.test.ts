import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { REPOSITORY } from '../support/repository.js';

/** The sample of docs/astra-sim.md, on both of its ways, held against its arithmetic. */

const SAMPLE = join(REPOSITORY, 'samples', 'astra-sim');
const TRACES = join(SAMPLE, 'step');
const NETWORK = ['--network', join(SAMPLE, 'network.yml')];
const SYSTEM = ['--system', join(SAMPLE, 'system.json'), '--memory', join(SAMPLE, 'memory.json')];

/** 50 × 2^30 B/s. */
const BYTES_PER_NS = (50 * 2 ** 30) / 1e9;

test('generate.js makes the traces that lie there', () => {
  const folder = newFolder();
  const { status } = spawnSync(process.execPath, [join(SAMPLE, 'generate.js'), folder]);
  expect(status).toBe(0);
  for (const name of ['step.0.et', 'step.1.et', 'step.2.et', 'step.3.et', 'comm_group.json']) {
    expect(readFileSync(join(folder, name)).equals(readFileSync(join(SAMPLE, name)))).toBe(true);
  }
});

interface Result {
  readonly endNs: number;
  readonly ranks: readonly { readonly endNs: number }[];
}

async function result(...words: string[]): Promise<Result> {
  const { status, stdout } = await runHere(['simulate', TRACES, ...NETWORK, ...words, '--json', '--quiet']);
  expect(status).toBe(0);
  return JSON.parse(stdout) as Result;
}

describe('on the system layer', () => {
  const batch = 250 + Math.floor(3_700_000 / 37);
  // Five chunks of 250,000 B: messages of 62,500 B, reductions of 3 × ⌊39.06⌋ (example F of astra-sim-semantics section 17).
  const gradients = 5 * (10 + 6 * (Math.floor(500 + 62_500 / BYTES_PER_NS) + 10) + 3 * 3 * 39);
  // Four chunks of a shard of 25,000 B, one message each.
  const activations = 4 * (10 + Math.floor(500 + 25_000 / BYTES_PER_NS) + 10);
  // Four chunks of 65,536 B a pair; the rank opposite is two hops away.
  const tokens = 4 * (10 + Math.floor(2 * 500 + 65_536 / BYTES_PER_NS) + 10);
  const before = batch + 50_000 + gradients + activations;

  test('one after the other', async () => {
    expect([batch, gradients, activations, tokens]).toEqual([100_250, 52_025, 3940, 8960]);
    const { endNs, ranks } = await result(...SYSTEM);
    expect(endNs).toBe(before + tokens + 10_000);
    expect(ranks.map((rank) => rank.endNs)).toEqual([endNs, endNs, endNs, endNs]);
  });

  test('with links that are waited for only the all-to-all is longer', async () => {
    // On a clockwise link three messages of ⌊1220.7⌋ ns follow each other, and the last has two hops: 10 + 3 × 1220 + 2 × 500 + 10, and
    // a message that is at the end of its first link is there ⌊500 + 1220.7⌋ after it started.
    const { endNs } = await result(...SYSTEM, '--backend', 'analytical-aware');
    expect(endNs).toBe(before + 4 * (10 + 3 * 1220 + 2 * 500 + 10) + 10_000);
  });
});

test('on the replay: the all-gather beside the all-reduce, one message for each step', async () => {
  const gradients = 6 * (500 + 250_001 / BYTES_PER_NS);
  const tokens = 2 * 500 + 262_144 / BYTES_PER_NS;
  const { endNs } = await result('--no-sync');
  // Every step is rounded to whole ps.
  expect(endNs).toBeCloseTo(100_000 + 50_000 + gradients + tokens + 10_000, 1);
});
