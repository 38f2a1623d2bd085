import type { CollectiveInstance, CollectivePlan } from '../collectives/plan.js';
import type { NodeGathering } from './gather-nodes.js';
import { NO_PAIR, NodeKind, type NodeTable } from './node-table.js';

/** What an unfinished node waits for. */
export type Wait =
  /** It runs, or what it waits for is under way: more time would do. */
  | { readonly kind: 'time'; readonly on: readonly number[] }
  | { readonly kind: 'dependency'; readonly on: readonly number[] }
  /** `on` are the sends that have not started; empty when no send with the key is left. */
  | { readonly kind: 'transfer'; readonly on: readonly number[]; readonly tag: number; readonly sender: number }
  /** `on` are the nodes of members that have not entered; members without such a node are in `absent`. */
  | {
      readonly kind: 'collective';
      readonly on: readonly number[];
      readonly absent: readonly number[];
      readonly instance: CollectiveInstance;
    };

const NOTHING: readonly number[] = [];

/** Who waits for whom in a job that has come to a stop; answers are worked out when asked for. */
export class WaitGraph {
  readonly #nodes: NodeTable;
  readonly #stopPs: number;
  readonly #plan: CollectivePlan | undefined;
  readonly #rawOfRank: NodeGathering['raw'];
  // Unfinished dependencies of unfinished nodes: those of node k are dependency[start[k] … start[k + 1]), ascending.
  #dependencyStart: Int32Array | undefined;
  #dependency = new Int32Array(0);
  #members: Int32Array[] | undefined;
  #instanceOfMember: Int32Array | undefined;
  #sendsOfKey: Map<number, { waiting: number[]; underWay: boolean }> | undefined;

  /** @param stopPs last instant of the run */
  constructor({ nodes, raw }: NodeGathering, plan: CollectivePlan | undefined, stopPs: number) {
    this.#nodes = nodes;
    this.#stopPs = stopPs;
    this.#plan = plan;
    this.#rawOfRank = raw;
  }

