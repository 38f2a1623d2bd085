import { grown } from '../../base/grown.js';
import { IdIndex } from '../../base/ids.js';
import type { Losses } from '../../base/losses.js';
import { NamedIntegers } from '../../formats/et/named-integers.js';
import { isMemory, NodeType, nodeTypeName } from '../../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';
import type { SizesMissing } from '../demands.js';
import { demandExpanded, demandPartners, idPlace, nodePlace } from '../demands.js';
import { nanosecondsOf } from '../exact-duration.js';
import { nodeOrder } from '../node-order.js';
import { NodeLosses } from '../node-losses.js';
import type { TagNumbers } from '../tag-numbers.js';
import { GoalAttribute } from './attributes.js';
import { ANY, GoalKind, GoalRankBuilder, MOST_INDICES, type GoalRank } from './schedule.js';

/** Places of the attributes that are read by name. */
const Read = { nanoseconds: 0, cpu: 1, nic: 2, anySource: 3, anyTag: 4, starts: 5, stream: 6, thread: 7 } as const;
const READ_NAMES = [
  ...[GoalAttribute.nanoseconds, GoalAttribute.cpu, GoalAttribute.nic, GoalAttribute.anySource, GoalAttribute.anyTag],
  ...[GoalAttribute.starts, 'stream', 'tid'],
];
/** Attributes that have a column. */
const KNOWN_NAMES = ['is_cpu_op', 'comm_size', 'comm_src', 'comm_dst', 'comm_tag'];
/** A node that does nothing is left out where that makes at most so many times the dependencies. */
const MOST_EDGES_FOR_ONE = 4;

/** A rank as GOAL, and the node that each operation comes from. */
export interface ConvertedRank {
  readonly rank: GoalRank;
  readonly node: Uint32Array; // [operations] node index
}

/** What traces have that GOAL has no place for, counted over all ranks. */
export interface Converting {
  readonly rankCount: number;
  readonly tags: TagNumbers;
  readonly sizes: SizesMissing;
  /** Absent when ranks are converted for the second time. */
  readonly losses?: Losses;
  /** Takes a node that does nothing and stays, as `calc 0`. */
  readonly onKept?: (place: () => string) => void;
  /** Takes a cpu index above 255, which is folded. */
  readonly onFolded?: (place: () => string) => void;
}

/**
 * One rank of a traceset as a GOAL rank (exchange-formats 1.6), operations in the order of {@link nodeOrder}. A node that is neither
 * computation nor transfer is left out, and what depends on it waits for what it waited for; one whose removal would multiply
 * dependencies stays as `calc 0`. What this program read from GOAL becomes what it was there.
 * @throws PrepError `COLLECTIVE_NOT_EXPANDED`, `PEER_MISSING`, `PEER_OUT_OF_RANGE`, `CYCLE`, `DUPLICATE_ID`
 */
export function goalRankOf(trace: RankTrace, converting: Converting): ConvertedRank {
  demandExpanded(trace, 'GOAL');
  return new RankConversion(trace, converting).run();
}

class RankConversion {
  readonly #trace: RankTrace;
  readonly #to: Converting;
  readonly #losses: NodeLosses | undefined;
  readonly #attributes = new NamedIntegers(READ_NAMES, KNOWN_NAMES);
  readonly #builder: GoalRankBuilder;
  /** [nodes] operation, −1 for a node that is left out. */
  readonly #operation: Int32Array;
  readonly #nodeOf: Uint32Array;
  /** [nodes] operations that a node waits for, with those behind nodes that are left out: places in #awaited. */
  readonly #from: Uint32Array;
  readonly #end: Uint32Array;
  #awaited = new Uint32Array(1024);
  #awaitedLength = 0;
  readonly #seen: Uint32Array; // [operations] place + 1 of the node that waited for it last
  readonly #covered: Uint32Array; // [operations] the same, for what `irequires` stands for
  readonly #dependents: Uint32Array; // [nodes]
  readonly #cpus = new Map<number, number>();
  #index: IdIndex | undefined;

