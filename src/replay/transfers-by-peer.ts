import type { NodeTable } from './node-table.js';

/** The transfers of one kind between a rank and one other, in ascending node. */
export interface TransferList {
  readonly peer: number;
  readonly nodes: Int32Array;
}

const NONE = new Int32Array(0);

/** The sends, or the receives, of every rank sorted by partner: by counting, one rank after another, so that all of it stays in cache. */
export class TransfersByPeer {
  readonly #nodes: Int32Array; // by rank, then peer, then node
  readonly #peer: Int32Array[] = []; // by rank: its partners, ascending
  readonly #start: Int32Array[] = []; // by rank: [partners + 1] first of each in #nodes

  /** @param kind `NodeKind.send` or `NodeKind.receive` */
  constructor(nodes: NodeTable, kind: number) {
    const { rankCount, offset, length } = nodes;
    let count = 0;
    for (let node = 0; node < length; node++) if (nodes.kind(node) === kind) count++;
    this.#nodes = new Int32Array(count);
    const cursor = new Int32Array(rankCount); // transfers with each partner, then the next free place for them
    let filled = 0;
    for (let rank = 0; rank < rankCount; rank++) {
      const peers: number[] = [];
      for (let node = offset[rank]; node < offset[rank + 1]; node++) {
        if (nodes.kind(node) === kind && cursor[nodes.peer(node)]++ === 0) peers.push(nodes.peer(node));
      }
      const peer = Int32Array.from(peers).sort();
      const start = new Int32Array(peer.length + 1);
      for (let at = 0; at < peer.length; at++) {
        start[at] = filled;
        filled += cursor[peer[at]];
        cursor[peer[at]] = start[at];
      }
      start[peer.length] = filled;
      for (let node = offset[rank]; node < offset[rank + 1]; node++) {
        if (nodes.kind(node) === kind) this.#nodes[cursor[nodes.peer(node)]++] = node;
      }
      for (const each of peer) cursor[each] = 0;
      this.#peer.push(peer);
      this.#start.push(start);
    }
  }

  /** Lists of a rank by ascending partner. */
  listsOf(rank: number): TransferList[] {
    const start = this.#start[rank];
    return Array.from(this.#peer[rank], (peer, at) => ({
      peer,
      nodes: this.#nodes.subarray(start[at], start[at + 1]),
    }));
  }

  /** Transfers of a rank with one partner. */
  list(rank: number, partner: number): Int32Array {
    const peer = this.#peer[rank];
    let low = 0;
    let high = peer.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (peer[middle] < partner) low = middle + 1;
      else high = middle;
    }
    if (peer[low] !== partner) return NONE;
    return this.#nodes.subarray(this.#start[rank][low], this.#start[rank][low + 1]);
  }
}
