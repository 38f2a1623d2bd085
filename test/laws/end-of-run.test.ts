import fc from 'fast-check';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import type { NetworkFactory } from '../../src/network/network.js';
import type { RankOutcome, ReplayOutcome } from '../../src/replay/outcome.js';
import { replay } from '../../src/replay/replay.js';
import { NodeType } from '../../src/trace/node-type.js';
import { NodeFlag, type RankTrace } from '../../src/trace/rank-trace.js';
import { everythingOf } from '../support/outcome-facts.js';
import { alphaBeta, expanded, fabricOf, randomRun, routed, scaleUpGroups } from './random-run.js';

/** When ranks and runs start and end, worked out again from what the run says of its nodes and transfers. */

const stopPs = fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 40_000_000 }));
/** Groups, or a network alone, which replays transfers without events. */
const groups = fc.option(scaleUpGroups, { nil: undefined });

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Length of the union of intervals. */
function union(intervals: readonly Interval[]): number {
  let length = 0;
  let covered = -Infinity;
  for (const { from, to } of [...intervals].sort((a, b) => a.from - b.from)) {
    if (to > covered) length += to - Math.max(from, covered);
    covered = Math.max(covered, to);
  }
  return length;
}

/** What a rank has done, from the times of its nodes and from the transfers of the run. */
function rankOf(
  outcome: ReplayOutcome,
  traces: readonly RankTrace[],
  rank: number,
  isScaleUp: (from: number, to: number) => boolean,
): Partial<RankOutcome> {
  const trace = traces[rank];
  const { start, finish, acknowledged } = outcome.nodeTimes(rank);
  const { startPs, endPs, stopPs: stop } = outcome;
  const all = Array.from({ length: trace.length }, (_, node) => node);
  const finished = all.filter((node) => finish[node] <= stop);
  const is = (node: number, ...types: number[]): boolean => types.includes(trace.type[node]);
  const counts = (node: number): boolean => (trace.flags[node] & NodeFlag.addedSync) === 0;
  const sends = finished.filter((node) => is(node, NodeType.send) && counts(node));
  const computations = finished.filter((node) => is(node, NodeType.compute));
  const ran = (nodes: readonly number[]): Interval[] =>
    nodes
      .filter((node) => start[node] <= stop)
      .map((node) => ({ from: start[node], to: finish[node] <= stop ? finish[node] : Math.max(startPs, endPs) }));
  const work = ran(all.filter((node) => is(node, NodeType.compute, NodeType.memoryLoad, NodeType.memoryStore)));
  const transfers = ran(all.filter((node) => is(node, NodeType.send, NodeType.receive)));
  const log = outcome.transferLog!;
  const rows = Array.from({ length: log.length }, (_, row) => row);
  const received = rows.filter((row) => log.receiver[row] === rank);
  const bytesOf = new Map(received.map((row) => [`${log.sender[row]} ${log.tag[row]}`, log.bytes[row]]));
  const receives = finished.filter((node) => is(node, NodeType.receive) && counts(node));
  // Keys of one transfer only, so that what a receive got is known from here.
  const distinct = bytesOf.size === received.length;

  const isReady = (node: number): boolean =>
    trace.dataStart[node] === trace.dataStart[node + 1] && trace.controlStart[node] === trace.controlStart[node + 1];
  const neverStarts = !all.some(isReady);
  let end: number | undefined = startPs;
  if (!neverStarts) {
    // (a) and (b), then (c) as long as it brings further acknowledgments into sight.
    end = Math.max(startPs, ...[...finish, ...acknowledged].filter((time) => !Number.isNaN(time)));
    const own = finished.length === all.length && all.every((n) => !is(n, NodeType.send) || acknowledged[n] <= stop);
    const nic = received.filter((row) => !isScaleUp(log.sender[row], rank));
    for (;;) {
      const until: number = end;
      const seen = nic.filter((row) => log.received[row] <= until).map((row) => log.acknowledged[row]);
      end = Math.max(until, ...seen.map((time) => (Number.isNaN(time) ? Infinity : time)));
      if (end === until) break;
    }
    if (!own || !(end <= stop)) end = undefined;
  }
  return {
    ended: end !== undefined,
    ...(end === undefined ? {} : { endPs: end }),
    nodesFinished: finished.length,
    computePs: union(work),
    communicationPs: union(transfers),
    exposedCommunicationPs: union([...work, ...transfers]) - union(work),
    sends: sends.length,
    bytesSent: sends.reduce((sum, node) => sum + trace.commSize[node], 0),
    receives: receives.length,
    acknowledged: all.filter((node) => counts(node) && acknowledged[node] <= stop).length,
    computations: computations.length,
    computationMicros: computations.reduce((sum, node) => sum + trace.durationMicros[node], 0),
    ...(distinct && {
      bytesReceived: receives.reduce(
        (sum, node) => sum + bytesOf.get(`${trace.peer[node]} ${trace.commTag[node]}`)!,
        0,
      ),
    }),
  };
}

