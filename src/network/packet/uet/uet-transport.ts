import { EventClass } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';
import type { RandomStream } from '../../../kernel/random.js';
import type { TransferListener } from '../../network.js';
import { wireBytes } from '../settings/frame-sizes.js';
import { groupSpraying } from '../spraying/group-spraying.js';
import type { HostCounters } from '../nic/host-counters.js';
import type { Nic } from '../nic/nic.js';
import { IN_FLIGHT_HEADER_BYTES } from '../congestion/nscc.js';
import * as packetRecord from '../fabric/packet-record.js';
import { penaltyOf } from '../fabric/packet-record.js';
import type { PacketSettings } from '../settings/packet-settings.js';
import type { Packets } from '../fabric/packets.js';
import type { Spraying } from '../spraying/spraying.js';
import { timerEntity, TimerPlace } from '../nic/timer-place.js';
import type { Transport } from '../nic/transport.js';
import type { Group } from './group.js';
import { NONE } from './group.js';
import { Groups } from './groups.js';
import * as messageRecord from './message-record.js';
import { Messages } from './messages.js';
import { OutstandingPackets, PacketState } from './outstanding-packets.js';
import { PsnBitmaps } from './psn-bitmaps.js';
import { Receiver } from './receiver.js';
import { ReceiverCredit } from './receiver-credit.js';
import { RingMemory } from './ring-memory.js';
import { SackWindows } from './sack-windows.js';
import { Timeouts } from './timeouts.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const { ATTEMPT, CUMULATIVE, ENTROPY, EXTRA, FLAGS, FLOW, KIND, PACKET_INTEGERS, PacketFlag, PacketKind, PSN } =
  packetRecord;
const {
  ACKNOWLEDGED,
  ARRIVED,
  CONTEXT,
  DEPARTED,
  LAST_PAYLOAD,
  MESSAGE_DOUBLES,
  MESSAGE_FLAGS,
  MESSAGE_INTEGERS,
  MessageFlag,
  NEXT_MESSAGE,
  PACKETS,
  PROBE,
  STATES,
  STATES_MASK,
  TRANSFER,
  UNACKNOWLEDGED,
  UNSENT,
} = messageRecord;

/** Packets of a message that the sender has room for at first, a power of two. */
const FIRST_STATES = 16;
/** An RTT is taken from the first transmission and the first retransmission only. */
const SAMPLED_ATTEMPTS = 1;

/** What tells transports apart whose messages are delivered as UET delivers them. */
export interface DeliveryOptions {
  /** Whether every message is a group of its own (MR-1), instead of those from one host to another (UE-1). */
  readonly isGroupPerMessage: boolean;
  /** MR-5 (c). */
  readonly findsGaps: boolean;
  /** UE-7. */
  readonly probes: boolean;
  /** RCCC. */
  readonly receiverCredit: boolean;
  /** Of the random numbers of a host for entropy values. */
  readonly purpose: string;
}

function uetDelivery({ uet }: PacketSettings): DeliveryOptions {
  const { gapDetect, probe, receiverCredit } = uet;
  return { isGroupPerMessage: false, findsGaps: gapDetect, probes: probe, receiverCredit, purpose: 'reps' };
}

/**
 * UET (UE-1 … UE-7): every transfer is a message on a delivery context of its own, whose packets arrive in any order and are
 * acknowledged one by one. The messages from one host to another are a group; its context number at the NIC stays the same for
 * good, its window and spraying are new whenever no message was open between the two hosts.
 */
export class UetTransport implements Transport {
  readonly #nic: Nic;
  readonly #packets: Packets;
  readonly #kernel: Kernel;
  readonly #listener: TransferListener;
  readonly #counters: HostCounters;
  readonly #settings: PacketSettings;
  readonly #mssBytes: number;
  readonly #options: DeliveryOptions;
  readonly #findsGaps: boolean;
  readonly #probeBytes: number;
  readonly #memory = new RingMemory();
  readonly #messages = new Messages();
  readonly #bitmaps = new PsnBitmaps(this.#messages, this.#memory);
  readonly #outstanding: OutstandingPackets;
  readonly #sacks = new SackWindows();
  readonly #timeouts: Timeouts;
  readonly #credit: ReceiverCredit | undefined;
  readonly #groups: Groups;
  readonly #receiver: Receiver;
  readonly #onReady: number;
  #number = 0; // of the next transmission of all, 32 bits
  // What the acknowledgment that is looked at retires, bytes.
  #ackedBytes = 0;
  #ackedInFlightBytes = 0;

