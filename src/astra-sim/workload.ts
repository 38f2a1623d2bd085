import { Activity } from './activity.js';
import { ReadyHeap } from './ready-heap.js';
import { NodeState, OperatorKind, Role, Slot, SLOTS, type SystemNodes } from './system-nodes.js';

/** Starts what takes time; {@link Workload.complete} is to be called when it is over. */
export interface Issuer {
  readonly nowNs: number;
  issueTimed(rank: number, node: number): void;
  issueCollective(rank: number, node: number): void;
  issueSend(rank: number, node: number): void;
  issueReceive(rank: number, node: number): void;
  issueMemory(rank: number, node: number): void;
}

/**
 * The workload layer (astra-sim-semantics section 3): when a node completes, the nodes that are ready then are looked at in ascending id,
 * and each whose slot is free is issued.
 *
 * The ready nodes of a rank are kept by slot, the smallest first, so that a look costs as much as it issues.
 */
export class Workload {
  readonly activity: Activity;
  /** [ranks] */
  readonly nodesFinished: Int32Array;
  /** [ranks] durations of the compute nodes issued, ns: what exposed communication is reckoned with. */
  readonly computeNs: Float64Array;
  /** [ranks] last completion, ns. */
  readonly endNs: Float64Array;
  readonly finishOrder: number[] = [];
  /** Ranks and nodes, one each: the first that is ready where the program never looks again, see {@link #rescue}. */
  readonly rescued = new Map<number, number>();
  /** Nodes that became ready behind one that completes without a look, and wait for what is in flight. */
  late = 0;
  firstLate = -1;

  readonly #nodes: SystemNodes;
  readonly #issuer: Issuer;
  readonly #replayOnly: boolean;
  readonly #ready: (ReadyHeap | undefined)[]; // [ranks × SLOTS]
  readonly #busy: Uint8Array; // [ranks × SLOTS]
  readonly #inFlight: Int32Array; // [ranks]
  readonly #released: number[] = [];

  constructor(nodes: SystemNodes, issuer: Issuer, replayOnly: boolean) {
    const { rankCount } = nodes;
    this.#nodes = nodes;
    this.#issuer = issuer;
    this.#replayOnly = replayOnly;
    this.activity = new Activity(rankCount);
    this.nodesFinished = new Int32Array(rankCount);
    this.computeNs = new Float64Array(rankCount);
    this.endNs = new Float64Array(rankCount);
    this.#ready = new Array<undefined>(rankCount * SLOTS).fill(undefined);
    this.#busy = new Uint8Array(rankCount * SLOTS);
    this.#inFlight = new Int32Array(rankCount);
  }

  /** Lets the ranks issue what is ready, in order. */
  begin(): void {
    const { offset, waiting } = this.#nodes;
    for (let rank = 0; rank < offset.length - 1; rank++) {
      for (let node = offset[rank]; node < offset[rank + 1]; node++) {
        if (waiting[node] === 0) this.#makeReady(rank, node);
      }
      this.#look(rank);
    }
  }

  /** A node that was issued is over. */
  complete(rank: number, node: number): void {
    const nodes = this.#nodes;
    const now = this.#issuer.nowNs;
    this.activity.complete(rank, nodes.operator[node], now);
    nodes.waiting[node] = NodeState.finished;
    this.#busy[rank * SLOTS + nodes.slot[node]] = 0;
    this.#inFlight[rank]--;
    this.#finish(rank, now);
    for (let edge = nodes.dependentStart[node]; edge < nodes.dependentStart[node + 1]; edge++) {
      const dependent = nodes.dependents[edge];
      if (--nodes.waiting[dependent] === 0) this.#makeReady(rank, dependent);
    }
    this.#look(rank);
  }

