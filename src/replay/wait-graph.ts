import type { CollectiveInstance, CollectivePlan } from '../collectives/plan.js';
import { inverse } from './id-order.js';
import { NO_PAIR, NodeKind, type NodeTable } from './node-table.js';

/** What an unfinished node waits for when nothing moves any more. */
export type Wait =
  | { readonly kind: 'dependency'; readonly on: readonly number[] }
  /** `on` is the send that did not start, −1 when no send with the key is left. */
  | { readonly kind: 'transfer'; readonly on: readonly number[]; readonly tag: number; readonly sender: number }
  /** `on` are the nodes of members that have not entered; members without such a node are in `absent`. */
  | {
      readonly kind: 'collective';
      readonly on: readonly number[];
      readonly absent: readonly number[];
      readonly instance: CollectiveInstance;
    };

/** Who waits for whom in a job that has come to a stop; answers are worked out when asked for. */
export class WaitGraph {
  readonly #nodes: NodeTable;
  readonly #control: boolean;
  readonly #plan: CollectivePlan | undefined;
  readonly #places: (Int32Array | undefined)[];
  #members: Int32Array[] | undefined;
  /** By rank: first of its member numbers, which count over the ranks. */
  readonly #firstMember: number[] = [];
  #sendsOfKey: Map<number, number[]> | undefined;

  constructor(nodes: NodeTable, deps: 'both' | 'data', plan: CollectivePlan | undefined) {
    this.#nodes = nodes;
    this.#control = deps === 'both';
    this.#plan = plan;
    this.#places = nodes.traceIndex.map((order) => order && inverse(order));
    let members = 0;
    for (const rank of plan?.ranks ?? []) {
      this.#firstMember.push(members);
      members += rank.node.length;
    }
  }

  /** Whether the node is one that others can wait for. */
  isUnfinished(node: number): boolean {
    return Number.isNaN(this.#nodes.finish(node));
  }

  hasStarted(node: number): boolean {
    return this.#nodes.waiting(node) < 0;
  }

  /** What an unfinished node waits for. */
  waitOf(node: number): Wait {
    if (!this.hasStarted(node)) return { kind: 'dependency', on: this.#unfinishedDependencies(node) };
    return this.#nodes.kind(node) === NodeKind.collective ? this.#waitInCollective(node) : this.#waitForTransfer(node);
  }

  /** A closed chain of nodes, each waiting for the next and the last for the first; `undefined` when there is none. */
  cycle(): number[] | undefined {
    const { length, rankCount, offset } = this.#nodes;
    const state = new Uint8Array(length); // 0 not seen, 1 on the path, 2 leads to no cycle
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

  #unfinishedDependencies(node: number): number[] {
    const rank = this.#nodes.rank(node);
    const first = this.#nodes.offset[rank];
    const trace = this.#nodes.traces[rank];
    const places = this.#places[rank];
    const index = this.#nodes.indexInTrace(node);
    const found = new Set<number>();
    const collect = (start: Uint32Array, target: Int32Array): void => {
      for (let edge = start[index]; edge < start[index + 1]; edge++) {
        if (target[edge] < 0) continue;
        const dependency = first + (places?.[target[edge]] ?? target[edge]);
        if (this.isUnfinished(dependency)) found.add(dependency);
      }
    };
    collect(trace.dataStart, trace.dataTarget);
    if (this.#control) collect(trace.controlStart, trace.controlTarget);
    return [...found].sort((a, b) => a - b);
  }

  #waitForTransfer(node: number): Wait {
    const nodes = this.#nodes;
    const wait = { kind: 'transfer', tag: nodes.tag(node), sender: nodes.peer(node) } as const;
    const pair = nodes.pair(node);
    if (pair === NO_PAIR) return { ...wait, on: [] };
    if (pair >= 0) return { ...wait, on: [pair] };
    this.#sendsOfKey ??= this.#sendsNotStarted();
    return { ...wait, on: this.#sendsOfKey.get(pair) ?? [] };
  }

  /** Sends of shared keys that did not start, by what `pair` says of the key. */
  #sendsNotStarted(): Map<number, number[]> {
    const nodes = this.#nodes;
    const sends = new Map<number, number[]>();
    for (let node = 0; node < nodes.length; node++) {
      const pair = nodes.pair(node);
      if (nodes.kind(node) !== NodeKind.send || pair >= NO_PAIR || this.hasStarted(node)) continue;
      const known = sends.get(pair);
      if (known) known.push(node);
      else sends.set(pair, [node]);
    }
    return sends;
  }

  #waitInCollective(node: number): Wait {
    const plan = this.#plan!;
    this.#members ??= this.#membersOfInstances(plan);
    const rank = this.#nodes.rank(node);
    const number = plan.ranks[rank].instance[this.#nodes.pair(node) - this.#firstMember[rank]];
    const instance = plan.instances[number];
    const on: number[] = [];
    const absent: number[] = [];
    for (const [position, member] of this.#members[number].entries()) {
      if (member < 0) absent.push(instance.group.ranks[position]);
      else if (!this.hasStarted(member)) on.push(member);
    }
    return { kind: 'collective', on, absent, instance };
  }

  /** Node of every position of every instance, −1 where a member has none. */
  #membersOfInstances(plan: CollectivePlan): Int32Array[] {
    const members = plan.instances.map(({ group }) => new Int32Array(group.ranks.length).fill(-1));
    for (const [rank, { node, instance, position }] of plan.ranks.entries()) {
      const places = this.#places[rank];
      for (let member = 0; member < node.length; member++) {
        const place = places?.[node[member]] ?? node[member];
        members[instance[member]][position[member]] = this.#nodes.offset[rank] + place;
      }
    }
    return members;
  }
}
