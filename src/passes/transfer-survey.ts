import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** The sends, or the receives, of one rank, sorted by partner, tag, bytes and place in the file. */
export interface TransferEnds {
  /** Partner ranks, ascending, each once. */
  readonly peer: Int32Array;
  /** [peers + 1] first entry of each partner in the columns below. */
  readonly start: Uint32Array;
  readonly tag: Float64Array; // 0 when absent
  readonly bytes: Float64Array; // NaN when absent, sorted last
  readonly idLow: Uint32Array;
  readonly idHigh: Uint32Array;
}

/**
 * What a check of pairs needs of one rank: every send and receive that names a partner. 28 bytes each, typed arrays
 * only, so that it can be moved out of a worker.
 */
export interface TransferSurvey {
  readonly rank: number;
  readonly sends: TransferEnds;
  readonly receives: TransferEnds;
}

export function surveyTransfers(trace: RankTrace): TransferSurvey {
  return {
    rank: trace.rank,
    sends: endsOf(trace, NodeType.send),
    receives: endsOf(trace, NodeType.receive),
  };
}

/** Sends and receives of one key (tag, sender, receiver): runs of entries in the two columns. */
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
    const sent = sends.bytes[send];
    const expected = receives.bytes[receive];
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

function matchPair(
  sender: number,
  sends: TransferEnds,
  receiver: number,
  receives: TransferEnds,
  visit: (match: KeyMatch) => void,
): void {
  const [firstSend, sendEnd] = entriesOf(sends, receiver);
  const [firstReceive, receiveEnd] = entriesOf(receives, sender);
  let sendFrom = firstSend;
  let receiveFrom = firstReceive;
  while (sendFrom < sendEnd || receiveFrom < receiveEnd) {
    const sendTag = sendFrom < sendEnd ? sends.tag[sendFrom] : Infinity;
    const receiveTag = receiveFrom < receiveEnd ? receives.tag[receiveFrom] : Infinity;
    const tag = Math.min(sendTag, receiveTag);
    let sendTo = sendFrom;
    while (sendTo < sendEnd && sends.tag[sendTo] === tag) sendTo++;
    let receiveTo = receiveFrom;
    while (receiveTo < receiveEnd && receives.tag[receiveTo] === tag) receiveTo++;
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

function endsOf(trace: RankTrace, wanted: number): TransferEnds {
  const { length, type, peer, commTag, commSize } = trace;
  let count = 0;
  for (let node = 0; node < length; node++) if (type[node] === wanted && peer[node] >= 0) count++;
  const order = new Uint32Array(count);
  count = 0;
  for (let node = 0; node < length; node++) if (type[node] === wanted && peer[node] >= 0) order[count++] = node;
  const tagOf = (node: number): number => (Number.isNaN(commTag[node]) ? 0 : commTag[node]);
  const sizeOf = (node: number): number => (Number.isNaN(commSize[node]) ? Infinity : commSize[node]);
  const compare = (left: number, right: number): number =>
    peer[left] - peer[right] ||
    tagOf(left) - tagOf(right) ||
    sizeDifference(sizeOf(left), sizeOf(right)) ||
    left - right;
  sortByPeer(order, peer);
  let sorted = true;
  for (let place = 1; place < count && sorted; place++) sorted = compare(order[place - 1], order[place]) < 0;
  if (!sorted) order.sort(compare);

  const peers: number[] = [];
  const start: number[] = [];
  const tag = new Float64Array(count);
  const bytes = new Float64Array(count);
  const idLow = new Uint32Array(count);
  const idHigh = new Uint32Array(count);
  for (let place = 0; place < count; place++) {
    const node = order[place];
    if (place === 0 || peer[node] !== peers[peers.length - 1]) {
      peers.push(peer[node]);
      start.push(place);
    }
    tag[place] = tagOf(node);
    bytes[place] = commSize[node];
    idLow[place] = trace.idLow[node];
    idHigh[place] = trace.idHigh[node];
  }
  return { peer: Int32Array.from(peers), start: Uint32Array.from([...start, count]), tag, bytes, idLow, idHigh };
}

/** Two absent sizes, both infinite, are equal. */
function sizeDifference(left: number, right: number): number {
  return left === right ? 0 : left - right;
}

/** Orders by partner and keeps the file order within: expanded traces, whose tags ascend, are sorted by this alone. */
function sortByPeer(order: Uint32Array, peer: Int32Array): void {
  const count = new Map<number, number>();
  for (const node of order) count.set(peer[node], (count.get(peer[node]) ?? 0) + 1);
  if (count.size < 2) return;
  const next = new Map<number, number>();
  let place = 0;
  for (const partner of [...count.keys()].sort((left, right) => left - right)) {
    next.set(partner, place);
    place += count.get(partner)!;
  }
  const input = order.slice();
  for (const node of input) {
    const at = next.get(peer[node])!;
    order[at] = node;
    next.set(peer[node], at + 1);
  }
}
