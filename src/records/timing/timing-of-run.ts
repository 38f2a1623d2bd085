import { BusyTime, placesByStart } from '../../base/busy-time.js';
import { requestError } from '../../base/errors.js';
import type { Processor, ReplayOutcome } from '../../replay/outcome.js';
import type { Placement } from '../../replay/placement.js';
import type { TransferLog } from '../../replay/transfer-log.js';
import { collectiveName } from '../../trace/collective-type.js';
import { Carrier, carrierName, carrierOf, collectivePath, transferPath } from './carriers.js';
import { timingReport, type MeasuredExecutor, type MeasuredTransfer, type TimingReport } from './timing-report.js';

const PROCESSORS: readonly (readonly [Processor, string])[] = [
  ['npu', 'NPU'],
  ['cpu', 'CPU'],
  ['memory', 'memory'],
];
const CARRIERS = Object.values(Carrier);

/**
 * The report of a replay in simulated time. Executors are what worked on each rank, in ascending rank: NPU, CPU and memory
 * with their nodes, then scale-up port, NIC and the rank itself with the transfers it sent through them. A transfer takes
 * from the start of its send to the arrival of its last byte at the receiver. What has not finished when the run stops was
 * running until then. The run ends when its last rank does, or when a transfer arrives that nobody received, if that is later.
 *
 * @param placement where ranks run; without it every transfer goes through a NIC
 * @throws PrepError `TRANSFERS_NOT_RECORDED` for a run that did not keep its transfers
 */
export function timingOfRun(outcome: ReplayOutcome, placement?: Placement): TimingReport {
  const { transferLog: log, startPs } = outcome;
  if (log === undefined) {
    throw requestError(
      'TRANSFERS_NOT_RECORDED',
      'the timing report needs a run that kept its transfers (recordTransfers)',
    );
  }
  const endPs = endOfRun(outcome, log);
  const sent = rowsByExecutor(log, outcome, placement);
  const executors: MeasuredExecutor[] = [];
  for (const { rank } of outcome.ranks) {
    for (const [processor, label] of PROCESSORS) {
      const work = outcome.workIntervals(rank, processor);
      if (work.start.length > 0) executors.push(computeExecutor(`rank ${rank} ${label}`, work, endPs));
    }
    for (const carrier of CARRIERS) {
      const rows = sent(rank, carrier);
      if (rows.length > 0)
        executors.push(new SentTransfers({ outcome, log, placement, endPs }).of(rank, carrier, rows));
    }
  }
  return timingReport({ name: 'simulate', clock: 'simulated', timePs: endPs - startPs }, executors);
}

function endOfRun({ status, endPs, stopPs }: ReplayOutcome, { received, length }: TransferLog): number {
  if (status === 'limit') return stopPs;
  let latest = endPs;
  for (let row = 0; row < length; row++) if (arrives(received[row], stopPs)) latest = Math.max(latest, received[row]);
  return latest;
}

/** Whether an arrival lies within the run; it may be NaN or Infinity. */
function arrives(receivedPs: number, stopPs: number): boolean {
  return receivedPs <= stopPs && receivedPs < Infinity;
}

/** Rows of the transfers that started, by rank and carrier, in ascending start. */
function rowsByExecutor(
  log: TransferLog,
  { ranks, stopPs }: ReplayOutcome,
  placement: Placement | undefined,
): (rank: number, carrier: number) => Uint32Array {
  const { start, sender, receiver, length } = log;
  const executorOf = (row: number): number =>
    start[row] <= stopPs ? CARRIERS.length * sender[row] + carrierOf(sender[row], receiver[row], placement) : -1;
  const first = new Uint32Array(CARRIERS.length * ranks.length + 1);
  for (let row = 0; row < length; row++) if (executorOf(row) >= 0) first[executorOf(row) + 1]++;
  for (let executor = 1; executor < first.length; executor++) first[executor] += first[executor - 1];
  const rows = new Uint32Array(first[first.length - 1]);
  const next = first.slice();
  for (let row = 0; row < length; row++) if (executorOf(row) >= 0) rows[next[executorOf(row)]++] = row;
  return (rank, carrier) => {
    const own = rows.subarray(first[CARRIERS.length * rank + carrier], first[CARRIERS.length * rank + carrier + 1]);
    const starts = Float64Array.from(own, (row) => start[row]);
    return placesByStart(starts).map((place) => own[place]);
  };
}

