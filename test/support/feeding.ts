import type { FeederNode } from '../../src/feeder/feeder-node.js';
import type { NodeFeeder } from '../../src/feeder/node-feeder.js';
import { formatId } from '../../src/base/ids.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';

/** A node with its parents, for the slow twin: ids as decimal text. */
export interface PlainNode {
  readonly id: bigint;
  readonly parents: readonly bigint[];
}

/** The nodes of a trace that was read whole; dependencies on missing nodes are left out. */
export function plainNodes(trace: RankTrace, deps: 'both' | 'data'): PlainNode[] {
  const id = (node: number): bigint => BigInt(formatId(trace.idLow[node], trace.idHigh[node]));
  return Array.from({ length: trace.length }, (_, node) => {
    const parents = [...trace.dataTarget.subarray(trace.dataStart[node], trace.dataStart[node + 1])];
    if (deps === 'both') {
      parents.push(...trace.controlTarget.subarray(trace.controlStart[node], trace.controlStart[node + 1]));
    }
    return { id: id(node), parents: parents.filter((parent) => parent >= 0).map(id) };
  });
}

/** The obvious twin: of the nodes whose parents are all done the lowest id, done at once, until none is left to start. */
export function slowOrder(nodes: readonly PlainNode[]): bigint[] {
  const left = [...nodes].sort((one, other) => (one.id < other.id ? -1 : 1));
  const done = new Set<bigint>();
  for (;;) {
    const next = left.findIndex(({ parents }) => parents.every((parent) => done.has(parent)));
    if (next < 0) return [...done];
    done.add(left.splice(next, 1)[0].id);
  }
}

/** When a caller frees what it was given. */
export interface Caller {
  /** Most nodes in flight. */
  readonly atOnce: number;
  /** Which of the nodes in flight finishes first. */
  readonly finish: (inFlight: readonly FeederNode[]) => number;
  readonly remove: boolean;
}

export const ONE_BY_ONE: Caller = { atOnce: 1, finish: () => 0, remove: true };

/** Ids in the order in which they were issued; ends when nothing is left or everything left is blocked. */
export function issueAll(feeder: NodeFeeder, caller: Caller = ONE_BY_ONE, parents?: Map<bigint, PlainNode>): bigint[] {
  const order: bigint[] = [];
  const freed = new Set<bigint>();
  const inFlight: FeederNode[] = [];
  for (;;) {
    const node = inFlight.length < caller.atOnce && feeder.hasNodesToIssue() ? feeder.getNextIssuableNode() : undefined;
    if (node !== undefined) {
      const early = parents?.get(node.id)?.parents.filter((parent) => !freed.has(parent)) ?? [];
      if (early.length > 0) throw new Error(`node ${node.id} was issued before its parents ${early.join(', ')}`);
      order.push(node.id);
      inFlight.push(node);
      continue;
    }
    if (inFlight.length === 0) return order;
    const [done] = inFlight.splice(caller.finish(inFlight), 1);
    freed.add(done.id);
    feeder.freeChildrenNodes(done);
    if (caller.remove) feeder.removeNode(done);
  }
}

/** The same ids once each: what is the case when an order issues every node. */
export function sortedIds(ids: readonly bigint[]): bigint[] {
  return [...ids].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
}
