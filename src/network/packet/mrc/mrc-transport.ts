import { EventClass } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';
import { RandomStream } from '../../../kernel/random.js';
import type { TransferListener } from '../../network.js';
import { EntropyProfile } from '../entropy-profile.js';
import { dataFrameBytes, frameBytes } from '../frame-bytes.js';
import type { HostCounters } from '../host-counters.js';
import type { Nic } from '../nic.js';
import { IN_FLIGHT_HEADER_BYTES, NsccWindow } from '../nscc.js';
import {
  ATTEMPT,
  CUMULATIVE,
  DESTINATION,
  ENTROPY,
  EXTRA,
  FLAGS,
  FLOW,
  KIND,
  PACKET_INTEGERS,
  PacketFlag,
  PacketKind,
  penaltyOf,
  PSN,
  withPenalty,
} from '../packet-record.js';
import type { PacketSettings } from '../packet-settings.js';
import type { Packets } from '../packets.js';
import { Arrivals } from '../selective/arrivals.js';
import { PacketFields } from '../selective/packet-fields.js';
import { RetransmissionTimers, type TimedPackets } from '../selective/retransmission-timers.js';
import { SentPackets } from '../selective/sent-packets.js';
import type { Transport } from '../transport.js';
import { QueuePairs } from './queue-pairs.js';

/** The last transmission whose answer gives a sample of the round-trip time. */
const LAST_SAMPLED_ATTEMPT = 1;

/**
 * MRC (MR-1 … MR-8): a queue pair for each transfer, which sprays its packets over the paths of its entropy profile, is
 * acknowledged selectively and has a congestion window of its own. The flow of a packet is its queue pair, and what it has beyond
 * is the queue pair's opening.
 */
export class MrcTransport implements Transport, TimedPackets {
  readonly #nic: Nic;
  readonly #packets: Packets;
  readonly #kernel: Kernel;
  readonly #listener: TransferListener;
  readonly #counters: HostCounters;
  readonly #settings: PacketSettings;
  readonly #mssBytes: number;
  readonly #fullFrameBytes: number;
  readonly #ackBytes: number;
  readonly #nackBytes: number;
  readonly #probeBytes: number;
  readonly #pairs = new QueuePairs();
  readonly #sent = new SentPackets();
  readonly #arrivals = new Arrivals();
  readonly #fields = new PacketFields();
  readonly #timers: RetransmissionTimers;
  readonly #streams = new Map<number, RandomStream>(); // host → draws of entropy values
  readonly #onJoin: number;
  readonly #onProbe: number;
  // Bytes that the acknowledgment at hand retires, and those of them that were in flight.
  #retiredBytes = 0;
  #retiredInFlightBytes = 0;

  constructor(nic: Nic, kernel: Kernel, listener: TransferListener, counters: HostCounters) {
    const { settings } = nic.fabric.spec;
    const { frames, uet } = settings;
    this.#nic = nic;
    this.#packets = nic.packets;
    this.#kernel = kernel;
    this.#listener = listener;
    this.#counters = counters;
    this.#settings = settings;
    this.#mssBytes = frames.mssBytes;
    this.#fullFrameBytes = dataFrameBytes(frames, frames.mssBytes);
    this.#ackBytes = frameBytes(frames, frames.ackBytes);
    this.#nackBytes = frameBytes(frames, frames.nackBytes);
    this.#probeBytes = frameBytes(frames, frames.probeBytes);
    this.#timers = new RetransmissionTimers(kernel, this, uet.timeoutPs, uet.fixedTimeout);
    this.#onJoin = kernel.addHandler((pair) => nic.join(pair, false));
    this.#onProbe = kernel.addHandler((pair) => this.#lookAtProbes(pair));
  }

