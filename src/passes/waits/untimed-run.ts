import { SkeletonKind } from '../transfer-columns.js';
import { TransferKeys, type Turns } from './transfer-keys.js';
import type { UntimedGraph } from './untimed-graph.js';

const WAITING = 0;
const STARTED = 1;
const FINISHED = 2;

/**
 * Executes a job without time: a send finishes once it starts, a receive once as many sends of its key have started as
 * its turn asks for, a member leaves a collective once those it needs are there. Nothing that is left over afterwards
 * can move, so with the latest turns what finishes does so in every run, and with the earliest what is left over is so in
 * every run. Time and memory are linear in the graph.
 */
export class UntimedRun {
  readonly graph: UntimedGraph;
  readonly keys: TransferKeys;
  /** [instances] members that have started. */
  readonly entered: Int32Array;
  readonly #state: Uint8Array; // [vertices]
  readonly #missing: Int32Array; // [vertices] vertices it waits for that have not finished
  readonly #finished: Int32Array; // in order
  readonly #missingSources: Map<number, number>;
  readonly #waitersOf: Map<number, number[]>;
  #finishedCount = 0;

  constructor(graph: UntimedGraph, turns: Turns) {
    this.graph = graph;
    this.keys = new TransferKeys(graph.surveys, graph.offset, turns);
    this.entered = new Int32Array(graph.gate.length);
    this.#state = new Uint8Array(graph.vertices);
    this.#missing = new Int32Array(graph.vertices);
    for (let edge = 0; edge < graph.after.length; edge++) this.#missing[graph.after[edge]]++;
    this.#finished = new Int32Array(graph.vertices);
    this.#missingSources = new Map(Array.from(graph.sources, ([vertex, sources]) => [vertex, sources.length]));
    this.#waitersOf = new Map();
    for (const [vertex, sources] of graph.sources) {
      for (const source of sources) {
        const waiters = this.#waitersOf.get(source);
        if (waiters === undefined) this.#waitersOf.set(source, [vertex]);
        else waiters.push(vertex);
      }
    }
    this.#run();
  }

  get hasFinished(): boolean {
    return this.#finishedCount === this.#state.length;
  }

  isFinished(vertex: number): boolean {
    return this.#state[vertex] === FINISHED;
  }

  hasStarted(vertex: number): boolean {
    return this.#state[vertex] !== WAITING;
  }

  #run(): void {
    const { afterStart, after, vertices } = this.graph;
    for (let vertex = 0; vertex < vertices; vertex++) if (this.#missing[vertex] === 0) this.#start(vertex);
    for (let next = 0; next < this.#finishedCount; next++) {
      const vertex = this.#finished[next];
      for (let edge = afterStart[vertex]; edge < afterStart[vertex + 1]; edge++) {
        if (--this.#missing[after[edge]] === 0) this.#start(after[edge]);
      }
    }
  }

  readonly #turnHasCome = (receive: number): void => {
    if (this.#state[receive] === STARTED) this.#finish(receive);
  };

  #start(vertex: number): void {
    const { kind, instance, gate } = this.graph;
    this.#state[vertex] = STARTED;
    if (kind[vertex] === SkeletonKind.send) {
      this.#finish(vertex);
      this.keys.startSend(vertex, this.#turnHasCome);
    } else if (kind[vertex] === SkeletonKind.receive) {
      if (this.keys.turnHasCome(vertex)) this.#finish(vertex);
    } else if (instance[vertex] >= 0) {
      if (gate[instance[vertex]] > 0) this.#enterGate(instance[vertex]);
      else this.#enterRooted(vertex);
    } else {
      this.#finish(vertex);
    }
  }

  #enterGate(instance: number): void {
    const { gate, memberStart, member } = this.graph;
    if (++this.entered[instance] < gate[instance]) return;
    for (let place = memberStart[instance]; place < memberStart[instance + 1]; place++) {
      if (member[place] >= 0) this.#finish(member[place]);
    }
  }

  #enterRooted(vertex: number): void {
    if ((this.#missingSources.get(vertex) ?? 0) === 0) this.#leaveRooted(vertex);
  }

  /** Members leave one after another; a loop, for rings of any length. */
  #leaveRooted(first: number): void {
    const leaving = [first];
    for (const vertex of leaving) {
      this.#finish(vertex);
      for (const waiter of this.#waitersOf.get(vertex) ?? []) {
        const missing = this.#missingSources.get(waiter)! - 1;
        this.#missingSources.set(waiter, missing);
        if (missing === 0 && this.#state[waiter] === STARTED) leaving.push(waiter);
      }
    }
  }

  #finish(vertex: number): void {
    this.#state[vertex] = FINISHED;
    this.#finished[this.#finishedCount++] = vertex;
  }
}
