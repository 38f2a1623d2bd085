import type { RankTrace } from './rank-trace.js';

/** Which dependencies count as edges. */
export type DependencyKind = 'data' | 'control' | 'both';

/** The columns that a search over dependencies needs. */
export type DependencyGraph = Pick<
  RankTrace,
  'length' | 'dataStart' | 'dataTarget' | 'controlStart' | 'controlTarget' | 'idLow' | 'idHigh'
>;

/**
 * The cyclic components of a rank's dependencies: strongly connected ones with more than one node or a self edge.
 * They are numbered by their smallest node index.
 */
export interface CyclicComponents {
  readonly kind: DependencyKind;
  readonly count: number;
  /** [count + 1] first entry of each component in `member`. */
  readonly memberStart: Uint32Array;
  /** Node indices, ascending within a component. */
  readonly member: Int32Array;
  /** [n] component of each node, −1 for none; of length 0 when there is no component. */
  readonly componentOf: Int32Array;
  /** Nodes in a component or, through dependencies, behind one. */
  readonly neverStart: number;
  /** Index of the one of them with the smallest id, −1 for none. */
  readonly firstNeverStart: number;
}

/** A closed chain of dependencies: node i waits for node i + 1, the last one for the first. */
export interface Cycle {
  /** Node indices; the first is the smallest. */
  readonly nodes: readonly number[];
  /** Kind of the dependency from each node to the next; the last entry closes the cycle. */
  readonly edges: readonly ('data' | 'control')[];
}

/** Edges a search for the shortest cycle looks at after its first start, so that a large component stays linear. */
const SHORTEST_SEARCH_EDGES = 100_000;

const DONE = 0x7fffffff;
const SELF_EDGE = 1;
const NEVER_STARTS = 2;

/**
 * Finds the cyclic components in time and memory linear in nodes and dependencies, without recursion. Dangling
 * dependencies are no edges.
 *
 * Source: Tarjan, SIAM J. Comput. 1 (1972). A component is complete only after all those it depends on, so one walk
 * also tells which nodes are behind a cycle.
 */
export function findCyclicComponents(graph: DependencyGraph, kind: DependencyKind): CyclicComponents {
  if (everyTargetEarlier(graph, kind)) return noComponents(kind);
  const { length, dataStart, dataTarget, controlStart, controlTarget } = graph;
  const useData = kind !== 'control';
  const useControl = kind !== 'data';
  const order = new Int32Array(length); // 0 before the visit, then 1, 2, …, DONE once its component is known
  const low = new Int32Array(length);
  const cursor = new Uint32Array(length); // edges of the node already followed, data before control
  const path = new Int32Array(length);
  const open = new Int32Array(length); // visited nodes whose component is not known yet
  const state = new Uint8Array(length);
  const componentOf = new Int32Array(length).fill(-1);
  let visited = 0;
  let openLength = 0;
  let found = 0;
  let members = 0;

  for (let start = 0; start < length; start++) {
    if (order[start] !== 0) continue;
    let depth = 0;
    path[0] = start;
    order[start] = low[start] = ++visited;
    open[openLength++] = start;
    while (depth >= 0) {
      const node = path[depth];
      const dataEdges = useData ? dataStart[node + 1] - dataStart[node] : 0;
      const edges = dataEdges + (useControl ? controlStart[node + 1] - controlStart[node] : 0);
      let edge = cursor[node];
      let child = -1;
      while (edge < edges) {
        const target =
          edge < dataEdges ? dataTarget[dataStart[node] + edge] : controlTarget[controlStart[node] + edge - dataEdges];
        edge++;
        if (target < 0) continue;
        const seen = order[target];
        if (seen === 0) {
          child = target;
          break;
        }
        if (target === node) state[node] |= SELF_EDGE;
        else if (seen === DONE) state[node] |= state[target] & NEVER_STARTS;
        else if (seen < low[node]) low[node] = seen;
      }
      cursor[node] = edge;
      if (child >= 0) {
        order[child] = low[child] = ++visited;
        open[openLength++] = child;
        path[++depth] = child;
        continue;
      }
      if (low[node] === order[node]) {
        const first = lastIndexOf(open, openLength, node);
        const size = openLength - first;
        const cyclic = size > 1 || (state[node] & SELF_EDGE) !== 0;
        for (let place = first; place < openLength; place++) {
          const member = open[place];
          order[member] = DONE;
          if (cyclic) {
            componentOf[member] = found;
            state[member] |= NEVER_STARTS;
          }
        }
        openLength = first;
        if (cyclic) {
          found++;
          members += size;
        }
      }
      depth--;
      if (depth >= 0) {
        const parent = path[depth];
        if (order[node] === DONE) state[parent] |= state[node] & NEVER_STARTS;
        else if (low[node] < low[parent]) low[parent] = low[node];
      }
    }
  }
  if (found === 0) return noComponents(kind);
  return numbered(graph, kind, componentOf, found, members, state);
}

/**
 * A shortest cycle of a component; of a component with several nodes, one of at least two, whatever self edges they
 * have. Exact for components that can be searched within a fixed number of edges; for larger ones the shortest
 * through their first nodes.
 */
