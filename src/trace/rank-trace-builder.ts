import { IdIndex } from '../base/ids.js';
import { COMM_TYPE_ABSENT } from './collective-type.js';
import type { CollectiveIdentity, KeptNodes, RankTrace, TraceMetadata } from './rank-trace.js';

/**
 * Grows the columns of a {@link RankTrace}. Readers name dependencies by id (`addDataId`), passes by index (`addData`);
 * one builder uses one of the two. The arrays are public so that a hot loop can write them directly: after
 * `reserve` they have room for `capacity` nodes, and they are replaced when it grows.
 */
export class RankTraceBuilder {
  length = 0;
  capacity = 0;

  idLow = new Uint32Array(0);
  idHigh = new Uint32Array(0);
  type = new Uint8Array(0);
  flags = new Uint8Array(0);
  durationMicros = new Float64Array(0);
  dataStart = new Uint32Array(0);
  controlStart = new Uint32Array(0);
  commType = new Int8Array(0);
  commSize = new Float64Array(0);
  commTag = new Float64Array(0);
  peer = new Int32Array(0);
  group = new Int32Array(0);
  collective = new Int32Array(0);
  step = new Int32Array(0);
  frameOffset = new Float64Array(0);
  frameLength = new Uint32Array(0);

  readonly data = new Edges();
  readonly control = new Edges();

  readonly groupNames: string[] = [];
  readonly collectives: CollectiveIdentity[] = [];
  readonly root = new Map<number, number>();
  readonly issueOrder = new Map<number, number>();
  readonly splits = new Map<number, readonly number[]>();
  readonly #groupIndex = new Map<string, number>();
  readonly #collectiveIndex = new Map<string, number>();

  constructor(
    readonly rank: number,
    readonly file: string,
    nodes = 0,
    dataEdges = 0,
    controlEdges = 0,
  ) {
    this.reserve(nodes);
    this.data.reserve(dataEdges);
    this.control.reserve(controlEdges);
  }

  /** Makes room for `nodes` nodes in all. */
  reserve(nodes: number): void {
    if (nodes <= this.capacity && this.capacity > 0) return;
    // One column at a time, so that the old and the new form of only one of them exist together.
    this.idLow = grown(this.idLow, nodes);
    this.idHigh = grown(this.idHigh, nodes);
    this.type = grown(this.type, nodes);
    this.flags = grown(this.flags, nodes);
    this.durationMicros = grown(this.durationMicros, nodes);
    this.dataStart = grown(this.dataStart, nodes + 1);
    this.controlStart = grown(this.controlStart, nodes + 1);
    this.commType = grown(this.commType, nodes);
    this.commSize = grown(this.commSize, nodes);
    this.commTag = grown(this.commTag, nodes);
    this.peer = grown(this.peer, nodes);
    this.group = grown(this.group, nodes);
    this.collective = grown(this.collective, nodes);
    this.step = grown(this.step, nodes);
    this.frameOffset = grown(this.frameOffset, nodes);
    this.frameLength = grown(this.frameLength, nodes);
    this.capacity = nodes;
  }

  /** Adds a node with every optional column absent and gives its index; its edges are those added before the next node. */
  addNode(idLow: number, idHigh: number, type: number, flags: number): number {
    const index = this.length;
    if (index >= this.capacity) this.reserve(Math.max(16, Math.ceil(this.capacity * 1.5)));
    this.length = index + 1;
    this.idLow[index] = idLow;
    this.idHigh[index] = idHigh;
    this.type[index] = type;
    this.flags[index] = flags;
    this.durationMicros[index] = 0;
    this.dataStart[index] = this.data.length;
    this.controlStart[index] = this.control.length;
    this.commType[index] = COMM_TYPE_ABSENT;
    this.commSize[index] = NaN;
    this.commTag[index] = NaN;
    this.peer[index] = -1;
    this.group[index] = -1;
    this.collective[index] = -1;
    this.step[index] = -1;
    this.frameOffset[index] = -1;
    this.frameLength[index] = 0;
    return index;
  }

  /** Index of a group name. */
  internGroup(name: string): number {
    let index = this.#groupIndex.get(name);
    if (index === undefined) {
      index = this.groupNames.push(name) - 1;
      this.#groupIndex.set(name, index);
    }
    return index;
  }

  /** Index of a collective's identity; group, type and instance say which it is. */
  internCollective(identity: CollectiveIdentity): number {
    const key = `${identity.instance} ${identity.type} ${identity.group}`;
    let index = this.#collectiveIndex.get(key);
    if (index === undefined) {
      index = this.collectives.push({ ...identity }) - 1;
      this.#collectiveIndex.set(key, index);
    } else if (identity.algorithm !== undefined) {
      this.collectives[index].algorithm = identity.algorithm;
    }
    return index;
  }

