import { grown } from '../../../base/grown.js';
import { Blocks, powerFor } from './blocks.js';

/** Packets for which a message gets room at first, at most; more when more are outstanding. */
const FIRST_PACKETS = 128;

const IN_FLIGHT = 1;
const LOST = 2;
const RETIRED = 3;

/**
 * What senders know of the packets of messages that are acknowledged selectively (UE-3 … UE-6, MR-5). A packet is in flight from
 * its start on, until it is retired, because it arrived, or found lost; then it waits to be sent again. A message is a number of
 * the transport.
 *
 * Packets in flight with one entropy value are kept in the order in which they were sent, so that those that a later one has
 * overtaken are found at once (MR-5 (c)).
 */
export class SentPackets {
  /** [messages] all packets below are retired. */
  oldest = new Int32Array(64);
  /** [messages] packets below have been sent. */
  next = new Int32Array(64);
  /** [messages] the packet that was found lost first, −1 for none. */
  lostHead = new Int32Array(64);
  #lostTail = new Int32Array(64); // [messages]
  #transmissions = new Int32Array(64); // [messages] so far
  #block = new Int32Array(64); // [messages] first place
  #power = new Int32Array(64); // [messages] of its places
  readonly #blocks = new Blocks();

  // [places] of packet psn: at psn mod places of the block
  #state = new Uint8Array(256);
  #attempt = new Int32Array(256); // of the last transmission
  #value = new Uint16Array(256); // entropy of the last transmission
  #order = new Int32Array(256); // number of the last transmission among all of the message
  #departurePs = new Float64Array(256); // end of serialisation of the last transmission
  #after = new Int32Array(256); // next packet of its list, −1 at the end
  #before = new Int32Array(256); // the one before, −1 at the beginning
  // [places] lists of packets in flight whose values are alike mod places: first and last packet, −1 for none
  #head = new Int32Array(256).fill(-1);
  #tail = new Int32Array(256).fill(-1);

  open(message: number, packets: number): void {
    if (message >= this.oldest.length) this.#growMessages(message);
    this.oldest[message] = 0;
    this.next[message] = 0;
    this.lostHead[message] = -1;
    this.#lostTail[message] = -1;
    this.#transmissions[message] = 0;
    this.#takeBlock(message, powerFor(Math.min(packets, FIRST_PACKETS)));
  }

  /** All packets are retired. */
  close(message: number): void {
    this.#blocks.release(this.#block[message], this.#power[message]);
  }

  /** Number of the packet's last transmission, 0 for the first. */
  attemptOf(message: number, psn: number): number {
    return this.#attempt[this.#place(message, psn)];
  }

  valueOf(message: number, psn: number): number {
    return this.#value[this.#place(message, psn)];
  }

  /** Number of the packet's last transmission among all of the message. */
  orderOf(message: number, psn: number): number {
    return this.#order[this.#place(message, psn)];
  }

  departureOf(message: number, psn: number): number {
    return this.#departurePs[this.#place(message, psn)];
  }

  isInFlight(message: number, psn: number): boolean {
    return psn >= this.oldest[message] && this.#state[this.#place(message, psn)] === IN_FLIGHT;
  }

  isRetired(message: number, psn: number): boolean {
    return psn < this.oldest[message] || this.#state[this.#place(message, psn)] === RETIRED;
  }

