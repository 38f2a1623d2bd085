import type { NarrowColumn } from '../base/narrowed.js';
import { idOfPlace, SkeletonKind, type TransferColumns } from './transfer-columns.js';

/** The sends, or the receives, of one rank that name a partner, sorted by partner, tag, bytes and place. */
export interface TransferEnds {
  /** Partner ranks, ascending, each once. */
  readonly peer: Int32Array;
  /** [peers + 1] first entry of each partner in `place`. */
  readonly start: Uint32Array;
  /** Places in the columns. */
  readonly place: Uint32Array;
  readonly columns: TransferColumns;
}

/**
 * What a check of pairs needs of one rank: an order of its sends and receives in which those that may match stand
 * together. 4 bytes each beside the columns; typed arrays only, so that it can be moved out of a worker.
 */
export interface TransferSurvey {
  readonly rank: number;
  readonly sends: TransferEnds;
  readonly receives: TransferEnds;
}

/** Surveys a rank by the columns of its transfers, of a skeleton or of {@link transferColumns}. */
export function surveyTransfers(columns: TransferColumns): TransferSurvey {
  return {
    rank: columns.rank,
    sends: endsOf(columns, SkeletonKind.send),
    receives: endsOf(columns, SkeletonKind.receive),
  };
}

/** Sends and receives of one key (tag, sender, receiver): runs of entries at the two ends. */
export interface KeyMatch {
  readonly tag: number;
  readonly sender: number;
  readonly receiver: number;
  /** [from, to) in `sends` of the sender and `receives` of the receiver; empty where that end has none. */
  readonly sends: TransferEnds;
  readonly sendFrom: number;
  readonly sendTo: number;
  readonly receives: TransferEnds;
  readonly receiveFrom: number;
  readonly receiveTo: number;
}

/**
 * Visits every key that some send or receive has, once: by receiver, sender and tag ascending. Keys with a partner
 * that `surveys` does not have are left out.
 *
 * @param surveys by ascending rank
 */
export function forEachKey(surveys: readonly TransferSurvey[], visit: (match: KeyMatch) => void): void {
  const byRank = new Map(surveys.map((survey) => [survey.rank, survey]));
  const sendersTo = new Map<number, number[]>();
  for (const { rank, sends } of surveys) {
    for (const peer of sends.peer) {
      const senders = sendersTo.get(peer);
      if (senders === undefined) sendersTo.set(peer, [rank]);
      else senders.push(rank);
    }
  }
  for (const { rank: receiver, receives } of surveys) {
    const senders = new Set([...receives.peer, ...(sendersTo.get(receiver) ?? [])]);
    for (const sender of [...senders].sort((left, right) => left - right)) {
      const partner = byRank.get(sender);
      if (partner !== undefined) matchPair(sender, partner.sends, receiver, receives, visit);
    }
  }
}

/** The entries of a key that are left when sends and receives of equal size are paired. */
export function withoutEqualSizes(match: KeyMatch): { sendLeft: number[]; receiveLeft: number[] } {
  const { sends, receives, sendTo, receiveTo } = match;
  const sendLeft: number[] = [];
  const receiveLeft: number[] = [];
  let send = match.sendFrom;
  let receive = match.receiveFrom;
  while (send < sendTo && receive < receiveTo) {
    const sent = bytesOf(sends, send);
    const expected = bytesOf(receives, receive);
    if (Object.is(sent, expected)) {
      send++;
      receive++;
    } else if (Number.isNaN(expected) || sent < expected) sendLeft.push(send++);
    else receiveLeft.push(receive++);
  }
  while (send < sendTo) sendLeft.push(send++);
  while (receive < receiveTo) receiveLeft.push(receive++);
  return { sendLeft, receiveLeft };
}

/** Bytes of an entry; NaN when absent. */
export function bytesOf({ columns, place }: TransferEnds, entry: number): number {
  return columns.bytes[place[entry]];
}

