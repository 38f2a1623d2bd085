import * as messageRecord from './message-record.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const {
  ACKNOWLEDGED,
  ARRIVED,
  BLOCK,
  CONTEXT,
  LAST_PAYLOAD,
  MESSAGE_INTEGERS,
  IS_OPEN,
  MISSING,
  OPENED,
  NEXT_MESSAGE,
  PACKETS,
  STATES,
  TRANSFER,
  UNACKNOWLEDGED,
} = messageRecord;

const FIRST_CAPACITY = 64;

/** The messages that are posted and not acknowledged, each a delivery context of its own (UE-1): records with a free list. */
export class Messages {
  /** [capacity × 24]; another array after {@link add}. */
  integers: Int32Array;
  /** [capacity × 12] the same memory. */
  doubles: Float64Array;
  #capacity = FIRST_CAPACITY;
  #free = -1;
  #fresh = 0;

  constructor() {
    this.integers = new Int32Array(FIRST_CAPACITY * MESSAGE_INTEGERS);
    this.doubles = new Float64Array(this.integers.buffer);
  }

  /** @param number of the next transmission of all */
  add(transfer: number, context: number, packets: number, lastPayloadBytes: number, number: number): number {
    const message = this.#take();
    const { integers } = this;
    const at = message * MESSAGE_INTEGERS;
    integers.fill(0, at, at + MESSAGE_INTEGERS);
    integers[at + TRANSFER] = transfer;
    integers[at + OPENED] = number;
    integers[at + IS_OPEN] = 1;
    integers[at + CONTEXT] = context;
    integers[at + PACKETS] = packets;
    integers[at + LAST_PAYLOAD] = lastPayloadBytes;
    integers[at + UNACKNOWLEDGED] = packets;
    integers[at + MISSING] = packets;
    for (const block of [ACKNOWLEDGED + BLOCK, ARRIVED + BLOCK, STATES]) integers[at + block] = -1;
    return message;
  }

  /** Whether a transmission of that number, or what answers it, is of the message that has the record now. */
  isCurrent(message: number, number: number): boolean {
    const at = message * MESSAGE_INTEGERS;
    // Numbers wrap around, but no two that are on their way are far apart.
    return this.integers[at + IS_OPEN] !== 0 && ((number - this.integers[at + OPENED]) | 0) >= 0;
  }

  /** Gives the record back. */
  remove(message: number): void {
    const at = message * MESSAGE_INTEGERS;
    this.integers[at + IS_OPEN] = 0;
    this.integers[at + NEXT_MESSAGE] = this.#free;
    this.#free = message;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.integers.byteLength;
  }

  #take(): number {
    const message = this.#free;
    if (message >= 0) {
      this.#free = this.integers[message * MESSAGE_INTEGERS + NEXT_MESSAGE];
      return message;
    }
    if (this.#fresh === this.#capacity) {
      this.#capacity += this.#capacity >> 1;
      const integers = new Int32Array(this.#capacity * MESSAGE_INTEGERS);
      integers.set(this.integers);
      this.integers = integers;
      this.doubles = new Float64Array(integers.buffer);
    }
    return this.#fresh++;
  }
}
