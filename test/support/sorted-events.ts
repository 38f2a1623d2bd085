import type { BusTimers } from '../../src/astra-sim/shared-bus.js';
import { eventList, rankTimer, type Action, type Timer } from '../oracles/astra-sim/events.js';

/** A global queue as astra-sim-semantics 2 has it, with the timers of every rank. */
export class SortedEvents implements BusTimers {
  /** What is done when a timer of the bus ends. */
  fire: (rank: number, code: number, reference: number) => void = () => {};
  readonly #events = eventList();
  readonly #timers = new Map<number, Timer>(); // by rank

  get nowNs(): number {
    return this.#events.now;
  }

  schedule(timeNs: number, act: Action): void {
    this.#events.at(timeNs, act);
  }

  timer(rank: number, delayNs: number, act: Action): void {
    const timer = this.#timers.get(rank) ?? rankTimer(this.#events);
    this.#timers.set(rank, timer);
    timer(delayNs, act);
  }

  register(rank: number, delayNs: number, code: number, reference: number): void {
    this.timer(rank, delayNs, () => this.fire(rank, code, reference));
  }

  run(): void {
    this.#events.run(Infinity);
  }
}
