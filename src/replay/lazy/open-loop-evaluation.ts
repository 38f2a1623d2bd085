import { Share, type Algorithm } from '../../collectives/algorithm.js';
import type { Evaluation, EvaluationContext } from './evaluation.js';

/** Refilled for every member that enters; evaluations do not interleave. */
const share = new Share();
let sendFinish = new Float64Array(64); // [share] ps

/**
 * A collective whose sends wait for nothing but their own member: a member's transfers are evaluated when it enters, and it
 * leaves when the transfers it receives are known too, whoever has not entered.
 */
export class OpenLoopEvaluation implements Evaluation {
  readonly #algorithm: Algorithm;
  readonly #context: EvaluationContext;
  readonly #entry: Float64Array; // [N] ps, NaN until the member has entered
  readonly #last: Float64Array; // [N] latest finish of a send and arrival of a transfer, ps
  readonly #missing: Int32Array; // [N] transfers to come; below 0 when some came before the member entered
  // Transfers that arrived, within the run, before the member entered.
  readonly #heldCount: Int32Array;
  readonly #heldBytes: Float64Array;
  readonly #heldLast: Float64Array; // [N] latest arrival of them, ps

  constructor(algorithm: Algorithm, context: EvaluationContext) {
    const size = context.shape.groupSize;
    this.#algorithm = algorithm;
    this.#context = context;
    this.#entry = new Float64Array(size).fill(NaN);
    this.#last = new Float64Array(size);
    this.#missing = new Int32Array(size);
    this.#heldCount = new Int32Array(size);
    this.#heldBytes = new Float64Array(size);
    this.#heldLast = new Float64Array(size);
  }

  enter(position: number, timePs: number): void {
    const { shape, ranks, times, account } = this.#context;
    account.memberStarts(timePs);
    this.#entry[position] = timePs;
    this.#claimHeld(position, timePs);
    this.#algorithm.share(position, shape, share);
    if (sendFinish.length < share.length) sendFinish = new Float64Array(2 * share.length);
    const { send, peer, bytes, index, dependency, dependencyStart } = share;
    let last = Math.max(this.#last[position], timePs);
    let receives = 0;
    for (let place = 0; place < share.length; place++) {
      if (send[place] === 0) {
        receives++;
        continue;
      }
      let start = timePs;
      for (let edge = dependencyStart[place]; edge < dependencyStart[place + 1]; edge++) {
        start = Math.max(start, sendFinish[dependency[edge]]);
      }
      const to = peer[place];
      const latency = times.latencyPs(ranks[position], ranks[to]);
      const sent = start + times.sendPs(ranks[position], ranks[to], bytes[place]);
      const received = sent + latency;
      sendFinish[place] = sent;
      if (sent > last) last = sent;
      account.send(position, to, bytes[place], index[place], place, start, sent, received, received + latency);
      this.#arrive(to, bytes[place], received);
    }
    this.#last[position] = last;
    this.#missing[position] += receives;
    if (this.#missing[position] === 0) this.#leave(position);
  }

  stop(): void {}

  #arrive(at: number, bytes: number, received: number): void {
    const { account } = this.#context;
    if (received > this.#last[at]) this.#last[at] = received;
    this.#missing[at]--;
    const entry = this.#entry[at];
    if (Number.isNaN(entry)) {
      if (received > account.stopPs) return;
      this.#heldCount[at]++;
      this.#heldBytes[at] += bytes;
      if (received > this.#heldLast[at]) this.#heldLast[at] = received;
      return;
    }
    account.receive(at, 1, bytes, Math.max(entry, received));
    if (this.#missing[at] === 0) this.#leave(at);
  }

  #claimHeld(at: number, entry: number): void {
    const last = Math.max(entry, this.#heldLast[at]);
    this.#context.account.receive(at, this.#heldCount[at], this.#heldBytes[at], last);
  }

  #leave(position: number): void {
    const { account, leave } = this.#context;
    account.memberFinishes(this.#last[position]);
    leave(position, this.#last[position]);
  }
}
