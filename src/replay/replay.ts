import { requestError } from '../base/errors.js';
import { idAbove, idForJson } from '../base/ids.js';
import { MAX_EXACT } from '../base/units.js';
import { Kernel } from '../kernel/kernel.js';
import type { Network } from '../network/network.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { Activity } from './activity.js';
import { CollectiveTotals } from './collective-totals.js';
import { cycleFindings } from './cycle-findings.js';
import { Engine } from './engine.js';
import { gatherNodes } from './gather-nodes.js';
import { LazyCollectives, rawInstances } from './lazy/lazy-collectives.js';
import type { NodeTable } from './node-table.js';
import type { CollectiveOutcome, NodeTimes, RankOutcome, ReplayOutcome, RunStatus } from './outcome.js';
import { KeyFindings, sizeMessage } from './pairing.js';
import { progressOf, workIntervals } from './progress.js';
import { RankTotals } from './rank-totals.js';
import type { ReplayOptions } from './replay-options.js';
import { stallReport } from './stall-report.js';
import { tallyNodes } from './tally.js';
import { TransferLog } from './transfer-log.js';

/**
 * Replays a traceset against a network: ranks start at time 0 and the run lasts until nothing is left to do or `stopPs`.
 *
 * @param traces the trace of rank r at place r; left alone
 * @throws PrepError for what cannot be replayed, see `gatherNodes`; `COLLECTIVES_RAW` when collectives are to be replayed
 *   without expanding them on a network with contention; `TIME_TOO_LARGE`; what the network throws
 */
export function replay(traces: readonly RankTrace[], options: ReplayOptions): ReplayOutcome {
  const stopPs = options.stopPs ?? Infinity;
  const useMaxAsStart = options.useMaxAsStart ?? true;
  const { nodes, sharedKeys, findings } = gatherNodes(traces, options);
  const kernel = new Kernel();
  const activity = new Activity(nodes.rankCount);
  const totals = new RankTotals(nodes.rankCount);
  const collectives = new CollectiveTotals();
  const log = options.recordTransfers ? new TransferLog() : undefined;
  const sizes = new KeyFindings('TRANSFER_SIZE', findings);
  const engine = new Engine(nodes, kernel, activity, {
    sharedKeys,
    keepArrivals: log !== undefined,
    onMatch: (send, receive) => {
      if (nodes.amount(send) === nodes.amount(receive)) return;
      sizes.add(sizeMessage(nodes, send, receive), nodes.rank(receive));
    },
  });
  const network = options.network(nodes.rankCount, kernel, engine);
  let lazy: LazyCollectives | undefined;
  const raw = options.plan && rawInstances(options.plan, traces);
  if (options.plan && raw?.includes(1)) {
    const run = { totals, collectives, log, stopPs };
    const how = { raw, sync: options.sync ?? false, traces };
    lazy = new LazyCollectives(options.plan, timesOf(network), run, how, (node, timePs) => engine.leave(node, timePs));
  }

  engine.begin(network, lazy);
  const cutOff = kernel.run(Math.min(stopPs, MAX_EXACT));
  lazy?.stop();
  tallyNodes(nodes, { totals, collectives, log, arrival: engine.arrival, stopPs });
  sizes.finish();

  if (stopPs > MAX_EXACT && (cutOff || totals.lastPs.some((timePs) => timePs > MAX_EXACT))) {
    throw requestError(
      'TIME_TOO_LARGE',
      'the run lasts longer than 2^53 ps (9007 s); expected a shorter one, or --until',
    );
  }
  const status = statusOf(nodes, totals, stopPs, cutOff);
  const endPs = status === 'limit' ? stopPs : totals.lastPs.reduce((latest, time) => Math.max(latest, time), 0);
  if (status !== 'finished') findings.push(...cycleFindings(nodes));
  const ranks = rankOutcomes(nodes, totals, activity, status, endPs, stopPs);
  return {
    status,
    startPs: 0,
    endPs,
    stopPs: stopPs,
    simulationEndPs: endPs,
    network: network.name,
    useMaxAsStart,
    ranks,
    collectives: collectiveOutcomes(collectives, useMaxAsStart, log),
    transfers: totals.sends.reduce((sum, count) => sum + count, 0),
    bytes: totals.bytesSent.reduce((sum, bytes) => sum + bytes, 0),
    events: kernel.events,
    stall: status === 'stalled' ? stallReport(nodes, options.deps ?? 'both', options.plan) : null,
    findings,
    transferLog: log,
    nodeTimes: (rank) => nodeTimes(nodes, rank, stopPs),
    workIntervals: (rank, processor) => workIntervals(nodes, rank, processor, stopPs),
    progress: (intervalPs) => progressOf(nodes, intervalPs, { stopPs, simulationEndPs: endPs }),
    idOfPlace: (rank, place) => idOfPlace(nodes, rank, place),
  };
}

