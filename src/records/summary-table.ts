import { counted, grouped } from '../base/counts.js';
import { textTable } from '../base/text-table.js';
import type { PacketTotals } from '../network/packet/counts/packet-totals.js';
import type { CollectiveOutcome, RankOutcome, ReplayOutcome } from '../replay/outcome.js';
import { collectiveName } from '../trace/collective-type.js';

/** Ranks up to which each has a row of its own; beyond, only the least, the median and the most are shown. */
const RANKS_SHOWN = 16;
/** Kinds of collectives shown. */
const KINDS_SHOWN = 32;

type SummarizedRank = Pick<
  RankOutcome,
  | 'rank'
  | 'state'
  | 'endPs'
  | 'computePs'
  | 'communicationPs'
  | 'exposedCommunicationPs'
  | 'bytesSent'
  | 'bytesReceived'
  | 'nodes'
  | 'nodesFinished'
>;

type SummarizedCollective = Pick<
  CollectiveOutcome,
  'group' | 'type' | 'algorithm' | 'groupSize' | 'startPs' | 'endPs' | 'transfers' | 'bytes'
>;

/** What the table shows of a run; a {@link ReplayOutcome} holds it. */
export interface SummarizedRun extends Pick<
  ReplayOutcome,
  'status' | 'startPs' | 'endPs' | 'network' | 'transfers' | 'bytes' | 'events'
> {
  readonly ranks: readonly SummarizedRank[];
  /** Fewer than there are where one stood for ranks like it. */
  readonly ranksSimulated?: number;
  readonly collectives: readonly SummarizedCollective[];
}

/** A run for a person, as lines of text. @param packets of a packet network */
export function summaryTable(outcome: SummarizedRun, packets?: PacketTotals): string[] {
  return [
    ...overview(outcome, packets),
    ...(outcome.ranks.length > 0 ? ['', ...rankTable(outcome.ranks)] : []),
    ...(outcome.collectives.length > 0 ? ['', ...collectiveTable(outcome.collectives)] : []),
  ];
}

function overview(outcome: SummarizedRun, packets: PacketTotals | undefined): string[] {
  const { status, startPs, endPs, ranks, network, transfers, bytes, events, collectives } = outcome;
  const ended = ranks.filter(({ state }) => state === 'finished').length;
  const isFolded = (outcome.ranksSimulated ?? ranks.length) < ranks.length;
  const alike = isFolded ? '; they are alike, so one was simulated for all' : '';
  return textTable(
    [
      ['status', `${status} at ${time(endPs)}`],
      ['network', network],
      ['ranks', (ended === ranks.length ? `${ended}, all finished` : `${ended} of ${ranks.length} finished`) + alike],
      ['transfers', `${grouped(transfers)} with ${byteCount(bytes)}`],
      ...(packets === undefined ? [] : [['packets', packetsText(packets)]]),
      ['collectives', grouped(collectives.length)],
      ['events', grouped(events)],
      ['time went to', whereTimeWent(ranks, endPs - startPs)],
    ],
    'll',
  );
}

/** What was sent, and what went wrong on the way as far as something did. */
function packetsText(packets: PacketTotals): string {
  const { data, control, lost, dropped, trimmed, marked, retransmissions, timeouts } = packets;
  const { pauses, lastingPauses, pausedPs } = packets;
  const happened: readonly (readonly [count: number, text: string])[] = [
    [lost, `${grouped(lost)} lost on links`],
    [dropped, `${grouped(dropped)} dropped`],
    [trimmed, `${grouped(trimmed)} trimmed`],
    [marked, `${grouped(marked)} marked`],
    [pauses, counted(pauses, 'pause') + (pausedPs > 0 ? ` of ${time(pausedPs)} in all` : '')],
    [lastingPauses, `${grouped(lastingPauses)} not over`],
    [retransmissions, `${grouped(retransmissions)} sent again`],
    [timeouts, counted(timeouts, 'timeout')],
  ];
  const texts = happened.filter(([count]) => count > 0).map(([, text]) => text);
  const sent = `${grouped(data)} data, ${grouped(control)} control`;
  return `${sent}; ${texts.length > 0 ? texts.join(', ') : 'none lost, dropped, trimmed, marked or paused'}`;
}

