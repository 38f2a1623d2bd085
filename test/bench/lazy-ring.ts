import { ringAllReduce } from '../../src/collectives/ring.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { replay } from '../../src/replay/replay.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { NodeType } from '../../src/trace/node-type.js';
import { RankTraceBuilder } from '../../src/trace/rank-trace-builder.js';
import { perCpuSecond, type BenchCase } from './bench-case.js';

const RANKS = 4096;
const NETWORK = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 1_000_000, bytesPerNs: 50 });

/** A rank that computes for a while of its own and then takes part in one AllReduce. */
function rawRank(rank: number): RankTrace {
  const builder = new RankTraceBuilder(rank, `bench.${rank}.et`);
  const compute = builder.addNode(1, 0, NodeType.compute, 0);
  builder.durationMicros[compute] = (rank * 7919) % 997;
  const collective = builder.addNode(2, 0, NodeType.collective, 0);
  builder.data.add(compute);
  builder.commType[collective] = 0;
  builder.commSize[collective] = 1 << 30;
  return builder.finish({ version: '0.0.4', kept: new Uint8Array(0), passes: [] }, undefined);
}

function lazyRingRate(): number {
  const ranks = Array.from({ length: RANKS }, (_, rank) => rank);
  const traces = ranks.map(rawRank);
  const plan = {
    rankCount: RANKS,
    instances: [
      {
        group: { name: 'world', ranks, origin: 'world' },
        type: 0,
        instance: 0,
        place: 0,
        size: 1 << 30,
        root: 0,
        algorithm: ringAllReduce,
      },
    ],
    ranks: ranks.map((rank) => ({
      node: Int32Array.of(1),
      instance: Int32Array.of(0),
      position: Int32Array.of(rank),
    })),
    tagBase: 65536,
    tagStride: 65536,
    findings: [],
  };
  const transfers = RANKS * 2 * (RANKS - 1);
  return perCpuSecond(transfers, () => {
    const outcome = replay(traces, { network: NETWORK, plan });
    if (outcome.transfers !== transfers) throw new Error(`${outcome.transfers} transfers, expected ${transfers}`);
  });
}

export const cases: BenchCase[] = [
  { name: 'lazy ring AllReduce, 4,096 ranks, jittered starts', unit: 'transfers/s', target: 20e6, run: lazyRingRate },
];