/** Id of the node of an entry. */
export function idOf({ columns, place }: TransferEnds, entry: number): number | string {
  return idOfPlace(columns, place[entry]);
}

function matchPair(
  sender: number,
  sends: TransferEnds,
  receiver: number,
  receives: TransferEnds,
  visit: (match: KeyMatch) => void,
): void {
  const [firstSend, sendEnd] = entriesOf(sends, receiver);
  const [firstReceive, receiveEnd] = entriesOf(receives, sender);
  const sendTag = sends.columns.tag;
  const receiveTag = receives.columns.tag;
  let sendFrom = firstSend;
  let receiveFrom = firstReceive;
  while (sendFrom < sendEnd || receiveFrom < receiveEnd) {
    const tag = Math.min(
      sendFrom < sendEnd ? sendTag[sends.place[sendFrom]] : Infinity,
      receiveFrom < receiveEnd ? receiveTag[receives.place[receiveFrom]] : Infinity,
    );
    let sendTo = sendFrom;
    while (sendTo < sendEnd && sendTag[sends.place[sendTo]] === tag) sendTo++;
    let receiveTo = receiveFrom;
    while (receiveTo < receiveEnd && receiveTag[receives.place[receiveTo]] === tag) receiveTo++;
    visit({ tag, sender, receiver, sends, sendFrom, sendTo, receives, receiveFrom, receiveTo });
    sendFrom = sendTo;
    receiveFrom = receiveTo;
  }
}

/** [from, to) of the entries with a partner. */
function entriesOf(ends: TransferEnds, peer: number): [number, number] {
  let low = 0;
  let high = ends.peer.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends.peer[middle] < peer) low = middle + 1;
    else high = middle;
  }
  return ends.peer[low] === peer ? [ends.start[low], ends.start[low + 1]] : [0, 0];
}

function endsOf(columns: TransferColumns, wanted: number): TransferEnds {
  const { kind, peer, tag, bytes } = columns;
  let count = 0;
  for (let place = 0; place < kind.length; place++) if (kind[place] === wanted && peer[place] >= 0) count++;
  const order = new Uint32Array(count);
  count = 0;
  for (let place = 0; place < kind.length; place++) {
    if (kind[place] === wanted && peer[place] >= 0) order[count++] = place;
  }
  const sizeOf = (place: number): number => (Number.isNaN(bytes[place]) ? Infinity : bytes[place]);
  const compare = (left: number, right: number): number =>
    peer[left] - peer[right] || tag[left] - tag[right] || sizeDifference(sizeOf(left), sizeOf(right)) || left - right;
  sortByPeer(order, peer);
  let sorted = true;
  for (let entry = 1; entry < count && sorted; entry++) sorted = compare(order[entry - 1], order[entry]) < 0;
  if (!sorted) order.sort(compare);

  const peers: number[] = [];
  const start: number[] = [];
  for (let entry = 0; entry < count; entry++) {
    if (entry > 0 && peer[order[entry]] === peers[peers.length - 1]) continue;
    peers.push(peer[order[entry]]);
    start.push(entry);
  }
  return { peer: Int32Array.from(peers), start: Uint32Array.from([...start, count]), place: order, columns };
}

/** Two absent sizes, both infinite, are equal. */
function sizeDifference(left: number, right: number): number {
  return left === right ? 0 : left - right;
}

/** Orders by partner and keeps the order within: expanded traces, whose tags ascend, are sorted by this alone. */
function sortByPeer(order: Uint32Array, peer: NarrowColumn): void {
  const count = new Map<number, number>();
  for (const place of order) count.set(peer[place], (count.get(peer[place]) ?? 0) + 1);
  if (count.size < 2) return;
  const next = new Map<number, number>();
  let entry = 0;
  for (const partner of [...count.keys()].sort((left, right) => left - right)) {
    next.set(partner, entry);
    entry += count.get(partner)!;
  }
  const input = order.slice();
  for (const place of input) {
    const at = next.get(peer[place])!;
    order[at] = place;
    next.set(peer[place], at + 1);
  }
}
