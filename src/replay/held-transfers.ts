/**
 * Matching of keys that several transfers have: per key either transfers that arrived and wait for a
 * receive, in order of completion, or receives that started and wait for a transfer, in order of start; one of the two
 * queues is always empty.
 */
export class HeldTransfers {
  readonly #head: Int32Array; // [keys] node that waits longest, −1 for none
  readonly #tail: Int32Array; // [keys]
  readonly #next: Int32Array; // [n] node behind it in its queue, −1 at the end
  readonly #holdsReceives: Uint8Array; // [keys] which of the two queues it is

  constructor(keys: number, nodes: number) {
    this.#head = new Int32Array(keys).fill(-1);
    this.#tail = new Int32Array(keys);
    this.#next = new Int32Array(keys === 0 ? 0 : nodes);
    this.#holdsReceives = new Uint8Array(keys);
  }

  /** A transfer has arrived: gives the receive it goes to, or keeps it and gives −1. */
  arrived(key: number, send: number): number {
    return this.#meet(key, send, 0);
  }

  /** A receive has started: gives the transfer it gets, or keeps it and gives −1. */
  started(key: number, receive: number): number {
    return this.#meet(key, receive, 1);
  }

  #meet(key: number, node: number, isReceive: 0 | 1): number {
    const head = this.#head[key];
    if (head >= 0 && this.#holdsReceives[key] !== isReceive) {
      this.#head[key] = this.#next[head];
      return head;
    }
    if (head < 0) this.#head[key] = node;
    else this.#next[this.#tail[key]] = node;
    this.#holdsReceives[key] = isReceive;
    this.#tail[key] = node;
    this.#next[node] = -1;
    return -1;
  }
}
