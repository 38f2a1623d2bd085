import { SkeletonKind, type RankSkeleton } from './rank-skeleton.js';

/**
 * The sends and receives by key (tag, sender, receiver), in ascending rank and place. Receives of a key are claimed
 * in the order they start.
 */
export class TransferKeys {
  /** [vertices] key of a send or receive, −1 for other nodes. */
  readonly of: Int32Array;
  readonly #sent: Int32Array; // [keys] sends started
  readonly #claimed: Int32Array; // [keys] receives that got one of them
  readonly #received: Int32Array; // [keys] receives started
  readonly #receiveStart: Uint32Array; // [keys + 1] room for the started receives of each key
  readonly #receive: Int32Array; // vertices, in start order
  readonly #sendStart: Uint32Array; // [keys + 1]
  readonly #send: Int32Array; // vertices, ascending

  constructor(skeletons: readonly RankSkeleton[], offset: Int32Array) {
    const vertices = offset[skeletons.length];
    this.of = new Int32Array(vertices).fill(-1);
    const table = new KeyTable();
    for (let at = 0; at < skeletons.length; at++) {
      const { rank, kind, peer, tag } = skeletons[at];
      for (let place = 0; place < kind.length; place++) {
        if (kind[place] === SkeletonKind.send) this.of[offset[at] + place] = table.key(tag[place], rank, peer[place]);
        else if (kind[place] === SkeletonKind.receive) {
          this.of[offset[at] + place] = table.key(tag[place], peer[place], rank);
        }
      }
    }
    const keys = table.size;
    this.#sent = new Int32Array(keys);
    this.#claimed = new Int32Array(keys);
    this.#received = new Int32Array(keys);
    this.#receiveStart = new Uint32Array(keys + 1);
    this.#sendStart = new Uint32Array(keys + 1);
    for (let at = 0; at < skeletons.length; at++) {
      const { kind } = skeletons[at];
      for (let place = 0; place < kind.length; place++) {
        const key = this.of[offset[at] + place];
        if (key < 0) continue;
        if (kind[place] === SkeletonKind.send) this.#sendStart[key + 1]++;
        else this.#receiveStart[key + 1]++;
      }
    }
    sumUp(this.#sendStart);
    sumUp(this.#receiveStart);
    this.#receive = new Int32Array(this.#receiveStart[keys]);
    this.#send = new Int32Array(this.#sendStart[keys]);
    const fill = this.#sendStart.slice();
    for (let at = 0; at < skeletons.length; at++) {
      const { kind } = skeletons[at];
      for (let place = 0; place < kind.length; place++) {
        const vertex = offset[at] + place;
        if (kind[place] === SkeletonKind.send) this.#send[fill[this.of[vertex]]++] = vertex;
      }
    }
  }

  startReceive(key: number, vertex: number): void {
    this.#receive[this.#receiveStart[key] + this.#received[key]++] = vertex;
  }

  startSend(key: number): void {
    this.#sent[key]++;
  }

  /** Whether a send has started that no receive has got. */
  hasSend(key: number): boolean {
    return this.#sent[key] > this.#claimed[key];
  }

  /** Receives that have started and wait. */
  waiting(key: number): number {
    return this.#received[key] - this.#claimed[key];
  }

  /** The receive that started first among those that wait. */
  claim(key: number): number {
    return this.#receive[this.#receiveStart[key] + this.#claimed[key]++];
  }

  /** The receives of the key that have started, in start order. */
  started(key: number): Int32Array {
    return this.#receive.subarray(this.#receiveStart[key], this.#receiveStart[key] + this.#received[key]);
  }

  /** The sends of the key, in ascending place. */
  sends(key: number): Int32Array {
    return this.#send.subarray(this.#sendStart[key], this.#sendStart[key + 1]);
  }
}

/** Numbers the distinct (tag, sender, receiver) from 0, by open addressing. */
class KeyTable {
  size = 0;
  #slot = new Int32Array(1024).fill(-1);
  #tag = new Float64Array(512);
  #sender = new Int32Array(512);
  #receiver = new Int32Array(512);

  key(tag: number, sender: number, receiver: number): number {
    if (this.size === this.#tag.length) this.#grow();
    const mask = this.#slot.length - 1;
    let slot = mixed(tag, sender, receiver) & mask;
    for (;;) {
      const key = this.#slot[slot];
      if (key < 0) break;
      if (this.#tag[key] === tag && this.#sender[key] === sender && this.#receiver[key] === receiver) return key;
      slot = (slot + 1) & mask;
    }
    this.#slot[slot] = this.size;
    this.#tag[this.size] = tag;
    this.#sender[this.size] = sender;
    this.#receiver[this.size] = receiver;
    return this.size++;
  }

  #grow(): void {
    const room = this.#tag.length * 2;
    const tag = new Float64Array(room);
    tag.set(this.#tag);
    const sender = new Int32Array(room);
    sender.set(this.#sender);
    const receiver = new Int32Array(room);
    receiver.set(this.#receiver);
    [this.#tag, this.#sender, this.#receiver] = [tag, sender, receiver];
    this.#slot = new Int32Array(room * 2).fill(-1);
    const mask = this.#slot.length - 1;
    for (let key = 0; key < this.size; key++) {
      let slot = mixed(tag[key], sender[key], receiver[key]) & mask;
      while (this.#slot[slot] >= 0) slot = (slot + 1) & mask;
      this.#slot[slot] = key;
    }
  }
}

function mixed(tag: number, sender: number, receiver: number): number {
  let hash = Math.imul(tag | 0, 0x7feb352d) ^ Math.imul((tag / 0x100000000) | 0, 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 15) ^ sender, 0x846ca68b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ receiver, 0x27d4eb2f);
  return hash ^ (hash >>> 16);
}

/** Turns counts, one place late, into starts. */
export function sumUp(start: Uint32Array): void {
  for (let place = 1; place < start.length; place++) start[place] += start[place - 1];
}