  constructor(
    nic: Nic,
    kernel: Kernel,
    listener: TransferListener,
    counters: HostCounters,
    options: DeliveryOptions = uetDelivery(nic.fabric.spec.settings),
  ) {
    const { settings } = nic.fabric.spec;
    const { uet, frames } = settings;
    this.#nic = nic;
    this.#packets = nic.packets;
    this.#kernel = kernel;
    this.#listener = listener;
    this.#counters = counters;
    this.#settings = settings;
    this.#mssBytes = frames.mssBytes;
    this.#options = options;
    this.#findsGaps = options.findsGaps;
    this.#probeBytes = wireBytes(frames, frames.probeBytes);
    this.#outstanding = new OutstandingPackets(options.findsGaps);
    this.#timeouts = new Timeouts(uet, kernel, this.#outstanding, {
      hostOf: (slot) => this.#groupOf(this.#outstanding.messageOf(slot)).source,
      expired: (slot, now) => this.#expire(slot, now),
    });
    if (options.receiverCredit) {
      this.#credit = new ReceiverCredit(nic, kernel, (group) => this.isOpen(group));
    }
    this.#groups = new Groups({
      nic,
      outstanding: this.#outstanding,
      credit: this.#credit,
      isGroupPerMessage: options.isGroupPerMessage,
      purpose: options.purpose,
      newSpraying: (ports, random, linkGbps) => this.newSpraying(ports, random, linkGbps),
    });
    this.#receiver = new Receiver({
      nic,
      listener,
      counters,
      messages: this.#messages,
      bitmaps: this.#bitmaps,
      sacks: this.#sacks,
      credit: this.#credit,
      groupOf: (message) => this.#groupOf(message),
    });
    this.#onReady = kernel.addHandler((context) => nic.join(context, false));
  }

  post(transfer: number, source: number, destination: number, bytes: number, now: number): void {
    const group = this.#groups.groupFor(source, destination, now);
    const packets = Math.max(1, Math.ceil(bytes / this.#mssBytes));
    const lastPayload = bytes - (packets - 1) * this.#mssBytes;
    const message = this.#messages.add(transfer, group.context, packets, lastPayload, this.#number);
    this.#queueMessage(group, message);
    const isFirst = group.open === 0;
    this.#groups.opens(group);
    this.#counters.messagesPosted[source]++;
    const latency = this.#settings.hosts.txStartLatencyPs;
    if (isFirst && latency > 0) {
      group.readyPs = now + latency;
      const entity = timerEntity(source, TimerPlace.other);
      this.#kernel.schedule(group.readyPs, EventClass.timer, entity, this.#onReady, group.context);
    } else if (now >= group.readyPs) {
      this.#nic.join(group.context, false);
    }
  }

  nextPort(context: number): number {
    const group = this.#groups.at(context);
    if (group === undefined || this.#nextBytes(group) < 0) return -1;
    if (group.port !== NONE) return group.port;
    if (group.entropy === NONE) group.entropy = this.#drawEntropy(group, this.#kernel.now);
    return this.#nic.portFor(group.source, group.destination, group.entropy);
  }

  nextPayload(context: number): number {
    return this.#nextBytes(this.#groups.at(context)!) - IN_FLIGHT_HEADER_BYTES;
  }

  build(context: number, _port: number, now: number): number {
    const group = this.#groups.at(context);
    if (group === undefined || !this.#maySend(group)) return -1;
    const outstanding = this.#outstanding;
    const isAgain = group.lostPackets > 0;
    const state = isAgain ? outstanding.firstOf(group.lost) : this.#takeUnsent(group);
    const message = outstanding.messageOf(state);
    const psn = outstanding.psnOf(state);
    const attempt = isAgain ? outstanding.attemptOf(state) + 1 : 0;
    if (isAgain) {
      outstanding.unlink(state);
      group.lostPackets--;
      this.#counters.retransmissions[group.source]++;
    }
    const messages = this.#messages.integers;
    const record = message * MESSAGE_INTEGERS;
    const isLast = psn + 1 === messages[record + PACKETS];
    const payload = isLast ? messages[record + LAST_PAYLOAD] : this.#mssBytes;
    const entropy = group.entropy === NONE ? this.#drawEntropy(group, now) : group.entropy;
    group.entropy = NONE;
    outstanding.begin(state, attempt, entropy);
    const number = this.#number;
    this.#number = (number + 1) | 0;
    if (this.#findsGaps) outstanding.appendSent(state, group.lost, number);
    group.window.sent(payload + IN_FLIGHT_HEADER_BYTES);
    if (group.credit !== undefined) group.credit.leftBytes -= payload + IN_FLIGHT_HEADER_BYTES;

    const slot = this.#packets.take();
    const { frames } = this.#settings;
    const frame = wireBytes(frames, frames.dataHeaderBytes + payload);
    this.#nic.address(slot, PacketKind.data, frame, group.source, group.destination, entropy);
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    packets[at + FLAGS] = (isLast ? PacketFlag.last : 0) | (isAgain ? PacketFlag.retransmission : 0);
    packets[at + FLOW] = message;
    packets[at + EXTRA] = number;
    packets[at + PSN] = psn;
    packets[at + ATTEMPT] = attempt;
    packets[at + CUMULATIVE] = state;
    return slot;
  }

  departed(slot: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const message = packets[at + FLOW];
    const messages = this.#messages.integers;
    const record = message * MESSAGE_INTEGERS;
    if (!this.#messages.isCurrent(message, packets[at + EXTRA])) return;
    if (packets[at + KIND] === PacketKind.probe) {
      this.#messages.doubles[message * MESSAGE_DOUBLES + PROBE] = now;
      return;
    }
    const attempt = packets[at + ATTEMPT];
    const state = packets[at + CUMULATIVE];
    // While it was being sent again, an acknowledgment of an earlier transmission may have come.
    const outstanding = this.#outstanding;
    if (
      outstanding.stateOf(state) === PacketState.leaving &&
      outstanding.messageOf(state) === message &&
      outstanding.psnOf(state) === packets[at + PSN]
    ) {
      this.#timeouts.start(state, attempt, now);
    }
    if (attempt === 0 && ++messages[record + DEPARTED] === messages[record + PACKETS]) {
      this.#listener.sent(messages[record + TRANSFER], now);
    }
  }

  consume(slot: number, port: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    switch (packets[at + KIND]) {
      case PacketKind.data:
        this.#receiver.receive(slot, port, now);
        return;
      case PacketKind.trimmed:
        this.#receiver.receiveTrimmed(slot, port);
        return;
      case PacketKind.probe:
        this.#receiver.receiveProbe(slot, port);
        return;
      case PacketKind.credit:
        this.#takeCredit(packets[at + FLOW], packets[at + EXTRA], packets[at + PSN]);
        break;
      default:
        if (this.#messages.isCurrent(packets[at + FLOW], packets[at + EXTRA])) this.#consumeAnswer(slot, now);
    }
    this.#packets.release(slot);
  }

  /** Bytes of memory, that of the packets on their way aside. */
  get byteLength(): number {
    return this.#memory.byteLength + this.#messages.byteLength + this.#outstanding.byteLength + this.#sacks.byteLength;
  }

  /** Packets that are sent and not acknowledged. */
  get outstandingPackets(): number {
    return this.#outstanding.count;
  }

  /** Sender: an answer about a message that is open. */
  #consumeAnswer(slot: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const message = packets[at + FLOW];
    switch (packets[at + KIND]) {
      case PacketKind.ack:
        this.#acknowledge(slot, message, now);
        return;
      case PacketKind.nack:
        this.#refused(slot, message, now);
        return;
      case PacketKind.probeAnswer:
        this.probeAnswered(this.#groupOf(message), message, packets[at + ENTROPY], now);
        return;
      default:
        return;
    }
  }

  /** Sender (UE-3, UE-4). */
  #acknowledge(slot: number, message: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const messages = this.#messages.integers;
    const record = message * MESSAGE_INTEGERS;
    const group = this.#groups.at(messages[record + CONTEXT])!;
    const acknowledged = record + ACKNOWLEDGED;
    const psn = packets[at + PSN];
    const cumulative = packets[at + CUMULATIVE];
    const bitmaps = this.#bitmaps;
    let rttPs = -1;
    this.#ackedBytes = 0;
    this.#ackedInFlightBytes = 0;
    if (!bitmaps.has(acknowledged, psn)) {
      const state = this.#stateOf(record, psn);
      const attempt = this.#outstanding.attemptOf(state);
      if (attempt === packets[at + ATTEMPT]) {
        if (attempt <= SAMPLED_ATTEMPTS) rttPs = now - this.#outstanding.departureOf(state);
      }
      bitmaps.add(acknowledged, psn);
      this.#retire(record, psn, state);
    }
    this.#retireBefore(record, cumulative);
    if (cumulative === messages[acknowledged]) this.#retireWindow(slot, record);

    const { window } = group;
    const isMarked = (packets[at + FLAGS] & PacketFlag.marked) !== 0;
    const penalty = penaltyOf(packets[at + FLAGS]);
    window.acked(this.#ackedBytes, this.#ackedInFlightBytes, rttPs, isMarked, now, penalty);
    group.spraying.acked(packets[at + ENTROPY], isMarked, now);
    if (this.#findsGaps) this.#findGaps(group, packets[at + ENTROPY], packets[at + EXTRA]);
    if (rttPs >= 0) this.#counters.rtt.add(group.source, rttPs);
    this.#seeWindow(group);
    if (messages[record + UNACKNOWLEDGED] === 0) {
      this.#complete(group, message, now);
      return;
    }
    if (this.#options.probes && (messages[record + MESSAGE_FLAGS] & MessageFlag.probed) === 0) {
      messages[record + MESSAGE_FLAGS] |= MessageFlag.probed;
      this.probe(group, message, packets[at + ENTROPY]);
    }
    this.#resume(group);
  }

  /** Sender: everything before `end` has arrived. */
  #retireBefore(record: number, end: number): void {
    const messages = this.#messages.integers;
    let psn = messages[record + ACKNOWLEDGED];
    if (psn >= end) return;
    const states = this.#memory.integers;
    const block = messages[record + STATES];
    const mask = messages[record + STATES_MASK];
    for (; psn < end; psn++) {
      const state = states[block + (psn & mask)];
      if (state !== NONE) this.#retire(record, psn, state);
    }
    this.#bitmaps.addBefore(record + ACKNOWLEDGED, end);
  }

  /** Sender: the bitmap beyond the cumulative PSN. */
  #retireWindow(slot: number, record: number): void {
    const sacks = this.#sacks;
    const low = sacks.lowOf(slot);
    const high = sacks.highOf(slot);
    if ((low | high) === 0) return;
    const bitmaps = this.#bitmaps;
    const at = record + ACKNOWLEDGED;
    bitmaps.readWindow(at);
    const from = this.#messages.integers[at];
    this.#retireWord(record, from, low & ~bitmaps.low);
    this.#retireWord(record, from + 32, high & ~bitmaps.high);
  }

  #retireWord(record: number, from: number, word: number): void {
    for (let left = word; left !== 0; left &= left - 1) {
      const psn = from + 31 - Math.clz32(left & -left);
      const state = this.#stateOf(record, psn);
      this.#bitmaps.add(record + ACKNOWLEDGED, psn);
      this.#retire(record, psn, state);
    }
  }

  #retire(record: number, psn: number, state: number): void {
    const messages = this.#messages.integers;
    const outstanding = this.#outstanding;
    const isLast = psn + 1 === messages[record + PACKETS];
    const bytes = (isLast ? messages[record + LAST_PAYLOAD] : this.#mssBytes) + IN_FLIGHT_HEADER_BYTES;
    this.#ackedBytes += bytes;
    const status = outstanding.stateOf(state);
    if (status === PacketState.lost) this.#groups.at(messages[record + CONTEXT])!.lostPackets--;
    else this.#ackedInFlightBytes += bytes;
    if (status !== PacketState.leaving) outstanding.unlink(state);
    if (this.#findsGaps && status !== PacketState.lost) outstanding.unlinkSent(state);
    outstanding.release(state);
    this.#memory.integers[messages[record + STATES] + (psn & messages[record + STATES_MASK])] = NONE;
    messages[record + UNACKNOWLEDGED]--;
  }

  /** Sender (UE-5): a packet was trimmed. */
  #refused(slot: number, message: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const record = message * MESSAGE_INTEGERS;
    const psn = packets[at + PSN];
    if (this.#bitmaps.has(record + ACKNOWLEDGED, psn)) return;
    const state = this.#stateOf(record, psn);
    const outstanding = this.#outstanding;
    if (outstanding.stateOf(state) !== PacketState.inFlight || outstanding.attemptOf(state) !== packets[at + ATTEMPT]) {
      return;
    }
    const group = this.#groupOf(message);
    this.#lose(group, state);
    group.window.trimmed(this.#bytesInFlight(state), now);
    group.spraying.trimmed(packets[at + ENTROPY], (packets[at + FLAGS] & PacketFlag.lastHop) !== 0, now);
    this.#seeWindow(group);
    this.#resume(group);
  }

  /** Sender (UE-6). */
  #expire(state: number, now: number): void {
    const outstanding = this.#outstanding;
    const message = outstanding.messageOf(state);
    const group = this.#groupOf(message);
    this.#counters.timeouts[group.source]++;
    this.#lose(group, state);
    group.window.timedOut(this.#bytesInFlight(state));
    this.timedOut(group, message, outstanding.entropyOf(state), now);
    this.#seeWindow(group);
    this.#resume(group);
  }

  /** Sender (MR-5 c): what was sent before an acknowledged transmission with its value, and has not come, is lost; ways keep the order. */
  #findGaps(group: Group, entropy: number, number: number): void {
    const outstanding = this.#outstanding;
    let state = outstanding.sentAfter(group.lost);
    while (state !== group.lost && ((outstanding.numberOf(state) - number) | 0) < 0) {
      const next = outstanding.sentAfter(state);
      if (outstanding.entropyOf(state) === entropy && outstanding.stateOf(state) === PacketState.inFlight) {
        this.#lose(group, state);
        group.window.left(this.#bytesInFlight(state));
      }
      state = next;
    }
  }

  #lose(group: Group, state: number): void {
    if (this.#findsGaps) this.#outstanding.unlinkSent(state);
    this.#outstanding.lose(state, group.lost);
    group.lostPackets++;
  }

  #complete(group: Group, message: number, now: number): void {
    const messages = this.#messages.integers;
    const record = message * MESSAGE_INTEGERS;
    const transfer = messages[record + TRANSFER];
    this.#bitmaps.release(record + ACKNOWLEDGED);
    this.#bitmaps.release(record + ARRIVED);
    this.#memory.release(messages[record + STATES], messages[record + STATES_MASK] + 1);
    this.#messages.remove(message);
    if (this.#groups.closes(group)) this.#resume(group);
    this.#counters.messagesCompleted[group.source]++;
    this.#listener.acknowledged(transfer, now);
  }

  /** Spraying of a new group. @param ports of the source that lead to the destination */
  protected newSpraying(_ports: number, _random: RandomStream, linkGbps: number): Spraying {
    return groupSpraying(this.#settings, linkGbps);
  }

  /** Whether a group is open, and no other has taken its number. */
  protected isOpen(group: Group): boolean {
    return this.#groups.at(group.context) === group;
  }

  /** A packet of a message was given up; it had this entropy value. */
  protected timedOut(group: Group, _message: number, entropy: number, now: number): void {
    group.spraying.timedOut(entropy, now);
  }

  /** A probe of a message was answered; it had this entropy value. */
  protected probeAnswered(group: Group, message: number, _entropy: number, now: number): void {
    group.window.probed(now - this.#messages.doubles[message * MESSAGE_DOUBLES + PROBE]);
  }

  /** Sends a probe ahead of data. */
  protected probe(group: Group, message: number, entropy: number): void {
    const slot = this.#packets.take();
    const { source, destination } = group;
    this.#nic.address(slot, PacketKind.probe, this.#probeBytes, source, destination, entropy);
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    packets[at + FLOW] = message;
    packets[at + EXTRA] = this.#number;
    this.#number = (this.#number + 1) | 0;
    packets[at + PSN] = 0;
    packets[at + ATTEMPT] = 0;
    this.#nic.send(slot, this.#nic.portFor(source, destination, entropy));
  }

  #takeCredit(context: number, serial: number, bytes: number): void {
    const group = this.#groups.at(context);
    if (group?.credit?.serial !== serial) return;
    group.credit.leftBytes += bytes;
    this.#resume(group);
  }

  /** A group that can send again goes to the head of the ring (NIC-1). */
  #resume(group: Group): void {
    if (this.#kernel.now < group.readyPs || this.#nic.isInRing(group.context) || !this.#maySend(group)) return;
    this.#nic.join(group.context, true);
  }

  /** Whether a group has a packet that may go now. Without credit one packet may, when no other is in flight: it makes the receiver look. */
  #maySend(group: Group): boolean {
    const bytes = this.#nextBytes(group);
    if (bytes < 0 || !group.window.mayGo(bytes)) return false;
    const { credit } = group;
    return credit === undefined || credit.leftBytes > 0 || group.window.inFlightBytes === 0;
  }

  /** Bytes that the next packet of a group counts with in flight, −1 where it has none. */
  #nextBytes(group: Group): number {
    if (group.lostPackets > 0) return this.#bytesInFlight(this.#outstanding.firstOf(group.lost));
    if (group.lastMessage === NONE) return -1;
    const messages = this.#messages.integers;
    const record = messages[group.lastMessage * MESSAGE_INTEGERS + NEXT_MESSAGE] * MESSAGE_INTEGERS;
    const isLast = messages[record + UNSENT] + 1 === messages[record + PACKETS];
    return (isLast ? messages[record + LAST_PAYLOAD] : this.#mssBytes) + IN_FLIGHT_HEADER_BYTES;
  }

  #bytesInFlight(state: number): number {
    const messages = this.#messages.integers;
    const record = this.#outstanding.messageOf(state) * MESSAGE_INTEGERS;
    const isLast = this.#outstanding.psnOf(state) + 1 === messages[record + PACKETS];
    return (isLast ? messages[record + LAST_PAYLOAD] : this.#mssBytes) + IN_FLIGHT_HEADER_BYTES;
  }

  /** State of a packet that is not acknowledged. */
  #stateOf(record: number, psn: number): number {
    const messages = this.#messages.integers;
    return this.#memory.integers[messages[record + STATES] + (psn & messages[record + STATES_MASK])];
  }

  /** The next packet that was never sent, of the message whose turn it is; the message goes behind the others. */
  #takeUnsent(group: Group): number {
    const messages = this.#messages.integers;
    const last = group.lastMessage;
    const message = messages[last * MESSAGE_INTEGERS + NEXT_MESSAGE];
    const record = message * MESSAGE_INTEGERS;
    const psn = messages[record + UNSENT];
    const state = this.#outstanding.take(message, psn);
    if (messages[record + STATES] < 0 || psn - messages[record + ACKNOWLEDGED] > messages[record + STATES_MASK]) {
      this.#widenStates(record);
    }
    this.#memory.integers[messages[record + STATES] + (psn & messages[record + STATES_MASK])] = state;
    messages[record + UNSENT] = psn + 1;
    if (psn + 1 < messages[record + PACKETS]) {
      group.lastMessage = message;
    } else if (message === last) {
      group.lastMessage = NONE;
    } else {
      messages[last * MESSAGE_INTEGERS + NEXT_MESSAGE] = messages[record + NEXT_MESSAGE];
    }
    return state;
  }

  /** Puts a message behind those of its group that have packets never sent. */
  #queueMessage(group: Group, message: number): void {
    const messages = this.#messages.integers;
    const record = message * MESSAGE_INTEGERS;
    if (group.lastMessage === NONE) {
      messages[record + NEXT_MESSAGE] = message;
    } else {
      const last = group.lastMessage * MESSAGE_INTEGERS;
      messages[record + NEXT_MESSAGE] = messages[last + NEXT_MESSAGE];
      messages[last + NEXT_MESSAGE] = message;
    }
    group.lastMessage = message;
  }

  #widenStates(record: number): void {
    const messages = this.#messages.integers;
    const before = messages[record + STATES];
    const maskBefore = messages[record + STATES_MASK];
    let length = before < 0 ? 1 : 2 * (maskBefore + 1);
    while (before < 0 && length < FIRST_STATES && length < messages[record + PACKETS]) length *= 2;
    const block = this.#memory.take(length);
    const states = this.#memory.integers;
    if (before >= 0) {
      const end = messages[record + UNSENT];
      for (let psn = messages[record + ACKNOWLEDGED]; psn < end; psn++) {
        states[block + (psn & (length - 1))] = states[before + (psn & maskBefore)];
      }
      this.#memory.release(before, maskBefore + 1);
    }
    messages[record + STATES] = block;
    messages[record + STATES_MASK] = length - 1;
  }

  #groupOf(message: number): Group {
    return this.#groups.at(this.#messages.integers[message * MESSAGE_INTEGERS + CONTEXT])!;
  }

  #drawEntropy(group: Group, now: number): number {
    return group.spraying.next(now, group.window.baseRttPs, group.random);
  }

  #seeWindow(group: Group): void {
    const { cwndBytes } = group.window;
    if (cwndBytes === group.seenWindowBytes) return;
    group.seenWindowBytes = cwndBytes;
    this.#counters.pace.add(group.source, cwndBytes);
  }
}
