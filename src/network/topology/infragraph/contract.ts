import type { WireEdge, Wires } from './wires.js';

/** What is left of the wires once what joins nothing is out. */
export interface Contraction {
  /** Indices of the nodes that stay, in order. */
  readonly nodes: readonly number[];
  readonly edges: readonly WireEdge[];
  /** Number of transit nodes that became part of a link, of those without a way on, and of those that forward, by kind. */
  readonly joined: ReadonlyMap<string, number>;
  readonly leftOut: ReadonlyMap<string, number>;
  readonly forwarding: ReadonlyMap<string, number>;
}

/**
 * Takes transit nodes out: one with two edges becomes part of a link between the nodes at their other ends, which has the smaller
 * bandwidth and both latencies; one with fewer joins nothing. What has three or more edges stays.
 */
export function contracted({ nodes, edges: given }: Wires): Contraction {
  const edges: (WireEdge | undefined)[] = given.map((edge) => ({ ...edge }));
  const edgesAt: Set<number>[] = nodes.map(() => new Set());
  given.forEach(({ a, b }, index) => {
    edgesAt[a].add(index);
    edgesAt[b].add(index);
  });
  const joined = new Map<string, number>();
  const leftOut = new Map<string, number>();
  const gone = new Set<number>();
  const transit = nodes.flatMap(({ role }, index) => (role === 'transit' ? [index] : []));
  // What leads nowhere goes first, so that no link is made of it.
  const leaveOut = (from: readonly number[]): void => {
    const waiting = [...from].reverse();
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (gone.has(node) || !leadsNowhere(node)) continue;
      gone.add(node);
      add(leftOut, nodes[node].kind);
      for (const index of edgesAt[node]) {
        const beyond = otherEnd(edges[index]!, node);
        edges[index] = undefined;
        edgesAt[beyond].delete(index);
        if (nodes[beyond].role === 'transit') waiting.push(beyond);
      }
    }
  };
  const leadsNowhere = (node: number): boolean => {
    const ends = [...edgesAt[node]].map((index) => otherEnd(edges[index]!, node));
    return ends.length < 2 || (ends.length === 2 && ends[0] === ends[1]);
  };
  leaveOut(transit);
  for (const node of transit) {
    if (gone.has(node) || edgesAt[node].size !== 2) continue;
    const [first, second] = edgesAt[node];
    const [a, b] = [first, second].map((index) => otherEnd(edges[index]!, node));
    gone.add(node);
    add(joined, nodes[node].kind);
    edges[first] = joinedEdge(edges[first]!, edges[second]!, a, b);
    edges[second] = undefined;
    edgesAt[b].delete(second);
    edgesAt[b].add(first);
    // A second link between the same two may be a loop for what is between.
    leaveOut([a, b].filter((end) => nodes[end].role === 'transit'));
  }
  const forwarding = new Map<string, number>();
  const stay = nodes.flatMap(({ role, kind }, index) => {
    if (gone.has(index)) return [];
    if (role === 'transit') add(forwarding, kind);
    return [index];
  });
  return { nodes: stay, edges: edges.filter((edge) => edge !== undefined), joined, leftOut, forwarding };
}

function otherEnd({ a, b }: WireEdge, node: number): number {
  return a === node ? b : a;
}

function joinedEdge(one: WireEdge, other: WireEdge, a: number, b: number): WireEdge {
  const rates = [one.gbps, other.gbps].filter((gbps) => gbps !== undefined);
  const delays = [one.delayPs, other.delayPs].filter((delayPs) => delayPs !== undefined);
  return {
    a,
    b,
    gbps: rates.length === 0 ? undefined : Math.min(...rates),
    delayPs: delays.length === 0 ? undefined : delays.reduce((sum, delayPs) => sum + delayPs, 0),
    links: [...one.links, ...other.links],
    unrated: [...one.unrated, ...other.unrated],
  };
}

function add(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