  constructor(trace: RankTrace, to: Converting) {
    const { length } = trace;
    this.#trace = trace;
    this.#to = to;
    this.#losses = to.losses === undefined ? undefined : new NodeLosses(to.losses, (node) => idPlace(trace, node));
    this.#builder = new GoalRankBuilder(length);
    this.#operation = new Int32Array(length).fill(-1);
    this.#nodeOf = new Uint32Array(length);
    this.#from = new Uint32Array(length);
    this.#end = new Uint32Array(length);
    this.#seen = new Uint32Array(length);
    this.#covered = new Uint32Array(length);
    this.#dependents = dependentCounts(trace);
  }

  run(): ConvertedRank {
    const trace = this.#trace;
    const attributes = this.#attributes;
    demandPartners(trace, this.#to.rankCount, (node) => {
      attributes.read(trace, node);
      return attributes.values[Read.anySource] === 1;
    });
    const order = nodeOrder(trace);
    for (let place = 0; place < order.length; place++) {
      const node = order[place];
      attributes.read(trace, node);
      this.#gather(node, place + 1);
      this.#loseParts(node);
      if (this.#isOperation(node)) this.#add(node, place + 1);
    }
    this.#losses?.finish();
    return { rank: this.#builder.finish(), node: this.#nodeOf.subarray(0, this.#builder.length) };
  }

  /** Lists the operations that a node waits for, each once, those of data dependencies first. */
  #gather(node: number, mark: number): void {
    const { dataStart, dataTarget, controlStart, controlTarget } = this.#trace;
    this.#from[node] = this.#awaitedLength;
    this.#gatherList(dataTarget, dataStart[node], dataStart[node + 1], node, mark);
    this.#gatherList(controlTarget, controlStart[node], controlStart[node + 1], node, mark);
    this.#end[node] = this.#awaitedLength;
  }

  #gatherList(target: Int32Array, from: number, to: number, node: number, mark: number): void {
    const seen = this.#seen;
    for (let edge = from; edge < to; edge++) {
      const other = target[edge];
      if (other < 0) {
        this.#lose('dependencies on nodes that are not there', node);
        continue;
      }
      const operation = this.#operation[other];
      const last = operation >= 0 ? 1 : this.#end[other] - this.#from[other];
      for (let at = 0; at < last; at++) {
        const awaited = operation >= 0 ? operation : this.#awaited[this.#from[other] + at];
        if (seen[awaited] === mark) continue;
        seen[awaited] = mark;
        if (this.#awaitedLength === this.#awaited.length) this.#awaited = grown(this.#awaited, 2 * this.#awaitedLength);
        this.#awaited[this.#awaitedLength++] = awaited;
      }
    }
  }