  /** Whether the node is one that others can wait for. */
  isUnfinished(node: number): boolean {
    return !(this.#nodes.finish(node) <= this.#stopPs);
  }

  hasStarted(node: number): boolean {
    return this.#nodes.waiting(node) < 0;
  }

  /** What an unfinished node waits for. */
  waitOf(node: number): Wait {
    if (!this.hasStarted(node)) return { kind: 'dependency', on: this.#unfinishedDependencies(node) };
    const kind = this.#nodes.kind(node);
    if (kind === NodeKind.collective) return this.#waitInCollective(node);
    return kind === NodeKind.receive ? this.#waitForTransfer(node) : { kind: 'time', on: NOTHING };
  }

  /** A closed chain of nodes, each waiting for the next and the last for the first; `undefined` when there is none. */
  cycle(): number[] | undefined {
    const { rankCount, offset } = this.#nodes;
    // 0 may lie on a cycle, 1 on the path, 2 does not
    const state = this.#withoutCycle();
    if (!state.includes(0)) return undefined;
    const search = (from: number): number[] | undefined => {
      if (state[from] !== 0) return undefined;
      const path = [{ node: from, on: this.waitOf(from).on, next: 0 }];
      state[from] = 1;
      while (path.length > 0) {
        const top = path[path.length - 1];
        if (top.next === top.on.length) {
          state[top.node] = 2;
          path.pop();
          continue;
        }
        const node = top.on[top.next++];
        if (state[node] === 1) {
          const nodes = path.map((step) => step.node);
          return nodes.slice(nodes.indexOf(node));
        }
        if (state[node] === 0) {
          state[node] = 1;
          path.push({ node, on: this.waitOf(node).on, next: 0 });
        }
      }
      return undefined;
    };
    // Nodes that run first: a chain that begins with one of them begins where a person would look.
    for (const started of [true, false]) {
      for (let node = offset[0]; node < offset[rankCount]; node++) {
        if (!this.isUnfinished(node) || this.hasStarted(node) !== started) continue;
        const found = search(node);
        if (found) return found;
      }
    }
    return undefined;
  }

  /** By node: 2 where following what it waits for leads to an end, whatever the way. Takes ends away until none is left. */
  #withoutCycle(): Uint8Array {
    const nodes = this.#nodes;
    const start = (this.#dependencyStart ??= this.#invertDependents());
    const state = new Uint8Array(nodes.length);
    const left = new Int32Array(nodes.length); // what the node waits for and has not been taken away
    const waiters = new Map<number, number[]>(); // nodes that wait for a node other than as its dependents
    const ends: number[] = [];
    for (let node = 0; node < nodes.length; node++) {
      if (!this.isUnfinished(node)) {
        state[node] = 2;
        continue;
      }
      if (!this.hasStarted(node)) {
        left[node] = start[node + 1] - start[node];
      } else {
        const { on } = this.waitOf(node);
        left[node] = on.length;
        for (const other of on) {
          const known = waiters.get(other);
          if (known) known.push(node);
          else waiters.set(other, [node]);
        }
      }
      if (left[node] === 0) ends.push(node);
    }
    const take = (node: number): void => {
      if (--left[node] === 0) ends.push(node);
    };
    while (ends.length > 0) {
      const node = ends.pop()!;
      state[node] = 2;
      const end = nodes.dependentEnd(node);
      for (let edge = nodes.dependentStart(node); edge < end; edge++) {
        const dependent = nodes.dependents[edge];
        if (!this.hasStarted(dependent)) take(dependent);
      }
      for (const waiter of waiters.get(node) ?? NOTHING) take(waiter);
    }
    return state;
  }

  #unfinishedDependencies(node: number): number[] {
    const start = (this.#dependencyStart ??= this.#invertDependents());
    return Array.from(this.#dependency.subarray(start[node], start[node + 1]));
  }

  #invertDependents(): Int32Array {
    const nodes = this.#nodes;
    const start = new Int32Array(nodes.length + 1);
    const visit = (edge: (dependent: number, node: number) => void): void => {
      for (let node = 0; node < nodes.length; node++) {
        if (!this.isUnfinished(node)) continue;
        const end = nodes.dependentEnd(node);
        for (let at = nodes.dependentStart(node); at < end; at++) edge(nodes.dependents[at], node);
      }
    };
    visit((dependent) => start[dependent + 1]++);
    for (let node = 0; node < nodes.length; node++) start[node + 1] += start[node];
    const next = start.slice();
    this.#dependency = new Int32Array(start[nodes.length]);
    visit((dependent, node) => (this.#dependency[next[dependent]++] = node));
    return start;
  }

  #waitForTransfer(node: number): Wait {
    const nodes = this.#nodes;
    const wait = { kind: 'transfer', tag: nodes.tag(node), sender: nodes.peer(node) } as const;
    const pair = nodes.pair(node);
    if (pair === NO_PAIR) return { ...wait, on: NOTHING };
    if (pair >= 0) return this.hasStarted(pair) ? { kind: 'time', on: NOTHING } : { ...wait, on: [pair] };
    this.#sendsOfKey ??= this.#unmatchedSends();
    const sends = this.#sendsOfKey.get(pair);
    if (sends?.underWay) return { kind: 'time', on: NOTHING };
    return { ...wait, on: sends?.waiting ?? NOTHING };
  }

  /** Sends of shared keys without a receive, by what `pair` says of the key. */
  #unmatchedSends(): Map<number, { waiting: number[]; underWay: boolean }> {
    const nodes = this.#nodes;
    const keys = new Map<number, { waiting: number[]; underWay: boolean }>();
    for (let node = 0; node < nodes.length; node++) {
      const pair = nodes.pair(node);
      if (nodes.kind(node) !== NodeKind.send || pair >= NO_PAIR) continue;
      let sends = keys.get(pair);
      if (sends === undefined) keys.set(pair, (sends = { waiting: [], underWay: false }));
      if (this.hasStarted(node)) sends.underWay = true;
      else sends.waiting.push(node);
    }
    return keys;
  }

  #waitInCollective(node: number): Wait {
    const plan = this.#plan!;
    this.#members ??= this.#membersOfInstances(plan);
    const number = this.#instanceOfMember![this.#nodes.pair(node)];
    const instance = plan.instances[number];
    const on: number[] = [];
    const absent: number[] = [];
    for (const [position, member] of this.#members[number].entries()) {
      if (member < 0) absent.push(instance.group.ranks[position]);
      else if (!this.hasStarted(member)) on.push(member);
    }
    if (on.length === 0 && absent.length === 0) return { kind: 'time', on: NOTHING };
    return { kind: 'collective', on, absent, instance };
  }

  /** Node of every position of every instance, −1 where a member has none. */
  #membersOfInstances(plan: CollectivePlan): Int32Array[] {
    const members = plan.instances.map(({ group }) => new Int32Array(group.ranks.length).fill(-1));
    const instanceOfMember: number[] = [];
    for (const [rank, { node, instance, position }] of plan.ranks.entries()) {
      const { index, node: nodeAt } = this.#rawOfRank[rank];
      const nodeOf = new Map(Array.from(index, (each, at) => [each, nodeAt[at]]));
      for (let member = 0; member < node.length; member++) {
        instanceOfMember.push(instance[member]);
        members[instance[member]][position[member]] = nodeOf.get(node[member]) ?? -1;
      }
    }
    this.#instanceOfMember = Int32Array.from(instanceOfMember);
    return members;
  }
}