  /** Whether the rank has nodes that are ready and not issued. */
  hasReady(rank: number): boolean {
    for (let slot = 0; slot < SLOTS; slot++) if ((this.#ready[rank * SLOTS + slot]?.length ?? 0) > 0) return true;
    return false;
  }

  /**
   * Looks once more on ranks where something is ready after the last event: the program has forgotten nodes there that wait for
   * one that completed without a look. Gives whether there was any.
   */
  rescueAll(): boolean {
    let rescued = false;
    for (let rank = 0; rank < this.#nodes.rankCount; rank++) {
      if (!this.hasReady(rank)) continue;
      if (this.#rescue(rank)) rescued = true;
    }
    return rescued;
  }

  #makeReady(rank: number, node: number): void {
    const place = rank * SLOTS + this.#nodes.slot[node];
    (this.#ready[place] ??= new ReadyHeap()).push(node);
  }

  #look(rank: number): void {
    this.#issueReady(rank);
    if (this.#inFlight[rank] > 0) return;
    if (this.hasReady(rank)) this.#rescue(rank);
  }

  /** Where nothing is in flight on a rank no completion will ever lead to the next look. Gives whether there was anything to issue. */
  #rescue(rank: number): boolean {
    const first = this.#firstIssuable(rank);
    if (first === Infinity) return false;
    if (!this.rescued.has(rank)) this.rescued.set(rank, first);
    do this.#issueReady(rank);
    while (this.#inFlight[rank] === 0 && this.hasReady(rank));
    return true;
  }

  /** The first node of a rank that is ready and whose slot is free, Infinity where there is none. */
  #firstIssuable(rank: number): number {
    let first = Infinity;
    for (let place = rank * SLOTS; place < (rank + 1) * SLOTS; place++) {
      const heap = this.#ready[place];
      if (heap !== undefined && heap.length > 0 && this.#busy[place] === 0) first = Math.min(first, heap.first);
    }
    return first;
  }

  #issueReady(rank: number): void {
    const first = rank * SLOTS;
    for (;;) {
      let from: ReadyHeap | undefined;
      for (let slot = 0; slot < SLOTS; slot++) {
        const heap = this.#ready[first + slot];
        if (heap === undefined || heap.length === 0 || this.#busy[first + slot] !== 0) continue;
        if (from === undefined || heap.first < from.first) from = heap;
      }
      if (from === undefined) break;
      this.#issue(rank, from.pop());
    }
    if (this.#released.length === 0) return;
    if (this.#inFlight[rank] > 0) {
      if (this.firstLate < 0) [this.firstLate] = this.#released;
      this.late += this.#released.length;
    }
    for (const node of this.#released) this.#makeReady(rank, node);
    this.#released.length = 0;
  }

  #issue(rank: number, node: number): void {
    const nodes = this.#nodes;
    const issuer = this.#issuer;
    const role = nodes.role[node];
    const now = issuer.nowNs;
    this.activity.issue(rank, nodes.operator[node], now);
    if (role === Role.instant) {
      this.activity.complete(rank, nodes.operator[node], now);
      nodes.waiting[node] = NodeState.finished;
      this.#finish(rank, now);
      for (let edge = nodes.dependentStart[node]; edge < nodes.dependentStart[node + 1]; edge++) {
        const dependent = nodes.dependents[edge];
        if (--nodes.waiting[dependent] === 0) this.#released.push(dependent);
      }
      return;
    }
    nodes.waiting[node] = NodeState.inFlight;
    const slot = nodes.slot[node];
    if (slot !== Slot.none) this.#busy[rank * SLOTS + slot] = 1;
    this.#inFlight[rank]++;
    if (this.#replayOnly ? slot !== Slot.cpu : nodes.operator[node] === OperatorKind.gpu) {
      this.computeNs[rank] += nodes.amount[node];
    }
    if (role === Role.timed) issuer.issueTimed(rank, node);
    else if (role === Role.collective) issuer.issueCollective(rank, node);
    else if (role === Role.send) issuer.issueSend(rank, node);
    else if (role === Role.receive) issuer.issueReceive(rank, node);
    else issuer.issueMemory(rank, node);
  }

  #finish(rank: number, now: number): void {
    const { offset } = this.#nodes;
    this.endNs[rank] = now;
    if (++this.nodesFinished[rank] === offset[rank + 1] - offset[rank]) this.finishOrder.push(rank);
  }
}
