import { roundHalfUp } from '../base/units.js';

/** Virtual times closer than this finish together, ps. */
const SAME_FINISH = 0.001;
/** Virtual time above which it is set back, so that a double keeps its fractions of a ps. */
const REBASE_ABOVE = 2 ** 40;

/**
 * The compute nodes of one rank that share its capacity. Virtual time V is the service each running node
 * has had; a node with work D that starts at V ends when V reaches V + D.
 */
export class ComputeSharing {
  /** Time of the wake-up that is scheduled, Infinity when none is. */
  scheduledPs = Infinity;
  #virtual = 0;
  /** When V was current, ps; not rounded after a finish. */
  #since = 0;
  #running = 0;
  #end = new Float64Array(4); // heap on virtual end: [running]
  #node = new Int32Array(4); // [running]

  /** @param work above 0, ps */
  start(node: number, work: number, now: number): void {
    if (this.#running === 0) this.#virtual = 0;
    else this.#virtual += (now - this.#since) / this.#running;
    this.#since = now;
    if (this.#virtual > REBASE_ABOVE) this.#rebase();
    this.#push(this.#virtual + work, node);
  }

  /** When the next node finishes if none starts before, whole ps; Infinity when none runs. */
  nextFinish(): number {
    return this.#running === 0 ? Infinity : roundHalfUp(this.#exactFinish());
  }

  /** Takes every node that finishes at {@link nextFinish} out and puts it into `finished`. */
  finishNext(finished: number[]): void {
    this.#since = this.#exactFinish();
    this.#virtual = this.#end[0];
    while (this.#running > 0 && this.#end[0] - this.#virtual <= SAME_FINISH) finished.push(this.#pop());
  }

  #exactFinish(): number {
    return this.#since + (this.#end[0] - this.#virtual) * this.#running;
  }

  #rebase(): void {
    for (let place = 0; place < this.#running; place++) this.#end[place] -= this.#virtual;
    this.#virtual = 0;
  }

  #push(end: number, node: number): void {
    if (this.#running === this.#end.length) {
      const ends = new Float64Array(2 * this.#running);
      ends.set(this.#end);
      const nodes = new Int32Array(2 * this.#running);
      nodes.set(this.#node);
      [this.#end, this.#node] = [ends, nodes];
    }
    let place = this.#running++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#end[parent] <= end) break;
      this.#end[place] = this.#end[parent];
      this.#node[place] = this.#node[parent];
      place = parent;
    }
    this.#end[place] = end;
    this.#node[place] = node;
  }

  #pop(): number {
    const ends = this.#end;
    const nodes = this.#node;
    const first = nodes[0];
    const last = --this.#running;
    const end = ends[last];
    const node = nodes[last];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= last) break;
      if (child + 1 < last && ends[child + 1] < ends[child]) child++;
      if (ends[child] >= end) break;
      ends[place] = ends[child];
      nodes[place] = nodes[child];
      place = child;
    }
    ends[place] = end;
    nodes[place] = node;
    return first;
  }
}