/** By key, start and finish of every receive that has started; NaN for one that has not finished. */
function receivesOf(outcome: ReplayOutcome, traces: readonly RankTrace[]): Record<string, [number, number][]> {
  const keys: Record<string, [number, number][]> = {};
  for (const trace of traces) {
    const { start, finish } = outcome.nodeTimes(trace.rank);
    for (let node = 0; node < trace.length; node++) {
      if (trace.type[node] !== NodeType.receive || Number.isNaN(start[node])) continue;
      const key = `${trace.commTag[node]} ${trace.peer[node]} ${trace.rank}`;
      (keys[key] ??= []).push([start[node], finish[node]]);
    }
  }
  // The k-th to start; of those that start together it does not matter which.
  const never = (time: number): number => (Number.isNaN(time) ? Number.MAX_VALUE : time);
  for (const list of Object.values(keys)) list.sort((a, b) => a[0] - b[0] || never(a[1]) - never(b[1]));
  return keys;
}

/** The same as give it: the k-th receive of a key to start gets its k-th transfer to arrive. */
function claimsOf(outcome: ReplayOutcome, traces: readonly RankTrace[]): Record<string, [number, number][]> {
  const { transferLog, stopPs: stop } = outcome;
  const log = transferLog!;
  const keys = receivesOf(outcome, traces);
  for (const [key, list] of Object.entries(keys)) {
    const rows = Array.from({ length: log.length }, (_, row) => row);
    const own = rows.filter((row) => `${log.tag[row]} ${log.sender[row]} ${log.receiver[row]}` === key);
    const arrivals = own.map((row) => log.received[row]).filter((time) => time <= stop);
    arrivals.sort((a, b) => a - b);
    keys[key] = list.map(([start], at) => [start, at < arrivals.length ? Math.max(start, arrivals[at]) : NaN]);
  }
  return keys;
}

test('law: R-067, R-140, R-141, R-142 receives, ranks, run and counts are what the nodes and the transfers say', () => {
  fc.assert(
    fc.property(
      randomRun(true),
      alphaBeta,
      groups,
      fc.boolean(),
      stopPs,
      fc.constantFrom(0, 1, 2_500_000),
      fc.constantFrom(1_000_000, 1_000_000_000),
      (run, spec, drawn, sync, stop, startPs, beaconIntervalPs) => {
        const traces = expanded(run, sync);
        const groupOf = drawn === undefined ? undefined : fabricOf(drawn, run.rankCount).groupOf;
        const isScaleUp = (from: number, to: number): boolean =>
          from !== to && groupOf !== undefined && groupOf[from] >= 0 && groupOf[from] === groupOf[to];
        const network = drawn === undefined ? analyticalUnaware(spec) : routed(spec, drawn, run.rankCount);
        const options = { network, recordTransfers: true, startPs, stopPs: startPs + stop, beaconIntervalPs };
        const outcome = replay(traces, options);
        for (const rank of traces.keys()) {
          expect(outcome.ranks[rank]).toMatchObject(rankOf(outcome, traces, rank, isScaleUp));
        }
        expect(receivesOf(outcome, traces)).toEqual(claimsOf(outcome, traces));
        //
        const last = Math.max(startPs, ...outcome.ranks.map(({ endPs }) => endPs));
        const allEnded = outcome.ranks.every(({ ended }) => ended);
        const idle = Number.isFinite(stop) ? startPs + stop : outcome.endPs;
        const withBeacon = Math.min(last + beaconIntervalPs, startPs + stop);
        expect(outcome.simulationEndPs).toBe(allEnded ? withBeacon : idle);
        if (outcome.status === 'finished') expect(outcome.endPs).toBe(last);
        expect(outcome.status === 'finished').toBe(outcome.ranks.every(({ state }) => state === 'finished'));
        expect(outcome.stall === null).toBe(outcome.status === 'finished');
      },
    ),
    { numRuns: 250 },
  );
});