function timesOf(network: Network): NonNullable<Network['contentionFree']> {
  if (network.contentionFree) return network.contentionFree;
  throw requestError(
    'COLLECTIVES_RAW',
    `network ${network.name}: transfers influence each other, so collectives must be expanded before the replay`,
  );
}

function statusOf(nodes: NodeTable, totals: RankTotals, stopPs: number, cutOff: boolean): RunStatus {
  let waiting = false;
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    if (totals.lastPs[rank] > stopPs) return 'limit';
    if (totals.nodesFinished[rank] < nodes.offset[rank + 1] - nodes.offset[rank]) waiting = true;
  }
  if (!waiting) return 'finished';
  return cutOff ? 'limit' : 'stalled';
}

function rankOutcomes(
  nodes: NodeTable,
  totals: RankTotals,
  activity: Activity,
  status: RunStatus,
  runEndPs: number,
  stopPs: number,
): RankOutcome[] {
  const ranks: RankOutcome[] = [];
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    activity.advance(rank, runEndPs);
    const length = nodes.offset[rank + 1] - nodes.offset[rank];
    const ended = totals.nodesFinished[rank] === length && totals.lastPs[rank] <= stopPs;
    const state = ended ? 'finished' : status === 'limit' ? 'running' : 'stalled';
    ranks.push({
      rank,
      state,
      endPs: state === 'running' ? stopPs : totals.lastPs[rank],
      nodes: length,
      nodesFinished: totals.nodesFinished[rank],
      computePs: activity.computePs[rank],
      communicationPs: activity.communicationPs[rank],
      exposedCommunicationPs: activity.exposedPs[rank],
      sends: totals.sends[rank],
      receives: totals.receives[rank],
      acknowledged: totals.acknowledged[rank],
      bytesSent: totals.bytesSent[rank],
      bytesReceived: totals.bytesReceived[rank],
      computations: totals.computations[rank],
      computationMicros: totals.computationMicros[rank],
    });
  }
  return ranks;
}

/** Puts the collectives into the order of the outcome and renumbers the log accordingly. */
function collectiveOutcomes(
  totals: CollectiveTotals,
  useMaxAsStart: boolean,
  log: TransferLog | undefined,
): CollectiveOutcome[] {
  const order = totals.rows.map((_, number) => number).filter((number) => totals.rows[number].groupSize > 1);
  const started = (number: number): number => {
    const { earliestStartPs } = totals.rows[number];
    return Number.isNaN(earliestStartPs) ? Infinity : earliestStartPs;
  };
  order.sort((a, b) => {
    const [first, second] = [totals.rows[a], totals.rows[b]];
    if (started(a) !== started(b)) return started(a) - started(b);
    if (first.group !== second.group) return first.group < second.group ? -1 : 1;
    return first.instance - second.instance || first.type - second.type;
  });
  if (log) {
    const place = new Int32Array(totals.rows.length);
    for (const [at, number] of order.entries()) place[number] = at;
    for (let row = 0; row < log.length; row++) {
      if (log.collective[row] >= 0) log.collective[row] = place[log.collective[row]];
    }
  }
  return order.map((number) => {
    const { earliestStartPs, latestStartPs, ...row } = totals.rows[number];
    return { ...row, startPs: useMaxAsStart ? latestStartPs : earliestStartPs };
  });
}

function idOfPlace(nodes: NodeTable, rank: number, place: number): number | string {
  const { length, idLow, idHigh } = nodes.traces[rank];
  const index = nodes.traceIndex[rank]?.[Math.min(place, length - 1)] ?? Math.min(place, length - 1);
  return place < length
    ? idForJson(idLow[index], idHigh[index])
    : idAbove(idLow[index], idHigh[index], 1 + place - length);
}

function nodeTimes(nodes: NodeTable, rank: number, stopPs: number): NodeTimes {
  const trace = nodes.traces[rank];
  const start = new Float64Array(trace.length);
  const finish = new Float64Array(trace.length);
  const acknowledged = new Float64Array(trace.length);
  const reached = (timePs: number): number => (timePs <= stopPs ? timePs : NaN);
  for (let node = nodes.offset[rank]; node < nodes.offset[rank + 1]; node++) {
    const index = nodes.indexInTrace(node);
    start[index] = reached(nodes.start(node));
    finish[index] = reached(nodes.finish(node));
    acknowledged[index] = trace.type[index] === NodeType.send ? reached(nodes.acknowledged(node)) : NaN;
  }
  return { start, finish, acknowledged };
}