export function shortestCycle(graph: DependencyGraph, components: CyclicComponents, component: number): Cycle {
  const { kind, componentOf, memberStart, member } = components;
  const { dataStart, dataTarget, controlStart, controlTarget } = graph;
  const useData = kind !== 'control';
  const useControl = kind !== 'data';
  const first = memberStart[component];
  const end = memberStart[component + 1];
  if (end - first === 1) return cycleOf(graph, kind, [member[first]]);
  const parent = new Int32Array(graph.length).fill(-1);
  const queue = new Int32Array(end - first);
  let shortest: number[] = [];
  let looked = 0;
  for (let place = first; place < end && shortest.length !== 2; place++) {
    const start = member[place];
    let queued = 1;
    let levelEnd = 1;
    let distance = 1;
    let closing = -1;
    queue[0] = start;
    for (let next = 0; next < queued && closing < 0; next++) {
      if (next === levelEnd) {
        levelEnd = queued;
        distance++;
        if (shortest.length > 0 && distance >= shortest.length) break;
      }
      const node = queue[next];
      const dataEdges = useData ? dataStart[node + 1] - dataStart[node] : 0;
      const edges = dataEdges + (useControl ? controlStart[node + 1] - controlStart[node] : 0);
      looked += edges;
      for (let edge = 0; edge < edges; edge++) {
        const target =
          edge < dataEdges ? dataTarget[dataStart[node] + edge] : controlTarget[controlStart[node] + edge - dataEdges];
        if (target < 0 || componentOf[target] !== component) continue;
        if (target === start) {
          if (node === start) continue;
          closing = node;
          break;
        }
        if (parent[target] < 0) {
          parent[target] = node;
          queue[queued++] = target;
        }
      }
    }
    if (closing >= 0) shortest = pathBack(parent, closing, start);
    if (looked > SHORTEST_SEARCH_EDGES) break;
    for (let reached = 1; reached < queued; reached++) parent[queue[reached]] = -1;
  }
  return cycleOf(graph, kind, shortest);
}

/** Whether every node comes after those it depends on, the usual order of a file; nothing can close a cycle then. */
export function everyTargetEarlier(graph: DependencyGraph, kind: DependencyKind): boolean {
  const earlier = (start: Uint32Array, target: Int32Array): boolean => {
    for (let node = 0; node < graph.length; node++) {
      for (let edge = start[node]; edge < start[node + 1]; edge++) if (target[edge] >= node) return false;
    }
    return true;
  };
  return (
    (kind === 'control' || earlier(graph.dataStart, graph.dataTarget)) &&
    (kind === 'data' || earlier(graph.controlStart, graph.controlTarget))
  );
}

function noComponents(kind: DependencyKind): CyclicComponents {
  return {
    kind,
    count: 0,
    memberStart: new Uint32Array(1),
    member: new Int32Array(0),
    componentOf: new Int32Array(0),
    neverStart: 0,
    firstNeverStart: -1,
  };
}

/** Renumbers the components by their smallest node and lists their members. */
function numbered(
  graph: DependencyGraph,
  kind: DependencyKind,
  componentOf: Int32Array,
  count: number,
  members: number,
  state: Uint8Array,
): CyclicComponents {
  const { length, idLow, idHigh } = graph;
  const number = new Int32Array(count).fill(-1);
  const memberStart = new Uint32Array(count + 1);
  let next = 0;
  let neverStart = 0;
  let firstNeverStart = -1;
  for (let node = 0; node < length; node++) {
    if (state[node] & NEVER_STARTS) {
      neverStart++;
      if (
        firstNeverStart < 0 ||
        idHigh[node] < idHigh[firstNeverStart] ||
        (idHigh[node] === idHigh[firstNeverStart] && idLow[node] < idLow[firstNeverStart])
      ) {
        firstNeverStart = node;
      }
    }
    const component = componentOf[node];
    if (component < 0) continue;
    if (number[component] < 0) number[component] = next++;
    componentOf[node] = number[component];
    memberStart[number[component] + 1]++;
  }
  for (let component = 0; component < count; component++) memberStart[component + 1] += memberStart[component];
  const fill = memberStart.slice();
  const member = new Int32Array(members);
  for (let node = 0; node < length; node++) {
    if (componentOf[node] >= 0) member[fill[componentOf[node]]++] = node;
  }
  return { kind, count, memberStart, member, componentOf, neverStart, firstNeverStart };
}

function lastIndexOf(values: Int32Array, length: number, value: number): number {
  let place = length - 1;
  while (values[place] !== value) place--;
  return place;
}

/** The chain from `start` along dependencies to `closing`. */
function pathBack(parent: Int32Array, closing: number, start: number): number[] {
  const path: number[] = [];
  for (let node = closing; node !== start; node = parent[node]) path.push(node);
  path.push(start);
  return path.reverse();
}

function cycleOf(graph: DependencyGraph, kind: DependencyKind, chain: readonly number[]): Cycle {
  let smallest = 0;
  for (let place = 1; place < chain.length; place++) if (chain[place] < chain[smallest]) smallest = place;
  const nodes = [...chain.slice(smallest), ...chain.slice(0, smallest)];
  const edges = nodes.map((node, place) => edgeKind(graph, kind, node, nodes[(place + 1) % nodes.length])!);
  return { nodes, edges };
}

/** Kind of the dependency of `node` on `target`, data before control; `undefined` when there is none. */
function edgeKind(
  graph: DependencyGraph,
  kind: DependencyKind,
  node: number,
  target: number,
): 'data' | 'control' | undefined {
  if (kind !== 'control' && contains(graph.dataStart, graph.dataTarget, node, target)) return 'data';
  if (kind !== 'data' && contains(graph.controlStart, graph.controlTarget, node, target)) return 'control';
  return undefined;
}

function contains(start: Uint32Array, targets: Int32Array, node: number, target: number): boolean {
  for (let edge = start[node]; edge < start[node + 1]; edge++) if (targets[edge] === target) return true;
  return false;
}
