import fc from 'fast-check';
import type { SystemOutcome } from '../../src/astra-sim/outcome.js';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemConfiguration } from '../../src/astra-sim/system-configuration.js';
import type { SystemRun } from '../../src/astra-sim/system-run.js';
import { TOPOLOGIES, type AnalyticalSpec, type Topology } from '../../src/network/network-spec.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { NodeType } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { astraSimTwin } from '../oracles/astra-sim/twin.js';
import { mendAll } from '../support/for-astra-sim.js';
import { groupsOf } from '../support/preparation.js';
import { choiceOf } from '../support/system-expansions.js';
import { NO_MEMORY, systemOf } from '../support/system-runs.js';
import { topologyOf } from '../support/topologies.js';
import { traceOf, type NodeObject } from '../support/traces.js';
import { validateRead } from '../support/validation.js';
import { commandChain, writtenBy, type Step } from './command-chain.js';
import { jobs, type Job } from './random-traceset.js';

/** What the written files are run on. */
interface Machine {
  readonly topology: Topology;
  /** Whether four ranks are two dimensions of two. */
  readonly isFolded: boolean;
  readonly backend: SystemRun['backend'];
  readonly system: SystemConfiguration;
  readonly queues: number;
}

const machine: fc.Arbitrary<Machine> = fc
  .record({
    topology: fc.constantFrom(...TOPOLOGIES),
    isFolded: fc.boolean(),
    backend: fc.constantFrom('analytical-unaware' as const, 'analytical-aware' as const),
    list: fc.constantFrom('ring', 'direct', 'direct1', 'ring direct', 'direct ring'),
    datasetSplits: fc.integer({ min: 1, max: 3 }),
    activeChunksPerDimension: fc.integer({ min: 1, max: 3 }),
    queues: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ list, isFolded, datasetSplits, activeChunksPerDimension, ...more }) => ({
    ...more,
    isFolded: isFolded || list.includes(' '),
    system: systemOf(list, { datasetSplits, activeChunksPerDimension }),
  }));

function networkOf({ topology, isFolded }: Machine, rankCount: number): AnalyticalSpec {
  if (rankCount === 4 && isFolded) return topologyOf([topology, 2, 1, 7], ['FullyConnected', 2, 0.5, 40]);
  return topologyOf([topology, rankCount, 1, 7]);
}

/** A list of two entries where there are two dimensions. */
function systemFor({ system }: Machine, { dimensions }: AnalyticalSpec): SystemConfiguration {
  const { implementations } = system;
  const short = implementations.allReduce!.slice(0, dimensions.length);
  return {
    ...system,
    implementations: { allReduce: short, allGather: short, reduceScatter: short, allToAll: short },
  };
}

function runOf(traces: readonly RankTrace[], groups: Record<string, number[]>, on: Machine): SystemRun {
  const network = networkOf(on, traces.length);
  return {
    rankCount: traces.length,
    withTrace: (rank, use) => use(traces[rank]),
    withCustomTrace: () => {
      throw new Error('no custom collectives');
    },
    groups: groupsOf(groups),
    network,
    backend: on.backend,
    system: systemFor(on, network),
    memory: NO_MEMORY,
    options: { queuesPerDimension: on.queues, rendezvous: false, deps: 'both', stopNs: Infinity },
  };
}

/** `finished`, or `stalled` with the reasons. */
function endOf({ status, stall }: SystemOutcome): string {
  return [status, ...(stall?.reasons ?? []).map(({ code }) => code)].join(' ');
}

function endsNs({ ranks }: SystemOutcome): number[] {
  return ranks.map(({ endNs }) => endNs);
}

/** What the run says against the files. */
function complaints({ findings }: SystemOutcome): string[] {
  return findings.filter(({ code }) => code.startsWith('ASTRA_')).map(({ code, message }) => `${code}: ${message}`);
}

/**
 * The job as ASTRA-sim runs it raw: collectives that it has, of two ranks or more, no message and no collective empty, and work on
 * every rank.
 */
