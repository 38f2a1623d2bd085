import type { Spans } from '../../src/pytorch/start-order.js';

/** The enclosing and exclusive computations in the obvious way: every event is compared with every other. */
export class SlowNesting {
  readonly #spans: Spans;
  readonly #roundingNs: number;

  constructor(spans: Spans, roundingNs: number) {
    this.#spans = spans;
    this.#roundingNs = roundingNs;
  }

  /** By thread, start, the longer first, place. */
  #isBefore(a: number, b: number): boolean {
    const { startNs, durationNs } = this.#spans;
    if (startNs[a] !== startNs[b]) return startNs[a] < startNs[b];
    if (durationNs[a] !== durationNs[b]) return durationNs[a] > durationNs[b];
    return a < b;
  }

  #end(event: number): number {
    return this.#spans.startNs[event] + this.#spans.durationNs[event];
  }

  #spansOver(outer: number, startNs: number, endNs: number): boolean {
    const end = this.#end(outer);
    return endNs <= end || (startNs < end && endNs <= end + this.#roundingNs);
  }

  encloses(outer: number, inner: number): boolean {
    const { thread, startNs } = this.#spans;
    if (outer === inner || thread[outer] !== thread[inner] || !this.#isBefore(outer, inner)) return false;
    return this.#spansOver(outer, startNs[inner], this.#end(inner));
  }

  #latest(events: readonly number[]): number {
    return events.reduce((latest, event) => (latest < 0 || this.#isBefore(latest, event) ? event : latest), -1);
  }

  #all(): number[] {
    return Array.from({ length: this.#spans.length }, (_, event) => event);
  }

  parent(event: number): number {
    return this.#latest(this.#all().filter((outer) => this.encloses(outer, event)));
  }

  /** Own duration without every ns in which a counted event lies inside, counted ns by ns. */
  exclusiveNs(event: number, counts: Uint8Array): number {
    if (counts[event] === 0) return NaN;
    const inner = this.#all().filter((other) => counts[other] === 1 && this.encloses(event, other));
    let free = 0;
    for (let ns = this.#spans.startNs[event]; ns < this.#end(event); ns++) {
      if (!inner.some((other) => this.#spans.startNs[other] <= ns && ns < this.#end(other))) free++;
    }
    return free;
  }

  around(thread: number, startNs: number, durationNs: number): number {
    const started = this.#all().filter(
      (event) => this.#spans.thread[event] === thread && this.#spans.startNs[event] <= startNs,
    );
    const whole = this.#latest(started.filter((event) => this.#spansOver(event, startNs, startNs + durationNs)));
    return whole >= 0 ? whole : this.#latest(started.filter((event) => this.#end(event) >= startNs));
  }
}