function computeExecutor(
  name: string,
  { start, finish }: { start: Float64Array; finish: Float64Array },
  endPs: number,
): MeasuredExecutor {
  const busy = new BusyTime();
  let unfinished = 0;
  for (const place of placesByStart(start)) {
    const running = Number.isNaN(finish[place]);
    if (running) unfinished++;
    busy.add(start[place], running ? endPs : finish[place]);
  }
  return { name, timePs: busy.length, nodes: { count: start.length, unfinished }, transfers: [] };
}

/** What a line of the report adds up over its transfers. */
interface Line {
  name: string;
  path: string;
  count: number;
  bytes: number;
  startPs: number;
  lastArrivalPs: number;
  /** Only of added barriers, which lie far apart. */
  busy?: BusyTime;
  unfinished: number;
  unfinishedBytes: number;
}

interface LoggedRun {
  readonly outcome: ReplayOutcome;
  readonly log: TransferLog;
  readonly placement: Placement | undefined;
  readonly endPs: number;
}

/** The transfers one rank sent through one carrier. */
class SentTransfers {
  readonly #lines: Line[] = [];
  readonly #collectives = new Map<number, Line>();
  #barriers: Line | undefined;
  readonly #run: LoggedRun;

  constructor(run: LoggedRun) {
    this.#run = run;
  }

  /** @param rows in ascending start */
  of(rank: number, carrier: Carrier, rows: Uint32Array): MeasuredExecutor {
    const { outcome, endPs } = this.#run;
    const { start, received, bytes } = this.#run.log;
    const busy = new BusyTime();
    for (const row of rows) {
      const line = this.#lineOf(rank, carrier, row);
      const arrived = arrives(received[row], outcome.stopPs);
      const end = arrived ? received[row] : endPs;
      busy.add(start[row], end);
      line.busy?.add(start[row], end);
      line.count++;
      if (arrived) {
        line.bytes += bytes[row];
        if (end > line.lastArrivalPs) line.lastArrivalPs = end;
      } else {
        line.unfinished++;
        line.unfinishedBytes += bytes[row];
      }
    }
    return { name: carrierName(rank, carrier), timePs: busy.length, transfers: this.#lines.map(measured) };
  }

  #lineOf(rank: number, carrier: Carrier, row: number): Line {
    const { outcome, placement } = this.#run;
    const { sendPlace, receiver, collective, addedSync, start } = this.#run.log;
    if (addedSync[row] === 1) {
      if (this.#barriers !== undefined) return this.#barriers;
      const path = collectivePath(rank, carrier, placement, 'added barriers');
      this.#barriers = this.#add('added barriers', path, start[row]);
      this.#barriers.busy = new BusyTime();
      return this.#barriers;
    }
    if (collective[row] < 0) {
      const path = transferPath(rank, receiver[row], carrier, placement);
      return this.#add(`send ${outcome.idOfPlace(rank, sendPlace[row])}`, path, start[row]);
    }
    let line = this.#collectives.get(collective[row]);
    if (line === undefined) {
      const { group, type, instance, algorithm, groupSize } = outcome.collectives[collective[row]];
      const ranks = `${groupSize} ranks ${JSON.stringify(group)}`;
      const pattern = algorithm === '' ? ranks : `${algorithm} of ${ranks}`;
      const path = collectivePath(rank, carrier, placement, pattern);
      line = this.#add(`${collectiveName(type)} ${instance}`, path, start[row]);
      this.#collectives.set(collective[row], line);
    }
    return line;
  }

  #add(name: string, path: string, startPs: number): Line {
    const line = { name, path, count: 0, bytes: 0, startPs, lastArrivalPs: startPs, unfinished: 0, unfinishedBytes: 0 };
    this.#lines.push(line);
    return line;
  }
}

function measured({ name, path, count, bytes, unfinished, unfinishedBytes, ...times }: Line): MeasuredTransfer {
  const timePs = times.busy?.length ?? times.lastArrivalPs - times.startPs;
  return { name, path, count, bytes, timePs: unfinished > 0 ? null : timePs, unfinished, unfinishedBytes, depth: 0 };
}
