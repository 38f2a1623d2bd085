import { positionOf, rankAt, type LogicalDimension } from './logical-dimension.js';

/**
 * Phases of chunks that some member has started and others have still to start. Where collectives of a rank run at the same time, members
 * that chose by themselves would wait for each other for ever: the member that starts a phase first chooses for all, and each starts the phases
 * chosen for one of its queues in the order in which they were chosen, before any other.
 */
export class StartOrders {
  readonly #queuesOfRank: number;
  /** By queue: phases to start, the first chosen first. */
  readonly #due = new Map<number, number[]>();

  /** @param queuesOfRank queues are numbered by rank, those of a rank alike */
  constructor(queuesOfRank: number) {
    this.#queuesOfRank = queuesOfRank;
  }

  /** The phase that the queue has to start next, `undefined` where it may choose. */
  next(queue: number): number | undefined {
    return this.#due.get(queue)?.[0];
  }

  /** A queue of the rank starts a phase, {@link next} or, where there is none, one of its choice. */
  start(queue: number, phase: number, rank: number, members: LogicalDimension): void {
    const due = this.#due.get(queue);
    if (due !== undefined && due.length > 0) {
      due.shift();
      return;
    }
    const own = positionOf(members, rank);
    for (let position = 0; position < members.count; position++) {
      if (position === own) continue;
      const other = queue + (rankAt(members, rank, own, position) - rank) * this.#queuesOfRank;
      const dueThere = this.#due.get(other);
      if (dueThere === undefined) this.#due.set(other, [phase]);
      else dueThere.push(phase);
    }
  }
}