test('law: R-041 a run that starts later is the same run later', () => {
  fc.assert(
    fc.property(
      randomRun(true),
      alphaBeta,
      groups,
      fc.boolean(),
      stopPs,
      fc.integer({ min: 1, max: 2 ** 40 }),
      (run, spec, drawn, sync, stop, startPs) => {
        const traces = expanded(run, sync);
        const network: NetworkFactory =
          drawn === undefined ? analyticalUnaware(spec) : routed(spec, drawn, run.rankCount);
        const from = (start: number): ReplayOutcome =>
          replay(traces, { network, recordTransfers: true, startPs: start, stopPs: start + stop });
        const moved = <T extends object>(facts: T, ...names: (keyof T)[]): T =>
          Object.fromEntries(
            Object.entries(facts).map(([name, value]) => [
              name,
              !names.includes(name as keyof T)
                ? value
                : Array.isArray(value)
                  ? value.map((time: number) => time + startPs)
                  : (value as number) + startPs,
            ]),
          ) as T;
        const early = everythingOf(from(0));
        const later = everythingOf(from(startPs));
        expect(later).toEqual({
          ...moved(early, 'startPs', 'endPs', 'stopPs', 'simulationEndPs'),
          ranks: (early.ranks as RankOutcome[]).map((rank) => moved(rank, 'endPs')),
          collectives: (early.collectives as { startPs: number; endPs: number }[]).map((collective) =>
            moved(collective, 'startPs', 'endPs'),
          ),
          nodes: (early.nodes as { start: number[]; finish: number[]; acknowledged: number[] }[]).map((times) =>
            moved(times, 'start', 'finish', 'acknowledged'),
          ),
          log: (early.log as { start: number; sent: number; received: number; acknowledged: number }[]).map((row) =>
            moved(row, 'start', 'sent', 'received', 'acknowledged'),
          ),
        });
      },
    ),
    { numRuns: 120 },
  );
});

test('law: R-141, R-142 a run with a stop is the beginning of the run without', () => {
  fc.assert(
    fc.property(
      randomRun(true),
      alphaBeta,
      groups,
      fc.boolean(),
      fc.integer({ min: 0, max: 40_000_000 }),
      (run, spec, drawn, sync, stop) => {
        const traces = expanded(run, sync);
        const network = drawn === undefined ? analyticalUnaware(spec) : routed(spec, drawn, run.rankCount);
        const whole = replay(traces, { network, recordTransfers: true });
        const part = replay(traces, { network, recordTransfers: true, stopPs: stop });
        const cut = (times: readonly number[]): number[] => times.map((time) => (time <= stop ? time : NaN));
        const facts = everythingOf(whole) as {
          nodes: { start: number[]; finish: number[]; acknowledged: number[] }[];
          log: { acknowledged: number; received: number }[];
        };
        const cutFacts = everythingOf(part) as typeof facts;
        expect(cutFacts.nodes).toEqual(
          facts.nodes.map(({ start, finish, acknowledged }) => ({
            start: cut(start),
            finish: cut(finish),
            acknowledged: cut(acknowledged),
          })),
        );
        // On a scale-up fabric a transfer may be acknowledged before it is received.
        const upToStop = ({ received, ...row }: (typeof facts)['log'][number]): unknown => [row, cut([received])];
        const acknowledged = facts.log.filter((row) => row.acknowledged <= stop);
        expect(cutFacts.log.map(upToStop)).toEqual(acknowledged.map(upToStop));
        for (const [rank, { ended, endPs }] of whole.ranks.entries()) {
          expect(part.ranks[rank].ended).toBe(ended && endPs <= stop);
          if (part.ranks[rank].ended) expect(part.ranks[rank].endPs).toBe(endPs);
        }
      },
    ),
    { numRuns: 150 },
  );
});
