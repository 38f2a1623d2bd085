/** Half a ps, less what arithmetic may have lost of a half that is exact: after ten thousand changes with ten nodes running. */
const HALF = 0.5 - 2 ** -36;

/**
 * The compute nodes of one rank that share its capacity. Virtual time V is the service each running node
 * has had; a node with work D that starts at V ends when V reaches V + D.
 *
 * V, the ends and the time of the last change are each a whole number of ps, exact to 2^53, and a fraction from 0 to 1. So
 * a change costs some 2^-53 ps whatever the time is: after a million changes with a thousand nodes running a finish is still
 * right to a millionth of a ps. One double each would keep a quarter of a ps of V after an hour, and lose it with
 * every change. V cannot outgrow time, so that it need not be set back but when the rank goes idle.
 *
 * Finishes are reported at whole ps. A start at that ps comes after them, also when the exact finish lies up to half
 * a ps behind it: the capacity used ahead is then taken off the others, and none is lost.
 */
export class ComputeSharing {
  /** Time of the wake-up that is scheduled, Infinity when none is. */
  scheduledPs = Infinity;
  /** Whether {@link nextFinish} may be another one than when the wake-up was scheduled. */
  isChanged = false;
  #virtual = 0; // whole ps
  #virtualFraction = 0;
  /** When V was current, whole ps and fraction; behind a finish not rounded. */
  #since = 0;
  #sinceFraction = 0;
  #running = 0;
  #end = new Float64Array(4); // heap on virtual end, whole ps: [running]
  #endFraction = new Float64Array(4); // [running]
  #node = new Int32Array(4); // [running]

  /** @param work above 0, whole ps */
  start(node: number, work: number, now: number): void {
    if (this.#running === 0) {
      this.#virtual = 0;
      this.#virtualFraction = 0;
    } else {
      const elapsed = now - this.#since;
      const share = Math.floor(elapsed / this.#running);
      const rest = elapsed - share * this.#running;
      const fraction = this.#virtualFraction + (rest - this.#sinceFraction) / this.#running;
      const carry = Math.floor(fraction);
      this.#virtual += share + carry;
      this.#virtualFraction = fraction - carry;
    }
    this.#since = now;
    this.#sinceFraction = 0;
    this.#push(this.#virtual + work, this.#virtualFraction, node);
  }

  /** When the next node finishes if none starts before, whole ps; Infinity when none runs. */
  nextFinish(): number {
    if (this.#running === 0) return Infinity;
    const fraction = this.#sinceFraction + (this.#endFraction[0] - this.#virtualFraction) * this.#running;
    const carry = Math.floor(fraction);
    const whole = this.#since + (this.#end[0] - this.#virtual) * this.#running + carry;
    return fraction - carry >= HALF ? whole + 1 : whole;
  }

  /** Takes every node that finishes at {@link nextFinish} out and puts it into `finished`. */
  finishNext(finished: number[]): void {
    const time = this.nextFinish();
    do {
      const fraction = this.#sinceFraction + (this.#endFraction[0] - this.#virtualFraction) * this.#running;
      const carry = Math.floor(fraction);
      this.#since += (this.#end[0] - this.#virtual) * this.#running + carry;
      this.#sinceFraction = fraction - carry;
      this.#virtual = this.#end[0];
      this.#virtualFraction = this.#endFraction[0];
      finished.push(this.#pop());
    } while (this.nextFinish() <= time);
  }

  #push(end: number, fraction: number, node: number): void {
    if (this.#running === this.#end.length) this.#grow();
    const ends = this.#end;
    const fractions = this.#endFraction;
    const nodes = this.#node;
    let place = this.#running++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (ends[parent] < end || (ends[parent] === end && fractions[parent] <= fraction)) break;
      ends[place] = ends[parent];
      fractions[place] = fractions[parent];
      nodes[place] = nodes[parent];
      place = parent;
    }
    ends[place] = end;
    fractions[place] = fraction;
    nodes[place] = node;
  }

  #pop(): number {
    const ends = this.#end;
    const fractions = this.#endFraction;
    const nodes = this.#node;
    const first = nodes[0];
    const last = --this.#running;
    const end = ends[last];
    const fraction = fractions[last];
    const node = nodes[last];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= last) break;
      const other = child + 1;
      if (
        other < last &&
        (ends[other] < ends[child] || (ends[other] === ends[child] && fractions[other] < fractions[child]))
      ) {
        child = other;
      }
      if (ends[child] > end || (ends[child] === end && fractions[child] >= fraction)) break;
      ends[place] = ends[child];
      fractions[place] = fractions[child];
      nodes[place] = nodes[child];
      place = child;
    }
    ends[place] = end;
    fractions[place] = fraction;
    nodes[place] = node;
    return first;
  }

  #grow(): void {
    const ends = new Float64Array(2 * this.#running);
    const fractions = new Float64Array(2 * this.#running);
    const nodes = new Int32Array(2 * this.#running);
    ends.set(this.#end);
    fractions.set(this.#endFraction);
    nodes.set(this.#node);
    [this.#end, this.#endFraction, this.#node] = [ends, fractions, nodes];
  }
}
