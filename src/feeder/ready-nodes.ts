import { ReadyHeap } from './ready-heap.js';
import { ReadyRun } from './ready-run.js';
import { compareIds, type SlotTable } from './slot-table.js';

/**
 * The nodes that can be issued, the lowest id first. Files mostly give the ids in ascending order: what becomes ready above
 * all of a run joins it and costs no search; the others are in a heap.
 */
export class ReadyNodes {
  readonly #slots: SlotTable;
  readonly #run = new ReadyRun();
  readonly #heap: ReadyHeap;

  constructor(slots: SlotTable) {
    this.#slots = slots;
    this.#heap = new ReadyHeap(slots);
  }

  get length(): number {
    return this.#run.length + this.#heap.length;
  }

  push(slot: number): void {
    const run = this.#run;
    if (run.length === 0 || compareIds(this.#slots, run.last, slot) < 0) run.push(slot);
    else this.#heap.push(slot);
  }

  /** Takes the slot with the lowest id out; there must be one. */
  pop(): number {
    const run = this.#run;
    const heap = this.#heap;
    if (run.length === 0) return heap.pop();
    return heap.length === 0 || compareIds(this.#slots, run.first, heap.first) < 0 ? run.pop() : heap.pop();
  }
}
