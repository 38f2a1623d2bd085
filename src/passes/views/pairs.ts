import {
  bytesOf,
  forEachKey,
  withoutEqualSizes,
  type KeyMatch,
  type TransferEnds,
  type TransferSurvey,
} from '../transfer-survey.js';
import type { TransferViewSurvey } from './view-survey.js';

/** Transfers that have no other end. */
export interface Leftover {
  readonly count: number;
  readonly bytes: number;
}

/** What one rank sends to another one, as both ends state it. */
export interface RankPair {
  readonly from: number;
  readonly to: number;
  sends: number;
  /** Sum of `comm_size` of the sends. */
  bytes: number;
  receives: number;
  /** Sum of `comm_size` of the receives. */
  receivedBytes: number;
  /** Sends that nobody receives. */
  unreceived?: Leftover;
  /** Receives that nobody sends to. */
  unsent?: Leftover;
  /** Transfers whose ends state different sizes. */
  sizesDiffer?: { readonly count: number; readonly sentBytes: number; readonly receivedBytes: number };
  /** Set where one of the two ranks has no trace here: what it sends or receives is not known. */
  noTrace?: true;
}

/** What one rank sends and receives in all. */
export interface RankSum {
  readonly rank: number;
  readonly sends: number;
  readonly bytesOut: number;
  readonly receives: number;
  readonly bytesIn: number;
}

/** The point-to-point transfers between ranks. */
export interface PairsView {
  /** Ranks with a trace. */
  readonly ranks: readonly number[];
  readonly sends: number;
  readonly receives: number;
  /** Sum of `comm_size` of all sends in the list. */
  readonly bytes: number;
  /** Sends and receives without a partner rank; they are in no pair. */
  readonly sendsWithoutPartner: number;
  readonly receivesWithoutPartner: number;
  /** Sends and receives without `comm_size`; they count as transfers of 0 bytes. */
  readonly withoutSize: number;
  /** Nodes of collectives that are not expanded: what they will transfer is not in the list. */
  readonly rawCollectives: number;
  /** By rank, those with transfers. */
  readonly sums: readonly RankSum[];
  /** By sender, then receiver; pairs without transfers are left out. */
  readonly list: readonly RankPair[];
}

/** @param surveys by ascending rank */
export function pairsView(surveys: readonly TransferViewSurvey[]): PairsView {
  const transfers = surveys.map((survey) => survey.transfers);
  const list = rankPairs(transfers);
  const sum = (count: (survey: TransferViewSurvey) => number): number =>
    surveys.reduce((total, survey) => total + count(survey), 0);
  return {
    ranks: transfers.map(({ rank }) => rank),
    sends: list.reduce((total, { sends }) => total + sends, 0),
    receives: list.reduce((total, { receives }) => total + receives, 0),
    bytes: list.reduce((total, { bytes }) => total + bytes, 0),
    sendsWithoutPartner: sum((survey) => survey.sendsWithoutPartner),
    receivesWithoutPartner: sum((survey) => survey.receivesWithoutPartner),
    withoutSize: sum((survey) => survey.withoutSize),
    rawCollectives: sum((survey) => survey.rawCollectives),
    sums: transfers.map(rankSum).filter(({ sends, receives }) => sends + receives > 0),
    list,
  };
}

function rankPairs(transfers: readonly TransferSurvey[]): RankPair[] {
  const list: RankPair[] = [];
  // Keys come pair by pair.
  let pair: RankPair | undefined;
  forEachKey(transfers, (match) => {
    if (pair === undefined || pair.from !== match.sender || pair.to !== match.receiver) {
      list.push((pair = emptyPair(match.sender, match.receiver)));
    }
    addKey(pair, match);
  });
  list.push(...pairsWithoutTrace(transfers));
  return list.sort((left, right) => left.from - right.from || left.to - right.to);
}

function emptyPair(from: number, to: number): RankPair {
  return { from, to, sends: 0, bytes: 0, receives: 0, receivedBytes: 0 };
}

