import { grown, type Column } from '../base/grown.js';
import { IdIndex } from '../base/ids.js';
import { COMM_TYPE_ABSENT } from './collective-type.js';
import { DanglingIds } from './dangling-ids.js';
import type { CollectiveIdentity, KeptNodes, RankTrace, TraceMetadata } from './rank-trace.js';

/** A node in all columns: four of 8 bytes, nine of 4, one of 2 and two of 1; the two start columns have one value more. */
const BYTES_PER_NODE = 4 * 8 + 9 * 4 + 2 + 2;

/**
 * Up to this many nodes the columns are one piece of memory, because a command reads thousands of small files. Larger
 * columns stand alone: when a pass replaces one, the old one can be given back.
 */
const MOST_TOGETHER = 1 << 14;

const NO_UINT8 = new Uint8Array(0);
const NO_UINT16 = new Uint16Array(0);
const NO_INT8 = new Int8Array(0);
const NO_UINT32 = new Uint32Array(0);
const NO_INT32 = new Int32Array(0);
const NO_FLOAT64 = new Float64Array(0);

/**
 * Grows the columns of a {@link RankTrace}. Readers name dependencies by id (`addDataId`), passes by index (`addData`);
 * one builder uses one of the two. The arrays are public so that a hot loop can write them directly: after
 * `reserve` they have room for `capacity` nodes, and they are replaced when it grows.
 */
export class RankTraceBuilder {
  length = 0;
  capacity = 0;

  idLow = NO_UINT32;
  idHigh = NO_UINT32;
  type = NO_UINT8;
  flags = NO_UINT16;
  durationMicros = NO_FLOAT64;
  dataStart = NO_UINT32;
  controlStart = NO_UINT32;
  commType = NO_INT8;
  commSize = NO_FLOAT64;
  commTag = NO_FLOAT64;
  peer = NO_INT32;
  group = NO_INT32;
  collective = NO_INT32;
  step = NO_INT32;
  frameOffset = NO_FLOAT64;
  frameLength = NO_UINT32;

  readonly data = new Edges();
  readonly control = new Edges();

  readonly groupNames: string[] = [];
  readonly collectives: CollectiveIdentity[] = [];
  readonly root = new Map<number, number>();
  readonly issueOrder = new Map<number, number>();
  readonly splits = new Map<number, readonly number[]>();
  readonly receiveSplits = new Map<number, readonly number[]>();
  #expectedDangling = 0; // as many as the window before has
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
    if (this.capacity === 0 && nodes <= MOST_TOGETHER) this.#allocateTogether(nodes);
    else this.#growEach(nodes);
    this.capacity = nodes;
  }

  /** The columns in one piece of memory, wide elements first. */
  #allocateTogether(nodes: number): void {
    const memory = new ArrayBuffer(BYTES_PER_NODE * nodes + 8);
    let at = 0;
    const column = <T extends Column>(kind: ColumnKind<T>, length = nodes): T => {
      const made = new kind(memory, at, length);
      at += made.byteLength;
      return made;
    };
    this.durationMicros = column(Float64Array);
    this.commSize = column(Float64Array);
    this.commTag = column(Float64Array);
    this.frameOffset = column(Float64Array);
    this.idLow = column(Uint32Array);
    this.idHigh = column(Uint32Array);
    this.dataStart = column(Uint32Array, nodes + 1);
    this.controlStart = column(Uint32Array, nodes + 1);
    this.peer = column(Int32Array);
    this.group = column(Int32Array);
    this.collective = column(Int32Array);
    this.step = column(Int32Array);
    this.frameLength = column(Uint32Array);
    this.flags = column(Uint16Array);
    this.type = column(Uint8Array);
    this.commType = column(Int8Array);
  }

  #growEach(nodes: number): void {
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
    return this.#finish(metadata, kept, trimmed);
  }

  /**
   * The nodes so far as a trace over the builder's own memory, which is valid until {@link beginAgain}. Group names
   * keep their indices from window to window; a window lists those of the windows before it too.
   */
  finishWindow(metadata: TraceMetadata, kept: KeptNodes | undefined): RankTrace {
    return this.#finish(metadata, kept, viewed);
  }

  /** Begins the next window in the same memory. */
  beginAgain(): void {
    const n = this.length;
    // A decoder writes these only where they are not 0.
    this.idHigh.fill(0, 0, n);
    this.durationMicros.fill(0, 0, n);
    this.controlStart.fill(0, 0, n + 1);
    this.length = 0;
    this.data.beginAgain();
    this.control.beginAgain();
    this.collectives.length = 0;
    this.#collectiveIndex.clear();
    this.root.clear();
    this.issueOrder.clear();
    this.splits.clear();
    this.receiveSplits.clear();
  }

  #finish(metadata: TraceMetadata, kept: KeptNodes | undefined, cut: Cut): RankTrace {
    const n = this.length;
    if (this.capacity === 0) this.reserve(1);
    this.dataStart[n] = this.data.length;
    this.controlStart[n] = this.control.length;
    const dangling = new DanglingIds(this.#expectedDangling);
    if (this.data.namedByIds || this.control.namedByIds) {
      const index = new IdIndex(this.idLow, this.idHigh, n);
      this.data.resolve(index, dangling);
      this.control.resolve(index, dangling);
    }
    this.#expectedDangling = dangling.count;
    return {
      rank: this.rank,
      file: this.file,
      length: n,
      metadata,
      idLow: cut(this.idLow, n),
      idHigh: cut(this.idHigh, n),
      type: cut(this.type, n),
      flags: cut(this.flags, n),
      durationMicros: cut(this.durationMicros, n),
      dataStart: cut(this.dataStart, n + 1),
      dataTarget: cut(this.data.target, this.data.length),
      controlStart: cut(this.controlStart, n + 1),
      controlTarget: cut(this.control.target, this.control.length),
      danglingLow: dangling.low,
      danglingHigh: dangling.high,
      commType: cut(this.commType, n),
      commSize: cut(this.commSize, n),
      commTag: cut(this.commTag, n),
      peer: cut(this.peer, n),
      group: cut(this.group, n),
      groupNames: this.groupNames,
      collective: cut(this.collective, n),
      step: cut(this.step, n),
      collectives: this.collectives,
      root: this.root,
      issueOrder: this.issueOrder,
      splits: this.splits,
      receiveSplits: this.receiveSplits,
      frameOffset: cut(this.frameOffset, n),
      frameLength: cut(this.frameLength, n),
      kept,
    };
  }
}

