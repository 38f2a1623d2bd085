import { byGroup } from '../by-group.js';
import { SmallestFirst } from '../node-heap.js';
import type { GoalRank } from './schedule.js';

/** Operations so that each comes behind those it waits for. */
export interface OperationOrder {
  /** [n] operation at each place; the order of definition where that will do. */
  readonly operation: Uint32Array;
  /** [n] place of each operation. */
  readonly place: Uint32Array;
  /** Operations at the end of the order that never run: they wait in a circle, or behind one. */
  readonly stuck: number;
}

/**
 * Orders the operations of a rank by both kinds of dependency; of those that could come next the one that is defined first.
 * What waits in a circle comes last, in the order of definition.
 */
export function operationOrder(rank: GoalRank): OperationOrder {
  const { length, requiresStart, requires, irequiresStart, irequires } = rank;
  const identity = Uint32Array.from({ length }, (_, operation) => operation);
  if (isEarlier(requiresStart, requires, length) && isEarlier(irequiresStart, irequires, length)) {
    return { operation: identity, place: identity, stuck: 0 };
  }
  const waiting = new Uint32Array(length);
  const edges = requires.length + irequires.length;
  const dependent = new Uint32Array(edges);
  const other = new Uint32Array(edges);
  let edge = 0;
  for (const [start, list] of [
    [requiresStart, requires],
    [irequiresStart, irequires],
  ]) {
    for (let operation = 0; operation < length; operation++) {
      for (let at = start[operation]; at < start[operation + 1]; at++) {
        dependent[edge] = operation;
        other[edge++] = list[at];
        waiting[operation]++;
      }
    }
  }
  const [dependentsStart, dependents] = byGroup(other, dependent, edges, length);
  const ready = new SmallestFirst(length);
  for (let operation = 0; operation < length; operation++) if (waiting[operation] === 0) ready.push(operation);
  const order = new Uint32Array(length);
  const place = new Uint32Array(length);
  let placed = 0;
  while (ready.length > 0) {
    const operation = ready.pop();
    place[operation] = placed;
    order[placed++] = operation;
    for (let at = dependentsStart[operation]; at < dependentsStart[operation + 1]; at++) {
      if (--waiting[dependents[at]] === 0) ready.push(dependents[at]);
    }
  }
  const stuck = length - placed;
  for (let operation = 0; operation < length && placed < length; operation++) {
    if (waiting[operation] === 0) continue;
    place[operation] = placed;
    order[placed++] = operation;
  }
  return { operation: order, place, stuck };
}

function isEarlier(start: Uint32Array, others: Uint32Array, length: number): boolean {
  for (let operation = 0; operation < length; operation++) {
    for (let at = start[operation]; at < start[operation + 1]; at++) if (others[at] >= operation) return false;
  }
  return true;
}
