import { EventClass, eventOrder, type EventQueue } from '../../kernel/event-queue.js';
import type { ByteRate } from '../byte-rate.js';
import { beforeEndOfTime } from '../end-of-time.js';
import {
  CROSSING,
  DOUBLES,
  ENDING,
  HEAD,
  INTEGERS,
  LEFT,
  NEXT_READY,
  OWNER,
  PEER,
  STATE,
  TAIL,
  WAITING,
} from './lane-record.js';
import type { PacketBatches } from './packet-batches.js';
import { inPeerOrder } from './peer-order.js';
import type { PostedTransfers } from './posted-transfers.js';

const NONE = -1;

const IDLE = 0;
/** Idle and not empty, in the list of its rank. */
const READY = 1;
const BUSY = 2;

/**
 * One direction of the fabric: the lanes on which every rank sends, or those on which every rank receives. A lane is the
 * queue of one pair of ranks (SU-2, SU-7); the lanes of a rank run side by side, each slowed by the number of those that
 * have something (SU-3, SU-4). Both directions are the same thing.
 *
 * The cost of an instant is the number of packets that start or end in it: a rank keeps the count of its lanes that are
 * not idle and the list of those that can start, and never looks at the others. `test/bench/scale-up.ts` measures it.
 */
export class LaneSide {
  readonly #firstOrder: number; // of ends of packets of rank 0; those of rank r are r places after
  readonly #active: Int32Array; // [ranks] lanes that are busy or not empty
  readonly #firstReady: Int32Array; // [ranks] list of lanes that start at the next kick, −1 for none
  readonly #lastReady: Int32Array; // [ranks]
  readonly #unsorted: Uint8Array; // [ranks] whether that list is not in ascending peer rank
  readonly #kicked: Int32Array; // [ranks] those with ready lanes
  #kickedCount = 0;

  #integers = new Int32Array(0); // [lanes × INTEGERS]
  #doubles = new Float64Array(0); // [lanes × DOUBLES], the same bytes

  /** Batches that this kick has begun: of full packets or of others, by crossing. */
  readonly #begun = new Int32Array(4);

  /**
   * @param rateOf by rank: bandwidth of its group
   * @param handler number under which the end of a batch is scheduled
   * @param firstEntity entity of rank 0 in the order of events
   */
  constructor(
    private readonly queue: EventQueue,
    private readonly handler: number,
    firstEntity: number,
    private readonly rateOf: readonly (ByteRate | undefined)[],
    private readonly transfers: PostedTransfers,
    private readonly batches: PacketBatches,
  ) {
    const ranks = rateOf.length;
    this.#firstOrder = eventOrder(EventClass.completion, firstEntity);
    this.#active = new Int32Array(ranks);
    this.#firstReady = new Int32Array(ranks).fill(NONE);
    this.#lastReady = new Int32Array(ranks);
    this.#unsorted = new Uint8Array(ranks);
    this.#kicked = new Int32Array(ranks);
  }

  /** Whether lanes wait for a kick. */
  get kickDue(): boolean {
    return this.#kickedCount > 0;
  }

  owner(lane: number): number {
    return this.#integers[lane * INTEGERS + OWNER];
  }

  peer(lane: number): number {
    return this.#integers[lane * INTEGERS + PEER];
  }

  crossing(lane: number): number {
    return this.#integers[lane * INTEGERS + CROSSING];
  }

