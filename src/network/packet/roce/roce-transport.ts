import { grouped } from '../../../base/counts.js';
import { EventClass } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';
import type { TransferListener } from '../../network.js';
import { DESTINATION_PORT, type Nic } from '../nic.js';
import { DcqcnRate } from '../dcqcn.js';
import { MOST_PACKETS, transferTooLarge } from '../packet-limit.js';
import type { HostCounters } from '../host-counters.js';
import * as packetRecord from '../packet-record.js';
import type { FrameSettings, RoceSettings } from '../packet-settings.js';
import type { Packets } from '../packets.js';
import { dataWireBytes, wireBytes } from '../frame-sizes.js';
import { timerEntity, TimerPlace } from '../timer-place.js';
import type { Transport } from '../transport.js';
import { ecmpHash, nodeHash, packetHash } from '../ecmp-hash.js';
import { Messages } from './messages.js';
import { QueuePairs } from './queue-pairs.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const { ATTEMPT, CUMULATIVE, EXTRA, FLAGS, FLOW, KIND, PSN } = packetRecord;
const { PACKET_DOUBLES, PACKET_INTEGERS, PacketFlag, PacketKind } = packetRecord;

/** When a data packet's serialisation at its host ended, ps; a double, over two fields that are not needed any more. */
const DEPARTED = 7;
/** In an ACK, of the packet that drew it: that time / 2^32, −1 for an ACK that none drew, and what is left. */
const ANSWERED_HIGH = ATTEMPT;
const ANSWERED_LOW = EXTRA;
const NOT_DRAWN = -1;

const FIRST_PORT = 49_152;
const PORTS = 16_384;

/**
 * RoCEv2 (RC-1 … RC-7): reliable connections with go-back-N. A queue pair numbers its packets through all its messages; the
 * receiver takes them in order only.
 */
export class RoceTransport implements Transport {
  readonly #nic: Nic;
  readonly #packets: Packets;
  readonly #kernel: Kernel;
  readonly #listener: TransferListener;
  readonly #counters: HostCounters;
  readonly #settings: RoceSettings;
  readonly #frames: FrameSettings;
  readonly #txStartLatencyPs: number;
  readonly #ackBytes: number;
  readonly #cnpBytes: number;
  readonly #pairs = new QueuePairs();
  readonly #messages = new Messages();
  readonly #rates: (DcqcnRate | undefined)[] = []; // [queue pairs] since the first CNP
  readonly #firstPair = new Map<number, number>(); // (source, destination) → first queue pair
  readonly #turn = new Map<number, number>(); // the same → queue pair of the next transfer
  readonly #pairCount = new Map<number, number>(); // host → queue pairs so far
  readonly #onTimeout: number;
  readonly #onHold: number;
  readonly #onPaced: number;
  readonly #onStart: number;

