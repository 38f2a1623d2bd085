import { grown } from '../base/grown.js';

/** What the system does with a node. */
export const Role = {
  /** Takes its duration. */
  timed: 0,
  collective: 1,
  send: 2,
  receive: 3,
  memory: 4,
  /** Completes at once, without a look for ready nodes (astra-sim-semantics section 3). */
  instant: 5,
} as const;

/** What a node holds while it runs; a rank has one of each, and receives need none. */
export const Slot = { cpu: 0, gpu: 1, communication: 2, none: 3 } as const;
export const SLOTS = 4;

/** What the statistics count a node as (section 16). */
export const OperatorKind = { cpu: 0, gpu: 1, communication: 2, memory: 3, invalid: 4, none: 5 } as const;
export const OPERATOR_KINDS = 5;

/** In `waiting`, of nodes that no longer wait for dependencies; 0 is a node that is ready. */
export const NodeState = { inFlight: -1, finished: -2 } as const;

/** The nodes of all ranks in one numbering, by rank and ascending id: about 27 bytes a node and 4 a dependency. */
export class SystemNodes {
  /** [ranks + 1] first node of each rank. */
  offset: number[] = [0];
  role = new Uint8Array(0); // [n]
  slot = new Uint8Array(0); // [n]
  operator = new Uint8Array(0); // [n]
  /** Duration in ns; bytes of a send, receive or memory access; place of a collective by id among those of its group on the rank. */
  amount = new Float64Array(0); // [n]
  /** Partner of a send or receive; number of the plan of a collective. */
  partner = new Int32Array(0); // [n]
  /** Tag of a send or receive; `comm_priority` of a collective. */
  tag = new Int32Array(0); // [n]
  /** Dependencies not complete yet; below 0 a {@link NodeState}. */
  waiting = new Int32Array(0); // [n]
  dependentStart = new Int32Array(1); // [n + 1] first of its dependents
  dependents = new Int32Array(0); // [dependencies]
  length = 0;

  get rankCount(): number {
    return this.offset.length - 1;
  }

  rankOf(node: number): number {
    const { offset } = this;
    let low = 0;
    let high = offset.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (offset[middle] <= node) low = middle;
      else high = middle;
    }
    return low;
  }

  reserve(nodes: number): void {
    if (nodes <= this.role.length) return;
    const capacity = Math.max(nodes, 2 * this.role.length);
    this.role = grown(this.role, capacity);
    this.slot = grown(this.slot, capacity);
    this.operator = grown(this.operator, capacity);
    this.amount = grown(this.amount, capacity);
    this.partner = grown(this.partner, capacity);
    this.tag = grown(this.tag, capacity);
    this.waiting = grown(this.waiting, capacity);
    this.dependentStart = grown(this.dependentStart, capacity + 1);
  }

  reserveDependents(dependents: number): void {
    if (dependents <= this.dependents.length) return;
    this.dependents = grown(this.dependents, Math.max(dependents, 2 * this.dependents.length));
  }
}
