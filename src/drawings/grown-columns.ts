import { grown } from '../base/grown.js';

/** A column of numbers that grows. */
export class Grown {
  length = 0;
  /** [length, then unused] */
  values = new Float64Array(0);

  push(value: number): void {
    if (this.length === this.values.length) this.values = grown(this.values, Math.max(64, 2 * this.length));
    this.values[this.length++] = value;
  }
}
