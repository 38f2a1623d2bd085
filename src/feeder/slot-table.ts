import { grown } from '../base/grown.js';
import { hashId } from '../base/ids.js';

/** What a slot holds. The order counts: from `waiting` on it is a node that was read. */
export const SlotState = {
  empty: 0,
  /** An id that a dependency names and no node read so far has. */
  named: 1,
  /** A node that waits for others. */
  waiting: 2,
  /** A node that can be issued. */
  ready: 3,
  /** A node that was handed out. */
  issued: 4,
  /** A node that has finished. */
  freed: 5,
} as const;

const FIRST_CAPACITY = 1024;
const NONE = -1;

/** Ids that differ in the last four bits only have their first places in one cache line of the index. */
const NEAR_BITS = 4;
const NEAR = (1 << NEAR_BITS) - 1;
/** From one place of the index to the next to look at: into the next line, and odd, so that it meets every place. */
const STEP = 17;
/** STEP · STEP_INVERSE ≡ 1 modulo 2^32: turns a difference of places into a number of steps. */
const STEP_INVERSE = 0xf0f0f0f1;

/**
 * The nodes in memory, each in a slot that is used again once the node is removed, and an index of their ids by open
 * addressing. Columns are public so that hot loops can use them directly; `claim` may replace them. Records of 32
 * bytes instead are no faster: most visits to a child touch `waiting` alone, and a column of it is small.
 */
export class SlotTable {
  /** Slots in use or empty are below this. */
  top = 0;

  idLow = new Uint32Array(0); // [capacity] lower half of the id
  idHigh = new Uint32Array(0); // [capacity] upper half of the id
  state = new Uint8Array(0); // [capacity] SlotState
  type = new Uint8Array(0); // [capacity] NodeType
  flags = new Uint16Array(0); // [capacity] NodeFlag bits
  commType = new Int8Array(0); // [capacity] as in RankTrace
  waiting = new Uint32Array(0); // [capacity] parents that have not finished
  firstChild = new Int32Array(0); // [capacity] first edge to a child, −1 none; of an empty slot the next empty one
  namedBy = new Uint32Array(0); // [capacity] number of the node that named it last as its parent
  durationMicros = new Float64Array(0); // [capacity] µs, 0 when absent
  commSize = new Float64Array(0); // [capacity] bytes, NaN when absent
  commTag = new Float64Array(0); // [capacity] NaN when absent
  group = new Int32Array(0); // [capacity] index of the group's name, −1 none
  frameOffset = new Float64Array(0); // [capacity] where the node is in the source, bytes
  frameLength = new Uint32Array(0); // [capacity] bytes

  #index = new Int32Array(0); // [2^k] slot, −1 empty
  #firstEmpty = NONE;

  constructor() {
    this.#grow(FIRST_CAPACITY);
  }

  /** Slot of an id, −1 when it has none. */
  slotOf(low: number, high: number): number {
    const index = this.#index;
    const mask = index.length - 1;
    let at = home(low, high) & mask;
    for (;;) {
      const slot = index[at];
      if (slot < 0 || (this.idLow[slot] === low && this.idHigh[slot] === high)) return slot;
      at = (at + STEP) & mask;
    }
  }

  /** Takes a slot for an id that has none; its columns besides the id are as the slot's last node left them. */
  claim(low: number, high: number): number {
    let slot = this.#firstEmpty;
    if (slot >= 0) this.#firstEmpty = this.firstChild[slot];
    else {
      if (this.top === this.idLow.length) this.#grow(Math.ceil(this.top * 1.5));
      slot = this.top++;
    }
    this.idLow[slot] = low;
    this.idHigh[slot] = high;
    this.#enter(slot);
    return slot;
  }

  /** Gives a slot back. */
  release(slot: number): void {
    this.#leave(slot);
    this.state[slot] = SlotState.empty;
    this.firstChild[slot] = this.#firstEmpty;
    this.#firstEmpty = slot;
  }

  #enter(slot: number): void {
    const index = this.#index;
    const mask = index.length - 1;
    let at = home(this.idLow[slot], this.idHigh[slot]) & mask;
    while (index[at] >= 0) at = (at + STEP) & mask;
    index[at] = slot;
  }

  /** Takes the slot out of the index and closes the gap, so that no search ends before what it looks for. */
  #leave(slot: number): void {
    const index = this.#index;
    const mask = index.length - 1;
    let gap = home(this.idLow[slot], this.idHigh[slot]) & mask;
    while (index[gap] !== slot) gap = (gap + STEP) & mask;
    for (let at = (gap + STEP) & mask; index[at] >= 0; at = (at + STEP) & mask) {
      const from = home(this.idLow[index[at]], this.idHigh[index[at]]);
      if (steps(from, at, mask) < steps(gap, at, mask)) continue;
      index[gap] = index[at];
      gap = at;
    }
    index[gap] = NONE;
  }

  #grow(capacity: number): void {
    // One column at a time, so that the old and the new form of only one of them exist together.
    this.idLow = grown(this.idLow, capacity);
    this.idHigh = grown(this.idHigh, capacity);
    this.state = grown(this.state, capacity);
    this.type = grown(this.type, capacity);
    this.flags = grown(this.flags, capacity);
    this.commType = grown(this.commType, capacity);
    this.waiting = grown(this.waiting, capacity);
    this.firstChild = grown(this.firstChild, capacity);
    this.namedBy = grown(this.namedBy, capacity);
    this.durationMicros = grown(this.durationMicros, capacity);
    this.commSize = grown(this.commSize, capacity);
    this.commTag = grown(this.commTag, capacity);
    this.group = grown(this.group, capacity);
    this.frameOffset = grown(this.frameOffset, capacity);
    this.frameLength = grown(this.frameLength, capacity);
    let size = 16;
    while (size < 2 * capacity) size *= 2;
    if (size === this.#index.length) return;
    this.#index = new Int32Array(size).fill(NONE);
    for (let slot = 0; slot < this.top; slot++) if (this.state[slot] !== SlotState.empty) this.#enter(slot);
  }
}

/** Below 0 where the id of the first slot is the lower one. */
export function compareIds({ idLow, idHigh }: SlotTable, one: number, other: number): number {
  return idHigh[one] - idHigh[other] || idLow[one] - idLow[other];
}

/** Where the search for an id begins, before it is masked. */
function home(low: number, high: number): number {
  return hashId(low >>> NEAR_BITS, high) ^ (low & NEAR);
}

/** Steps of a search between two places. */
function steps(from: number, to: number, mask: number): number {
  return Math.imul(to - from, STEP_INVERSE) & mask;
}
