import { Kernel } from '../../src/kernel/kernel.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { prepareRank } from '../../src/passes/prepare.js';
import { planPreparation, surveyRank } from '../../src/passes/preparation-plan.js';
import { Activity } from '../../src/replay/activity.js';
import { Engine } from '../../src/replay/engine.js';
import { NodeGathering } from '../../src/replay/gather-nodes.js';
import { jobOf } from '../../src/replay/job.js';
import { NodeLabels } from '../../src/replay/node-label.js';
import { pairTransfers } from '../../src/replay/pairing.js';
import { replay } from '../../src/replay/replay.js';
import { NodeType } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { RankTraceBuilder } from '../../src/trace/rank-trace-builder.js';
import { perCpuSecond, type BenchCase } from './bench-case.js';

const RANKS = 1024;
const TRANSFERS = RANKS * 2 * (RANKS - 1);
const NETWORK = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 1_000_000, bytesPerNs: 50 });

let expanded: RankTrace[] | undefined;

/** A ring AllReduce of 1,024 ranks that start at different times, expanded; made once. */
function expandedRing(): RankTrace[] {
  if (expanded) return expanded;
  const raw = Array.from({ length: RANKS }, (_, rank) => {
    const builder = new RankTraceBuilder(rank, `bench.${rank}.et`);
    const compute = builder.addNode(1, 0, NodeType.compute, 0);
    builder.durationMicros[compute] = (rank * 7919) % 997;
    const collective = builder.addNode(2, 0, NodeType.collective, 0);
    builder.data.add(compute);
    builder.commType[collective] = 0;
    builder.commSize[collective] = 1 << 30;
    return builder.finish({ version: '0.0.4', kept: new Uint8Array(0), passes: [] }, undefined);
  });
  const plan = planPreparation(raw.map(surveyRank), {
    algorithms: {},
    expand: true,
    serialize: false,
    sync: false,
    annotate: false,
    order: 'recorded',
    groups: new Map(),
    rankCount: RANKS,
  });
  return (expanded = raw.map((trace) => prepareRank(trace, plan).trace));
}

function loopRate(): number {
  const job = jobOf(expandedRing());
  const gathered = new NodeGathering(job, {});
  for (let rank = 0; rank < RANKS; rank++) job.withTrace(rank, (trace) => gathered.add(trace));
  const { nodes, ids } = gathered;
  const { sharedKeys } = pairTransfers(nodes, new NodeLabels(job, nodes, ids), []);
  const kernel = new Kernel();
  const options = { sharedKeys, keepArrivals: false, onMatch: () => {} };
  const engine = new Engine(nodes, kernel, new Activity(RANKS), options);
  engine.begin(NETWORK(RANKS, kernel, engine), undefined);
  return perCpuSecond(TRANSFERS, () => kernel.run());
}

function wholeRate(): number {
  const traces = expandedRing();
  return perCpuSecond(TRANSFERS, () => {
    const outcome = replay(traces, { network: NETWORK });
    if (outcome.transfers !== TRANSFERS) throw new Error(`${outcome.transfers} transfers, expected ${TRANSFERS}`);
  });
}

export const cases: BenchCase[] = [
  { name: 'replay of an expanded ring, 1,024 ranks, the loop', unit: 'transfers/s', target: 3e6, run: loopRate },
  { name: 'replay of an expanded ring, 1,024 ranks, with gathering and tally', unit: 'transfers/s', run: wholeRate },
];
