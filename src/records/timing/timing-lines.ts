import { grouped } from '../../base/counts.js';
import { ruledTable, type TableRow } from '../../base/ruled-table.js';
import { bandwidthColumn, timeColumn, type NumberColumn } from './timing-columns.js';
import { sumOrNull, type ExecutorTiming, type TimingReport, type TransferTiming } from './timing-report.js';

/** Executors, and transfers of each, that are shown unless said otherwise. */
const EXECUTORS_SHOWN = 16;
const TRANSFERS_SHOWN = 8;
/** Executors whose times are named where the overhead is explained. */
const TIMES_NAMED = 4;

const NONE = '–';

export interface TimingLinesOptions {
  /** Whether boxes are drawn, for a terminal; else columns are aligned with blanks. */
  readonly boxes: boolean;
  /** Whether lines are coloured: executors bold, what is unfinished yellow. Default `false`. */
  readonly colour?: boolean;
  /** The slowest executors of each kind are shown, together up to so many. Default 16. */
  readonly executors?: number;
  /** Of each executor the slowest transfers are shown, up to so many. Default 8. */
  readonly transfers?: number;
}

/**
 * A report as lines of text. All times of a report are in one unit, all bandwidths in GB/s with 10^9. Where only the slowest
 * are shown, they keep their order and a line tells how many more there are and what they sum up to; unfinished counts as
 * slowest.
 */
export function timingLines(report: TimingReport, options: TimingLinesOptions): string[] {
  const { boxes, colour = false } = options;
  const { shown, rest } = slowestOfEachKind(report.executors, options.executors ?? EXECUTORS_SHOWN);
  const blocks = shown.map((executor) => ({
    executor,
    ...slowest(executor.transfers, options.transfers ?? TRANSFERS_SHOWN, ({ timePs }) => timePs ?? Infinity),
  }));
  const { test } = report;
  const lines = [test, ...blocks.flatMap(({ executor, shown: transfers }) => [executor, ...transfers])];
  const times = timeColumn(test.timePs, [...lines.map(({ timePs }) => timePs), test.overheadPs, test.outsidePs]);
  const sums = shown.map(({ sumBytesPerNs }) => sumBytesPerNs);
  const bandwidths = bandwidthColumn([...lines.map(({ bytesPerNs }) => bytesPerNs), ...sums]);
  const cells = new Cells(times, bandwidths);

  const rows: TableRow[] = ['rule'];
  for (const { executor, shown: transfers, rest: more } of blocks) {
    rows.push(cells.executor(executor));
    if (transfers.length > 0 && boxes) rows.push('rule');
    for (const transfer of transfers) rows.push(cells.transfer(transfer));
    if (more.length > 0) rows.push(cells.moreTransfers(more));
    rows.push('rule');
  }
  if (rest.length > 0) rows.push(cells.moreExecutors(rest), 'rule');
  rows.push(cells.aggregate(report), 'rule');
  const table = ruledTable(rows, 'lrrrl', boxes);
  return [`Test: ${test.name}`, ...(colour ? table.map(coloured) : table), ...footer(report, times)];
}

function footer({ test, executors }: TimingReport, times: NumberColumn): string[] {
  const list = executors.map(({ timePs }) => timePs);
  const most = list.reduce((longest, timePs) => Math.max(longest, timePs), 0);
  const named =
    list.length <= TIMES_NAMED
      ? list.map((timePs) => times.bare(timePs)).join(', ')
      : `${grouped(list.length)} executors: ${times.bare(most)}`;
  const widest = test.outsidePs === null ? 'Test time' : 'Outside all executors';
  const line = (label: string, value: string): string => `${label.padEnd(widest.length)} = ${value}`;
  return [
    line('Test time', times.withUnit(test.timePs)),
    line('Overhead', `${times.bare(test.timePs)} - MAX(${named || '0'}) = ${times.withUnit(test.overheadPs)}`),
    ...(test.outsidePs === null ? [] : [line('Outside all executors', times.withUnit(test.outsidePs))]),
  ];
}

/**
 * The up to `count` executors that took longest, as many of each kind as there is room for, so that the ports of a rank do not
 * vanish behind its processors.
 */
function slowestOfEachKind(
  executors: readonly ExecutorTiming[],
  count: number,
): { shown: ExecutorTiming[]; rest: ExecutorTiming[] } {
  const kinds = new Map<string, ExecutorTiming[]>();
  for (const executor of executors) {
    const kind = executor.name.replace(/^rank \d+ /, '');
    const known = kinds.get(kind);
    if (known) known.push(executor);
    else kinds.set(kind, [executor]);
  }
  const queues = [...kinds.values()].map((kind) => [...kind].sort((a, b) => b.timePs - a.timePs));
  const chosen = new Set<ExecutorTiming>();
  for (let place = 0; chosen.size < Math.min(count, executors.length); place++) {
    for (const queue of queues) if (place < queue.length && chosen.size < count) chosen.add(queue[place]);
  }
  return {
    shown: executors.filter((executor) => chosen.has(executor)),
    rest: executors.filter((executor) => !chosen.has(executor)),
  };
}

