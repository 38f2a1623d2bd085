import type { CollectivePlan } from './collective-plan.js';
import type { CollectiveRow } from './collective-rows.js';
import { positionOf } from './logical-dimension.js';

/** A rank that has reached a collective. */
export interface Arrival {
  readonly rank: number;
  readonly node: number;
  /** Tag of its first chunk. */
  readonly firstTag: number;
  readonly priority: number;
}

/**
 * Members that wait for the others of their collective: where collectives of a rank run at the same time, none takes a place in a queue before
 * all its members can run it.
 */
export class Arrivals {
  readonly #arrived = new Map<CollectiveRow, Map<number, Arrival[]>>();

  /** Visits the ranks that wait. */
  forEachWaiting(visit: (row: CollectiveRow, arrival: Arrival) => void): void {
    for (const [row, parties] of this.#arrived) {
      for (const arrived of parties.values()) for (const arrival of arrived) visit(row, arrival);
    }
  }

  /** A rank has reached a collective: all that have, by rank, when it is the last of those that run it together, else none. */
  arrive(row: CollectiveRow, plan: CollectivePlan, arrival: Arrival): readonly Arrival[] {
    const { count, number } = togetherWith(plan, arrival.rank);
    let parties = this.#arrived.get(row);
    if (parties === undefined) {
      parties = new Map();
      this.#arrived.set(row, parties);
    }
    const arrived = parties.get(number) ?? [];
    arrived.push(arrival);
    parties.set(number, arrived);
    if (arrived.length < count) return [];
    parties.delete(number);
    if (parties.size === 0) this.#arrived.delete(row);
    return arrived.sort((one, other) => one.rank - other.rank);
  }
}

/** Ranks that run a collective with a rank: those that differ from it in the dimensions of its phases. The number is one they have in common. */
function togetherWith(plan: CollectivePlan, rank: number): { readonly count: number; readonly number: number } {
  const { isInGroup, custom, groupSize, orders } = plan;
  if (isInGroup || custom !== undefined) return { count: groupSize, number: 0 };
  let count = 1;
  let number = rank;
  for (const members of new Map(orders[0].map((phase) => [phase.dimension, phase.members])).values()) {
    count *= members.count;
    number -= positionOf(members, rank) * members.stride;
  }
  return { count, number };
}
