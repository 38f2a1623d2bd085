import { requestError } from '../base/errors.js';
import { NO_STOPWATCH } from '../base/stopwatch.js';
import { MAX_EXACT } from '../base/units.js';
import { Kernel } from '../kernel/kernel.js';
import type { Network } from '../network/network.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { Activity } from './activity.js';
import type { CollectiveTotals } from './collective-totals.js';
import { cycleFindings } from './cycle-findings.js';
import { demandRoutes } from './demand-routes.js';
import { Engine } from './engine.js';
import { NodeGathering } from './gather-nodes.js';
import { indicesById } from '../trace/id-order.js';
import { jobOf, type Job } from './job.js';
import { LazyCollectives } from './lazy/lazy-collectives.js';
import { NodeLabels } from './node-label.js';
import type { NodeTable } from './node-table.js';
import type { CollectiveOutcome, NodeTimes, RankOutcome, ReplayOutcome, RunStatus } from './outcome.js';
import { KeyFindings, pairTransfers, sizeMessage } from './pairing.js';
import { progressOf, workIntervals } from './progress.js';
import { RankTotals } from './rank-totals.js';
import { markCollectives, unexpandedFindings } from './raw-collectives.js';
import type { ReplayOptions } from './replay-options.js';
import { stallReport } from './stall-report.js';
import { tallyNodes } from './tally.js';
import { TransferLog } from './transfer-log.js';

/** R-010 BeaconReportInterval. */
const BEACON_INTERVAL_PS = 1e9;

/**
 * Replays a traceset against a network: every rank starts at `startPs` and the run lasts until nothing is left to do or
 * `stopPs`.
 *
 * @param traces the trace of rank r at place r, left alone; or a {@link Job} that opens them one by one
 * @throws PrepError for what cannot be replayed, see {@link NodeGathering}; `COLLECTIVES_RAW` when collectives are to be
 *   replayed without expanding them on a network with contention; `TIME_TOO_LARGE`; what the network throws
 */
export function replay(traces: readonly RankTrace[] | Job, options: ReplayOptions): ReplayOutcome {
  const job = 'withTrace' in traces ? traces : jobOf(traces);
  const gathered = new NodeGathering(job, options);
  for (let rank = 0; rank < job.rankCount; rank++) job.withTrace(rank, (trace) => gathered.add(trace));
  return replayGathered(job, gathered, options);
}

