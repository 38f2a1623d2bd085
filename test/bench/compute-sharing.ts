import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { ComputeSharing } from '../../src/replay/compute-sharing.js';
import { replay } from '../../src/replay/replay.js';
import { NodeType } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { RankTraceBuilder } from '../../src/trace/rank-trace-builder.js';
import { perCpuSecond, type BenchCase } from './bench-case.js';

const RUNNING = 1000;
const COMPLETIONS = 1_000_000;
const RANKS = 16;
const NODES = 20_000;
const NETWORK = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 1_000_000, bytesPerNs: 50 });

/** Whole µs from 1 to 1,009, in no order. */
function micros(number: number): number {
  return 1 + ((number * 7919) % 1009);
}

/** A thousand nodes run, and each that finishes is followed by another. */
function aloneRate(): number {
  const sharing = new ComputeSharing();
  const finished: number[] = [];
  let next = 0;
  while (next < RUNNING) sharing.start(next, micros(next++) * 1e6, 0);
  return perCpuSecond(COMPLETIONS, () => {
    for (let completions = 0; completions < COMPLETIONS;) {
      const now = sharing.nextFinish();
      finished.length = 0;
      sharing.finishNext(finished);
      completions += finished.length;
      for (let place = 0; place < finished.length; place++) sharing.start(next, micros(next++) * 1e6, now);
    }
  });
}

let traces: RankTrace[] | undefined;

/** Every rank has a thousand chains of compute nodes side by side. */
function chains(): RankTrace[] {
  return (traces ??= Array.from({ length: RANKS }, (_, rank) => {
    const builder = new RankTraceBuilder(rank, `bench.${rank}.et`);
    for (let node = 0; node < NODES; node++) {
      const index = builder.addNode(node, 0, NodeType.compute, 0);
      builder.durationMicros[index] = micros(node + 31 * rank);
      if (node >= RUNNING) builder.data.add(index - RUNNING);
    }
    return builder.finish({ version: '0.0.4', kept: new Uint8Array(0), passes: [] }, undefined);
  }));
}

function replayRate(): number {
  const job = chains();
  return perCpuSecond(RANKS * NODES, () => {
    const outcome = replay(job, { network: NETWORK });
    const done = outcome.ranks.reduce((sum, { computations }) => sum + computations, 0);
    if (done !== RANKS * NODES) throw new Error(`${done} nodes finished, expected ${RANKS * NODES}`);
  });
}

export const cases: BenchCase[] = [
  { name: 'compute sharing, 1,000 nodes running', unit: 'completions/s', target: 1e6, run: aloneRate },
  {
    name: 'replay of compute, 16 ranks with 1,000 nodes running on each',
    unit: 'completions/s',
    target: 1e6,
    run: replayRate,
  },
];
