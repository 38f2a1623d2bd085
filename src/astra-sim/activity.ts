import { OPERATOR_KINDS, OperatorKind } from './system-nodes.js';

/**
 * How long nodes of each kind ran on each rank: the length of the union of their intervals from issue to completion
 * (astra-sim-semantics section 16).
 */
export class Activity {
  readonly #running: Int32Array; // [ranks × kinds] nodes
  readonly #since: Float64Array; // [ranks × kinds] ns, when the first of them was issued
  readonly #total: Float64Array; // [ranks × kinds] ns
  readonly #issued: Uint8Array; // [ranks × kinds] whether there was any

  constructor(rankCount: number) {
    this.#running = new Int32Array(rankCount * OPERATOR_KINDS);
    this.#since = new Float64Array(rankCount * OPERATOR_KINDS);
    this.#total = new Float64Array(rankCount * OPERATOR_KINDS);
    this.#issued = new Uint8Array(rankCount * OPERATOR_KINDS);
  }

  issue(rank: number, kind: number, nowNs: number): void {
    if (kind === OperatorKind.none) return;
    const place = rank * OPERATOR_KINDS + kind;
    this.#issued[place] = 1;
    if (this.#running[place]++ === 0) this.#since[place] = nowNs;
  }

  complete(rank: number, kind: number, nowNs: number): void {
    if (kind === OperatorKind.none) return;
    const place = rank * OPERATOR_KINDS + kind;
    if (--this.#running[place] === 0) this.#total[place] += nowNs - this.#since[place];
  }

  /** ns, `undefined` when no node of the kind was issued. @param nowNs end of what still runs */
  time(rank: number, kind: number, nowNs: number): number | undefined {
    const place = rank * OPERATOR_KINDS + kind;
    if (this.#issued[place] === 0) return undefined;
    return this.#total[place] + (this.#running[place] > 0 ? nowNs - this.#since[place] : 0);
  }
}
