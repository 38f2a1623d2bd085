import type { SystemConfiguration } from './system-configuration.js';
import type { SystemNodes } from './system-nodes.js';

/**
 * The priority of each collective of a rank (`scheduling-policy`, astra-sim-semantics section 6): the latest reached first (LIFO), the earliest first
 * (FIFO), or by its `comm_priority` (EXPLICIT), the larger first. It has an effect only where collectives of a rank run at the same time,
 * which they do under `--system-extensions`.
 */
export class Priorities {
  readonly #policy: SystemConfiguration['schedulingPolicy'];
  readonly #nodes: SystemNodes;
  readonly #given: Int32Array; // [ranks]

  constructor(policy: SystemConfiguration['schedulingPolicy'], nodes: SystemNodes) {
    this.#policy = policy;
    this.#nodes = nodes;
    this.#given = new Int32Array(nodes.rankCount);
  }

  /** Priority of a collective that the rank has reached. */
  next(rank: number, node: number): number {
    if (this.#policy === 'EXPLICIT') return this.#nodes.tag[node];
    return this.#policy === 'LIFO' ? ++this.#given[rank] : --this.#given[rank];
  }
}
