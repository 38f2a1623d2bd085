import { counted } from '../base/counts.js';
import { traceError } from '../base/errors.js';
import { placeOf, Work, type JobGraph } from './job-graph.js';
import { NodeHeap } from './node-heap.js';

/** What a run of a job gives in which nothing is in the way of anything. */
export interface EarliestRun {
  readonly startNs: Float64Array; // [n] earliest start of each node
  readonly endNs: Float64Array; // [n]
  /** Nodes in the order they started; a node follows those it waits for, and what a receive takes was sent before it ended. */
  readonly order: Uint32Array;
  readonly position: Uint32Array; // [n] place of each node in that order
  readonly partner: Int32Array; // [n] receive of a send, send of a receive; −1 for a send that nobody receives
}

/**
 * Runs a job in which transfers take no time, computations take their recorded durations, and nothing waits for a cpu or a link.
 * Messages of one sender, receiver and tag are taken in the order in which they are sent, by receives in the order in which they are
 * posted, as MPI has it. Of what can start at one instant receives come first, then sends, then computations, each by rank and node. So the
 * order of starts is one in which every rank can do one thing after the other without a deadlock.
 * @throws PrepError `JOB_STALLS` where a node never starts or a receive never gets its message
 */
export function earliestRun(graph: JobGraph): EarliestRun {
  return new Run(graph).run();
}

class Run implements EarliestRun {
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  readonly order: Uint32Array;
  readonly position: Uint32Array;
  readonly partner: Int32Array;
  readonly #graph: JobGraph;
  readonly #waiting: Uint32Array; // [n] what a node still waits for
  readonly #dependentsStart: Uint32Array;
  readonly #dependents: Uint32Array;
  readonly #key: Uint32Array; // [n] sender, receiver and tag of a transfer, as a number
  readonly #head: Int32Array; // [keys] first transfer without partner: sends, or receives
  readonly #tail: Int32Array; // [keys]
  readonly #next: Int32Array; // [n]
  readonly #entered: Uint32Array; // [collectives] ranks that are ready
  readonly #ready: EarliestFirst;
  #started = 0;
  #ended = 0;

  constructor(graph: JobGraph) {
    const { length, awaited, awaitedStart } = graph;
    this.#graph = graph;
    this.startNs = new Float64Array(length);
    this.endNs = new Float64Array(length);
    this.order = new Uint32Array(length);
    this.position = new Uint32Array(length);
    this.partner = new Int32Array(length).fill(-1);
    this.#waiting = new Uint32Array(length);
    const dependentsStart = new Uint32Array(length + 2);
    for (const node of awaited) dependentsStart[node + 2]++;
    for (let node = 2; node < dependentsStart.length; node++) dependentsStart[node] += dependentsStart[node - 1];
    this.#dependents = new Uint32Array(awaited.length);
    for (let node = 0; node < length; node++) {
      this.#waiting[node] = awaitedStart[node + 1] - awaitedStart[node];
      for (let at = awaitedStart[node]; at < awaitedStart[node + 1]; at++) {
        this.#dependents[dependentsStart[awaited[at] + 1]++] = node;
      }
    }
    this.#dependentsStart = dependentsStart;
    const { key, count } = transferKeys(graph);
    this.#key = key;
    this.#head = new Int32Array(count).fill(-1);
    this.#tail = new Int32Array(count);
    this.#next = new Int32Array(length);
    this.#entered = new Uint32Array(graph.collectives.instances.length);
    this.#ready = new EarliestFirst(graph, this.startNs);
  }

