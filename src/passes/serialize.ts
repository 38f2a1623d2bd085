import type { CollectivePairing } from '../collectives/build-plan.js';
import { idHighOf, issueOrderOf, type CollectiveSurvey } from '../collectives/survey.js';
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

/** The sends of one rank that name their group and their place in its order of issue. */
export interface IssuedSends {
  readonly node: Int32Array; // [s] node index in the trace
  readonly idLow: Uint32Array; // [s]
  readonly idHigh: Uint32Array; // [s]
  readonly order: Float64Array; // [s]
  readonly group: readonly string[]; // [s]
}

interface ChainElement {
  readonly node: number;
  readonly idLow: number;
  readonly idHigh: number;
  readonly order: number;
  readonly send: boolean;
}

/**
 * Chains the collectives of each group, and the sends that name the group and their place in its order of issue: each
 * waits for the one before. Sends with one place were issued as a batch and stay concurrent. Receives are never
 * chained; nor are collectives that stay unexpanded, nor sends of groups whose collectives have no recorded order.
 */
export function chainEdges(trace: RankTrace, pairing: CollectivePairing, chainOrder: ChainOrder): ChainEdges {
  const { node } = pairing.ranks[trace.rank];
  const { idLow, idHigh } = trace;
  return chained(trace.rank, pairing, chainOrder, issuedSends(trace), (place) => ({
    node: node[place],
    idLow: idLow[node[place]],
    idHigh: idHigh[node[place]],
    order: trace.issueOrder.get(node[place])!,
    send: false,
  }));
}

/** As {@link chainEdges}, from the surveys of the rank. */
export function chainEdgesOfSurvey(
  collectives: CollectiveSurvey,
  sends: IssuedSends,
  pairing: CollectivePairing,
  chainOrder: ChainOrder,
): ChainEdges {
  const { node } = pairing.ranks[collectives.rank];
  let entry = 0;
  return chained(collectives.rank, pairing, chainOrder, sends, (place) => {
    // Both lists are in ascending id; the pairing leaves some out.
    while (collectives.node[entry] !== node[place]) entry++;
    return {
      node: node[place],
      idLow: collectives.idLow[entry],
      idHigh: idHighOf(collectives, entry),
      order: issueOrderOf(collectives, entry),
      send: false,
    };
  });
}

export function issuedSends(trace: RankTrace): IssuedSends {
  const nodes: number[] = [];
  for (const node of trace.issueOrder.keys()) {
    if (trace.type[node] !== NodeType.send || trace.collective[node] >= 0 || trace.group[node] < 0) continue;
    if (trace.groupNames[trace.group[node]] !== '') nodes.push(node);
  }
  return {
    node: Int32Array.from(nodes),
    idLow: Uint32Array.from(nodes, (node) => trace.idLow[node]),
    idHigh: Uint32Array.from(nodes, (node) => trace.idHigh[node]),
    order: Float64Array.from(nodes, (node) => trace.issueOrder.get(node)!),
    group: nodes.map((node) => trace.groupNames[trace.group[node]]),
  };
}

/** @param collective the element of the rank's collective at a place of the pairing; asked for in ascending place, of those that are chained */
function chained(
  rank: number,
  { ranks, instances, recorded }: CollectivePairing,
  chainOrder: ChainOrder,
  sends: IssuedSends,
  collective: (place: number) => ChainElement,
): ChainEdges {
  const byGroup = new Map<string, ChainElement[]>();
  const add = (group: string, element: ChainElement): void => {
    const elements = byGroup.get(group);
    if (elements) elements.push(element);
    else byGroup.set(group, [element]);
  };
  const { instance } = ranks[rank];
  for (let place = 0; place < instance.length; place++) {
    const { name } = instances[instance[place]].group;
    if (recorded.get(name)) add(name, collective(place));
    else if (chainOrder === 'ids') add(name, { ...collective(place), order: 0 });
  }
  for (let at = 0; at < sends.node.length; at++) {
    if (recorded.get(sends.group[at]) === false) continue;
    const [node, idLow, idHigh] = [sends.node[at], sends.idLow[at], sends.idHigh[at]];
    add(sends.group[at], { node, idLow, idHigh, order: sends.order[at], send: true });
  }
  const from: number[] = [];
  const to: number[] = [];
  for (const elements of byGroup.values()) {
    elements.sort((a, b) => a.order - b.order || a.idHigh - b.idHigh || a.idLow - b.idLow);
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

/** A collective is a batch of its own. */
function endOfBatch(elements: readonly ChainElement[], first: number): number {
  let end = first + 1;
  if (!elements[first].send) return end;
  while (end < elements.length && elements[end].send && elements[end].order === elements[first].order) end++;
  return end;
}
