/**
 * Time at three nested levels (see docs/timing.md): the test holds executors, an executor holds transfers. One report for
 * simulated time and for the wall clock. Times are ps, bandwidths bytes per ns, which is GB/s with 10^9.
 */
export interface TimingReport {
  readonly test: TestTiming;
  readonly executors: readonly ExecutorTiming[];
}

/** A transfer, or transfers folded into one line, as they were measured. */
export interface MeasuredTransfer {
  readonly name: string;
  readonly path: string;
  /** Transfers in this line. */
  readonly count: number;
  /** Bytes that arrived; null for work that carries none by its nature. */
  readonly bytes: number | null;
  /** Null when something of it is unfinished. */
  readonly timePs: number | null;
  /** Transfers that started and did not arrive within the run, and their bytes. */
  readonly unfinished: number;
  readonly unfinishedBytes: number;
  /** 0, or above for a part of the nearest line before it that is one less deep; parts count in no sum. */
  readonly depth: number;
}

export interface TransferTiming extends MeasuredTransfer {
  /** Null when nothing is carried, it takes no time, or it is unfinished. */
  readonly bytesPerNs: number | null;
}

/** What carries work, as it was measured. */
export interface MeasuredExecutor {
  readonly name: string;
  /** For how long at least one thing was running on it. */
  readonly timePs: number;
  /** Of an executor that runs nodes and has no transfers: how many ran, those that did not finish among them. */
  readonly nodes?: { readonly count: number; readonly unfinished: number };
  readonly transfers: readonly MeasuredTransfer[];
}

export interface ExecutorTiming {
  readonly name: string;
  /** Null for an executor that carries none by its nature. */
  readonly bytes: number | null;
  readonly timePs: number;
  /** Bytes over time. */
  readonly bytesPerNs: number | null;
  /** Sum of the bandwidths of its transfers: above `bytesPerNs` where they overlapped. Null when none has one. */
  readonly sumBytesPerNs: number | null;
  /** Nodes that ran on it; null for one that carries transfers. */
  readonly nodes: number | null;
  /** Transfers or nodes that started and did not finish, and the bytes of the former. */
  readonly unfinished: number;
  readonly unfinishedBytes: number;
  readonly transfers: readonly TransferTiming[];
}

/** Whose time a report tells. */
export type TimingClock = 'simulated' | 'wall';

/** The whole run, as it was measured. */
export interface MeasuredTest {
  readonly name: string;
  readonly clock: TimingClock;
  readonly timePs: number;
  /** Time in which no executor ran, where that was measured. */
  readonly outsidePs?: number;
}

export interface TestTiming {
  readonly name: string;
  readonly clock: TimingClock;
  /** Sum over the executors; null when none carries bytes. */
  readonly bytes: number | null;
  readonly timePs: number;
  readonly bytesPerNs: number | null;
  /** Time of the test less that of the slowest executor. */
  readonly overheadPs: number;
  /** Null where it was not measured. */
  readonly outsidePs: number | null;
  readonly unfinished: number;
  readonly unfinishedBytes: number;
}

/** The arithmetic of the report: bandwidths, sums and overhead from measured bytes and times. */
export function timingReport(test: MeasuredTest, measuredExecutors: readonly MeasuredExecutor[]): TimingReport {
  const executors = measuredExecutors.map(executorTiming);
  const bytes = sumOrNull(executors, (executor) => executor.bytes);
  const slowest = executors.reduce((most, { timePs }) => Math.max(most, timePs), 0);
  return {
    test: {
      name: test.name,
      clock: test.clock,
      bytes,
      timePs: test.timePs,
      bytesPerNs: bandwidth(bytes, test.timePs),
      overheadPs: test.timePs - slowest,
      outsidePs: test.outsidePs ?? null,
      unfinished: sum(executors, ({ unfinished }) => unfinished),
      unfinishedBytes: sum(executors, ({ unfinishedBytes }) => unfinishedBytes),
    },
    executors,
  };
}

function executorTiming({ name, timePs, nodes, transfers: measured }: MeasuredExecutor): ExecutorTiming {
  const transfers = measured.map((transfer) => ({
    ...transfer,
    bytesPerNs: transfer.timePs === null ? null : bandwidth(transfer.bytes, transfer.timePs),
  }));
  const whole = transfers.filter(({ depth }) => depth === 0);
  const bytes = sumOrNull(whole, (transfer) => transfer.bytes);
  return {
    name,
    bytes,
    timePs,
    bytesPerNs: bandwidth(bytes, timePs),
    sumBytesPerNs: sumOrNull(whole, ({ bytesPerNs }) => bytesPerNs),
    nodes: nodes?.count ?? null,
    unfinished: nodes?.unfinished ?? sum(whole, ({ unfinished }) => unfinished),
    unfinishedBytes: sum(whole, ({ unfinishedBytes }) => unfinishedBytes),
    transfers,
  };
}

function bandwidth(bytes: number | null, timePs: number): number | null {
  return bytes === null || timePs === 0 ? null : (bytes / timePs) * 1000;
}

/** Sum of the values that are there; null when there is none. */
export function sumOrNull<T>(items: readonly T[], value: (item: T) => number | null): number | null {
  let total: number | null = null;
  for (const item of items) {
    const part = value(item);
    if (part !== null) total = (total ?? 0) + part;
  }
  return total;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
