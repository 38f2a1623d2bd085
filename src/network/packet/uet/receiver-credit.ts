import { EventClass } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';
import { dataWireBytes, wireBytes } from '../settings/frame-sizes.js';
import type { Nic } from '../nic/nic.js';
import { IN_FLIGHT_HEADER_BYTES } from '../congestion/nscc.js';
import * as packetRecord from '../fabric/packet-record.js';
import * as portRecord from '../fabric/port-record.js';
import { timerEntity, TimerPlace } from '../nic/timer-place.js';
import type { Group, GroupCredit } from './group.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const { ENTROPY, EXTRA, FLOW, PACKET_INTEGERS, PacketKind, PSN } = packetRecord;
const { CONTROL } = portRecord;

const CREDIT_BYTES = 62;
/** Initial credit in bandwidth-delay products. */
const INITIAL_BDPS = 1.5;

/** The groups to one host that wait for credit. */
interface Turn {
  first: Group | undefined;
  last: Group | undefined;
  /** When the host may hand out the next credit, ps. */
  freePs: number;
  isScheduled: boolean;
}

/**
 * Credit of receivers (RCCC, section 7). A receiver hands out credit for one full packet at a time, at the rate of the port at
 * which the packets come in, in turn to the groups of which it knows that they lack some: those whose messages, and what it
 * knows to have been lost of them, are more than what it has granted. Credit is a control packet by the way of the data, back.
 */
export class ReceiverCredit {
  readonly #nic: Nic;
  readonly #kernel: Kernel;
  readonly #isOpen: (group: Group) => boolean;
  readonly #turns: (Turn | undefined)[] = []; // [hosts]
  readonly #mssBytes: number;
  readonly #frameBytes: number;
  readonly #creditBytes: number;
  readonly #baseRttPs: number;
  readonly #onTurn: number;
  #serial = 0;

  constructor(nic: Nic, kernel: Kernel, isOpen: (group: Group) => boolean) {
    const { frames, nscc } = nic.fabric.spec.settings;
    this.#nic = nic;
    this.#kernel = kernel;
    this.#isOpen = isOpen;
    this.#mssBytes = frames.mssBytes;
    this.#frameBytes = dataWireBytes(frames, frames.mssBytes);
    this.#creditBytes = wireBytes(frames, CREDIT_BYTES);
    this.#baseRttPs = nscc.initialBaseRttPs;
    this.#onTurn = kernel.addHandler(
      (host) => this.#grant(host),
      (host) => this.#isIdle(host),
    );
  }

  /** Credit of a new group whose sender's links have this rate together. */
  initial(linkGbps: number): GroupCredit {
    // Whole bytes: what is left can be exactly none.
    const bytes = Math.round((INITIAL_BDPS * linkGbps * this.#baseRttPs) / 8000);
    this.#serial = (this.#serial + 1) & 0x7fffffff;
    return {
      ...{ serial: this.#serial, leftBytes: bytes, grantedBytes: bytes },
      ...{ knownBytes: 0, trimmed: 0, repeated: 0, port: 0, entropy: 0, isWaiting: false, next: undefined },
    };
  }

  /** Receiver: the first packet of a message has come, whole or trimmed. @param payloadBytes of the message */
  learn(group: Group, packets: number, payloadBytes: number): void {
    group.credit!.knownBytes += payloadBytes + packets * IN_FLIGHT_HEADER_BYTES;
  }

  /** Receiver: a packet has come at `port`. */
  arrived(group: Group, slot: number, port: number): void {
    const credit = group.credit!;
    credit.port = port;
    credit.entropy = this.#nic.packets.integers[slot * PACKET_INTEGERS + ENTROPY];
    if (credit.isWaiting || !this.#lacks(credit)) return;
    const turn = (this.#turns[group.destination] ??= {
      ...{ first: undefined, last: undefined, freePs: 0, isScheduled: false },
    });
    this.#queue(turn, group);
    if (!turn.isScheduled) this.#schedule(turn, group.destination);
  }

  #lacks({ grantedBytes, knownBytes, trimmed, repeated }: GroupCredit): boolean {
    return grantedBytes < knownBytes + Math.max(trimmed, repeated) * this.#packetBytes;
  }

  get #packetBytes(): number {
    return this.#mssBytes + IN_FLIGHT_HEADER_BYTES;
  }

  #queue(turn: Turn, group: Group): void {
    const credit = group.credit!;
    credit.isWaiting = true;
    credit.next = undefined;
    if (turn.last === undefined) turn.first = group;
    else turn.last.credit!.next = group;
    turn.last = group;
  }

  #schedule(turn: Turn, host: number): void {
    turn.isScheduled = true;
    const due = Math.max(this.#kernel.now, turn.freePs);
    this.#kernel.schedule(due, EventClass.timer, timerEntity(host, TimerPlace.other), this.#onTurn, host);
  }

  #grant(host: number): void {
    const turn = this.#turns[host]!;
    turn.isScheduled = false;
    for (;;) {
      const group = turn.first;
      if (group === undefined) return;
      const credit = group.credit!;
      turn.first = credit.next;
      if (turn.first === undefined) turn.last = undefined;
      credit.isWaiting = false;
      if (!this.#isOpen(group) || !this.#lacks(credit)) continue;
      credit.grantedBytes += this.#packetBytes;
      this.#send(group, credit);
      turn.freePs = this.#kernel.now + this.#nic.fabric.serialisationPs(credit.port, this.#frameBytes);
      if (this.#lacks(credit)) this.#queue(turn, group);
      if (turn.first !== undefined) this.#schedule(turn, host);
      return;
    }
  }

  #isIdle(host: number): boolean {
    for (let group = this.#turns[host]!.first; group !== undefined; group = group.credit!.next) {
      if (this.#isOpen(group) && this.#lacks(group.credit!)) return false;
    }
    return true;
  }

  #send(group: Group, credit: GroupCredit): void {
    const { packets } = this.#nic;
    const slot = packets.take();
    const { source, destination } = group;
    this.#nic.address(slot, PacketKind.credit, this.#creditBytes, destination, source, credit.entropy);
    const at = slot * PACKET_INTEGERS;
    packets.integers[at + FLOW] = group.context;
    packets.integers[at + EXTRA] = credit.serial;
    packets.integers[at + PSN] = this.#packetBytes;
    this.#nic.fabric.enqueue(credit.port, slot, CONTROL);
    this.#nic.wants(credit.port);
  }
}