  run(): this {
    const { length, work, amount, collectives, rankCount } = this.#graph;
    const ready = this.#ready;
    for (let node = 0; node < length; node++) if (this.#waiting[node] === 0) ready.push(node);
    while (ready.length > 0) {
      const node = ready.pop();
      const now = this.startNs[node];
      switch (work[node]) {
        case Work.collective: {
          const instance = collectives.instance(node);
          if (++this.#entered[instance] < rankCount) break;
          // All members go on together: then every rank has its collectives in one order.
          for (const member of collectives.instances[instance]) {
            this.#place(member.node);
            this.startNs[member.node] = now;
            this.#end(member.node, now);
          }
          break;
        }
        case Work.send:
        case Work.receive:
          this.#place(node);
          this.#match(node, now);
          break;
        default:
          this.#place(node);
          this.#end(node, now + amount[node]);
      }
    }
    if (this.#ended < length) throw this.#stalled();
    return this;
  }

  #place(node: number): void {
    this.position[node] = this.#started;
    this.order[this.#started++] = node;
  }

  /** A transfer starts: a send is over at once, a receive when there is a message. */
  #match(node: number, now: number): void {
    const { work } = this.#graph;
    const key = this.#key[node];
    const isSend = work[node] === Work.send;
    const first = this.#head[key];
    if (first >= 0 && work[first] !== work[node]) {
      this.#head[key] = this.#next[first];
      this.partner[first] = node;
      this.partner[node] = first;
      this.#end(isSend ? first : node, now);
    } else {
      if (first < 0) this.#head[key] = node;
      else this.#next[this.#tail[key]] = node;
      this.#tail[key] = node;
      this.#next[node] = -1;
    }
    if (isSend) this.#end(node, now);
  }

  #end(node: number, time: number): void {
    this.#ended++;
    this.endNs[node] = time;
    for (let at = this.#dependentsStart[node]; at < this.#dependentsStart[node + 1]; at++) {
      const dependent = this.#dependents[at];
      if (time > this.startNs[dependent]) this.startNs[dependent] = time;
      if (--this.#waiting[dependent] === 0) this.#ready.push(dependent);
    }
  }

  #stalled(): Error {
    const { work, length } = this.#graph;
    const hasEnded = new Uint8Array(length);
    for (let at = 0; at < this.#started; at++) {
      const node = this.order[at];
      hasEnded[node] = work[node] !== Work.receive || this.partner[node] >= 0 ? 1 : 0;
    }
    const receive = work.findIndex(
      (kind, node) => kind === Work.receive && this.#waiting[node] === 0 && hasEnded[node] === 0,
    );
    const first = receive >= 0 ? receive : hasEnded.indexOf(0);
    const why = receive >= 0 ? 'is a receive that gets no message' : 'waits for a collective that others never enter';
    const message = `${counted(length - this.#ended, 'node')} of the job never ${length - this.#ended === 1 ? 'ends' : 'end'}: ${placeOf(this.#graph, first)} ${why}`;
    return traceError('JOB_STALLS', message, [], 'validate tells what waits for what');
  }
}

/** Numbers for what transfers match by. */
function transferKeys({ length, work, rank, peer, tag, rankCount }: JobGraph): { key: Uint32Array; count: number } {
  const key = new Uint32Array(length);
  const pairs = new Map<number, Map<number, number>>();
  let count = 0;
  for (let node = 0; node < length; node++) {
    if (peer[node] < 0) continue;
    const isSend = work[node] === Work.send;
    const pair = isSend ? rank[node] * rankCount + peer[node] : peer[node] * rankCount + rank[node];
    let tags = pairs.get(pair);
    if (tags === undefined) pairs.set(pair, (tags = new Map<number, number>()));
    let number = tags.get(tag[node]);
    if (number === undefined) tags.set(tag[node], (number = count++));
    key[node] = number;
  }
  return { key, count };
}

/** Nodes that can start, the earliest first. */
class EarliestFirst extends NodeHeap {
  readonly #startNs: Float64Array;
  readonly #work: Uint8Array;

  constructor({ length, work }: JobGraph, startNs: Float64Array) {
    super(length);
    this.#startNs = startNs;
    this.#work = work;
  }

  protected isBefore(node: number, other: number): boolean {
    const earlier = this.#startNs[node] - this.#startNs[other];
    if (earlier !== 0) return earlier < 0;
    const kind = RANKING[this.#work[node]] - RANKING[this.#work[other]];
    return kind === 0 ? node < other : kind < 0;
  }
}

/** [Work] what comes first at one instant: receives, sends, computation, then what keeps the whole rank waiting. */
const RANKING = [0, 2, 1, 0, 3];