function addKey(pair: RankPair, match: KeyMatch): void {
  const { sends, sendFrom, sendTo, receives, receiveFrom, receiveTo } = match;
  pair.sends += sendTo - sendFrom;
  pair.receives += receiveTo - receiveFrom;
  for (let entry = sendFrom; entry < sendTo; entry++) pair.bytes += sizeOf(sends, entry);
  for (let entry = receiveFrom; entry < receiveTo; entry++) pair.receivedBytes += sizeOf(receives, entry);
  // What nearly every key is like.
  const one = sendTo - sendFrom === 1 && receiveTo - receiveFrom === 1;
  if (one && Object.is(bytesOf(sends, sendFrom), bytesOf(receives, receiveFrom))) return;
  const { sendLeft, receiveLeft } = withoutEqualSizes(match);
  const both = Math.min(sendLeft.length, receiveLeft.length);
  for (let place = 0; place < both; place++) addDifference(pair, match, sendLeft[place], receiveLeft[place]);
  if (sendLeft.length > both) pair.unreceived = withEntries(pair.unreceived, sends, sendLeft.slice(both));
  if (receiveLeft.length > both) pair.unsent = withEntries(pair.unsent, receives, receiveLeft.slice(both));
}

function addDifference(pair: RankPair, { sends, receives }: KeyMatch, send: number, receive: number): void {
  const sent = bytesOf(sends, send);
  const received = bytesOf(receives, receive);
  // A size that is not stated differs from none.
  if (Number.isNaN(sent) || Number.isNaN(received)) return;
  const known = pair.sizesDiffer ?? { count: 0, sentBytes: 0, receivedBytes: 0 };
  pair.sizesDiffer = {
    count: known.count + 1,
    sentBytes: known.sentBytes + sent,
    receivedBytes: known.receivedBytes + received,
  };
}

function withEntries(known: Leftover | undefined, ends: TransferEnds, entries: readonly number[]): Leftover {
  const bytes = entries.reduce((sum, entry) => sum + sizeOf(ends, entry), 0);
  return { count: (known?.count ?? 0) + entries.length, bytes: (known?.bytes ?? 0) + bytes };
}

/** Sends to and receives from ranks that have no trace here. */
function pairsWithoutTrace(transfers: readonly TransferSurvey[]): RankPair[] {
  const ranks = new Set(transfers.map(({ rank }) => rank));
  const pairs: RankPair[] = [];
  for (const { rank, sends, receives } of transfers) {
    forEachPeer(sends, (peer, count, bytes) => {
      if (!ranks.has(peer)) pairs.push({ ...emptyPair(rank, peer), sends: count, bytes, noTrace: true });
    });
    forEachPeer(receives, (peer, count, bytes) => {
      if (ranks.has(peer)) return;
      pairs.push({ ...emptyPair(peer, rank), receives: count, receivedBytes: bytes, noTrace: true });
    });
  }
  return pairs;
}

function rankSum({ rank, sends, receives }: TransferSurvey): RankSum {
  let bytesOut = 0;
  let bytesIn = 0;
  forEachPeer(sends, (_peer, _count, bytes) => (bytesOut += bytes));
  forEachPeer(receives, (_peer, _count, bytes) => (bytesIn += bytes));
  return { rank, sends: sends.place.length, bytesOut, receives: receives.place.length, bytesIn };
}

function forEachPeer(ends: TransferEnds, visit: (peer: number, count: number, bytes: number) => void): void {
  for (let place = 0; place < ends.peer.length; place++) {
    let bytes = 0;
    for (let entry = ends.start[place]; entry < ends.start[place + 1]; entry++) bytes += sizeOf(ends, entry);
    visit(ends.peer[place], ends.start[place + 1] - ends.start[place], bytes);
  }
}

/** Bytes of an entry, 0 where they are not stated. */
function sizeOf(ends: TransferEnds, entry: number): number {
  const bytes = bytesOf(ends, entry);
  return Number.isNaN(bytes) ? 0 : bytes;
}
