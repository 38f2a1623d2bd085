import type { Topology } from '../topology.js';
import { sampledStarts, searchedFrom, type SwitchGraph } from './switch-graph.js';

/** How hosts reach each other; hosts do not forward (RT-1). */
export interface Reach {
  /** Pairs of hosts, unordered. */
  readonly pairs: number;
  /** Of them those without a way on which no host forwards. */
  readonly pairsWithoutRoute: number;
  /** Links between the two hosts that are farthest from each other, 0 where none reaches another. */
  readonly mostHops: number;
  /** Hosts of each part that is connected where hosts forward too, in the order of the first of each. */
  readonly parts: readonly (readonly number[])[];
  /** `false` where the search was from every n-th host only: then `mostHops` may be more. */
  readonly exact: boolean;
}

/** Hosts on the same switches: as far as each other from all the rest. */
interface Attachment {
  readonly switches: readonly number[];
  readonly hosts: number[];
}

export function reachOf(topology: Topology, graph: SwitchGraph): Reach {
  const attachments = attachmentsOf(topology, graph);
  const direct = directPairs(topology);
  const { starts, exact } = sampledStarts(attachments.length, graph.neighbours.length + attachments.length);
  const areAllDirect = directBetween(attachments, direct);
  let mostHops = direct.length > 0 ? 1 : 0;
  for (const start of starts) {
    const { switches, hosts } = attachments[start];
    if (switches.length === 0) continue;
    if (hosts.length > 1 && !areAllDirect(start, start)) mostHops = Math.max(mostHops, 2);
    const { links } = searchedFrom(switches, graph);
    for (const [index, other] of attachments.entries()) {
      if (index === start) continue;
      for (const least of nearest(other.switches, links)) {
        if (least + 2 > mostHops && !areAllDirect(start, index)) mostHops = least + 2;
      }
    }
  }
  const hostCount = attachments.reduce((sum, { hosts }) => sum + hosts.length, 0);
  return {
    pairs: (hostCount * (hostCount - 1)) / 2,
    pairsWithoutRoute: pairsWithoutRoute(attachments, direct, graph),
    mostHops,
    parts: partsOf(topology),
    exact,
  };
}

/** Whether every host of one attachment has a link of its own to every other host of another. */
function directBetween(
  attachments: readonly Attachment[],
  direct: readonly (readonly [number, number])[],
): (one: number, other: number) => boolean {
  const attachmentOf = new Map<number, number>();
  attachments.forEach(({ hosts }, index) => hosts.forEach((host) => attachmentOf.set(host, index)));
  const keyOf = (one: number, other: number): string => `${Math.min(one, other)} ${Math.max(one, other)}`;
  const counts = new Map<string, number>();
  for (const [a, b] of direct) {
    const key = keyOf(attachmentOf.get(a)!, attachmentOf.get(b)!);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (one, other) => {
    const [here, there] = [attachments[one].hosts.length, attachments[other].hosts.length];
    const all = one === other ? (here * (here - 1)) / 2 : here * there;
    return counts.size > 0 && counts.get(keyOf(one, other)) === all;
  };
}

/** The least distance of some switches, in a list; an empty one where none is reached. */
function nearest(switches: readonly number[], links: Int32Array): number[] {
  const reached = switches.map((at) => links[at]).filter((far) => far >= 0);
  return reached.length === 0 ? [] : [reached.reduce((least, far) => Math.min(least, far))];
}

/** Hosts reach each other where they have a part of the switches in common, or a link of their own. */
function pairsWithoutRoute(
  attachments: readonly Attachment[],
  direct: readonly (readonly [number, number])[],
  graph: SwitchGraph,
): number {
  const partOf = switchParts(graph);
  const groups = new Map<string, { parts: Set<number>; hosts: number }>();
  const groupOf = new Map<number, { parts: Set<number>; hosts: number }>();
  for (const { switches, hosts } of attachments) {
    const parts = [...new Set(switches.map((at) => partOf[at]))].sort((a, b) => a - b);
    const key = parts.join(' ');
    const group = groups.get(key) ?? { parts: new Set(parts), hosts: 0 };
    group.hosts += hosts.length;
    groups.set(key, group);
    for (const host of hosts) groupOf.set(host, group);
  }
  const all = [...groups.values()];
  let without = 0;
  all.forEach((one, index) => {
    if (one.parts.size === 0) without += (one.hosts * (one.hosts - 1)) / 2;
    for (const other of all.slice(index + 1))
      if (areDisjoint(one.parts, other.parts)) without += one.hosts * other.hosts;
  });
  for (const [a, b] of direct) if (areDisjoint(groupOf.get(a)!.parts, groupOf.get(b)!.parts)) without--;
  return without;
}

function areDisjoint(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  for (const part of one) if (other.has(part)) return false;
  return true;
}

/** The part of the switches that each is in: Int32Array // [switches] */
function switchParts({ nodeOf, offsets, neighbours }: SwitchGraph): Int32Array {
  const parts = new Int32Array(nodeOf.length).fill(-1);
  const waiting: number[] = [];
  for (let first = 0; first < parts.length; first++) {
    if (parts[first] >= 0) continue;
    parts[first] = first;
    for (let at: number | undefined = first; at !== undefined; at = waiting.pop()) {
      for (let i = offsets[at]; i < offsets[at + 1]; i++) {
        if (parts[neighbours[i]] >= 0) continue;
        parts[neighbours[i]] = first;
        waiting.push(neighbours[i]);
      }
    }
  }
  return parts;
}

function attachmentsOf({ nodes, links }: Topology, { switchOf }: SwitchGraph): Attachment[] {
  const beside = new Map<number, Set<number>>();
  nodes.forEach(({ kind }, id) => {
    if (kind === 'host') beside.set(id, new Set());
  });
  for (const { a, b } of links) {
    if (switchOf[b] >= 0) beside.get(a)?.add(switchOf[b]);
    if (switchOf[a] >= 0) beside.get(b)?.add(switchOf[a]);
  }
  const byKey = new Map<string, Attachment>();
  for (const [host, set] of beside) {
    const switches = [...set].sort((a, b) => a - b);
    const key = switches.join(' ');
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { switches, hosts: [host] });
    else known.hosts.push(host);
  }
  return [...byKey.values()];
}

/** Pairs of hosts with a link of their own, each once. */
function directPairs({ nodes, links }: Topology): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  for (const { a, b } of links) {
    if (nodes[a].kind === 'host' && nodes[b].kind === 'host') pairs.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [a, b]);
  }
  return [...pairs.values()];
}

function partsOf({ nodes, links }: Topology): number[][] {
  const parent = Int32Array.from(nodes, (_, id) => id);
  const rootOf = (node: number): number => {
    let root = node;
    while (parent[root] !== root) root = parent[root] = parent[parent[root]];
    return root;
  };
  for (const { a, b } of links) parent[rootOf(a)] = rootOf(b);
  const parts = new Map<number, number[]>();
  nodes.forEach(({ kind }, id) => {
    if (kind !== 'host') return;
    const root = rootOf(id);
    const part = parts.get(root);
    if (part === undefined) parts.set(root, [id]);
    else part.push(id);
  });
  return [...parts.values()];
}
