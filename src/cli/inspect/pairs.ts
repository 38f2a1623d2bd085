import { exactBytes, shortBytes } from '../../base/byte-text.js';
import { counted, grouped } from '../../base/counts.js';
import { rankRuns } from '../../base/rank-runs.js';
import { textTable } from '../../base/text-table.js';
import type { PairsView, RankPair, RankSum } from '../../passes/views/pairs.js';
import { cut } from './cut.js';

/** Ranks whose matrix fits a terminal. */
const MATRIX_RANKS = 16;
/** Pairs shown of a larger job, those with the most bytes. */
const HEAVIEST_SHOWN = 20;

/** The view of transfers between ranks for a person. */
export function pairsLines(view: PairsView): string[] {
  const { list, sends, receives, bytes } = view;
  const lines = [
    list.length === 0
      ? 'no sends and receives'
      : `${counted(sends, 'send')} of ${exactBytes(bytes)} and ${counted(receives, 'receive')} between ` +
        counted(list.length, 'pair') +
        ' of ranks',
    ...leftOut(view),
  ];
  if (list.length > 0) {
    lines.push('', ...(view.ranks.length <= MATRIX_RANKS ? matrices(view) : heaviest(view)));
    lines.push('', ...sums(view.sums));
  }
  const odd = oddRows(list);
  if (odd.length > 0) {
    const header = ['from', 'to', 'what', 'count', 'bytes'];
    lines.push('', ...cut(odd, (shown) => textTable([header, ...shown], 'rrlrr')));
  } else if (list.length > 0) lines.push('', 'every send has its receive, of equal size');
  return lines;
}

/** What the sums do not hold. */
function leftOut({ rawCollectives, sendsWithoutPartner, receivesWithoutPartner, withoutSize }: PairsView): string[] {
  const lines: string[] = [];
  if (rawCollectives > 0) {
    lines.push(`not in it: ${counted(rawCollectives, 'node')} of raw collectives; expand makes transfers of them`);
  }
  if (sendsWithoutPartner + receivesWithoutPartner > 0) {
    lines.push(
      `not in it: ${counted(sendsWithoutPartner, 'send')} and ${counted(receivesWithoutPartner, 'receive')} without a partner rank`,
    );
  }
  if (withoutSize > 0) lines.push(`without a size, counted as 0 B: ${counted(withoutSize, 'send or receive node')}`);
  return lines;
}

/** Bytes and counts of the sends of a row's rank to a column's rank. */
function matrices({ ranks, list }: PairsView): string[] {
  const cells = new Map(list.map((pair) => [`${pair.from} ${pair.to}`, pair]));
  const matrix = (title: string, textOf: (pair: RankPair) => string): string[] => {
    const rows = ranks.map((from) => [
      String(from),
      ...ranks.map((to) => {
        const pair = cells.get(`${from} ${to}`);
        return pair === undefined || pair.sends === 0 ? '·' : textOf(pair);
      }),
    ]);
    return textTable([[title, ...ranks.map(String)], ...rows], `l${'r'.repeat(ranks.length)}`);
  };
  return [
    ...matrix('bytes from \\ to', ({ bytes }) => shortBytes(bytes)),
    '',
    ...matrix('sends from \\ to', ({ sends }) => grouped(sends)),
  ];
}

function heaviest({ list }: PairsView): string[] {
  const sorted = [...list].sort((left, right) => right.bytes - left.bytes || right.sends - left.sends);
  const rows = sorted
    .slice(0, HEAVIEST_SHOWN)
    .map(({ from, to, sends, bytes }) => [String(from), String(to), grouped(sends), exactBytes(bytes)]);
  const lines = textTable([['from', 'to', 'sends', 'bytes'], ...rows], 'rrrr');
  const more = list.length - HEAVIEST_SHOWN;
  return more > 0 ? [...lines, `… and ${grouped(more)} more pairs; --json has all`] : lines;
}

/** What ranks send and receive in all; neighbours with the same sums share a row. */
function sums(list: readonly RankSum[]): string[] {
  const runs: { ranks: number[]; sum: RankSum }[] = [];
  for (const sum of list) {
    const last = runs.at(-1);
    if (last !== undefined && sameSums(last.sum, sum)) last.ranks.push(sum.rank);
    else runs.push({ ranks: [sum.rank], sum });
  }
  const rows = runs.map(({ ranks, sum }) => [
    rankRuns(ranks),
    grouped(sum.sends),
    exactBytes(sum.bytesOut),
    grouped(sum.receives),
    exactBytes(sum.bytesIn),
  ]);
  const header = ['rank, each', 'sends', 'bytes out', 'receives', 'bytes in'];
  return cut(rows, (shown) => textTable([header, ...shown], 'lrrrr'));
}

function sameSums(left: RankSum, right: RankSum): boolean {
  return (
    left.sends === right.sends &&
    left.bytesOut === right.bytesOut &&
    left.receives === right.receives &&
    left.bytesIn === right.bytesIn
  );
}

/** A row for everything that has no other end, or another size there. */
function oddRows(list: readonly RankPair[]): string[][] {
  const rows: string[][] = [];
  for (const pair of list) {
    const { from, to, unreceived, unsent, sizesDiffer, noTrace } = pair;
    const add = (what: string, count: number, bytes: string): void => {
      rows.push([String(from), String(to), what, grouped(count), bytes]);
    };
    if (unreceived) add('sends nobody receives', unreceived.count, exactBytes(unreceived.bytes));
    if (unsent) add('receives nobody sends to', unsent.count, exactBytes(unsent.bytes));
    if (sizesDiffer) {
      const { count, sentBytes, receivedBytes } = sizesDiffer;
      add('sizes differ', count, `${exactBytes(sentBytes)} sent, ${exactBytes(receivedBytes)} expected`);
    }
    if (!noTrace) continue;
    if (pair.sends > 0) add(`sends; no trace of rank ${to} here`, pair.sends, exactBytes(pair.bytes));
    if (pair.receives > 0)
      add(`receives; no trace of rank ${from} here`, pair.receives, exactBytes(pair.receivedBytes));
  }
  return rows;
}
