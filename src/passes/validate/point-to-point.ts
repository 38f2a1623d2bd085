import type { FindingCode } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { NodeType } from '../../trace/node-type.js';
import { idOfPlace } from '../rank-skeleton.js';
import { forEachKey, type KeyMatch, type TransferEnds } from '../transfer-survey.js';
import { counted, Occurrences } from './occurrences.js';
import type { RankSubject } from './rank-subject.js';
import type { RankRule, TracesetRule, TracesetSubject } from './rule.js';

/** Sends and receives: their partners, and that both ends are there. */
export const pointToPointRules: readonly (RankRule | TracesetRule)[] = [
  { scope: 'rank', codes: ['PEER_MISSING'], check: missingPeers },
  { scope: 'rank', codes: ['PEER_SELF'], check: ownPeers },
  { scope: 'traceset', codes: ['PEER_OUT_OF_RANGE'], check: peersOutOfRange },
  {
    scope: 'traceset',
    codes: ['RECEIVE_UNMATCHED', 'SEND_UNMATCHED', 'TRANSFER_SIZE', 'COMM_SIZE_ZERO'],
    check: pairs,
  },
];

function missingPeers(subject: RankSubject): Finding[] {
  const { type, peer, rank } = subject.trace;
  const findings: Finding[] = [];
  for (const [wanted, what, attribute] of [
    [NodeType.send, 'send', 'comm_dst'],
    [NodeType.receive, 'receive', 'comm_src'],
  ] as const) {
    findings.push(
      ...subject
        .where((node) => type[node] === wanted && peer[node] < 0)
        .finding(
          'PEER_MISSING',
          (places, count) => `rank ${rank}: ${counted(count, what)} without a partner rank in ${attribute}: ${places}`,
          { ...subject.place, advice: `add ${attribute}` },
        ),
    );
  }
  return findings;
}

function ownPeers(subject: RankSubject): Finding[] {
  const { type, peer, rank } = subject.trace;
  return subject
    .where((node) => type[node] === NodeType.send && peer[node] === rank)
    .finding(
      'PEER_SELF',
      (places, count) => `rank ${rank}: ${counted(count, 'send')} to the rank itself: ${places}`,
      subject.place,
    );
}

function peersOutOfRange({ surveys, context }: TracesetSubject): Finding[] {
  const findings: Finding[] = [];
  for (const { rank, file, transfers } of surveys) {
    const found = new Occurrences();
    let first = -1;
    for (const ends of [transfers.sends, transfers.receives]) {
      for (let place = 0; place < ends.peer.length; place++) {
        if (ends.peer[place] < context.worldSize) continue;
        if (first < 0 || ends.peer[place] < first) first = ends.peer[place];
        for (let entry = ends.start[place]; entry < ends.start[place + 1]; entry++) found.add(idOf(ends, entry));
      }
    }
    findings.push(
      ...found.finding(
        'PEER_OUT_OF_RANGE',
        (places, count) =>
          `rank ${rank}: ${counted(count, 'send or receive', 'sends and receives')} with a partner outside ranks 0 to ` +
          `${context.worldSize - 1}, such as rank ${first}: ${places}`,
        { rank, file },
      ),
    );
  }
  return findings;
}

/** What one rank has of one kind of fault between pairs. */
class PairFault {
  readonly found = new Occurrences();
  #first = '';

  add(id: number | string, describe: () => string): void {
    if (this.found.count === 0) this.#first = describe();
    this.found.add(id);
  }

  /** `3 receives that nobody sends to, the first from rank 0 with tag 7: nodes 4, 5 and 6`. */
  finding(code: FindingCode, noun: string, what: string, place: { rank: number; file: string }): Finding[] {
    return this.found.finding(
      code,
      (places, count) =>
        `rank ${place.rank}: ${counted(count, noun)} ${what}, ${count === 1 ? '' : 'the first '}${this.#first}: ${places}`,
      place,
    );
  }
}

/** Pairs the ends of each key; of equal keys those with equal sizes first, the rest in ascending size. */
function pairs({ surveys, context }: TracesetSubject): Finding[] {
  const faults = surveys.map(() => ({
    receive: new PairFault(),
    send: new PairFault(),
    size: new PairFault(),
    zero: new PairFault(),
  }));
  const placeOf = new Map(surveys.map(({ rank }, place) => [rank, place]));
  // What a rank without a trace sends and receives is not known; that it is missing is an error of its own.
  const unknown = (rank: number): boolean => rank < context.worldSize && !placeOf.has(rank);
  forEachKey(
    surveys.map(({ transfers }) => transfers),
    (match) => {
      const { tag, sender, receiver, sends, receives } = match;
      if (unknown(sender) || unknown(receiver)) return;
      const sending = faults[placeOf.get(sender)!];
      const receiving = faults[placeOf.get(receiver)!];
      const { sendLeft, receiveLeft } = withoutEqualSizes(match);
      for (let place = 0; place < Math.max(sendLeft.length, receiveLeft.length); place++) {
        const send = sendLeft[place];
        const receive = receiveLeft[place];
        if (send === undefined)
          receiving.receive.add(idOf(receives, receive), () => `from rank ${sender} with tag ${tag}`);
        else if (receive === undefined)
          sending.send.add(idOf(sends, send), () => `to rank ${receiver} with tag ${tag}`);
        else {
          const sent = bytesOf(sends, send);
          const expected = bytesOf(receives, receive);
          // An absent size is reported on its own node.
          if (Number.isNaN(sent) || Number.isNaN(expected)) continue;
          receiving.size.add(
            idOf(receives, receive),
            () =>
              `${expected} bytes from rank ${sender} with tag ${tag}, where node ${idOf(sends, send)} sends ${sent}`,
          );
          if (sent === 0)
            sending.zero.add(idOf(sends, send), () => `to rank ${receiver}, which expects ${expected} bytes`);
          if (expected === 0) {
            receiving.zero.add(idOf(receives, receive), () => `from rank ${sender}, which sends ${sent} bytes`);
          }
        }
      }
    },
  );
  return surveys.flatMap(({ rank, file }, place) => {
    const { receive, send, size, zero } = faults[place];
    return [
      ...receive.finding('RECEIVE_UNMATCHED', 'receive', 'that nobody sends to', { rank, file }),
      ...send.finding('SEND_UNMATCHED', 'send', 'that nobody receives', { rank, file }),
      ...size.finding('TRANSFER_SIZE', 'receive', 'of another size than the send', { rank, file }),
      ...zero.finding('COMM_SIZE_ZERO', 'transfer end', 'with comm_size 0', { rank, file }),
    ];
  });
}

/** The entries of a key that are left when sends and receives of equal size are paired. */
function withoutEqualSizes(match: KeyMatch): { sendLeft: number[]; receiveLeft: number[] } {
  const { sends, receives, sendTo, receiveTo } = match;
  const sentBytes = sends.columns.bytes;
  const expectedBytes = receives.columns.bytes;
  const sendLeft: number[] = [];
  const receiveLeft: number[] = [];
  let send = match.sendFrom;
  let receive = match.receiveFrom;
  while (send < sendTo && receive < receiveTo) {
    const sent = sentBytes[sends.place[send]];
    const expected = expectedBytes[receives.place[receive]];
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

function idOf(ends: TransferEnds, entry: number): number | string {
  return idOfPlace(ends.columns, ends.place[entry]);
}

function bytesOf(ends: TransferEnds, entry: number): number {
  return ends.columns.bytes[ends.place[entry]];
}