  /** Begins a lane, empty. Packets of different crossings never share a batch. */
  open(lane: number, owner: number, peer: number, crossing: number): void {
    while ((lane + 1) * INTEGERS > this.#integers.length) this.#grow();
    const at = lane * INTEGERS;
    const integers = this.#integers;
    integers[at + STATE] = IDLE;
    integers[at + HEAD] = NONE;
    integers[at + ENDING] = NONE;
    integers[at + OWNER] = owner;
    integers[at + PEER] = peer;
    integers[at + CROSSING] = crossing;
    this.#doubles[lane * DOUBLES + WAITING] = 0;
  }

  /** Puts a transfer behind those of the lane; its packets start once they are {@link offer}ed. */
  append(lane: number, slot: number): void {
    const at = lane * INTEGERS;
    const integers = this.#integers;
    if (integers[at + HEAD] === NONE) {
      integers[at + HEAD] = slot;
      this.#doubles[lane * DOUBLES + LEFT] = this.transfers.packets[slot];
    } else {
      this.transfers.next[integers[at + TAIL]] = slot;
    }
    integers[at + TAIL] = slot;
  }

  /** So many more packets of the lane's transfers may start. */
  offer(lane: number, packets: number): void {
    this.#doubles[lane * DOUBLES + WAITING] += packets;
    if (this.#integers[lane * INTEGERS + STATE] !== IDLE) return;
    this.#active[this.#integers[lane * INTEGERS + OWNER]]++;
    this.#becomeReady(lane);
  }

  /** The packet in service has ended. Gives the transfer whose last packet it was, or −1. */
  end(lane: number): number {
    const at = lane * INTEGERS;
    const integers = this.#integers;
    const slot = integers[at + ENDING];
    if (this.#doubles[lane * DOUBLES + WAITING] > 0) {
      this.#becomeReady(lane);
    } else {
      integers[at + STATE] = IDLE;
      this.#active[integers[at + OWNER]]--;
    }
    return slot;
  }

  /** Whether every packet of every transfer of the lane has ended. */
  isDone(lane: number): boolean {
    return this.#integers[lane * INTEGERS + STATE] === IDLE && this.#integers[lane * INTEGERS + HEAD] === NONE;
  }

  /** Every ready lane starts its next packet. */
  kick(nowPs: number): void {
    const kicked = this.#kicked;
    for (let place = 0; place < this.#kickedCount; place++) this.#startLanes(kicked[place], nowPs);
    this.#kickedCount = 0;
  }

  #startLanes(rank: number, nowPs: number): void {
    const integers = this.#integers;
    const doubles = this.#doubles;
    const { transfers, batches } = this;
    const { fullBytes } = transfers;
    const begun = this.#begun;
    begun[0] = begun[1] = begun[2] = begun[3] = NONE;
    let lane = this.#firstReady[rank];
    if (this.#unsorted[rank] !== 0) lane = inPeerOrder(integers, lane);
    this.#firstReady[rank] = NONE;
    while (lane !== NONE) {
      const at = lane * INTEGERS;
      const slot = integers[at + HEAD];
      const left = doubles[lane * DOUBLES + LEFT] - 1;
      let bytes = fullBytes;
      if (left > 0) {
        doubles[lane * DOUBLES + LEFT] = left;
        integers[at + ENDING] = NONE;
      } else {
        bytes = transfers.lastBytes[slot];
        integers[at + ENDING] = slot;
        const next = transfers.next[slot];
        integers[at + HEAD] = next;
        if (next !== NONE) doubles[lane * DOUBLES + LEFT] = transfers.packets[next];
      }
      doubles[lane * DOUBLES + WAITING]--;
      integers[at + STATE] = BUSY;

      const kind = (bytes === fullBytes ? 0 : 2) + integers[at + CROSSING];
      const batch = begun[kind];
      if (batch !== NONE && batches.bytes[batch] === bytes) {
        batches.join(batch, lane);
      } else {
        begun[kind] = this.#begin(rank, bytes, lane, nowPs);
      }
      lane = integers[at + NEXT_READY];
    }
  }

  /** A batch whose first packet starts now: size × 8000 × n / G, rounded up once (SU-3). */
  #begin(rank: number, bytes: number, lane: number, nowPs: number): number {
    const batch = this.batches.add(bytes, lane);
    const end = nowPs + this.rateOf[rank]!.picoseconds(bytes * this.#active[rank]);
    this.queue.push(beforeEndOfTime(end), this.#firstOrder + rank, this.handler, batch);
    return batch;
  }

  #becomeReady(lane: number): void {
    const integers = this.#integers;
    const at = lane * INTEGERS;
    const rank = integers[at + OWNER];
    integers[at + STATE] = READY;
    integers[at + NEXT_READY] = NONE;
    if (this.#firstReady[rank] === NONE) {
      this.#firstReady[rank] = lane;
      this.#unsorted[rank] = 0;
      this.#kicked[this.#kickedCount++] = rank;
    } else {
      const last = this.#lastReady[rank] * INTEGERS;
      if (integers[at + PEER] < integers[last + PEER]) this.#unsorted[rank] = 1;
      integers[last + NEXT_READY] = lane;
    }
    this.#lastReady[rank] = lane;
  }

  #grow(): void {
    const records = new ArrayBuffer(Math.max(64, (2 * this.#integers.length) / INTEGERS) * DOUBLES * 8);
    const integers = new Int32Array(records);
    integers.set(this.#integers);
    this.#integers = integers;
    this.#doubles = new Float64Array(records);
  }
}
