import { grown } from '../../base/grown.js';
import { NodeType } from '../../trace/node-type.js';

/** Over which ranks a collective runs: all of them, or the rank's group of one kind. */
export const Scope = { world: 0, model: 1, data: 2, expert: 3, expertData: 4 } as const;

/** Number of scopes. */
export const SCOPES = 5;

/**
 * The nodes that every rank of a pipeline stage runs, in order of their ids, which are 0, 1, …; ranks differ only in their groups and
 * peers. Columns may be longer than `nodes`.
 */
export class RankProgram {
  nodes = 0;
  /** UTF-8, [n] */
  readonly names: Uint8Array[] = [];
  type = new Uint8Array(64); // [n] NodeType
  time = new Float64Array(64); // [n] compute time in the unit of the file, 0 for others
  commType = new Int8Array(64); // [n] CollectiveType of a collective
  bytes = new Float64Array(64); // [n] of a collective, send or receive
  scope = new Uint8Array(64); // [n] Scope of a collective
  issueOrder = new Int32Array(64); // [n] place of a collective among those of its scope
  peerStage = new Int8Array(64); // [n] of a send or receive: stages between this one and its peer, 1 or −1
  tag = new Int32Array(64); // [n] of a send or receive
  parentStart = new Uint32Array(65); // [n + 1] first edge of each node in parents
  parents = new Int32Array(128); // [edges] ids

  readonly #issued = new Int32Array(SCOPES); // collectives of each scope so far

  /** @returns the id */
  compute(name: Uint8Array, time: number, parents: readonly number[]): number {
    const id = this.#add(name, NodeType.compute, parents);
    this.time[id] = time;
    return id;
  }

  /** @returns the id */
  collective(name: Uint8Array, type: number, bytes: number, scope: number, parents: readonly number[]): number {
    const id = this.#add(name, NodeType.collective, parents);
    this.commType[id] = type;
    this.bytes[id] = bytes;
    this.scope[id] = scope;
    this.issueOrder[id] = this.#issued[scope]++;
    return id;
  }

  /** @param type send or receive @returns the id */
  transfer(
    name: Uint8Array,
    type: typeof NodeType.send | typeof NodeType.receive,
    peerStage: 1 | -1,
    tag: number,
    bytes: number,
    parents: readonly number[],
  ): number {
    const id = this.#add(name, type, parents);
    this.bytes[id] = bytes;
    this.peerStage[id] = peerStage;
    this.tag[id] = tag;
    return id;
  }

  #add(name: Uint8Array, type: number, parents: readonly number[]): number {
    const id = this.nodes++;
    if (id === this.type.length) this.#grow();
    this.names.push(name);
    this.type[id] = type;
    let edge = this.parentStart[id];
    if (edge + parents.length > this.parents.length) {
      this.parents = grown(this.parents, 2 * this.parents.length + parents.length);
    }
    for (const parent of parents) this.parents[edge++] = parent;
    this.parentStart[id + 1] = edge;
    return id;
  }

  #grow(): void {
    const length = 2 * this.type.length;
    this.type = grown(this.type, length);
    this.time = grown(this.time, length);
    this.commType = grown(this.commType, length);
    this.bytes = grown(this.bytes, length);
    this.scope = grown(this.scope, length);
    this.issueOrder = grown(this.issueOrder, length);
    this.peerStage = grown(this.peerStage, length);
    this.tag = grown(this.tag, length);
    this.parentStart = grown(this.parentStart, length + 1);
  }
}