/** Shares of the time of all ranks from their start to the end of the run. */
function whereTimeWent(ranks: readonly SummarizedRank[], lastsPs: number): string {
  const all = lastsPs * ranks.length;
  if (all === 0) return 'nothing, the run takes no time';
  const sum = (of: (rank: SummarizedRank) => number): number => ranks.reduce((total, rank) => total + of(rank), 0);
  const compute = sum((rank) => rank.computePs);
  const exposed = sum((rank) => rank.exposedCommunicationPs);
  const share = (part: number): string => `${((100 * part) / all).toFixed(1)} %`;
  return `compute ${share(compute)}, exposed communication ${share(exposed)}, waiting ${share(all - compute - exposed)}`;
}

function rankTable(ranks: readonly SummarizedRank[]): string[] {
  const header = ['rank', 'end', 'compute', 'communication', 'exposed', 'sent', 'received', 'nodes', ''];
  const columns: ((rank: SummarizedRank) => number)[] = [
    (rank) => rank.endPs,
    (rank) => rank.computePs,
    (rank) => rank.communicationPs,
    (rank) => rank.exposedCommunicationPs,
    (rank) => rank.bytesSent,
    (rank) => rank.bytesReceived,
  ];
  const values = (of: (column: (rank: SummarizedRank) => number) => number): string[] =>
    columns.map((column, at) => (at < 4 ? time(of(column)) : byteCount(of(column))));
  const rows =
    ranks.length <= RANKS_SHOWN
      ? ranks.map((rank) => [
          String(rank.rank),
          ...values((column) => column(rank)),
          `${rank.nodesFinished}/${rank.nodes}`,
          rank.state === 'finished' ? '' : rank.state,
        ])
      : [
          ['least', ...values((column) => order(ranks, column, 0)), '', ''],
          ['median', ...values((column) => order(ranks, column, 0.5)), '', ''],
          ['most', ...values((column) => order(ranks, column, 1)), '', ''],
        ];
  return textTable([header, ...rows], 'lrrrrrrrl');
}

/** Collectives of one group, type and algorithm, with their times. */
function collectiveTable(collectives: readonly SummarizedCollective[]): string[] {
  const kinds = new Map<string, SummarizedCollective[]>();
  for (const collective of collectives) {
    const key = JSON.stringify([collective.group, collective.type, collective.algorithm]);
    const kind = kinds.get(key);
    if (kind) kind.push(collective);
    else kinds.set(key, [collective]);
  }
  const rows = [...kinds.values()].slice(0, KINDS_SHOWN).map((kind) => {
    const [{ group, type, algorithm, groupSize }] = kind;
    const done = kind.filter(({ startPs, endPs }) => endPs >= startPs);
    const duration = ({ startPs, endPs }: SummarizedCollective): number => endPs - startPs;
    const at = (part: number): string => (done.length === 0 ? '–' : time(order(done, duration, part)));
    return [
      group,
      collectiveName(type),
      algorithm === '' ? '–' : algorithm,
      String(groupSize),
      grouped(kind.length),
      grouped(kind.reduce((sum, { transfers }) => sum + transfers, 0)),
      byteCount(kind.reduce((sum, { bytes }) => sum + bytes, 0)),
      at(0),
      at(0.5),
      at(1),
    ];
  });
  const header = [
    'group',
    'collective',
    'algorithm',
    'ranks',
    'count',
    'transfers',
    'bytes',
    'least',
    'median',
    'most',
  ];
  const lines = textTable([header, ...rows], 'lllrrrrrrr');
  const more = kinds.size - rows.length;
  return more > 0 ? [...lines, `… and ${more} more kinds`] : lines;
}

/** Value at a place of the sorted values: 0 the least, 0.5 the lower median, 1 the most. */
function order<T>(items: readonly T[], value: (item: T) => number, part: number): number {
  const sorted = items.map(value).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)];
}

const TIMES: readonly [number, string][] = [
  [1e12, 's'],
  [1e9, 'ms'],
  [1e6, 'µs'],
  [1e3, 'ns'],
];

/** A time in the largest unit that it reaches, three decimals; exact times are in the records and the JSON document. */
function time(timePs: number): string {
  const [size, unit] = TIMES.find(([least]) => Math.abs(timePs) >= least) ?? [1, 'ps'];
  return `${unit === 'ps' ? timePs : (timePs / size).toFixed(3)} ${unit}`;
}

const SIZES: readonly [number, string][] = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
];

function byteCount(bytes: number): string {
  const [size, unit] = SIZES.find(([least]) => bytes >= least) ?? [1, 'B'];
  return `${unit === 'B' ? bytes : (bytes / size).toFixed(2)} ${unit}`;
}
