import { grown } from '../base/grown.js';
import { formatId } from '../base/ids.js';
import type { Losses } from '../base/losses.js';
import type { ReadableJob } from '../formats/conversion.js';
import { NamedIntegers } from '../formats/et/named-integers.js';
import { isMemory, NodeType, nodeTypeName } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { demandExpanded, demandPartners, idPlace, SizesMissing } from './demands.js';
import { nodeOrder } from './node-order.js';
import { NodeLosses } from './node-losses.js';
import { nanosecondsOf } from './exact-duration.js';
import { WorldCollectives } from './world-collectives.js';

/** What a node of a {@link JobGraph} does. */
export const Work = { nothing: 0, compute: 1, send: 2, receive: 3, collective: 4 } as const;

/**
 * All ranks of a job in one numbering: nodes of a rank follow each other, each behind those it depends on, by data or control.
 * About 45 bytes a node and 4 a dependency.
 */
export interface JobGraph {
  readonly rankCount: number;
  readonly length: number;
  readonly first: Uint32Array; // [ranks + 1] first node of each rank
  readonly rank: Uint32Array; // [n]
  readonly work: Uint8Array; // [n] Work
  readonly amount: Float64Array; // [n] ns of a computation, bytes of a transfer; 0 for others
  readonly peer: Int32Array; // [n] partner of a transfer, −1 for others
  readonly tag: Float64Array; // [n] 0 for others
  readonly index: Uint32Array; // [n] index in the trace of the rank
  readonly idLow: Uint32Array; // [n]
  readonly idHigh: Uint32Array; // [n]
  readonly awaitedStart: Uint32Array; // [n + 1]
  readonly awaited: Uint32Array; // nodes that each waits for, each once
  readonly sizes: SizesMissing;
  /** Collectives of all ranks, where they are taken. */
  readonly collectives: WorldCollectives;
}

/**
 * Puts the ranks of a job together. Memory nodes are computations of their duration; nodes of other types do nothing.
 * @param title of the form, for messages @param takesCollectives whether collectives of all ranks may stay
 * @throws PrepError as {@link nodeOrder}, `COLLECTIVE_NOT_EXPANDED`, `PEER_MISSING`, `PEER_OUT_OF_RANGE`, `COLLECTIVE_COUNT`,
 *   `COLLECTIVE_TYPE`
 */
export function jobGraph(job: ReadableJob, title: string, losses: Losses, takesCollectives = false): JobGraph {
  const gathering = new Gathering(job, title, losses, takesCollectives);
  for (let rank = 0; rank < job.rankCount; rank++) job.withRank(rank, (trace) => gathering.add(trace));
  return gathering.finish();
}

/** `rank 3 node 7` */
export function placeOf({ rank, idLow, idHigh }: JobGraph, node: number): string {
  return `rank ${rank[node]} node ${formatId(idLow[node], idHigh[node])}`;
}

class Gathering {
  readonly #job: ReadableJob;
  readonly #title: string;
  readonly #losses: Losses;
  readonly #takesCollectives: boolean;
  readonly #first: Uint32Array;
  readonly #durations = new NamedIntegers(['duration_ns']);
  readonly #sizes = new SizesMissing();
  readonly #collectives: WorldCollectives;
  #length = 0;
  #edges = 0;
  #rank = new Uint32Array(0);
  #work = new Uint8Array(0);
  #amount = new Float64Array(0);
  #peer = new Int32Array(0);
  #tag = new Float64Array(0);
  #index = new Uint32Array(0);
  #idLow = new Uint32Array(0);
  #idHigh = new Uint32Array(0);
  #awaitedStart = new Uint32Array(1);
  #awaited = new Uint32Array(0);

  constructor(job: ReadableJob, title: string, losses: Losses, takesCollectives: boolean) {
    this.#job = job;
    this.#title = title;
    this.#losses = losses;
    this.#takesCollectives = takesCollectives;
    this.#first = new Uint32Array(job.rankCount + 1);
    this.#collectives = new WorldCollectives(job, title, this.#sizes);
  }

