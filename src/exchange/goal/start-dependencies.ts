import { grown } from '../../base/grown.js';
import type { OperationOrder } from './operation-order.js';
import type { GoalRank } from './schedule.js';

/**
 * Dependencies that stand for `irequires` where only ends can be waited for (exchange-formats 1.6): B has started when what
 * B waits for has finished, so `A irequires B` becomes that A waits for it. Of an operation without `irequires` there are none,
 * and what an operation requires anyway is left out.
 */
export class StartDependencies {
  readonly start: Uint32Array; // [n + 1] by place in the order
  operations = new Uint32Array(16);
  #length = 0;

  constructor(rank: GoalRank, order: OperationOrder) {
    const { length, irequires, irequiresStart, requires, requiresStart } = rank;
    this.start = new Uint32Array(length + 1);
    if (irequires.length === 0) return;
    const seen = new Uint32Array(length); // place + 1 of who named it last
    for (let place = 0; place < length; place++) {
      const operation = order.operation[place];
      const mark = place + 1;
      if (irequiresStart[operation] < irequiresStart[operation + 1]) {
        seen[operation] = mark;
        for (let at = requiresStart[operation]; at < requiresStart[operation + 1]; at++) seen[requires[at]] = mark;
        for (let at = irequiresStart[operation]; at < irequiresStart[operation + 1]; at++) {
          const other = irequires[at];
          for (let from = requiresStart[other]; from < requiresStart[other + 1]; from++) {
            this.#add(requires[from], mark, seen);
          }
          const otherPlace = order.place[other];
          if (otherPlace >= place) continue; // in a circle
          const end = this.start[otherPlace + 1];
          for (let from = this.start[otherPlace]; from < end; from++) this.#add(this.operations[from], mark, seen);
        }
      }
      this.start[mark] = this.#length;
    }
  }

  #add(operation: number, mark: number, seen: Uint32Array): void {
    if (seen[operation] === mark) return;
    seen[operation] = mark;
    if (this.#length === this.operations.length) this.operations = grown(this.operations, 2 * this.#length);
    this.operations[this.#length++] = operation;
  }
}