function runnable(drawn: Job): Job {
  const { allReduce, allGather, allToAll, reduceScatter } = CollectiveType;
  const native = [allReduce, allGather, allToAll, reduceScatter];
  const isAlone = ({ type, attr }: NodeObject): boolean =>
    type === 'COMM_COLL_NODE' && drawn.groups[String(attr!.pg_name?.string_val ?? 'world')].length === 1;
  const nodes = drawn.nodes.map((list) => [
    { id: 1, type: 'COMP_NODE', duration_micros: 3 },
    ...list.map((node) => {
      // Alone, it would never end there.
      if (isAlone(node)) return { ...node, type: 'COMP_NODE', attr: {} };
      const { comm_type: type, comm_size: size, ...more } = node.attr ?? {};
      if (size === undefined) return node;
      return {
        ...node,
        attr: {
          ...more,
          ...(type && { comm_type: { int64_val: native[Number(type.int64_val) % native.length] } }),
          comm_size: { int64_val: Number(size.int64_val) + 64 },
        },
      };
    }),
  ]);
  return { ...drawn, nodes, traces: nodes.map((list, rank) => traceOf(list, rank)) };
}

const isOther = (step: Step): boolean => step !== 'expand';
const several = jobs({ tags: 'own' }).filter(({ rankCount }) => rankCount > 1);

describe('law: what is written for ASTRA-sim runs on its system layer', () => {
  test('expanded jobs end on every rank, when the twin says, with the messages that were written', () => {
    fc.assert(
      fc.property(several, commandChain, machine, fc.boolean(), (drawn, steps, on, bySystem) => {
        // Raw, that never ends there: `expand --system` refuses it as the run does.
        const isEndless = ({ type, size }: Job['collectives'][number]): boolean =>
          type === CollectiveType.allGather && (size === 0 || (steps.includes('scale') && size < 1000));
        fc.pre(!bySystem || !drawn.collectives.some(isEndless));
        const chain = steps.includes('expand') ? steps : [...steps, 'expand' as const];
        const network = networkOf(on, drawn.rankCount);
        const choice = choiceOf(drawn.rankCount, {
          network,
          system: systemFor(on, network),
          queuesPerDimension: on.queues,
          groups: drawn.groups,
        });
        const { traces, groups } = mendAll(writtenBy(drawn, chain, bySystem ? { choice } : {}), drawn.groups);
        const run = runOf(traces, groups, on);
        const outcome = simulateSystem(run);
        expect(endOf(outcome)).toBe('finished');
        expect(complaints(outcome)).toEqual([]);
        expect(endsNs(outcome)).toEqual(astraSimTwin(run).finishNs);
        const sends = traces.map(({ type }) => type.filter((kind) => kind === NodeType.send).length);
        expect(outcome.ranks.map(({ messagesSent }) => messagesSent)).toEqual(sends);
      }),
      { numRuns: 80 },
    );
  });

  test('where messages share tags, what validate passes ends too', () => {
    fc.assert(
      fc.property(jobs({ tags: 'shared' }), commandChain, machine, (drawn, steps, on) => {
        fc.pre(drawn.rankCount > 1);
        const { traces, groups } = mendAll(writtenBy(drawn, [...steps.filter(isOther), 'expand']), drawn.groups);
        const read = traces.map((trace) => ({ trace, findings: [] }));
        const found = validateRead(read, { groups, target: 'astra-sim' });
        fc.pre(!found.some(({ severity }) => severity === 'error'));
        expect(endOf(simulateSystem(runOf(traces, groups, on)))).toBe('finished');
      }),
      { numRuns: 60 },
    );
  });

  test('raw jobs end at the nanosecond at which they ended before, or stall for the same reason', () => {
    fc.assert(
      fc.property(several.map(runnable), commandChain, machine, (drawn, steps, on) => {
        const raw = writtenBy(
          drawn,
          steps.filter((step) => step === 'serialize' || step === 'annotate'),
        );
        const mended = mendAll(raw, drawn.groups);
        const [before, after] = [runOf(raw, drawn.groups, on), runOf(mended.traces, mended.groups, on)].map(
          simulateSystem,
        );
        expect(endOf(after)).toBe(endOf(before));
        // A rank has one slot for communication: a collective in it keeps a send from starting that another member waits for.
        expect(endOf(after)).toMatch(/^finished$|crossed-collectives|missing-participant/);
        expect(endsNs(after)).toEqual(endsNs(before));
      }),
      { numRuns: 80 },
    );
  });
});
