import type { TransferListener } from '../../network.js';
import * as packetRecord from '../fabric/packet-record.js';
import { withPenalty } from '../fabric/packet-record.js';
import type { Packets } from '../fabric/packets.js';
import type { HostCounters } from '../nic/host-counters.js';
import type { Nic } from '../nic/nic.js';
import { wireBytes } from '../settings/frame-sizes.js';
import type { Group } from './group.js';
import * as messageRecord from './message-record.js';
import type { Messages } from './messages.js';
import type { PsnBitmaps } from './psn-bitmaps.js';
import type { ReceiverCredit } from './receiver-credit.js';
import type { SackWindows } from './sack-windows.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const { ATTEMPT, CUMULATIVE, EXTRA, FLAGS, FLOW, KIND, PACKET_INTEGERS, PacketFlag, PacketKind, PSN } = packetRecord;
const { ARRIVED, LAST_PAYLOAD, MESSAGE_FLAGS, MESSAGE_INTEGERS, MessageFlag, MISSING, PACKETS, TRANSFER } =
  messageRecord;

/** What a receiver shares with the senders: messages have one record for both of their ends. */
export interface SharedWithSenders {
  readonly nic: Nic;
  readonly listener: TransferListener;
  readonly counters: HostCounters;
  readonly messages: Messages;
  readonly bitmaps: PsnBitmaps;
  readonly sacks: SackWindows;
  /** There where receivers hand out credit. */
  readonly credit: ReceiverCredit | undefined;
  groupOf(message: number): Group;
}

/**
 * The receiving side of messages whose packets arrive in any order: takes each when it comes, acknowledges it, and asks for one
 * that was trimmed (UE-2, UE-3, UE-5).
 */
export class Receiver {
  readonly #shared: SharedWithSenders;
  readonly #packets: Packets;
  readonly #mssBytes: number;
  readonly #ackEvery: number;
  readonly #ackBytes: number;
  readonly #nackBytes: number;

  constructor(shared: SharedWithSenders) {
    const { frames, uet } = shared.nic.fabric.spec.settings;
    this.#shared = shared;
    this.#packets = shared.nic.packets;
    this.#mssBytes = frames.mssBytes;
    this.#ackEvery = uet.ackEvery;
    this.#ackBytes = wireBytes(frames, frames.ackBytes);
    this.#nackBytes = wireBytes(frames, frames.nackBytes);
  }

  /** UE-2, UE-3. A packet of a message that is done with is a duplicate of one that has arrived. */
  receive(slot: number, port: number, now: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    const messages = this.#shared.messages.integers;
    const message = packets[at + FLOW];
    const record = message * MESSAGE_INTEGERS;
    const isKnown = this.#shared.messages.isCurrent(message, packets[at + EXTRA]);
    const arrived = record + ARRIVED;
    const psn = packets[at + PSN];
    const flags = packets[at + FLAGS];
    const bitmaps = this.#shared.bitmaps;
    let isComplete = false;
    const isDuplicate = !isKnown || bitmaps.has(arrived, psn);
    if (isDuplicate) {
      this.#shared.counters.duplicates[this.#hostOf(port)]++;
    } else {
      if (psn > messages[arrived]) this.#shared.counters.outOfOrder[this.#hostOf(port)]++;
      bitmaps.add(arrived, psn);
      isComplete = --messages[record + MISSING] === 0;
      if (this.#shared.credit !== undefined) this.#noteArrival(slot, message, port);
    }
    const isAcknowledged =
      this.#ackEvery === 1 ||
      isDuplicate ||
      isComplete ||
      psn % this.#ackEvery === 0 ||
      (flags & (PacketFlag.last | PacketFlag.retransmission)) !== 0;
    if (!isAcknowledged) {
      this.#packets.release(slot);
      return;
    }
    this.#shared.nic.turnAround(slot, PacketKind.ack, this.#ackBytes);
    packets[at + FLAGS] = withPenalty(flags & PacketFlag.marked, this.#shared.nic.penaltyOf(this.#hostOf(port)));
    if (isKnown) {
      packets[at + CUMULATIVE] = messages[arrived];
      bitmaps.readWindow(arrived);
      this.#shared.sacks.write(slot, bitmaps.low, bitmaps.high);
    }
    this.#shared.nic.reply(slot, port);
    if (isComplete) this.#shared.listener.received(messages[record + TRANSFER], now);
  }

  /** UE-5. */
  receiveTrimmed(slot: number, port: number): void {
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    if (this.#shared.credit !== undefined) {
      const message = packets[at + FLOW];
      if (this.#shared.messages.isCurrent(message, packets[at + EXTRA])) {
        this.#shared.groupOf(message).credit!.trimmed++;
        this.#noteArrival(slot, message, port);
      }
    }
    const lastHop = packets[at + FLAGS] & PacketFlag.lastHop;
    this.#shared.nic.turnAround(slot, PacketKind.nack, this.#nackBytes);
    packets[at + FLAGS] = lastHop;
    this.#shared.nic.reply(slot, port);
  }

  /** A probe is answered like a packet. */
  receiveProbe(slot: number, port: number): void {
    this.#shared.nic.turnAround(slot, PacketKind.probeAnswer, this.#ackBytes);
    this.#shared.nic.reply(slot, port);
  }

  /** Tells those who hand out credit what has come. */
  #noteArrival(slot: number, message: number, port: number): void {
    const group = this.#shared.groupOf(message);
    const messages = this.#shared.messages.integers;
    const record = message * MESSAGE_INTEGERS;
    const packets = this.#packets.integers;
    const at = slot * PACKET_INTEGERS;
    if ((messages[record + MESSAGE_FLAGS] & MessageFlag.credited) === 0) {
      messages[record + MESSAGE_FLAGS] |= MessageFlag.credited;
      const count = messages[record + PACKETS];
      this.#shared.credit!.learn(group, count, (count - 1) * this.#mssBytes + messages[record + LAST_PAYLOAD]);
    }
    if (packets[at + KIND] === PacketKind.data) group.credit!.repeated += packets[at + ATTEMPT];
    this.#shared.credit!.arrived(group, slot, port);
  }

  #hostOf(port: number): number {
    return this.#shared.nic.fabric.numbers.nodeOf[port];
  }
}
