import type { CollectivePairing } from '../collectives/build-plan.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** `recorded`: only groups whose order of issue is recorded are chained; `ids`: the others in ascending node id. */
export type ChainOrder = 'recorded' | 'ids';

/**
 * The dependencies that process group serialization asks for on one rank: node `to[i]` waits for node
 * `from[i]`; those of one `to` stand together. A collective stands for itself, whatever ran on it: as `to` its entry is
 * meant, as `from` its exit.
 */
export interface ChainEdges {
  readonly from: Int32Array; // [k] node index of a collective or send
  readonly to: Int32Array; // [k]
}

interface ChainElement {
  readonly node: number;
  readonly order: number;
  readonly send: boolean;
}

/**
 * Chains the collectives of each group, and the sends that name the group and their place in its order of issue: each
 * waits for the one before. Sends with one place were issued as a batch and stay concurrent. Receives are never
 * chained; nor are collectives that stay unexpanded, nor sends of groups whose collectives have no recorded order.
 */
export function chainEdges(trace: RankTrace, pairing: CollectivePairing, chainOrder: ChainOrder): ChainEdges {
  const from: number[] = [];
  const to: number[] = [];
  for (const elements of elementsByGroup(trace, pairing, chainOrder).values()) {
    elements.sort((a, b) => a.order - b.order || compareIds(trace, a.node, b.node));
    let previous: number[] = [];
    for (let first = 0; first < elements.length;) {
      const end = endOfBatch(elements, first);
      const batch = elements.slice(first, end).map(({ node }) => node);
      for (const node of batch) {
        for (const before of previous) {
          from.push(before);
          to.push(node);
        }
      }
      previous = batch;
      first = end;
    }
  }
  return { from: Int32Array.from(from), to: Int32Array.from(to) };
}

function elementsByGroup(
  trace: RankTrace,
  { ranks, instances, recorded }: CollectivePairing,
  chainOrder: ChainOrder,
): Map<string, ChainElement[]> {
  const byGroup = new Map<string, ChainElement[]>();
  const add = (group: string, element: ChainElement): void => {
    const elements = byGroup.get(group);
    if (elements) elements.push(element);
    else byGroup.set(group, [element]);
  };
  const { node, instance } = ranks[trace.rank];
  for (let place = 0; place < node.length; place++) {
    const { name } = instances[instance[place]].group;
    if (recorded.get(name)) add(name, { node: node[place], order: trace.issueOrder.get(node[place])!, send: false });
    else if (chainOrder === 'ids') add(name, { node: node[place], order: 0, send: false });
  }
  for (const [send, order] of trace.issueOrder) {
    if (trace.type[send] !== NodeType.send || trace.collective[send] >= 0 || trace.group[send] < 0) continue;
    const name = trace.groupNames[trace.group[send]];
    if (name !== '' && recorded.get(name) !== false) add(name, { node: send, order, send: true });
  }
  return byGroup;
}

/** A collective is a batch of its own. */
function endOfBatch(elements: readonly ChainElement[], first: number): number {
  let end = first + 1;
  if (!elements[first].send) return end;
  while (end < elements.length && elements[end].send && elements[end].order === elements[first].order) end++;
  return end;
}

function compareIds({ idLow, idHigh }: RankTrace, a: number, b: number): number {
  return idHigh[a] - idHigh[b] || idLow[a] - idLow[b];
}
