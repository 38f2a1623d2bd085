import type { BusTimers } from '../../src/astra-sim/shared-bus.js';

/** A global queue as astra-sim-semantics 2 has it: by time, then in the order of scheduling; a rank's timers of one time in one event. */
export class SortedEvents implements BusTimers {
  nowNs = 0;
  /** What is done when a timer of the bus ends. */
  fire: (rank: number, code: number, reference: number) => void = () => {};
  readonly #events: { timeNs: number; act: () => void }[] = [];
  readonly #timers = new Map<string, (() => void)[]>();

  schedule(timeNs: number, act: () => void): void {
    const { length } = this.#events;
    let place = length;
    while (place > 0 && this.#events[place - 1].timeNs > timeNs) place--;
    this.#events.splice(place, 0, { timeNs, act });
  }

  timer(rank: number, delayNs: number, act: () => void): void {
    const timeNs = this.nowNs + delayNs;
    const key = `${rank} at ${timeNs}`;
    const others = this.#timers.get(key);
    if (others) {
      others.push(act);
      return;
    }
    const acts = [act];
    this.#timers.set(key, acts);
    this.schedule(timeNs, () => {
      // Those registered for now while these run are appended, and run too.
      for (const each of acts) each();
      this.#timers.delete(key);
    });
  }

  register(rank: number, delayNs: number, code: number, reference: number): void {
    this.timer(rank, delayNs, () => this.fire(rank, code, reference));
  }

  run(): void {
    for (let event = this.#events.shift(); event; event = this.#events.shift()) {
      this.nowNs = event.timeNs;
      event.act();
    }
  }
}
