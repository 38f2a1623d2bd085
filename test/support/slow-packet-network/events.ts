/** Classes of R-004; what adjusts a rate comes before all else of its instant. */
export const TICK = -1;
export const END = 0;
export const ARRIVAL = 1;
export const TIMER = 2;
export const POST = 3;
export const KICK = 4;

export interface Event {
  readonly time: number;
  readonly order: number;
  readonly entity: number;
  readonly sequence: number;
  readonly act: () => void;
  isCancelled: boolean;
}

/** Events by (time, class, entity, sequence), a function each. Ticks alone keep no run going. */
export class Events {
  now = 0;
  happened = 0;
  #made = 0;
  #waiting = 0;
  readonly #heap: Event[] = [];

  at(time: number, order: number, entity: number, act: () => void): Event {
    if (!(time >= this.now)) throw new Error(`an event at ${time}, before ${this.now}`);
    const event = { time, order, entity, sequence: this.#made++, act, isCancelled: false };
    if (order !== TICK) this.#waiting++;
    const heap = this.#heap;
    let hole = heap.push(event) - 1;
    while (hole > 0 && isBefore(event, heap[(hole - 1) >> 1])) {
      heap[hole] = heap[(hole - 1) >> 1];
      hole = (hole - 1) >> 1;
    }
    heap[hole] = event;
    return event;
  }

  cancel(event: Event | undefined): void {
    if (event === undefined || event.isCancelled) return;
    event.isCancelled = true;
    if (event.order !== TICK) this.#waiting--;
  }

  /** @returns whether nothing is left to happen */
  run(mostEvents: number): boolean {
    while (this.#waiting > 0) {
      if (this.happened >= mostEvents) return false;
      const event = this.#first();
      if (event.isCancelled) continue;
      if (event.order !== TICK) this.#waiting--;
      event.isCancelled = true;
      this.now = event.time;
      this.happened++;
      event.act();
    }
    return true;
  }

  #first(): Event {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = last;
    return first;
  }
}

function isBefore(a: Event, b: Event): boolean {
  if (a.time !== b.time) return a.time < b.time;
  if (a.order !== b.order) return a.order < b.order;
  return a.entity !== b.entity ? a.entity < b.entity : a.sequence < b.sequence;
}