/** The up to `count` items that took longest, in the order in which they came, and the others. */
function slowest<T>(items: readonly T[], count: number, timePs: (item: T) => number): { shown: T[]; rest: T[] } {
  if (items.length <= count) return { shown: [...items], rest: [] };
  const order = items.map((_, place) => place);
  order.sort((a, b) => compare(timePs(items[b]), timePs(items[a])) || a - b);
  const chosen = new Set(order.slice(0, count));
  return {
    shown: items.filter((_, place) => chosen.has(place)),
    rest: items.filter((_, place) => !chosen.has(place)),
  };
}

/** Subtracting would give NaN for two infinities. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** The five cells of each kind of line. */
class Cells {
  readonly #times: NumberColumn;
  readonly #bandwidths: NumberColumn;

  constructor(times: NumberColumn, bandwidths: NumberColumn) {
    this.#times = times;
    this.#bandwidths = bandwidths;
  }

  executor(executor: ExecutorTiming): string[] {
    const { name, nodes, sumBytesPerNs } = executor;
    const sum = sumBytesPerNs === null ? '' : `${this.#bandwidths.withUnit(sumBytesPerNs)} (sum)`;
    const what = nodes === null ? sum : `${grouped(nodes)} ${nodes === 1 ? 'node' : 'nodes'}`;
    return this.#line(`Executor: ${name}`, executor, withUnfinished(what, executor));
  }

  transfer(transfer: TransferTiming): string[] {
    const { name, count, depth, path } = transfer;
    const folded = count === 1 ? '' : ` (${grouped(count)} transfers)`;
    return this.#line(`${'    '.repeat(depth + 1)}${name}${folded}`, transfer, withUnfinished(path, transfer));
  }

  /** Bandwidths and bytes of those that are not shown, summed; their longest time. */
  moreTransfers(rest: readonly TransferTiming[]): string[] {
    const whole = rest.filter(({ depth }) => depth === 0);
    return this.#more(`    … and ${grouped(rest.length)} more`, rest, whole);
  }

  moreExecutors(rest: readonly ExecutorTiming[]): string[] {
    return this.#more(`… and ${grouped(rest.length)} more ${rest.length === 1 ? 'executor' : 'executors'}`, rest, rest);
  }

  aggregate({ test }: TimingReport): string[] {
    const name = test.clock === 'wall' ? 'Aggregate (wall clock)' : 'Aggregate (simulated time)';
    return this.#line(name, test, withUnfinished(`Overhead ${this.#times.withUnit(test.overheadPs)}`, test));
  }

  #more(
    name: string,
    rest: readonly Pick<ExecutorTiming | TransferTiming, 'timePs'>[],
    summed: readonly (Pick<ExecutorTiming, 'bytes' | 'bytesPerNs'> & Unfinished)[],
  ): string[] {
    const longest = rest.reduce((most, { timePs }) => Math.max(most, timePs ?? 0), 0);
    const sums = {
      bytesPerNs: sumOrNull(summed, ({ bytesPerNs }) => bytesPerNs),
      bytes: sumOrNull(summed, ({ bytes }) => bytes),
      timePs: longest,
      unfinished: summed.reduce((total, { unfinished }) => total + unfinished, 0),
      unfinishedBytes: summed.reduce((total, { unfinishedBytes }) => total + unfinishedBytes, 0),
    };
    return this.#line(name, sums, withUnfinished('sums, longest time', sums));
  }

  #line(
    name: string,
    {
      bytesPerNs,
      timePs,
      bytes,
    }: { readonly bytesPerNs: number | null; readonly timePs: number | null; readonly bytes: number | null },
    last: string,
  ): string[] {
    return [
      name,
      bytesPerNs === null ? NONE : this.#bandwidths.withUnit(bytesPerNs),
      timePs === null ? 'unfinished' : this.#times.withUnit(timePs),
      bytes === null ? NONE : `${grouped(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`,
      last,
    ];
  }
}

interface Unfinished {
  readonly unfinished: number;
  readonly unfinishedBytes: number;
}

function withUnfinished(text: string, { unfinished, unfinishedBytes }: Unfinished): string {
  if (unfinished === 0) return text;
  const bytes = unfinishedBytes === 0 ? '' : ` with ${grouped(unfinishedBytes)} bytes`;
  return `${text === '' ? '' : `${text}, `}${grouped(unfinished)} unfinished${bytes}`;
}

function coloured(line: string): string {
  if (line.includes(' unfinished')) return `\u001b[33m${line}\u001b[0m`;
  return line.startsWith('Executor: ') || line.startsWith('Aggregate ') ? `\u001b[1m${line}\u001b[0m` : line;
}
