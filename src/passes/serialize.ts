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

/**
 * The same with one joint between two batches of sends, so that what it takes is linear in the sends: the joint waits for
 * all of one batch, and all of the next for the joint.
 */
export interface JointedChain extends ChainEdges {
  /** Joints; the j-th stands as −1 − j in `from` and `to`. */
  readonly joints: number;
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
  const from: number[] = [];
  const to: number[] = [];
  const collective = (place: number): ChainElement => ({
    node: node[place],
    idLow: idLow[node[place]],
    idHigh: idHigh[node[place]],
    order: trace.issueOrder.get(node[place])!,
    send: false,
  });
  chained(trace.rank, pairing, chainOrder, issuedSends(trace), collective, (before, batch) => {
    for (const later of batch) {
      for (const earlier of before) {
        from.push(earlier);
        to.push(later);
      }
    }
  });
  return { from: Int32Array.from(from), to: Int32Array.from(to) };
}

/** As {@link chainEdges}, from the surveys of the rank and with joints. */
export function jointedChain(
  collectives: CollectiveSurvey,
  sends: IssuedSends,
  pairing: CollectivePairing,
  chainOrder: ChainOrder,
): JointedChain {
  const { node } = pairing.ranks[collectives.rank];
  let entry = 0;
  const collective = (place: number): ChainElement => {
    // Both lists are in ascending id; the pairing leaves some out.
    while (collectives.node[entry] !== node[place]) entry++;
    return {
      node: node[place],
      idLow: collectives.idLow[entry],
      idHigh: idHighOf(collectives, entry),
      order: issueOrderOf(collectives, entry),
      send: false,
    };
  };
  const from: number[] = [];
  const to: number[] = [];
  let joints = 0;
  const add = (before: readonly number[], batch: readonly number[]): void => {
    for (const later of batch) {
      for (const earlier of before) {
        from.push(earlier);
        to.push(later);
      }
    }
  };
  chained(collectives.rank, pairing, chainOrder, sends, collective, (before, batch) => {
    if (before.length < 2 || batch.length < 2) return add(before, batch);
    const joint = -1 - joints++;
    add(before, [joint]);
    add([joint], batch);
  });
  return { from: Int32Array.from(from), to: Int32Array.from(to), joints };
}

/** Whether a node is a send that names its group and its place in the order of issue. */
function isIssuedSend({ type, collective, group, groupNames }: RankTrace, node: number): boolean {
  return type[node] === NodeType.send && collective[node] < 0 && group[node] >= 0 && groupNames[group[node]] !== '';
}

/** Whether a rank has any {@link issuedSends}. */
export function issuesSends(trace: RankTrace): boolean {
  for (const node of trace.issueOrder.keys()) if (isIssuedSend(trace, node)) return true;
  return false;
}

export function issuedSends(trace: RankTrace): IssuedSends {
  const nodes = [...trace.issueOrder.keys()].filter((node) => isIssuedSend(trace, node));
  return {
    node: Int32Array.from(nodes),
    idLow: Uint32Array.from(nodes, (node) => trace.idLow[node]),
    idHigh: Uint32Array.from(nodes, (node) => trace.idHigh[node]),
    order: Float64Array.from(nodes, (node) => trace.issueOrder.get(node)!),
    group: nodes.map((node) => trace.groupNames[trace.group[node]]),
  };
}

/**
 * @param collective the element of the rank's collective at a place of the pairing; asked for in ascending place, of those that
 *   are chained
 * @param follow told of each batch, and the one before in its group
 */
function chained(
  rank: number,
  { ranks, instances, recorded }: CollectivePairing,
  chainOrder: ChainOrder,
  sends: IssuedSends,
  collective: (place: number) => ChainElement,
  follow: (before: readonly number[], batch: readonly number[]) => void,
): void {
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
  for (const elements of byGroup.values()) {
    elements.sort((a, b) => a.order - b.order || a.idHigh - b.idHigh || a.idLow - b.idLow);
    let previous: number[] = [];
    for (let first = 0; first < elements.length;) {
      const end = endOfBatch(elements, first);
      const batch = elements.slice(first, end).map(({ node }) => node);
      follow(previous, batch);
      previous = batch;
      first = end;
    }
  }
}

/** A collective is a batch of its own. */
function endOfBatch(elements: readonly ChainElement[], first: number): number {
  let end = first + 1;
  if (!elements[first].send) return end;
  while (end < elements.length && elements[end].send && elements[end].order === elements[first].order) end++;
  return end;
}
