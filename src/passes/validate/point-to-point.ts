import { finding, type FindingCode } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { nodeList } from '../../trace/node-label.js';
import { NodeType } from '../../trace/node-type.js';
import { bytesOf, forEachKey, idOf, withoutEqualSizes, type KeyMatch } from '../transfer-survey.js';
import { Occurrences } from '../occurrences.js';
import type { RankSubject } from './rank-subject.js';
import type { RankRule, TracesetRule, TracesetSubject } from './rule.js';

/** Sends and receives: their partners, and that both ends are there. */
export const pointToPointRules: readonly (RankRule | TracesetRule)[] = [
  { scope: 'rank', codes: ['PEER_MISSING', 'PEER_SELF'], check: ownPeers },
  { scope: 'traceset', codes: ['PEER_OUT_OF_RANGE'], check: peersOutOfRange },
  {
    scope: 'traceset',
    codes: ['RECEIVE_UNMATCHED', 'SEND_UNMATCHED', 'TRANSFER_SIZE', 'COMM_SIZE_ZERO', 'KEY_SHARED'],
    check: pairs,
  },
];

/** Partners as the rank's own nodes state them. */
function ownPeers(subject: RankSubject): Finding[] {
  const { length, type, peer, rank } = subject.trace;
  const sendsNowhere = new Occurrences();
  const receivesFromNowhere = new Occurrences();
  const self = new Occurrences();
  let sends = 0;
  for (let node = 0; node < length; node++) {
    const isSend = type[node] === NodeType.send;
    if (!isSend && type[node] !== NodeType.receive) continue;
    if (peer[node] < 0) subject.add(isSend ? sendsNowhere : receivesFromNowhere, node);
    else if (peer[node] === rank) {
      subject.add(self, node);
      if (isSend) sends++;
    }
  }
  const missing = (found: Occurrences, what: string, attribute: string): Finding[] =>
    subject.told(found, 'PEER_MISSING', what, `without a partner rank in ${attribute}`, { advice: `add ${attribute}` });
  const receives = self.count - sends;
  const ends = [
    sends > 0 ? `${counted(sends, 'send')} to` : '',
    receives > 0 ? `${counted(receives, 'receive')} from` : '',
  ];
  return [
    ...missing(sendsNowhere, 'send', 'comm_dst'),
    ...missing(receivesFromNowhere, 'receive', 'comm_src'),
    ...self.finding(
      'PEER_SELF',
      (places) => `rank ${rank}: ${ends.filter((end) => end !== '').join(' and ')} the rank itself: ${places}`,
      subject.place,
    ),
  ];
}