  /** The finished trace. The builder must not be used afterwards. */
  finish(metadata: TraceMetadata, kept: KeptNodes | undefined): RankTrace {
    const n = this.length;
    if (this.capacity === 0) this.reserve(1);
    this.dataStart[n] = this.data.length;
    this.controlStart[n] = this.control.length;
    const dangling = { low: [] as number[], high: [] as number[] };
    if (this.data.namedByIds || this.control.namedByIds) {
      const index = new IdIndex(this.idLow, this.idHigh, n);
      const seen = new Map<string, number>();
      this.data.resolve(index, dangling, seen);
      this.control.resolve(index, dangling, seen);
    }
    return {
      rank: this.rank,
      file: this.file,
      length: n,
      metadata,
      idLow: trimmed(this.idLow, n),
      idHigh: trimmed(this.idHigh, n),
      type: trimmed(this.type, n),
      flags: trimmed(this.flags, n),
      durationMicros: trimmed(this.durationMicros, n),
      dataStart: trimmed(this.dataStart, n + 1),
      dataTarget: trimmed(this.data.target, this.data.length),
      controlStart: trimmed(this.controlStart, n + 1),
      controlTarget: trimmed(this.control.target, this.control.length),
      danglingLow: Uint32Array.from(dangling.low),
      danglingHigh: Uint32Array.from(dangling.high),
      commType: trimmed(this.commType, n),
      commSize: trimmed(this.commSize, n),
      commTag: trimmed(this.commTag, n),
      peer: trimmed(this.peer, n),
      group: trimmed(this.group, n),
      groupNames: this.groupNames,
      collective: trimmed(this.collective, n),
      step: trimmed(this.step, n),
      collectives: this.collectives,
      root: this.root,
      issueOrder: this.issueOrder,
      splits: this.splits,
      frameOffset: trimmed(this.frameOffset, n),
      frameLength: trimmed(this.frameLength, n),
      kept,
    };
  }
}

/** The targets of one kind of dependency, in node order. */
export class Edges {
  length = 0;
  /** [length] node index, or the lower half of an id until it is resolved. */
  target = new Int32Array(0);
  /** Whether targets are ids that still have to be resolved. */
  namedByIds = false;
  /** [length] upper halves of the ids; only once one of them is not 0. */
  #high: Uint32Array | undefined;

  reserve(edges: number): void {
    if (edges <= this.target.length) return;
    this.target = grown(this.target, edges);
    if (this.#high) this.#high = grown(this.#high, edges);
  }

  add(target: number): void {
    if (this.length >= this.target.length) this.reserve(Math.max(16, Math.ceil(this.length * 1.5)));
    this.target[this.length++] = target;
  }

  addId(low: number, high: number): void {
    this.namedByIds = true;
    this.add(low);
    if (high !== 0) {
      this.#high ??= new Uint32Array(this.target.length);
      this.#high[this.length - 1] = high;
    }
  }

  /** Turns ids into indices; an id nobody has becomes −1 − k, k its place in `dangling`. */
  resolve(index: IdIndex, dangling: { low: number[]; high: number[] }, seen: Map<string, number>): void {
    const { target } = this;
    const high = this.#high;
    for (let edge = 0; edge < this.length; edge++) {
      const low = target[edge] >>> 0;
      const upper = high === undefined ? 0 : high[edge];
      const found = index.indexOf(low, upper);
      target[edge] = found >= 0 ? found : -1 - danglingPlace(low, upper, dangling, seen);
    }
    this.namedByIds = false;
  }
}

function danglingPlace(
  low: number,
  high: number,
  dangling: { low: number[]; high: number[] },
  seen: Map<string, number>,
): number {
  const key = `${high}:${low}`;
  let place = seen.get(key);
  if (place === undefined) {
    place = dangling.low.push(low) - 1;
    dangling.high.push(high);
    seen.set(key, place);
  }
  return place;
}

type Column = Uint8Array | Int8Array | Uint32Array | Int32Array | Float64Array;

function grown<T extends Column>(column: T, length: number): T {
  const larger = new (column.constructor as new (length: number) => T)(length);
  larger.set(column);
  return larger;
}

/** The first `length` values; copied only where the unused rest would keep more than an eighth of the memory alive. */
function trimmed<T extends Column>(column: T, length: number): T {
  if (column.length - length > length / 8) return column.slice(0, length) as T;
  return column.subarray(0, length) as T;
}
