import type { Lockstep } from '../../collectives/algorithm.js';
import type { Evaluation, EvaluationContext } from './evaluation.js';

/**
 * A stepped exchange, evaluated step by step over all positions when the last member has entered: nobody can leave before,
 * and what the others did meanwhile influences nobody else. One time per position and step lives at once:
 * `test/bench/lazy-ring.ts` measures it.
 */
export class LockstepEvaluation implements Evaluation {
  readonly #lockstep: Lockstep;
  readonly #context: EvaluationContext;
  readonly #entry: Float64Array; // [N] ps, Infinity until the member has entered
  #entered = 0;

  constructor(lockstep: Lockstep, context: EvaluationContext) {
    this.#lockstep = lockstep;
    this.#context = context;
    this.#entry = new Float64Array(context.shape.groupSize).fill(Infinity);
  }

  enter(position: number, timePs: number): void {
    this.#entry[position] = timePs;
    this.#context.account.memberStarts(timePs);
    if (++this.#entered === this.#entry.length) this.#evaluate();
  }

  stop(): void {
    if (this.#entered > 0 && this.#entered < this.#entry.length) this.#walk();
  }

  #evaluate(): void {
    const { account, leave } = this.#context;
    const exit = account.wantsEach ? this.#walk() : this.#run();
    for (let position = 0; position < exit.length; position++) {
      account.memberFinishes(exit[position]);
      leave(position, exit[position]);
    }
  }

  /** Times only; counts every position's transfers together. Gives the exits. */
  #run(): Float64Array {
    const { shape, ranks, times, account } = this.#context;
    const lockstep = this.#lockstep;
    const size = shape.groupSize;
    const steps = lockstep.steps(size);
    let ready: Float64Array = this.#entry.slice(); // finish of the receive of the step before
    let next: Float64Array = new Float64Array(size);
    const lastSent = new Float64Array(size);
    const lastAcknowledged = new Float64Array(size); // as sender and as receiver
    const to = new Int32Array(size).fill(-1);
    const sending = new Float64Array(size); // ps a transfer to `to` takes to send
    const latency = new Float64Array(size);
    let bytes = NaN;
    let allBytes = 0;
    for (let step = 0; step < steps; step++) {
      const before = bytes;
      bytes = lockstep.stepBytes(step, shape);
      allBytes += bytes;
      for (let position = 0; position < size; position++) {
        const destination = lockstep.destination(position, step, size);
        if (destination !== to[position] || bytes !== before) {
          to[position] = destination;
          sending[position] = times.sendPs(ranks[position], ranks[destination], bytes);
          latency[position] = times.latencyPs(ranks[position], ranks[destination]);
        }
        const sent = ready[position] + sending[position];
        const received = sent + latency[position];
        const acknowledged = received + latency[position];
        if (sent > lastSent[position]) lastSent[position] = sent;
        if (acknowledged > lastAcknowledged[position]) lastAcknowledged[position] = acknowledged;
        if (acknowledged > lastAcknowledged[destination]) lastAcknowledged[destination] = acknowledged;
        next[destination] = received > ready[destination] ? received : ready[destination];
      }
      const spare = ready;
      ready = next;
      next = spare;
    }
    let last = 0;
    for (let position = 0; position < size; position++) {
      last = Math.max(last, ready[position], lastAcknowledged[position]);
    }
    if (last > account.stopPs) return this.#walk();
    for (let position = 0; position < size; position++) {
      account.sendsAndReceives(position, steps, allBytes, lastAcknowledged[position], ready[position]);
      if (lastSent[position] > ready[position]) ready[position] = lastSent[position];
    }
    return ready;
  }

  /** As {@link #run}, telling the account of each transfer; what waits for a member that has not entered never happens. */
  #walk(): Float64Array {
    const { shape, ranks, times, account } = this.#context;
    const lockstep = this.#lockstep;
    const size = shape.groupSize;
    let ready: Float64Array = this.#entry.slice();
    let next: Float64Array = new Float64Array(size);
    const exit = this.#entry.slice();
    for (let step = 0; step < lockstep.steps(size); step++) {
      const bytes = lockstep.stepBytes(step, shape);
      for (let position = 0; position < size; position++) {
        const destination = lockstep.destination(position, step, size);
        const start = ready[position];
        const latency = times.latencyPs(ranks[position], ranks[destination]);
        const sent = start + times.sendPs(ranks[position], ranks[destination], bytes);
        const received = sent + latency;
        if (start < Infinity) {
          account.send(position, destination, bytes, step, 2 * step, start, sent, received, received + latency);
        }
        const finish = Math.max(received, ready[destination]);
        account.receive(destination, 1, bytes, finish);
        next[destination] = finish;
        exit[position] = Math.max(exit[position], sent);
      }
      [ready, next] = [next, ready];
    }
    for (let position = 0; position < size; position++) exit[position] = Math.max(exit[position], ready[position]);
    return exit;
  }
}
