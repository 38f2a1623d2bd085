import { grown } from '../../../base/grown.js';

/** Places in what a sender knows of a packet that was sent and not acknowledged: 32 bytes. */
const INTEGERS = 8;
const DOUBLES = 4;
/** The packets before and after it in its list: of those with one timeout, or the lost ones of a group. */
const PREVIOUS = 0;
const NEXT = 1;
const MESSAGE = 2;
const PSN = 3;
const ENTROPY = 4;
/** Number of the transmission, and one of {@link PacketState} in its two lowest bits. */
const ATTEMPT_STATE = 5;
/** When the serialisation of its last transmission ended, ps; a double. */
const DEPARTURE = 3;

const ORDER_INTEGERS = 3;
const FIRST_CAPACITY = 64;
const NONE = -1;

export const PacketState = {
  /** Its serialisation has not ended. */
  leaving: 0,
  inFlight: 1,
  lost: 2,
} as const;

/**
 * What senders know of the packets that are sent and not acknowledged: records with a free list. A list of them has a head that
 * is a record itself, so that a packet leaves its list without anybody looking for the list.
 */
export class OutstandingPackets {
  /** [capacity × 8]; another array after {@link take}. */
  #integers = new Int32Array(FIRST_CAPACITY * INTEGERS);
  /** [capacity × 4] the same memory. */
  #doubles = new Float64Array(this.#integers.buffer);
  #capacity = FIRST_CAPACITY;
  #free = -1;
  #fresh = 0;
  /** Packets, heads aside. */
  count = 0;
  /**
   * [capacity × 3] where gaps are looked for: the packets of the group that were sent right before and after it, and the number
   * of its last transmission.
   */
  #order: Int32Array | undefined;

  constructor(isOrdered: boolean) {
    if (isOrdered) this.#order = new Int32Array(ORDER_INTEGERS * FIRST_CAPACITY);
  }

  take(message: number, psn: number): number {
    this.count++;
    const slot = this.#takeSlot();
    const at = slot * INTEGERS;
    this.#integers[at + MESSAGE] = message;
    this.#integers[at + PSN] = psn;
    this.#integers[at + ATTEMPT_STATE] = PacketState.leaving;
    return slot;
  }

  /** A new list without packets; its head belongs to no message. */
  takeList(): number {
    const list = this.#takeSlot();
    const at = list * INTEGERS;
    this.#integers[at + PREVIOUS] = list;
    this.#integers[at + NEXT] = list;
    const order = this.#order;
    if (order !== undefined) {
      order[list * ORDER_INTEGERS] = list;
      order[list * ORDER_INTEGERS + 1] = list;
    }
    return list;
  }

  release(slot: number): void {
    this.count--;
    this.releaseList(slot);
  }

  /** Gives the head of a list without packets back. */
  releaseList(list: number): void {
    const at = list * INTEGERS;
    this.#integers[at + MESSAGE] = NONE;
    this.#integers[at + NEXT] = this.#free;
    this.#free = list;
  }

  messageOf(slot: number): number {
    return this.#integers[slot * INTEGERS + MESSAGE];
  }

  psnOf(slot: number): number {
    return this.#integers[slot * INTEGERS + PSN];
  }

  entropyOf(slot: number): number {
    return this.#integers[slot * INTEGERS + ENTROPY];
  }

  attemptOf(slot: number): number {
    return this.#integers[slot * INTEGERS + ATTEMPT_STATE] >>> 2;
  }

  stateOf(slot: number): number {
    return this.#integers[slot * INTEGERS + ATTEMPT_STATE] & 3;
  }

  departureOf(slot: number): number {
    return this.#doubles[slot * DOUBLES + DEPARTURE];
  }

  /** A transmission of a packet begins. */
  begin(slot: number, attempt: number, entropy: number): void {
    const at = slot * INTEGERS;
    this.#integers[at + ENTROPY] = entropy;
    this.#integers[at + ATTEMPT_STATE] = attempt << 2;
  }

  /** Its serialisation has ended; it goes to the end of a list. */
  depart(slot: number, list: number, nowPs: number): void {
    this.#integers[slot * INTEGERS + ATTEMPT_STATE] |= PacketState.inFlight;
    this.#doubles[slot * DOUBLES + DEPARTURE] = nowPs;
    this.#append(slot, list);
  }

  /** A packet in flight goes from its list to the end of that of lost ones. */
  lose(slot: number, list: number): void {
    this.unlink(slot);
    this.#integers[slot * INTEGERS + ATTEMPT_STATE] ^= PacketState.inFlight | PacketState.lost;
    this.#append(slot, list);
  }

  /** First packet of a list, the list itself where it has none. */
  firstOf(list: number): number {
    return this.#integers[list * INTEGERS + NEXT];
  }

  /** Takes a packet out of its list; it must be in one. */
  unlink(slot: number): void {
    const integers = this.#integers;
    const previous = integers[slot * INTEGERS + PREVIOUS];
    const next = integers[slot * INTEGERS + NEXT];
    integers[previous * INTEGERS + NEXT] = next;
    integers[next * INTEGERS + PREVIOUS] = previous;
  }

  /** Where gaps are looked for: puts a packet behind those that a group, by its list, has sent. */
  appendSent(slot: number, list: number, number: number): void {
    const order = this.#order!;
    const last = order[list * ORDER_INTEGERS];
    order[slot * ORDER_INTEGERS] = last;
    order[slot * ORDER_INTEGERS + 1] = list;
    order[slot * ORDER_INTEGERS + 2] = number;
    order[last * ORDER_INTEGERS + 1] = slot;
    order[list * ORDER_INTEGERS] = slot;
  }

  unlinkSent(slot: number): void {
    const order = this.#order!;
    const previous = order[slot * ORDER_INTEGERS];
    const next = order[slot * ORDER_INTEGERS + 1];
    order[previous * ORDER_INTEGERS + 1] = next;
    order[next * ORDER_INTEGERS] = previous;
  }

  /** The packet of the group that was sent next; of its list the first. */
  sentAfter(slot: number): number {
    return this.#order![slot * ORDER_INTEGERS + 1];
  }

  /** Number of its last transmission, where gaps are looked for. */
  numberOf(slot: number): number {
    return this.#order![slot * ORDER_INTEGERS + 2];
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#integers.byteLength + (this.#order?.byteLength ?? 0);
  }

  #append(slot: number, list: number): void {
    const integers = this.#integers;
    const last = integers[list * INTEGERS + PREVIOUS];
    integers[slot * INTEGERS + PREVIOUS] = last;
    integers[slot * INTEGERS + NEXT] = list;
    integers[last * INTEGERS + NEXT] = slot;
    integers[list * INTEGERS + PREVIOUS] = slot;
  }

  #takeSlot(): number {
    const slot = this.#free;
    if (slot >= 0) {
      this.#free = this.#integers[slot * INTEGERS + NEXT];
      return slot;
    }
    if (this.#fresh === this.#capacity) {
      this.#capacity += this.#capacity >> 2;
      this.#integers = grown(this.#integers, this.#capacity * INTEGERS);
      this.#doubles = new Float64Array(this.#integers.buffer);
      if (this.#order !== undefined) this.#order = grown(this.#order, ORDER_INTEGERS * this.#capacity);
    }
    return this.#fresh++;
  }
}
