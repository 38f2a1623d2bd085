/** Stretches of time in which ops of the host did nothing but wait for what dependencies say. */
export class WaitingTimes {
  readonly #op: number[] = []; // host node
  readonly #fromNs: number[] = [];
  readonly #toNs: number[] = [];

  /** @param op host node in which the stretch lies, −1 for none */
  add(op: number, fromNs: number, toNs: number): void {
    if (op < 0 || !(toNs > fromNs)) return;
    this.#op.push(op);
    this.#fromNs.push(fromNs);
    this.#toNs.push(toNs);
  }

  /** Waiting time of each host node, ns; where stretches of one overlap they count once. @param length number of host nodes */
  finish(length: number): Float64Array {
    const waitNs = new Float64Array(length);
    const order = this.#op.map((_, place) => place);
    order.sort((one, other) => this.#op[one] - this.#op[other] || this.#fromNs[one] - this.#fromNs[other]);
    let op = -1;
    let doneNs = -Infinity;
    for (const place of order) {
      if (this.#op[place] !== op) {
        op = this.#op[place];
        doneNs = -Infinity;
      }
      const from = Math.max(doneNs, this.#fromNs[place]);
      if (this.#toNs[place] > from) waitNs[op] += this.#toNs[place] - from;
      doneNs = Math.max(doneNs, this.#toNs[place]);
    }
    return waitNs;
  }
}