  post(transfer: number, source: number, destination: number, bytes: number, now: number): void {
    const pairs = this.#pairs;
    const ports = this.#nic.portsTo(source, destination);
    const pair = pairs.take();
    const packets = Math.max(1, Math.ceil(bytes / this.#mssBytes));
    pairs.transfer[pair] = transfer;
    pairs.source[pair] = source;
    pairs.destination[pair] = destination;
    pairs.packets[pair] = packets;
    pairs.lastPayload[pair] = bytes - (packets - 1) * this.#mssBytes;
    pairs.departed[pair] = 0;
    pairs.onlyPort[pair] = ports.length === 1 ? ports[0] : -1;
    pairs.nextValue[pair] = -1;
    pairs.probeLookPs[pair] = Infinity;
    // All planes carry packets of the queue pair: the window is for the rate of all of them.
    const gbps = ports.reduce((sum, port) => sum + this.#nic.fabric.gbpsOf(port), 0);
    pairs.windows[pair] = new NsccWindow(this.#settings.nscc, this.#mssBytes, gbps, now);
    pairs.profiles[pair] = new EntropyProfile(this.#settings.mrc, ports.length, this.#streamOf(source));
    this.#sent.open(pair, packets);
    this.#arrivals.open(pair, packets);
    this.#counters.messagesPosted[source]++;
    const { txStartLatencyPs } = this.#settings.hosts;
    if (txStartLatencyPs === 0) this.#nic.join(pair, false);
    else this.#kernel.schedule(now + txStartLatencyPs, EventClass.timer, source, this.#onJoin, pair);
  }

  nextPort(pair: number): number {
    const pairs = this.#pairs;
    if (this.#nextPsn(pair) < 0) return -1;
    const port = pairs.onlyPort[pair];
    if (port >= 0) return port;
    if (pairs.nextValue[pair] < 0) pairs.nextValue[pair] = pairs.profiles[pair]!.next();
    return this.#nic.portFor(pairs.source[pair], pairs.destination[pair], pairs.nextValue[pair]);
  }

  nextPayload(pair: number): number {
    return this.#payloadOf(pair, this.#nextPsn(pair));
  }

  build(pair: number): number {
    const pairs = this.#pairs;
    if (pairs.isOpen[pair] === 0) {
      pairs.release(pair);
      return -1;
    }
    const psn = this.#nextPsn(pair);
    if (psn < 0) return -1;
    const window = pairs.windows[pair]!;
    const payload = this.#payloadOf(pair, psn);
    const inFlightBytes = payload + IN_FLIGHT_HEADER_BYTES;
    if (!window.mayGo(inFlightBytes)) return -1;
    const source = pairs.source[pair];
    const destination = pairs.destination[pair];
    const value = pairs.onlyPort[pair] < 0 ? pairs.nextValue[pair] : pairs.profiles[pair]!.next();
    pairs.nextValue[pair] = -1;
    window.sent(inFlightBytes);
    const isAgain = psn < this.#sent.next[pair];
    if (isAgain) {
      this.#sent.sendAgain(pair, psn, value);
      this.#counters.retransmissions[source]++;
    } else {
      this.#sent.sendFresh(pair, value);
    }
    const isFull = payload === this.#mssBytes;
    const frame = isFull ? this.#fullFrameBytes : dataFrameBytes(this.#settings.frames, payload);
    const slot = this.#packets.take();
    this.#nic.address(slot, PacketKind.data, frame, source, destination, value);
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    packets[at + FLAGS] =
      (psn === pairs.packets[pair] - 1 ? PacketFlag.last : 0) | (isAgain ? PacketFlag.retransmission : 0);
    packets[at + FLOW] = pair;
    packets[at + PSN] = psn;
    packets[at + ATTEMPT] = this.#sent.attemptOf(pair, psn);
    packets[at + EXTRA] = pairs.opening[pair];
    this.#fields.setOrder(slot, this.#sent.orderOf(pair, psn));
    return slot;
  }

  departed(slot: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const pair = packets[at + FLOW];
    const opening = packets[at + EXTRA];
    const psn = packets[at + PSN];
    const attempt = packets[at + ATTEMPT];
    if (packets[at + KIND] !== PacketKind.data || !this.#pairs.isCurrent(pair, opening)) return;
    if (this.isTimed(pair, opening, psn, attempt)) {
      this.#sent.departed(pair, psn, now);
      this.#timers.start(this.#pairs.source[pair], pair, opening, psn, attempt, now);
    }
    if (attempt > 0 || ++this.#pairs.departed[pair] < this.#pairs.packets[pair]) return;
    this.#listener.sent(this.#pairs.transfer[pair], now);
  }

  consume(slot: number, port: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const pair = packets[at + FLOW];
    switch (packets[at + KIND]) {
      case PacketKind.data:
        this.#receive(slot, port, pair, now);
        return;
      case PacketKind.trimmed:
        this.#answer(slot, port, PacketKind.nack, this.#nackBytes, packets[at + FLAGS] & PacketFlag.lastHop);
        return;
      case PacketKind.probe:
        this.#answer(slot, port, PacketKind.probeAnswer, this.#ackBytes, packets[at + FLAGS] & PacketFlag.marked);
        return;
      default:
        break;
    }
    if (this.#pairs.isCurrent(pair, packets[at + EXTRA])) {
      switch (packets[at + KIND]) {
        case PacketKind.ack:
          this.#acknowledge(slot, pair, now);
          break;
        case PacketKind.nack:
          this.#refused(slot, pair, now);
          break;
        case PacketKind.probeAnswer:
          this.#probeAnswered(slot, pair);
          break;
        default:
          break;
      }
    }
    this.#packets.release(slot);
  }

  isTimed(pair: number, opening: number, psn: number, attempt: number): boolean {
    return (
      this.#pairs.isCurrent(pair, opening) &&
      this.#sent.isInFlight(pair, psn) &&
      this.#sent.attemptOf(pair, psn) === attempt
    );
  }

  /** UE-6, MR-4. */
  expired(pair: number, psn: number, now: number): void {
    const pairs = this.#pairs;
    const value = this.#sent.valueOf(pair, psn);
    this.#counters.timeouts[pairs.source[pair]]++;
    pairs.windows[pair]!.timedOut(this.#inFlightBytesOf(pair, psn));
    this.#sent.lose(pair, psn);
    pairs.profiles[pair]!.timedOut(value, now);
    this.#awaitProbe(pair);
    this.#samplePace(pair);
    this.#goOn(pair);
  }

  /** The packet that is sent next: lost ones first; −1 for none. */
  #nextPsn(pair: number): number {
    if (this.#pairs.isOpen[pair] === 0) return -1;
    const lost = this.#sent.lostHead[pair];
    if (lost >= 0) return lost;
    const next = this.#sent.next[pair];
    return next < this.#pairs.packets[pair] ? next : -1;
  }

  #payloadOf(pair: number, psn: number): number {
    return psn === this.#pairs.packets[pair] - 1 ? this.#pairs.lastPayload[pair] : this.#mssBytes;
  }

  #inFlightBytesOf(pair: number, psn: number): number {
    return this.#payloadOf(pair, psn) + IN_FLIGHT_HEADER_BYTES;
  }

  /** Receiver (UE-2, UE-3). Copies of packets of a queue pair that is closed are acknowledged too. */
  #receive(slot: number, port: number, pair: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const psn = packets[at + PSN];
    const host = packets[at + DESTINATION];
    const arrivals = this.#arrivals;
    const isCurrent = this.#pairs.isCurrent(pair, packets[at + EXTRA]);
    const isAhead = isCurrent && psn > arrivals.cumulative[pair];
    if (!isCurrent || !arrivals.add(pair, psn)) {
      this.#counters.duplicates[host]++;
    } else {
      if (isAhead) this.#counters.outOfOrder[host]++;
      const isComplete = arrivals.count[pair] === this.#pairs.packets[pair];
      if (isComplete) this.#listener.received(this.#pairs.transfer[pair], now);
      if (!isComplete && !this.#drawsAck(psn, packets[at + FLAGS])) {
        this.#packets.release(slot);
        return;
      }
    }
    if (isCurrent) {
      arrivals.readBits(pair);
      this.#fields.setBits(slot, arrivals.low, arrivals.high);
      packets[at + CUMULATIVE] = arrivals.cumulative[pair];
    }
    const marked = packets[at + FLAGS] & PacketFlag.marked;
    this.#answer(slot, port, PacketKind.ack, this.#ackBytes, withPenalty(marked, this.#nic.penaltyOf(host)));
  }

  /** UE-3. */
  #drawsAck(psn: number, flags: number): boolean {
    const { ackEvery } = this.#settings.uet;
    return psn % ackEvery === 0 || (flags & (PacketFlag.last | PacketFlag.retransmission)) !== 0;
  }

  /** Sends the packet that has arrived back as its answer. */
  #answer(slot: number, port: number, kind: number, bytes: number, flags: number): void {
    this.#nic.turnAround(slot, kind, bytes);
    this.#packets.integers[slot * PACKET_INTEGERS + FLAGS] = flags;
    this.#nic.reply(slot, port);
  }

  /** Sender: a SACK (UE-4, MR-5 (c), MR-6). */
  #acknowledge(slot: number, pair: number, now: number): void {
    const pairs = this.#pairs;
    const sent = this.#sent;
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const drawing = packets[at + PSN];
    const attempt = packets[at + ATTEMPT];
    const marked = (packets[at + FLAGS] & PacketFlag.marked) !== 0;
    const cumulative = packets[at + CUMULATIVE];
    const window = pairs.windows[pair]!;
    pairs.profiles[pair]!.acked(packets[at + ENTROPY], marked);
    let rttPs = -1;
    if (
      attempt <= LAST_SAMPLED_ATTEMPT &&
      !sent.isRetired(pair, drawing) &&
      sent.attemptOf(pair, drawing) === attempt
    ) {
      rttPs = now - sent.departureOf(pair, drawing);
      this.#counters.rtt.add(pairs.source[pair], rttPs);
    }
    this.#retiredBytes = 0;
    this.#retiredInFlightBytes = 0;
    for (let psn = sent.oldest[pair]; psn < cumulative; psn++) this.#retire(pair, psn);
    this.#retireBits(pair, cumulative, this.#fields.low[slot]);
    this.#retireBits(pair, cumulative + 32, this.#fields.high[slot]);
    this.#retire(pair, drawing);
    if (this.#retiredBytes > 0) {
      const penalty = penaltyOf(packets[at + FLAGS]);
      window.acked(this.#retiredBytes, this.#retiredInFlightBytes, rttPs, marked, now, penalty);
      this.#samplePace(pair);
    }
    if (this.#settings.mrc.gapDetect) this.#findGaps(pair, packets[at + ENTROPY], this.#fields.order[slot]);
    if (sent.oldest[pair] === pairs.packets[pair]) this.#close(pair, now);
    else this.#goOn(pair);
  }

  /** Retires those of 32 packets from `first` on whose bits are set. */
  #retireBits(pair: number, first: number, word: number): void {
    for (let bits = word; bits !== 0; bits &= bits - 1) this.#retire(pair, first + 31 - Math.clz32(bits & -bits));
  }

  #retire(pair: number, psn: number): void {
    if (this.#sent.isRetired(pair, psn)) return;
    const bytes = this.#inFlightBytesOf(pair, psn);
    this.#retiredBytes += bytes;
    if (this.#sent.retire(pair, psn)) this.#retiredInFlightBytes += bytes;
  }

  /** MR-5 (c): the path of a value keeps the order, so what was sent on it before a transmission that has arrived is lost. */
  #findGaps(pair: number, value: number, order: number): void {
    for (;;) {
      const psn = this.#sent.sentBefore(pair, value, order);
      if (psn < 0) return;
      this.#pairs.windows[pair]!.left(this.#inFlightBytesOf(pair, psn));
      this.#sent.lose(pair, psn);
    }
  }

  /** Sender: a trim NACK (UE-5, MR-4). */
  #refused(slot: number, pair: number, now: number): void {
    const pairs = this.#pairs;
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const psn = packets[at + PSN];
    if (!this.isTimed(pair, packets[at + EXTRA], psn, packets[at + ATTEMPT])) return;
    const isLastHop = (packets[at + FLAGS] & PacketFlag.lastHop) !== 0;
    pairs.windows[pair]!.trimmed(this.#inFlightBytesOf(pair, psn), now);
    pairs.profiles[pair]!.trimmed(packets[at + ENTROPY], isLastHop);
    this.#sent.lose(pair, psn);
    this.#samplePace(pair);
    this.#goOn(pair);
  }

  #close(pair: number, now: number): void {
    const pairs = this.#pairs;
    const transfer = pairs.transfer[pair];
    this.#counters.messagesCompleted[pairs.source[pair]]++;
    this.#sent.close(pair);
    this.#arrivals.close(pair);
    pairs.close(pair);
    this.#nic.forget(pair);
    // A context that is in a ring still is released at its turn.
    if (!this.#nic.isInRing(pair)) pairs.release(pair);
    this.#listener.acknowledged(transfer, now);
  }

  /** Something may be sent that could not be before. */
  #goOn(pair: number): void {
    if (this.#nic.isInRing(pair)) return;
    const psn = this.#nextPsn(pair);
    if (psn >= 0 && this.#pairs.windows[pair]!.mayGo(this.#inFlightBytesOf(pair, psn))) this.#nic.join(pair, true);
  }

  #samplePace(pair: number): void {
    if (!this.#settings.nscc.enabled) return;
    this.#counters.pace.add(this.#pairs.source[pair], this.#pairs.windows[pair]!.cwndBytes);
  }

  /** MR-4: values that are assumed to be bad are probed. */
  #awaitProbe(pair: number): void {
    const pairs = this.#pairs;
    const due = pairs.profiles[pair]!.nextProbePs;
    if (due >= pairs.probeLookPs[pair]) return;
    pairs.probeLookPs[pair] = due;
    this.#kernel.schedule(due, EventClass.timer, pairs.source[pair], this.#onProbe, pair);
  }

  #lookAtProbes(pair: number): void {
    const { now } = this.#kernel;
    const pairs = this.#pairs;
    if (pairs.isOpen[pair] === 0 || pairs.probeLookPs[pair] !== now) return;
    pairs.probeLookPs[pair] = Infinity;
    const profile = pairs.profiles[pair]!;
    for (let value = profile.takeProbe(now); value >= 0; value = profile.takeProbe(now)) this.#probe(pair, value);
    this.#awaitProbe(pair);
  }

  #probe(pair: number, value: number): void {
    const pairs = this.#pairs;
    const source = pairs.source[pair];
    const destination = pairs.destination[pair];
    const slot = this.#packets.take();
    this.#nic.address(slot, PacketKind.probe, this.#probeBytes, source, destination, value);
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    packets[at + FLOW] = pair;
    packets[at + EXTRA] = pairs.opening[pair];
    this.#nic.send(slot, this.#nic.portFor(source, destination, value));
  }

  #probeAnswered(slot: number, pair: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    this.#pairs.profiles[pair]!.probeAnswered(packets[at + ENTROPY], (packets[at + FLAGS] & PacketFlag.marked) !== 0);
  }

  #streamOf(host: number): RandomStream {
    let stream = this.#streams.get(host);
    if (stream === undefined) {
      stream = new RandomStream(this.#settings.seed, host, 'ev');
      this.#streams.set(host, stream);
    }
    return stream;
  }
}