function peersOutOfRange({ surveys, context }: TracesetSubject): Finding[] {
  const findings: Finding[] = [];
  const ranks = context.worldSize === 1 ? 'rank 0' : `ranks 0 to ${context.worldSize - 1}`;
  for (const { rank, file, waits } of surveys) {
    const found = new Occurrences();
    let first = -1;
    for (const ends of [waits.transfers.sends, waits.transfers.receives]) {
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
          count === 1
            ? `rank ${rank}: 1 send or receive has partner rank ${first}, outside ${ranks}: ${places}`
            : `rank ${rank}: ${grouped(count)} sends and receives have partners outside ${ranks}, the lowest rank ${first}: ${places}`,
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
  finding(
    code: FindingCode,
    nouns: readonly [one: string, several: string],
    what: string,
    place: { rank: number; file: string; advice?: string },
  ): Finding[] {
    return this.found.finding(
      code,
      (places, count) =>
        `rank ${place.rank}: ${counted(count, ...nouns)} ${what}, ${count === 1 ? '' : 'the first '}${this.#first}: ${places}`,
      place,
    );
  }
}

/** Receives of one rank that share tag and sender with another one: who gets which message is a matter of order. */
class SharedKeys {
  #keys = 0;
  #receives = 0;
  #sizesDiffer = 0;
  #first = { count: 0, sender: 0, tag: 0 };
  readonly #nodes: (number | string)[] = [];

  add({ tag, sender, receives, receiveFrom, receiveTo }: KeyMatch): void {
    const count = receiveTo - receiveFrom;
    this.#receives += count;
    // Entries of a key are sorted by size; absent ones come last.
    if (!Object.is(bytesOf(receives, receiveFrom), bytesOf(receives, receiveTo - 1))) this.#sizesDiffer++;
    if (this.#keys++ > 0) return;
    this.#first = { count, sender, tag };
    for (let entry = receiveFrom; entry < Math.min(receiveTo, receiveFrom + SHOWN_OF_KEY); entry++) {
      this.#nodes.push(idOf(receives, entry));
    }
  }

  finding({ rank, file }: { rank: number; file: string }): Finding[] {
    if (this.#keys === 0) return [];
    const { count, sender, tag } = this.#first;
    const places = nodeList(this.#nodes, count);
    let message = `rank ${rank}: ${counted(count, 'receive')} from rank ${sender} share tag ${tag}: ${places}`;
    if (this.#keys > 1) {
      message =
        `rank ${rank}: ${counted(this.#receives, 'receive')} share ${counted(this.#keys, 'key')} (tag and sender), ` +
        `first ${count} from rank ${sender} with tag ${tag}: ${places}`;
    }
    if (this.#sizesDiffer > 0) {
      message +=
        this.#keys === 1 ? '; their sizes differ' : `; sizes differ under ${counted(this.#sizesDiffer, 'key')}`;
    }
    const facts = { rank, file, nodes: this.#nodes, count: this.#receives, keys: this.#keys };
    return [finding('KEY_SHARED', message, { ...facts, keysWithSizes: this.#sizesDiffer })];
  }
}

/** Receives of the first shared key that are listed. */
const SHOWN_OF_KEY = 8;

const RECEIVES = ['receive', 'receives'] as const;

/** Pairs the ends of each key; of equal keys those with equal sizes first, the rest in ascending size. */
function pairs({ surveys, context, plan }: TracesetSubject): Finding[] {
  // Transfers of an expanded collective have no partner on a rank where it was not.
  const partly = plan.findings.some(({ code }) => code === 'PREPARED_PARTLY')
    ? { advice: 'see PREPARED_PARTLY first: run the pass over the whole traceset' }
    : {};
  const faults = surveys.map(() => ({
    receive: new PairFault(),
    send: new PairFault(),
    size: new PairFault(),
    zero: new PairFault(),
    shared: new SharedKeys(),
  }));
  const placeOf = new Map(surveys.map(({ rank }, place) => [rank, place]));
  // What a rank without a trace sends and receives is not known; that it is missing is an error of its own.
  const unknown = (rank: number): boolean => rank < context.worldSize && !placeOf.has(rank);
  forEachKey(
    surveys.map(({ waits }) => waits.transfers),
    (match) => {
      const { tag, sender, receiver, sends, receives } = match;
      if (unknown(sender) || unknown(receiver)) return;
      const sending = faults[placeOf.get(sender)!];
      const receiving = faults[placeOf.get(receiver)!];
      if (match.receiveTo - match.receiveFrom > 1) receiving.shared.add(match);
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
              `${expected} bytes from rank ${sender} with tag ${tag}, whose node ${idOf(sends, send)} sends ${sent}`,
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
    const { receive, send, size, zero, shared } = faults[place];
    return [
      ...receive.finding('RECEIVE_UNMATCHED', RECEIVES, 'that nobody sends to', { rank, file, ...partly }),
      ...send.finding('SEND_UNMATCHED', ['send', 'sends'], 'that nobody receives', { rank, file, ...partly }),
      ...size.finding('TRANSFER_SIZE', RECEIVES, 'of another size than the send', { rank, file }),
      ...zero.finding('COMM_SIZE_ZERO', ['send or receive', 'sends and receives'], 'with comm_size 0', { rank, file }),
      ...shared.finding({ rank, file }),
    ];
  });
}