  /** Whether a node becomes an operation; says so where it does not. */
  #isOperation(node: number): boolean {
    const { type, durationMicros } = this.#trace;
    const kind = type[node];
    if (kind === NodeType.compute || kind === NodeType.send || kind === NodeType.receive) return true;
    if (isMemory(kind) && durationMicros[node] > 0) {
      this.#lose('what memory nodes move', node, 'each is a calc of its duration');
      return true;
    }
    const into = this.#end[node] - this.#from[node];
    const out = this.#dependents[node];
    if (into * out > MOST_EDGES_FOR_ONE * (into + out)) {
      this.#to.onKept?.(() => nodePlace(this.#trace, node));
      return true;
    }
    const what = isMemory(kind) ? 'memory nodes without a duration' : `nodes of type ${nodeTypeName(kind)}`;
    this.#lose(what, node, 'what depends on one waits for what it waited for');
    return false;
  }

  #add(node: number, mark: number): void {
    const { type, peer, commTag } = this.#trace;
    const { values, lists } = this.#attributes;
    const builder = this.#builder;
    const kind = type[node];
    const cpu = this.#cpu(node);
    let operation: number;
    if (kind === NodeType.send || kind === NodeType.receive) {
      const isReceive = kind === NodeType.receive;
      const partner = isReceive && values[Read.anySource] === 1 ? ANY : peer[node];
      const tag = isReceive && values[Read.anyTag] === 1 ? ANY : this.#tag(commTag[node]);
      const nic = Number.isNaN(values[Read.nic]) ? 0 : values[Read.nic] & (MOST_INDICES - 1);
      const bytes = this.#to.sizes.bytes(this.#trace, node);
      operation = builder.add(isReceive ? GoalKind.receive : GoalKind.send, partner, bytes, tag, cpu, nic);
    } else operation = builder.add(GoalKind.calc, 0, this.#nanoseconds(node), 0, cpu, 0);
    this.#operation[node] = operation;
    this.#nodeOf[operation] = node;
    const starts = lists[Read.starts];
    if (starts !== undefined) this.#start(operation, starts, mark);
    const dataEnd = this.#dataEnd(node, starts);
    for (let at = this.#from[node]; at < this.#end[node]; at++) {
      const awaited = this.#awaited[at];
      if (at < dataEnd || this.#covered[awaited] !== mark) builder.require(operation, awaited);
    }
  }

  /** Adds `irequires`, and notes what control dependencies stand for it. */
  #start(operation: number, ids: readonly number[], mark: number): void {
    const { idLow, idHigh, length } = this.#trace;
    this.#index ??= new IdIndex(idLow, idHigh, length);
    for (const id of ids) {
      const node = this.#index.indexOf(id >>> 0, Math.floor(id / 2 ** 32));
      const other = node < 0 ? -1 : this.#operation[node];
      if (other < 0) {
        this.#lose('goal_irequires of nodes that are not there', this.#nodeOf[operation]);
        continue;
      }
      this.#builder.irequire(operation, other);
      for (let at = this.#from[node]; at < this.#end[node]; at++) this.#covered[this.#awaited[at]] = mark;
    }
  }

  /** End of the operations awaited by data dependencies; of no matter where nothing is covered. */
  #dataEnd(node: number, starts: readonly number[] | undefined): number {
    if (starts === undefined) return this.#end[node];
    const { dataStart, dataTarget } = this.#trace;
    const awaited = new Set<number>();
    for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) {
      const other = dataTarget[edge];
      if (other < 0) continue;
      if (this.#operation[other] >= 0) awaited.add(this.#operation[other]);
      else for (let at = this.#from[other]; at < this.#end[other]; at++) awaited.add(this.#awaited[at]);
    }
    return this.#from[node] + awaited.size;
  }

  #nanoseconds(node: number): number {
    const kind = this.#trace.type[node];
    const hasDuration = kind === NodeType.compute || isMemory(kind);
    return hasDuration ? nanosecondsOf(this.#trace, node, this.#attributes.values[Read.nanoseconds]) : 0;
  }

  #tag(tag: number): number {
    const { tags, losses } = this.#to;
    const known = Number.isNaN(tag) ? 0 : tag;
    if (losses === undefined) return tags.number(known);
    tags.note(known);
    return 0;
  }

  /** Cpu of a node: as GOAL had it, else a number for each thread of the host and stream of the device, by first appearance. */
  #cpu(node: number): number {
    const { values } = this.#attributes;
    if (!Number.isNaN(values[Read.cpu])) return values[Read.cpu] & (MOST_INDICES - 1);
    const onHost = (this.#trace.flags[node] & NodeFlag.cpu) !== 0;
    const number = onHost ? values[Read.thread] : values[Read.stream];
    if (Number.isNaN(number)) return 0;
    const key = onHost ? -1 - number : number;
    let cpu = this.#cpus.get(key);
    if (cpu === undefined) this.#cpus.set(key, (cpu = this.#cpus.size));
    if (cpu >= MOST_INDICES) this.#to.onFolded?.(() => nodePlace(this.#trace, node));
    return cpu & (MOST_INDICES - 1);
  }

  #loseParts(node: number): void {
    const { flags, controlStart } = this.#trace;
    const { isNamed, others, lists, values } = this.#attributes;
    // Names of nodes that were read from GOAL say nothing that is not written.
    if (isNamed && Number.isNaN(values[Read.cpu])) this.#lose('names of nodes', node);
    if (others > 0) this.#lose('attributes beside size, partner, tag and stream', node, '', others);
    if (flags[node] & NodeFlag.startTime) this.#lose('start times', node);
    const controls = controlStart[node + 1] - controlStart[node];
    if (controls > 0 && lists[Read.starts] === undefined) {
      this.#lose('which dependencies are control dependencies', node, 'all are written as requires', controls);
    }
  }

  #lose(what: string, node: number, consequence = '', count = 1): void {
    this.#losses?.add(what, node, consequence, count);
  }
}

function dependentCounts({ length, dataTarget, controlTarget }: RankTrace): Uint32Array {
  const counts = new Uint32Array(length);
  for (const target of [dataTarget, controlTarget]) for (const other of target) if (other >= 0) counts[other]++;
  return counts;
}
