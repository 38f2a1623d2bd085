import type { Algorithm } from '../../collectives/algorithm.js';
import { chainedShape, type ChainedShape } from './chained-shape.js';
import type { Evaluation, EvaluationContext } from './evaluation.js';

/**
 * A collective of any pattern, evaluated as dataflow over the shares of its members: an entry of a share has its times as soon as
 * what it waits for has, so a member leaves as early as its own share allows.
 */
export class ChainedEvaluation implements Evaluation {
  readonly #context: EvaluationContext;
  readonly #shape: ChainedShape;
  readonly #waiting: Int32Array; // [entries] dependencies without a finish, the member's entry among them; −1 once it has begun
  readonly #start: Float64Array; // [entries] ps, latest finish of what it waits for
  readonly #arrival: Float64Array; // [entries] of a receive: arrival of its transfer, ps, NaN until known
  readonly #left: Int32Array; // [N] entries of the position without a finish
  readonly #last: Float64Array; // [N] latest finish, ps
  readonly #ready: number[] = [];

  constructor(algorithm: Algorithm, context: EvaluationContext) {
    const shape = chainedShape(algorithm, context.shape);
    const entries = shape.position.length;
    const size = context.shape.groupSize;
    this.#context = context;
    this.#shape = shape;
    this.#waiting = shape.dependencies.map((count) => count + 1);
    this.#start = new Float64Array(entries);
    this.#arrival = new Float64Array(entries).fill(NaN);
    this.#left = new Int32Array(size);
    for (let at = 0; at < size; at++) this.#left[at] = shape.firstEntry[at + 1] - shape.firstEntry[at];
    this.#last = new Float64Array(size);
  }

  enter(position: number, timePs: number): void {
    const { firstEntry } = this.#shape;
    this.#context.account.memberStarts(timePs);
    for (let entry = firstEntry[position]; entry < firstEntry[position + 1]; entry++) this.#satisfy(entry, timePs);
    // A list instead of recursion: chains are as long as the group.
    const ready = this.#ready;
    while (ready.length > 0) this.#begin(ready.pop()!);
  }

  stop(): void {}

  /** Something the entry waits for has finished at `timePs`. */
  #satisfy(entry: number, timePs: number): void {
    if (timePs > this.#start[entry]) this.#start[entry] = timePs;
    if (--this.#waiting[entry] === 0) this.#ready.push(entry);
  }

  #begin(entry: number): void {
    this.#waiting[entry] = -1;
    const { send, partner, bytes, index, position, firstEntry } = this.#shape;
    if (send[entry] === 0) {
      if (!Number.isNaN(this.#arrival[entry])) this.#finishReceive(entry);
      return;
    }
    const { ranks, times, account } = this.#context;
    const from = position[entry];
    const other = partner[entry];
    const to = position[other];
    const start = this.#start[entry];
    const latency = times.latencyPs(ranks[from], ranks[to]);
    const sent = start + times.sendPs(ranks[from], ranks[to], bytes[entry]);
    const received = sent + latency;
    const place = entry - firstEntry[from];
    account.send(from, to, bytes[entry], index[entry], place, start, sent, received, received + latency);
    this.#arrival[other] = received;
    // One that is ready and has not begun finds what has arrived when it does.
    if (this.#waiting[other] < 0) this.#finishReceive(other);
    this.#finish(entry, sent);
  }

  #finishReceive(entry: number): void {
    const { position, bytes } = this.#shape;
    const finish = Math.max(this.#start[entry], this.#arrival[entry]);
    this.#context.account.receive(position[entry], 1, bytes[entry], finish);
    this.#finish(entry, finish);
  }

  #finish(entry: number, timePs: number): void {
    const { position, dependentStart, dependent } = this.#shape;
    const at = position[entry];
    if (timePs > this.#last[at]) this.#last[at] = timePs;
    for (let edge = dependentStart[entry]; edge < dependentStart[entry + 1]; edge++) {
      this.#satisfy(dependent[edge], timePs);
    }
    if (--this.#left[at] > 0) return;
    this.#context.account.memberFinishes(this.#last[at]);
    this.#context.leave(at, this.#last[at]);
  }
}