  constructor(nic: Nic, kernel: Kernel, listener: TransferListener, counters: HostCounters) {
    const { roce, frames, hosts } = nic.fabric.spec.settings;
    this.#nic = nic;
    this.#packets = nic.packets;
    this.#kernel = kernel;
    this.#listener = listener;
    this.#counters = counters;
    this.#settings = roce;
    this.#frames = frames;
    this.#txStartLatencyPs = hosts.txStartLatencyPs;
    this.#ackBytes = wireBytes(frames, frames.ackBytes);
    this.#cnpBytes = wireBytes(frames, frames.cnpBytes);
    const pairs = this.#pairs;
    this.#onTimeout = kernel.addHandler(
      (pair) => this.#lookAtTimeout(pair),
      (pair) => pairs.timeoutPs[pair] === Infinity,
    );
    this.#onHold = kernel.addHandler(
      (pair) => this.#lookAtHold(pair),
      (pair) => pairs.holdPs[pair] === Infinity,
    );
    this.#onPaced = kernel.addHandler(
      (pair) => this.#lookAtPace(pair),
      (pair) => !this.#maySend(pair),
    );
    this.#onStart = kernel.addHandler((pair) => {
      pairs.isStarting[pair] = 0;
      nic.join(pair, false);
    });
  }

  post(transfer: number, source: number, destination: number, bytes: number, now: number): void {
    const pairs = this.#pairs;
    const messages = this.#messages;
    const pair = this.#pairFor(source, destination);
    const first = pairs.end[pair];
    const end = first + Math.max(1, Math.ceil(bytes / this.#frames.mssBytes));
    if (end > MOST_PACKETS) {
      const { nodes } = this.#nic.fabric.spec.topology;
      const hosts = `host ${nodes[source].name} sends host ${nodes[destination].name} a transfer of ${grouped(bytes)} B`;
      const before = `${grouped(first)} packets after the first of their queue pair`;
      throw transferTooLarge(`${hosts}, ${before}`, bytes, this.#frames.mssBytes);
    }
    const message = messages.add(transfer, bytes, first, end);
    const last = pairs.lastMessage[pair];
    if (last >= 0) messages.next[last] = message;
    pairs.lastMessage[pair] = message;
    if (pairs.oldestMessage[pair] < 0) pairs.oldestMessage[pair] = message;
    if (pairs.nextMessage[pair] < 0) pairs.nextMessage[pair] = message;
    if (pairs.expectedMessage[pair] < 0) pairs.expectedMessage[pair] = message;
    pairs.end[pair] = end;
    this.#counters.messagesPosted[source]++;
    if (pairs.isStarting[pair] !== 0) return;
    if (last < 0 && this.#txStartLatencyPs > 0) {
      pairs.isStarting[pair] = 1;
      const entity = timerEntity(source, TimerPlace.other);
      this.#kernel.schedule(now + this.#txStartLatencyPs, EventClass.timer, entity, this.#onStart, pair);
      return;
    }
    this.#nic.join(pair, false);
  }

  nextPort(pair: number): number {
    return this.#pairs.next[pair] < this.#pairs.end[pair] ? this.#pairs.port[pair] : -1;
  }

  nextPayload(pair: number): number {
    return this.#payloadOf(this.#findNextMessage(pair), this.#pairs.next[pair]);
  }

  build(pair: number, _port: number, now: number): number {
    const pairs = this.#pairs;
    const messages = this.#messages;
    if (!this.#maySend(pair)) return -1;
    if (pairs.pacedUntilPs[pair] > now) {
      this.#awaitPace(pair);
      return -1;
    }
    const psn = pairs.next[pair];
    const message = this.#findNextMessage(pair);
    const isLast = psn + 1 === messages.end[message];
    const payload = this.#payloadOf(message, psn);
    const isAgain = psn < pairs.fresh[pair];
    const slot = this.#packets.take();
    const { source, destination, entropy } = pairs;
    const frame = dataWireBytes(this.#frames, payload);
    this.#nic.address(slot, PacketKind.data, frame, source[pair], destination[pair], entropy[pair]);
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    packets[at + FLAGS] = (isLast ? PacketFlag.last : 0) | (isAgain ? PacketFlag.retransmission : 0);
    packets[at + FLOW] = pair;
    packets[at + PSN] = psn;
    packets[at + ATTEMPT] = 0;
    packets[at + EXTRA] = message;
    if (isAgain) this.#counters.retransmissions[source[pair]]++;
    else pairs.fresh[pair] = psn + 1;
    if (pairs.oldest[pair] === psn) this.#startTimeout(pair, now);
    pairs.next[pair] = psn + 1;
    const rate = this.#rates[pair];
    if (rate !== undefined) this.#pace(pair, rate, frame, now);
    return slot;
  }

  departed(slot: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const message = packets[at + EXTRA];
    this.#packets.doubles[slot * PACKET_DOUBLES + DEPARTED] = now;
    if ((packets[at + FLAGS] & (PacketFlag.last | PacketFlag.retransmission)) !== PacketFlag.last) return;
    this.#listener.sent(this.#messages.transfer[message], now);
  }

  consume(slot: number, port: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const pair = packets[at + FLOW];
    switch (packets[at + KIND]) {
      case PacketKind.data:
        this.#receive(slot, port, pair, now);
        return;
      case PacketKind.ack:
        this.#sampleRoundTrip(slot, pair, now);
        this.#acknowledge(pair, packets[at + CUMULATIVE], now);
        break;
      case PacketKind.nack:
        this.#refused(pair, packets[at + CUMULATIVE], now);
        break;
      case PacketKind.cnp:
        if (this.#settings.congestionControl === 'dcqcn') this.#slowDown(pair, now);
        break;
      default:
        break;
    }
    this.#packets.release(slot);
  }

  /** Sender: message of the next packet. */
  #findNextMessage(pair: number): number {
    const pairs = this.#pairs;
    let message = pairs.nextMessage[pair];
    while (pairs.next[pair] >= this.#messages.end[message]) message = this.#messages.next[message];
    pairs.nextMessage[pair] = message;
    return message;
  }

  #payloadOf(message: number, psn: number): number {
    const { first, end, bytes } = this.#messages;
    const { mssBytes } = this.#frames;
    return psn + 1 === end[message] ? bytes[message] - (psn - first[message]) * mssBytes : mssBytes;
  }

  /** Sender (RC-7): the gap after a packet that starts now. */
  #pace(pair: number, rate: DcqcnRate, wireBytes: number, now: number): void {
    const pairs = this.#pairs;
    rate.onSent(wireBytes, now);
    pairs.pacedUntilPs[pair] = now + rate.gapPs(wireBytes, now);
    this.#noteRate(pair, rate.gbpsAt(now));
  }

  #slowDown(pair: number, now: number): void {
    const gbps = this.#nic.fabric.gbpsOf(this.#pairs.port[pair]);
    const rate = (this.#rates[pair] ??= new DcqcnRate(this.#settings.dcqcn, gbps));
    rate.onCongestion(now);
    this.#noteRate(pair, rate.gbpsAt(now));
  }

  #noteRate(pair: number, gbps: number): void {
    const pairs = this.#pairs;
    if (pairs.gbps[pair] === gbps) return;
    pairs.gbps[pair] = gbps;
    this.#counters.pace.add(pairs.source[pair], gbps);
  }

  /** Sender, after an ACK, a NAK or a timer: back to the head of the ring if something may go now. */
  #goOn(pair: number, now: number): void {
    const pairs = this.#pairs;
    if (pairs.isStarting[pair] !== 0 || !this.#maySend(pair)) return;
    if (pairs.pacedUntilPs[pair] <= now) this.#nic.join(pair, true);
    else if (!this.#nic.isInRing(pair)) this.#awaitPace(pair);
  }

  #awaitPace(pair: number): void {
    const pairs = this.#pairs;
    const entity = timerEntity(pairs.source[pair], TimerPlace.pace);
    this.#lookLater(pairs.paceLookPs, pair, pairs.pacedUntilPs[pair], entity, this.#onPaced);
  }

  #lookAtPace(pair: number): void {
    const { now } = this.#kernel;
    if (this.#pairs.paceLookPs[pair] !== now) return;
    this.#pairs.paceLookPs[pair] = Infinity;
    this.#goOn(pair, now);
  }

  /** Sender: whether there is a packet that may go, pace aside (RC-2). */
  #maySend(pair: number): boolean {
    const pairs = this.#pairs;
    if (pairs.next[pair] >= pairs.end[pair]) return false;
    const most = this.#settings.qpMessagesInFlight;
    if (most === 0) return true;
    let message = pairs.oldestMessage[pair];
    for (let after = 1; after < most && this.#messages.next[message] >= 0; after++)
      message = this.#messages.next[message];
    return pairs.next[pair] < this.#messages.end[message];
  }

  /** Receiver (RC-3, RC-4, RC-6). */
  #receive(slot: number, port: number, pair: number, now: number): void {
    const pairs = this.#pairs;
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const psn = packets[at + PSN];
    const isLast = (packets[at + FLAGS] & PacketFlag.last) !== 0;
    const host = pairs.destination[pair];
    if ((packets[at + FLAGS] & PacketFlag.marked) !== 0) this.#notify(slot, pair, port, now);
    if (psn > pairs.expected[pair]) {
      this.#counters.outOfOrder[host]++;
      if (pairs.isRefused[pair] === 0) {
        pairs.isRefused[pair] = 1;
        this.#answer(slot, pair, port, PacketKind.nack);
      } else {
        this.#packets.release(slot);
      }
      return;
    }
    if (psn < pairs.expected[pair]) {
      this.#counters.duplicates[host]++;
    } else {
      pairs.expected[pair] = psn + 1;
      pairs.isRefused[pair] = 0;
      if (isLast) {
        const message = pairs.expectedMessage[pair];
        pairs.expectedMessage[pair] = this.#messages.next[message];
        this.#listener.received(this.#messages.transfer[message], now);
      }
    }
    pairs.held[pair]++;
    if (isLast || pairs.held[pair] > this.#settings.ackThreshold) {
      const departed = this.#packets.doubles[slot * PACKET_DOUBLES + DEPARTED];
      packets[at + ANSWERED_HIGH] = Math.floor(departed / 2 ** 32);
      packets[at + ANSWERED_LOW] = departed | 0;
      this.#answer(slot, pair, port, PacketKind.ack);
      return;
    }
    if (pairs.held[pair] === 1) {
      pairs.arrivalPort[pair] = port;
      pairs.holdPs[pair] = now + this.#settings.ackDelayPs;
      this.#awaitHold(pair);
    }
    this.#packets.release(slot);
  }

  /** Sends the packet that has arrived back as an ACK or a NAK. */
  #answer(slot: number, pair: number, port: number, kind: number): void {
    this.#nic.turnAround(slot, kind, this.#ackBytes);
    this.#sendAnswer(slot, pair, port);
  }

  #sendAnswer(slot: number, pair: number, port: number): void {
    this.#packets.integers[slot * PACKET_INTEGERS + CUMULATIVE] = this.#pairs.expected[pair];
    this.#pairs.held[pair] = 0;
    this.#pairs.holdPs[pair] = Infinity;
    this.#nic.reply(slot, port);
  }

  #notify(slot: number, pair: number, port: number, now: number): void {
    if (now - this.#pairs.cnpPs[pair] < this.#settings.cnpIntervalPs) return;
    this.#pairs.cnpPs[pair] = now;
    this.#nic.reply(this.#nic.answer(slot, PacketKind.cnp, this.#cnpBytes), port);
  }

  #sampleRoundTrip(slot: number, pair: number, now: number): void {
    const packets = this.#packets.integers;
    const high = packets[slot * PACKET_INTEGERS + ANSWERED_HIGH];
    if (high === NOT_DRAWN) return;
    const departed = high * 2 ** 32 + (packets[slot * PACKET_INTEGERS + ANSWERED_LOW] >>> 0);
    this.#counters.rtt.add(this.#pairs.source[pair], now - departed);
  }

  /** Sender (RC-5): all packets before `psn` have arrived. */
  #acknowledge(pair: number, psn: number, now: number): void {
    if (psn <= this.#pairs.oldest[pair]) return;
    const first = this.#retire(pair, psn, now);
    this.#goOn(pair, now);
    this.#complete(pair, first, now);
  }

  #refused(pair: number, psn: number, now: number): void {
    const pairs = this.#pairs;
    if (psn < pairs.oldest[pair]) return;
    const first = psn > pairs.oldest[pair] ? this.#retire(pair, psn, now) : pairs.oldestMessage[pair];
    this.#rewind(pair);
    this.#goOn(pair, now);
    this.#complete(pair, first, now);
  }

  /** @returns the oldest message so far; those from it to the oldest one now have arrived as a whole */
  #retire(pair: number, psn: number, now: number): number {
    const pairs = this.#pairs;
    const messages = this.#messages;
    pairs.oldest[pair] = psn;
    if (pairs.next[pair] < psn) pairs.next[pair] = psn;
    if (pairs.next[pair] === psn) pairs.timeoutPs[pair] = Infinity;
    else this.#startTimeout(pair, now);
    const first = pairs.oldestMessage[pair];
    let message = first;
    while (message >= 0 && messages.end[message] <= psn) {
      const after = messages.next[message];
      if (pairs.nextMessage[pair] === message) pairs.nextMessage[pair] = after;
      if (pairs.lastMessage[pair] === message) pairs.lastMessage[pair] = -1;
      message = after;
    }
    pairs.oldestMessage[pair] = message;
    return first;
  }

  /** Tells of the messages from `first` to the oldest that is left. */
  #complete(pair: number, first: number, now: number): void {
    const messages = this.#messages;
    const end = this.#pairs.oldestMessage[pair];
    for (let message = first; message !== end;) {
      const transfer = messages.transfer[message];
      const after = messages.next[message];
      messages.remove(message);
      message = after;
      this.#counters.messagesCompleted[this.#pairs.source[pair]]++;
      this.#listener.acknowledged(transfer, now);
    }
  }

  /** All that is not acknowledged is sent again. */
  #rewind(pair: number): void {
    const pairs = this.#pairs;
    pairs.next[pair] = pairs.oldest[pair];
    pairs.nextMessage[pair] = pairs.oldestMessage[pair];
    pairs.timeoutPs[pair] = Infinity;
  }

  #startTimeout(pair: number, now: number): void {
    const pairs = this.#pairs;
    pairs.timeoutPs[pair] = now + this.#settings.retransmitTimeoutPs;
    this.#awaitTimeout(pair);
  }

  #awaitTimeout(pair: number): void {
    const pairs = this.#pairs;
    const entity = timerEntity(pairs.source[pair], TimerPlace.timeout);
    this.#lookLater(pairs.timeoutLookPs, pair, pairs.timeoutPs[pair], entity, this.#onTimeout);
  }

  #awaitHold(pair: number): void {
    const pairs = this.#pairs;
    const entity = timerEntity(pairs.destination[pair], TimerPlace.hold);
    this.#lookLater(pairs.holdLookPs, pair, pairs.holdPs[pair], entity, this.#onHold);
  }

  /** Deadlines move back all the time: the event of an earlier one stays, and looks again. */
  #lookLater(lookPs: Float64Array, pair: number, timePs: number, entity: number, handler: number): void {
    if (lookPs[pair] <= timePs) return;
    lookPs[pair] = timePs;
    this.#kernel.schedule(timePs, EventClass.timer, entity, handler, pair);
  }

  #lookAtTimeout(pair: number): void {
    const pairs = this.#pairs;
    const { now } = this.#kernel;
    if (pairs.timeoutLookPs[pair] !== now) return;
    pairs.timeoutLookPs[pair] = Infinity;
    const due = pairs.timeoutPs[pair];
    if (due > now) {
      if (due < Infinity) this.#awaitTimeout(pair);
      return;
    }
    this.#counters.timeouts[pairs.source[pair]]++;
    this.#rewind(pair);
    this.#goOn(pair, now);
  }

  #lookAtHold(pair: number): void {
    const pairs = this.#pairs;
    const { now } = this.#kernel;
    if (pairs.holdLookPs[pair] !== now) return;
    pairs.holdLookPs[pair] = Infinity;
    const due = pairs.holdPs[pair];
    if (due > now) {
      if (due < Infinity) this.#awaitHold(pair);
      return;
    }
    const slot = this.#packets.take();
    const { source, destination, entropy, arrivalPort } = pairs;
    this.#nic.address(slot, PacketKind.ack, this.#ackBytes, destination[pair], source[pair], entropy[pair]);
    const packets = this.#packets.integers;
    packets[slot * PACKET_INTEGERS + FLOW] = pair;
    packets[slot * PACKET_INTEGERS + ANSWERED_HIGH] = NOT_DRAWN;
    this.#sendAnswer(slot, pair, arrivalPort[pair]);
  }

  /** RC-1. */
  #pairFor(source: number, destination: number): number {
    const { qpMode, qpsPerPair } = this.#settings;
    if (qpMode === 'per-transfer') return this.#addPair(source, destination);
    const key = source * 2 ** 24 + destination;
    let first = this.#firstPair.get(key);
    if (first === undefined) {
      first = this.#addPair(source, destination);
      for (let more = 1; more < qpsPerPair; more++) this.#addPair(source, destination);
      this.#firstPair.set(key, first);
    }
    if (qpsPerPair === 1) return first;
    const turn = this.#turn.get(key) ?? 0;
    this.#turn.set(key, (turn + 1) % qpsPerPair);
    return first + turn;
  }

  #addPair(source: number, destination: number): number {
    const number = this.#pairCount.get(source) ?? 0;
    this.#pairCount.set(source, number + 1);
    const entropy = FIRST_PORT + (number % PORTS);
    const hash = ecmpHash(nodeHash(source), packetHash(source, destination, entropy, DESTINATION_PORT.roce));
    this.#rates.push(undefined);
    return this.#pairs.add(source, destination, entropy, this.#nic.portFor(source, destination, hash));
  }
}
