import { grown } from '../../base/grown.js';
import { NodeType } from '../../trace/node-type.js';

/** Operations, bytes and duration of the computes of one name. */
export interface ComputeCost {
  readonly operations: number;
  readonly bytes: number;
  /** Whole ns. */
  readonly ns: number;
}

/** Number of scopes (`Scope` of layout.ts). */
const SCOPES = 4;

/**
 * The nodes that every rank of a pipeline stage runs, in order of their ids, which are 0, 1, …; ranks differ only in their groups and
 * peers. Columns may be longer than `nodes`.
 */
export class StageProgram {
  nodes = 0;
  /** Beginnings of names, UTF-8. */
  readonly beginnings: Uint8Array[] = [];
  /** Ends of names, UTF-8. */
  readonly endings: Uint8Array[] = [];
  beginning = new Uint32Array(256); // [n] place in beginnings
  ending = new Uint32Array(256); // [n] place in endings
  type = new Uint8Array(256); // [n] NodeType
  cost = new Uint16Array(256); // [n] of a compute: place in costs
  readonly costs: ComputeCost[] = [];
  /** Names of costs, in the same order. */
  readonly operations: string[] = [];
  bytes = new Float64Array(256); // [n] of a collective, send or receive
  commType = new Int8Array(256); // [n] CollectiveType of a collective
  scope = new Uint8Array(256); // [n] Scope of a collective
  issueOrder = new Uint32Array(256); // [n] place of a collective among those of its scope
  peerStage = new Uint32Array(256); // [n] of a send or receive: stage of the peer
  tag = new Int32Array(256); // [n] of a send or receive
  parentStart = new Uint32Array(257); // [n + 1] first edge of each node in parents
  parents = new Uint32Array(512); // [edges] ids

  readonly #issued = new Uint32Array(SCOPES); // collectives of each scope so far
  readonly #endings = new Map<string, number>();
  readonly #costs = new Map<string, number>();

  /** Names of the nodes that follow begin with this. */
  begin(text: string): void {
    this.beginnings.push(Buffer.from(text));
  }

  /** @param operation names its cost, which is asked for once @returns the id */
  compute(ending: string, operation: string, costOf: () => ComputeCost, parents: readonly number[]): number {
    let cost = this.#costs.get(operation);
    if (cost === undefined) {
      cost = this.costs.length;
      this.costs.push(costOf());
      this.operations.push(operation);
      this.#costs.set(operation, cost);
    }
    const id = this.#add(ending, NodeType.compute, parents);
    this.cost[id] = cost;
    return id;
  }

  /** @returns the id */
  collective(ending: string, type: number, bytes: number, scope: number, parents: readonly number[]): number {
    const id = this.#add(ending, NodeType.collective, parents);
    this.commType[id] = type;
    this.bytes[id] = bytes;
    this.scope[id] = scope;
    this.issueOrder[id] = this.#issued[scope]++;
    return id;
  }

  /** @param type send or receive @returns the id */
  transfer(
    ending: string,
    type: typeof NodeType.send | typeof NodeType.receive,
    { peerStage, tag, bytes }: { readonly peerStage: number; readonly tag: number; readonly bytes: number },
    parents: readonly number[],
  ): number {
    const id = this.#add(ending, type, parents);
    this.bytes[id] = bytes;
    this.peerStage[id] = peerStage;
    this.tag[id] = tag;
    return id;
  }

  #add(ending: string, type: number, parents: readonly number[]): number {
    const id = this.nodes++;
    if (id === this.type.length) this.#grow();
    let place = this.#endings.get(ending);
    if (place === undefined) {
      place = this.endings.length;
      this.endings.push(Buffer.from(ending));
      this.#endings.set(ending, place);
    }
    this.ending[id] = place;
    this.beginning[id] = this.beginnings.length - 1;
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
    this.beginning = grown(this.beginning, length);
    this.ending = grown(this.ending, length);
    this.type = grown(this.type, length);
    this.cost = grown(this.cost, length);
    this.bytes = grown(this.bytes, length);
    this.commType = grown(this.commType, length);
    this.scope = grown(this.scope, length);
    this.issueOrder = grown(this.issueOrder, length);
    this.peerStage = grown(this.peerStage, length);
    this.tag = grown(this.tag, length);
    this.parentStart = grown(this.parentStart, length + 1);
  }
}
