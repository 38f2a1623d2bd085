/** Numbers the distinct keys (tag, sender, receiver) from 0, by open addressing on integers. */
export class KeyTable {
  size = 0;
  tag: Float64Array; // [capacity], the first `size` are in use, as below
  sender: Int32Array;
  receiver: Int32Array;
  #slot: Int32Array; // [2^k] key number, −1 empty; at most half full

  /** @param expected number of keys to make room for */
  constructor(expected: number) {
    let slots = 16;
    while (slots < 2 * expected) slots *= 2;
    this.#slot = new Int32Array(slots).fill(-1);
    this.tag = new Float64Array(slots / 2);
    this.sender = new Int32Array(slots / 2);
    this.receiver = new Int32Array(slots / 2);
  }

  /** Number of a key, a new one when it is not there yet. */
  key(tag: number, sender: number, receiver: number): number {
    if (this.size === this.tag.length) this.#grow();
    const mask = this.#slot.length - 1;
    let slot = mixed(tag, sender, receiver) & mask;
    for (;;) {
      const key = this.#slot[slot];
      if (key < 0) break;
      if (this.tag[key] === tag && this.sender[key] === sender && this.receiver[key] === receiver) return key;
      slot = (slot + 1) & mask;
    }
    const key = this.size++;
    this.#slot[slot] = key;
    this.tag[key] = tag;
    this.sender[key] = sender;
    this.receiver[key] = receiver;
    return key;
  }

  #grow(): void {
    const larger = new KeyTable(2 * this.tag.length);
    for (let key = 0; key < this.size; key++) larger.key(this.tag[key], this.sender[key], this.receiver[key]);
    this.#slot = larger.#slot;
    this.tag = larger.tag;
    this.sender = larger.sender;
    this.receiver = larger.receiver;
  }
}

function mixed(tag: number, sender: number, receiver: number): number {
  // Tags may exceed 32 bits; both halves count.
  let hash = Math.imul(tag | 0, 0x7feb352d) ^ Math.imul((tag / 0x100000000) | 0, 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 15) ^ sender, 0x846ca68b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ receiver, 0x27d4eb2f);
  return hash ^ (hash >>> 16);
}