  /** The next packet that was never sent starts. */
  sendFresh(message: number, value: number): void {
    const psn = this.next[message];
    if (psn - this.oldest[message] === 1 << this.#power[message]) this.#widen(message);
    this.next[message] = psn + 1;
    this.#attempt[this.#place(message, psn)] = 0;
    this.#start(message, psn, value);
  }

  /** A packet that was found lost starts again. */
  sendAgain(message: number, psn: number, value: number): void {
    this.#leaveLost(message, psn);
    this.#attempt[this.#place(message, psn)]++;
    this.#start(message, psn, value);
  }

  /** The serialisation of a packet's last transmission has ended. */
  departed(message: number, psn: number, nowPs: number): void {
    this.#departurePs[this.#place(message, psn)] = nowPs;
  }

  /** A packet in flight is lost: it goes behind those found lost before. */
  lose(message: number, psn: number): void {
    this.#leaveFlight(message, psn);
    const place = this.#place(message, psn);
    const tail = this.#lostTail[message];
    this.#state[place] = LOST;
    this.#before[place] = tail;
    this.#after[place] = -1;
    if (tail < 0) this.lostHead[message] = psn;
    else this.#after[this.#place(message, tail)] = psn;
    this.#lostTail[message] = psn;
  }

  /** A packet that is not retired has arrived. @returns whether it was in flight */
  retire(message: number, psn: number): boolean {
    const place = this.#place(message, psn);
    const wasInFlight = this.#state[place] === IN_FLIGHT;
    if (wasInFlight) this.#leaveFlight(message, psn);
    else this.#leaveLost(message, psn);
    this.#state[place] = RETIRED;
    const next = this.next[message];
    let oldest = this.oldest[message];
    while (oldest < next && this.#state[this.#place(message, oldest)] === RETIRED) oldest++;
    this.oldest[message] = oldest;
    return wasInFlight;
  }

  /** The packet in flight that was sent first of those with a value, if before the transmission of this number; else −1. */
  sentBefore(message: number, value: number, order: number): number {
    let psn = this.#head[this.#list(message, value)];
    while (psn >= 0) {
      const place = this.#place(message, psn);
      if (this.#order[place] >= order) return -1;
      if (this.#value[place] === value) return psn;
      psn = this.#after[place];
    }
    return -1;
  }

  #place(message: number, psn: number): number {
    return this.#block[message] + (psn & ((1 << this.#power[message]) - 1));
  }

  #list(message: number, value: number): number {
    return this.#block[message] + (value & ((1 << this.#power[message]) - 1));
  }

  #start(message: number, psn: number, value: number): void {
    this.#order[this.#place(message, psn)] = this.#transmissions[message]++;
    this.#enterFlight(message, psn, value);
  }

  #enterFlight(message: number, psn: number, value: number): void {
    const place = this.#place(message, psn);
    const list = this.#list(message, value);
    const tail = this.#tail[list];
    this.#state[place] = IN_FLIGHT;
    this.#value[place] = value;
    this.#before[place] = tail;
    this.#after[place] = -1;
    if (tail < 0) this.#head[list] = psn;
    else this.#after[this.#place(message, tail)] = psn;
    this.#tail[list] = psn;
  }

  #leaveFlight(message: number, psn: number): void {
    const place = this.#place(message, psn);
    const before = this.#before[place];
    const after = this.#after[place];
    const list = this.#list(message, this.#value[place]);
    if (before < 0) this.#head[list] = after;
    else this.#after[this.#place(message, before)] = after;
    if (after < 0) this.#tail[list] = before;
    else this.#before[this.#place(message, after)] = before;
  }

  #leaveLost(message: number, psn: number): void {
    const place = this.#place(message, psn);
    const before = this.#before[place];
    const after = this.#after[place];
    if (before < 0) this.lostHead[message] = after;
    else this.#after[this.#place(message, before)] = after;
    if (after < 0) this.#lostTail[message] = before;
    else this.#before[this.#place(message, after)] = before;
  }

  #takeBlock(message: number, power: number): void {
    const block = this.#blocks.take(power);
    this.#block[message] = block;
    this.#power[message] = power;
    const before = this.#state.length;
    if (this.#blocks.length <= before) return;
    const length = 2 * this.#blocks.length;
    this.#state = grown(this.#state, length);
    this.#attempt = grown(this.#attempt, length);
    this.#value = grown(this.#value, length);
    this.#order = grown(this.#order, length);
    this.#departurePs = grown(this.#departurePs, length);
    this.#after = grown(this.#after, length);
    this.#before = grown(this.#before, length);
    this.#head = grown(this.#head, length).fill(-1, before);
    this.#tail = grown(this.#tail, length).fill(-1, before);
  }

  /** Room for twice as many outstanding packets. */
  #widen(message: number): void {
    const from = this.#block[message];
    const power = this.#power[message];
    const places = 1 << power;
    this.#takeBlock(message, power + 1);
    for (let psn = this.oldest[message]; psn < this.next[message]; psn++) {
      const old = from + (psn & (places - 1));
      const place = this.#place(message, psn);
      this.#state[place] = this.#state[old];
      this.#attempt[place] = this.#attempt[old];
      this.#value[place] = this.#value[old];
      this.#order[place] = this.#order[old];
      this.#departurePs[place] = this.#departurePs[old];
      this.#after[place] = this.#after[old];
      this.#before[place] = this.#before[old];
    }
    for (let list = from; list < from + places; list++) {
      let psn = this.#head[list];
      this.#head[list] = -1;
      this.#tail[list] = -1;
      while (psn >= 0) {
        const place = this.#place(message, psn);
        const after = this.#after[place];
        this.#enterFlight(message, psn, this.#value[place]);
        psn = after;
      }
    }
    this.#blocks.release(from, power);
  }

  #growMessages(message: number): void {
    const length = Math.max(2 * this.oldest.length, message + 1);
    this.oldest = grown(this.oldest, length);
    this.next = grown(this.next, length);
    this.lostHead = grown(this.lostHead, length);
    this.#lostTail = grown(this.#lostTail, length);
    this.#transmissions = grown(this.#transmissions, length);
    this.#block = grown(this.#block, length);
    this.#power = grown(this.#power, length);
  }
}