/** As {@link replay}, of a job whose ranks have been gathered. */
export function replayGathered(job: Job, gathered: NodeGathering, options: ReplayOptions): ReplayOutcome {
  const startPs = options.startPs ?? 0;
  const stopPs = options.stopPs ?? Infinity;
  const useMaxAsStart = options.useMaxAsStart ?? true;
  const { nodes, collectives, ids } = gathered;
  const findings = [...gathered.findings];
  const labels = new NodeLabels(job, nodes, ids);
  const raw = options.plan && markCollectives(gathered, options.plan);
  findings.push(...unexpandedFindings(gathered));
  const stopwatch = options.stopwatch ?? NO_STOPWATCH;
  const pairingSpan = stopwatch.begin('replay', 'pair');
  const pairing = pairTransfers(nodes, labels, findings);
  stopwatch.end(pairingSpan);
  options.beforeRun?.(findings);
  const kernel = new Kernel(startPs);
  const activity = new Activity(nodes.rankCount, startPs);
  const totals = new RankTotals(nodes.rankCount, startPs);
  const log = options.recordTransfers ? new TransferLog() : undefined;
  const sizes = new KeyFindings('TRANSFER_SIZE', findings);
  const engine = new Engine(nodes, kernel, activity, {
    sharedKeys: pairing.sharedKeys,
    keepArrivals: log !== undefined,
    onMatch: (send, receive) => {
      if (nodes.amount(send) === nodes.amount(receive)) return;
      sizes.add(() => sizeMessage(nodes, labels, send, receive), nodes.rank(receive));
    },
  });
  const network = options.network(nodes.rankCount, kernel, engine);
  demandRoutes(nodes, labels, network);
  let lazy: LazyCollectives | undefined;
  if (options.plan && raw?.includes(1)) {
    const run = { totals, collectives, log, stopPs };
    const how = { raw, sync: options.sync ?? false, offset: nodes.offset };
    lazy = new LazyCollectives(options.plan, timesOf(network), run, how, (node, timePs) => engine.leave(node, timePs));
  }

  const runSpan = stopwatch.begin('replay', 'run');
  engine.begin(network, lazy);
  // A wake-up of compute that a later start has made useless comes before the node it was for ends, so events that are left mean work.
  const cutOff = kernel.run(Math.min(stopPs, MAX_EXACT));
  lazy?.stop();
  stopwatch.end(runSpan);
  const tallySpan = stopwatch.begin('replay', 'tally');
  const isScaleUp = network.isScaleUp?.bind(network) ?? (() => false);
  tallyNodes(gathered, {
    totals,
    log,
    arrival: engine.arrival,
    unclaimed: engine.unclaimed,
    stopPs,
    cutOff,
    isScaleUp,
  });
  sizes.finish();
  stopwatch.end(tallySpan);

  if (stopPs > MAX_EXACT && (cutOff || totals.lastPs.some((timePs) => timePs > MAX_EXACT))) {
    throw requestError(
      'TIME_TOO_LARGE',
      'the run lasts longer than 2^53 ps (9007 s); expected a shorter one, or a stop time',
    );
  }
  const outcomeSpan = stopwatch.begin('replay', 'outcome');
  const status = statusOf(nodes, totals, stopPs, cutOff);
  if (status === 'finished' && !cutOff) network.verify?.();
  const lastPs = totals.lastPs.reduce((latest, time) => Math.max(latest, time), startPs);
  const endPs = status === 'limit' ? stopPs : lastPs;
  const cycles = status === 'finished' ? [] : cycleFindings(gathered);
  findings.push(...cycles);
  const ranks = rankOutcomes(nodes, totals, activity, { status, startPs, endPs, stopPs });
  const beaconPs = options.beaconIntervalPs ?? BEACON_INTERVAL_PS;
  // A run with a rank that has not ended goes on, idle, to its stop; without a stop it is over.
  const allEnded = ranks.every(({ ended }) => ended);
  const simulationEndPs = allEnded ? Math.min(endPs + beaconPs, stopPs) : Number.isFinite(stopPs) ? stopPs : endPs;
  const stall =
    status === 'finished'
      ? null
      : stallReport({
          gathered,
          labels,
          plan: options.plan,
          atStop: status === 'limit',
          endPs,
          hasEnded: (rank) => ranks[rank].ended,
          inCycles: cycles.reduce((sum, { count }) => sum + (count ?? 0), 0),
          sizeMismatches: pairing.sizeMismatches + sizes.count,
          heldUpBy: network.heldUpBy?.(status === 'limit' ? stopPs : kernel.now) ?? [],
        });
  const ordered = collectiveOutcomes(collectives, useMaxAsStart, log);
  stopwatch.end(outcomeSpan);
  return {
    status,
    startPs,
    endPs,
    stopPs,
    simulationEndPs,
    network: network.name,
    linkBytesPerNs: network.linkBytesPerNs,
    useMaxAsStart,
    ranks,
    collectives: ordered,
    transfers: totals.sends.reduce((sum, count) => sum + count, 0),
    bytes: totals.bytesSent.reduce((sum, bytes) => sum + bytes, 0),
    events: kernel.events,
    stall,
    findings,
    transferLog: log,
    nodeTimes: (rank) => nodeTimes(job, nodes, rank, stopPs),
    workIntervals: (rank, processor) => workIntervals(nodes, rank, processor, stopPs),
    progress: (intervalPs) => progressOf(nodes, intervalPs, { stopPs, simulationEndPs }),
    idOfPlace: (rank, place) => ids.json(rank, place),
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
    if (totals.unacknowledged[rank] > 0) waiting = true;
  }
  if (!waiting) return 'finished';
  return cutOff ? 'limit' : 'stalled';
}

function rankOutcomes(
  nodes: NodeTable,
  totals: RankTotals,
  activity: Activity,
  { status, startPs, endPs, stopPs }: { status: RunStatus; startPs: number; endPs: number; stopPs: number },
): RankOutcome[] {
  const ranks: RankOutcome[] = [];
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    activity.advance(rank, Math.max(startPs, endPs));
    const length = nodes.offset[rank + 1] - nodes.offset[rank];
    const neverStarts = totals.nodesStarted[rank] === 0;
    const acknowledged = totals.unacknowledged[rank] === 0 && totals.lastPs[rank] <= stopPs;
    const finished = totals.nodesFinished[rank] === length && (neverStarts || acknowledged);
    const state = finished ? 'finished' : status === 'limit' && !neverStarts ? 'running' : 'stalled';
    ranks.push({
      rank,
      state,
      ended: finished || neverStarts,
      endPs: neverStarts ? startPs : state === 'running' ? stopPs : totals.lastPs[rank],
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
    const place = new Int32Array(totals.rows.length).fill(-1);
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

function nodeTimes(job: Job, nodes: NodeTable, rank: number, stopPs: number): NodeTimes {
  return job.withTrace(rank, (trace) => {
    const order = indicesById(trace);
    const { length } = trace;
    const start = new Float64Array(length);
    const finish = new Float64Array(length);
    const acknowledged = new Float64Array(length);
    const reached = (timePs: number): number => (timePs <= stopPs ? timePs : NaN);
    for (let place = 0; place < length; place++) {
      const node = nodes.offset[rank] + place;
      const index = order?.[place] ?? place;
      start[index] = reached(nodes.start(node));
      finish[index] = reached(nodes.finish(node));
      acknowledged[index] = trace.type[index] === NodeType.send ? reached(nodes.acknowledged(node)) : NaN;
    }
    return { start, finish, acknowledged };
  });
}