  add(trace: RankTrace): void {
    if (!this.#takesCollectives) demandExpanded(trace, this.#title);
    demandPartners(trace, this.#job.rankCount);
    const order = nodeOrder(trace);
    const { length, idLow, idHigh } = trace;
    const first = this.#length;
    this.#reserve(first + length, this.#edges + trace.dataTarget.length + trace.controlTarget.length);
    const nodeOf = new Uint32Array(length);
    const losses = new NodeLosses(this.#losses, (index) => idPlace(trace, index));
    for (let place = 0; place < length; place++) {
      const index = order[place];
      const node = first + place;
      nodeOf[index] = node;
      this.#rank[node] = trace.rank;
      this.#index[node] = index;
      this.#idLow[node] = idLow[index];
      this.#idHigh[node] = idHigh[index];
      this.#gather(trace, index, node, losses);
      this.#link(trace, index, node, nodeOf, losses);
    }
    this.#length = first + length;
    this.#first[trace.rank + 1] = this.#length;
    if (this.#takesCollectives) this.#collectives.add(trace, (index) => nodeOf[index]);
    losses.finish();
  }

  finish(): JobGraph {
    const length = this.#length;
    if (this.#takesCollectives) this.#collectives.pair();
    return {
      rankCount: this.#job.rankCount,
      length,
      first: this.#first,
      rank: this.#rank.subarray(0, length),
      work: this.#work.subarray(0, length),
      amount: this.#amount.subarray(0, length),
      peer: this.#peer.subarray(0, length),
      tag: this.#tag.subarray(0, length),
      index: this.#index.subarray(0, length),
      idLow: this.#idLow.subarray(0, length),
      idHigh: this.#idHigh.subarray(0, length),
      awaitedStart: this.#awaitedStart.subarray(0, length + 1),
      awaited: this.#awaited.subarray(0, this.#edges),
      sizes: this.#sizes,
      collectives: this.#collectives,
    };
  }

  #gather(trace: RankTrace, index: number, node: number, losses: NodeLosses): void {
    const { peer, commTag } = trace;
    const type = trace.type[index];
    this.#peer[node] = -1;
    if (type === NodeType.compute || isMemory(type)) {
      this.#work[node] = Work.compute;
      this.#durations.read(trace, index);
      this.#amount[node] = nanosecondsOf(trace, index, this.#durations.values[0]);
      if (isMemory(type)) losses.add('what memory nodes move', index, 'each is a computation of its duration');
    } else if (type === NodeType.send || type === NodeType.receive) {
      this.#work[node] = type === NodeType.send ? Work.send : Work.receive;
      this.#amount[node] = this.#sizes.bytes(trace, index);
      this.#peer[node] = peer[index];
      this.#tag[node] = Number.isNaN(commTag[index]) ? 0 : commTag[index];
    } else if (type === NodeType.collective) this.#work[node] = Work.collective;
    else {
      losses.add(`nodes of type ${nodeTypeName(type)}`, index, 'what depends on one waits for what it waited for');
    }
  }

  #link(trace: RankTrace, index: number, node: number, nodeOf: Uint32Array, losses: NodeLosses): void {
    const from = this.#edges;
    for (const [start, target] of [
      [trace.dataStart, trace.dataTarget],
      [trace.controlStart, trace.controlTarget],
    ] as const) {
      for (let edge = start[index]; edge < start[index + 1]; edge++) {
        if (target[edge] < 0) losses.add('dependencies on nodes that are not there', index);
        else this.#awaited[this.#edges++] = nodeOf[target[edge]];
      }
    }
    this.#edges = distinct(this.#awaited, from, this.#edges);
    this.#awaitedStart[node + 1] = this.#edges;
  }

  #reserve(nodes: number, edges: number): void {
    if (nodes > this.#rank.length) {
      const capacity = Math.max(nodes, 2 * this.#rank.length);
      this.#rank = grown(this.#rank, capacity);
      this.#work = grown(this.#work, capacity);
      this.#amount = grown(this.#amount, capacity);
      this.#peer = grown(this.#peer, capacity);
      this.#tag = grown(this.#tag, capacity);
      this.#index = grown(this.#index, capacity);
      this.#idLow = grown(this.#idLow, capacity);
      this.#idHigh = grown(this.#idHigh, capacity);
      this.#awaitedStart = grown(this.#awaitedStart, capacity + 1);
    }
    if (edges > this.#awaited.length) this.#awaited = grown(this.#awaited, Math.max(edges, 2 * this.#awaited.length));
  }
}

/** Sorts [from, to) and takes out what repeats; gives the new end. */
function distinct(values: Uint32Array, from: number, to: number): number {
  if (to - from < 2) return to;
  values.subarray(from, to).sort();
  let end = from + 1;
  for (let at = from + 1; at < to; at++) if (values[at] !== values[end - 1]) values[end++] = values[at];
  return end;
}