/** The targets of one kind of dependency, in node order. */
export class Edges {
  length = 0;
  /** [length] node index, or the lower half of an id until it is resolved. */
  target = NO_INT32;
  /** Whether targets are ids that still have to be resolved. */
  namedByIds = false;
  /** Upper halves of the ids, up to the last that is not 0. */
  #high = NO_UINT32;

  reserve(edges: number): void {
    if (edges > this.target.length) this.target = grown(this.target, edges);
  }

  add(target: number): void {
    if (this.length >= this.target.length) this.reserve(Math.max(16, Math.ceil(this.length * 1.5)));
    this.target[this.length++] = target;
  }

  addId(low: number, high: number): void {
    if (!this.namedByIds) {
      this.namedByIds = true;
      this.#takeSpare();
    }
    this.add(low);
    if (high !== 0) {
      if (this.length > this.#high.length) this.#high = grown(this.#high, Math.ceil(this.length * 1.5));
      this.#high[this.length - 1] = high;
    }
  }

  /** Begins again in the same memory. */
  beginAgain(): void {
    this.length = 0;
    this.namedByIds = false;
    this.#high.fill(0);
  }

  /** Turns ids into indices; an id nobody has becomes −1 − k, k its place in `dangling`. */
  resolve(index: IdIndex, dangling: DanglingIds): void {
    const { length, target: ids } = this;
    const high = this.#high;
    const target = new Int32Array(length);
    for (let edge = 0; edge < length; edge++) {
      const low = ids[edge] >>> 0;
      const upper = edge < high.length ? high[edge] : 0;
      const found = index.indexOf(low, upper);
      target[edge] = found >= 0 ? found : -1 - dangling.placeOf(low, upper);
    }
    this.target = target;
    this.namedByIds = false;
    if (ids.length > spareIds.length && ids.length <= MOST_SPARE_IDS) spareIds = ids;
  }

  #takeSpare(): void {
    if (spareIds.length <= this.target.length) return;
    this.target = spareIds;
    spareIds = NO_INT32;
  }
}

/** Ids that were resolved leave their memory to the next trace: fresh pages cost more than what is written to them. */
let spareIds = NO_INT32;
const MOST_SPARE_IDS = 1 << 20;

/** How a finished column is cut out of the builder's. */
type Cut = <T extends Column>(column: T, length: number) => T;
type ColumnKind<T> = new (memory: ArrayBuffer, offset: number, length: number) => T;

/** The first `length` values; copied only where the unused rest would keep more than an eighth of the memory alive. */
function trimmed<T extends Column>(column: T, length: number): T {
  if (column.length === length) return column;
  if (column.length - length > length / 8) return column.slice(0, length) as T;
  return column.subarray(0, length) as T;
}

/** The first `length` values, never copied. */
function viewed<T extends Column>(column: T, length: number): T {
  return column.length === length ? column : (column.subarray(0, length) as T);
}
