import { planPreparation, surveyRank, type PreparationPlan } from '../../src/passes/preparation-plan.js';
import { prepareRank } from '../../src/passes/prepare.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { NodeType } from '../../src/trace/node-type.js';
import { RankTraceBuilder } from '../../src/trace/rank-trace-builder.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { type BenchCase, perCpuSecond } from './bench-case.js';

/** A rank with a chain of AllReduce and compute nodes in turn, over all ranks. */
function rankOf(rank: number, collectives: number): RankTrace {
  const builder = new RankTraceBuilder(rank, `bench.${rank}.et`);
  const group = builder.internGroup('all');
  for (let id = 0; id < 2 * collectives; id++) {
    const node = builder.addNode(id, 0, id % 2 === 0 ? NodeType.collective : NodeType.compute, 0);
    if (id > 0) builder.data.add(id - 1);
    if (id % 2 !== 0) continue;
    builder.commType[node] = CollectiveType.allReduce;
    builder.commSize[node] = 2 ** 24;
    builder.group[node] = group;
    builder.issueOrder.set(node, id / 2);
  }
  return builder.finish({ version: '0.0.4', kept: new Uint8Array(0), passes: [] }, undefined);
}

interface Work {
  readonly traces: RankTrace[];
  readonly plan: PreparationPlan;
  readonly nodesOut: number;
}

/** A job with its plan, and how many nodes preparing it gives. */
function workOf(ranks: number, collectives: number, sync: boolean): Work {
  const traces = Array.from({ length: ranks }, (_, rank) => rankOf(rank, collectives));
  const plan = planPreparation(traces.map(surveyRank), {
    algorithms: {},
    expand: true,
    serialize: sync,
    sync,
    annotate: false,
    order: 'recorded',
    groups: new Map([['all', { name: 'all', ranks: traces.map(({ rank }) => rank), origin: 'bench' }]]),
    rankCount: ranks,
  });
  return { traces, plan, nodesOut: prepared(traces, plan) };
}

/** Prepares all ranks and gives the number of nodes. */
function prepared(traces: readonly RankTrace[], plan: PreparationPlan): number {
  let nodes = 0;
  for (const trace of traces) nodes += prepareRank(trace, plan).trace.length;
  return nodes;
}

function prepareCase(name: string, target: number, make: () => Work): BenchCase {
  let work: Work | undefined;
  return {
    name,
    unit: 'nodes/s',
    target,
    run() {
      const { traces, plan, nodesOut } = (work ??= make());
      return perCpuSecond(nodesOut, () => prepared(traces, plan));
    },
  };
}

export const cases: BenchCase[] = [
  prepareCase('expand one ring AllReduce over 1,024 ranks', 20e6, () => workOf(1024, 1, false)),
  prepareCase('prepare 2,000 ring AllReduces over 8 ranks', 5e6, () => workOf(8, 2000, true)),
];
