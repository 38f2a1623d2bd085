import fc from 'fast-check';
import { findCyclicComponents, shortestCycle, type DependencyKind } from '../../src/trace/cycles.js';
import { RankTraceBuilder } from '../../src/trace/rank-trace-builder.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { NodeType } from '../../src/trace/node-type.js';

type Edge = readonly [from: number, to: number];

/** A trace of compute nodes with ids 10, 11, … ; an edge [2, 0] makes node 2 wait for node 0. */
function graphOf(nodes: number, data: readonly Edge[], control: readonly Edge[] = []): RankTrace {
  const builder = new RankTraceBuilder(0, 'graph', nodes);
  for (let node = 0; node < nodes; node++) {
    builder.addNode(10 + node, 0, NodeType.compute, 0);
    for (const [from, to] of data) if (from === node) builder.data.add(to);
    for (const [from, to] of control) if (from === node) builder.control.add(to);
  }
  return builder.finish({ version: '', kept: new Uint8Array(0), passes: [] }, undefined);
}

function membersOf(trace: RankTrace, kind: DependencyKind): number[][] {
  const { count, memberStart, member } = findCyclicComponents(trace, kind);
  return Array.from({ length: count }, (_, component) => [
    ...member.subarray(memberStart[component], memberStart[component + 1]),
  ]);
}

describe('cyclic components', () => {
  test('a diamond has none', () => {
    const trace = graphOf(4, [
      [1, 0],
      [2, 0],
      [3, 1],
      [3, 2],
    ]);
    expect(findCyclicComponents(trace, 'both')).toMatchObject({ count: 0, neverStart: 0, firstNeverStart: -1 });
  });

  test('forward references alone close no cycle', () => {
    expect(membersOf(graphOf(3, [[0, 2], [1, 2]]), 'data')).toEqual([]); // prettier-ignore
  });

  test('R-043: of nodes 1 (no deps), 2 (dep 3), 3 (dep 2) two can never start, the first is 2', () => {
    const trace = graphOf(3, [[1, 2], [2, 1]]); // prettier-ignore
    expect(membersOf(trace, 'data')).toEqual([[1, 2]]);
    expect(findCyclicComponents(trace, 'data')).toMatchObject({ neverStart: 2, firstNeverStart: 1 });
  });

  test('a self edge is a component of one node, and a node behind it never starts', () => {
    const trace = graphOf(3, [[0, 0], [2, 0]]); // prettier-ignore
    expect(membersOf(trace, 'data')).toEqual([[0]]);
    expect(findCyclicComponents(trace, 'data').neverStart).toBe(2);
    expect(shortestCycle(trace, findCyclicComponents(trace, 'data'), 0)).toEqual({ nodes: [0], edges: ['data'] });
  });

  test('one cycle of data and control together is in neither alone', () => {
    const trace = graphOf(3, [[0, 1]], [[1, 0]]);
    expect(membersOf(trace, 'data')).toEqual([]);
    expect(membersOf(trace, 'control')).toEqual([]);
    expect(membersOf(trace, 'both')).toEqual([[0, 1]]);
    const cycle = shortestCycle(trace, findCyclicComponents(trace, 'both'), 0);
    expect(cycle).toEqual({ nodes: [0, 1], edges: ['data', 'control'] });
  });

  test('the shortest of two cycles that share a node is found whichever comes first', () => {
    const trace = graphOf(6, [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
      [3, 5],
      [5, 3],
    ]);
    expect(shortestCycle(trace, findCyclicComponents(trace, 'data'), 0).nodes).toEqual([3, 5]);
  });

  test('components are numbered by their smallest node', () => {
    const trace = graphOf(6, [
      [0, 5],
      [5, 4],
      [4, 5],
      [1, 2],
      [2, 1],
    ]);
    expect(membersOf(trace, 'data')).toEqual([
      [1, 2],
      [4, 5],
    ]);
    expect(findCyclicComponents(trace, 'data')).toMatchObject({ neverStart: 5, firstNeverStart: 0 });
  });

  test('a chain and a ring of 1,000,000 nodes each pass without recursion', () => {
    const length = 1_000_000;
    const chain = ring(length, false);
    expect(findCyclicComponents(chain, 'data').count).toBe(0);
    const closed = ring(length, true);
    const components = findCyclicComponents(closed, 'data');
    expect(components).toMatchObject({ count: 1, neverStart: length });
    const cycle = shortestCycle(closed, components, 0);
    expect(cycle.nodes.length).toBe(length);
    expect(cycle.nodes.slice(0, 3)).toEqual([0, 1, 2]);
  });

  test('agrees with mutual reachability on random graphs', () => {
    const edge = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 14 }), fc.array(edge, { maxLength: 6 }), (data, control) => {
        const trace = graphOf(8, data, control);
        for (const kind of ['data', 'control', 'both'] as const) {
          const edges = [...(kind === 'control' ? [] : data), ...(kind === 'data' ? [] : control)];
          const distance = distances(8, edges);
          const cyclic = [...Array(8).keys()].filter((node) => distance[node][node] < Infinity);
          const expected: number[][] = [];
          for (const node of cyclic) {
            if (expected.some((members) => members.includes(node))) continue;
            expected.push(
              cyclic.filter((other) => other === node || distance[node][other] + distance[other][node] < Infinity),
            );
          }
          expect(membersOf(trace, kind)).toEqual(expected);
          const components = findCyclicComponents(trace, kind);
          const behind = [...Array(8).keys()].filter((node) => cyclic.some((other) => other === node || distance[node][other] < Infinity)); // prettier-ignore
          expect(components.neverStart).toBe(behind.length);
          expected.forEach((members, component) => {
            const { nodes, edges: kinds } = shortestCycle(trace, components, component);
            // Self edges count only where they are the whole component.
            const proper = distances(8, edges.filter(([from, to]) => from !== to)); // prettier-ignore
            const shortest = Math.min(...members.map((node) => proper[node][node]));
            expect(nodes.length).toBe(members.length === 1 ? 1 : shortest);
            expect(kinds.length).toBe(nodes.length);
            nodes.forEach((node, place) => {
              const next = nodes[(place + 1) % nodes.length];
              const used = kinds[place] === 'data' ? data : control;
              expect(used).toContainEqual([node, next]);
            });
          });
        }
      }),
    );
  });
});

/** Every node waits for the next one; the last for the first when `closed`. */
function ring(length: number, closed: boolean): RankTrace {
  const builder = new RankTraceBuilder(0, 'ring', length, length);
  for (let node = 0; node < length; node++) {
    builder.addNode(node, 0, NodeType.compute, 0);
    if (node < length - 1 || closed) builder.data.add((node + 1) % length);
  }
  return builder.finish({ version: '', kept: new Uint8Array(0), passes: [] }, undefined);
}

/** Steps of the shortest way from each node to each, of at least one edge (Floyd and Warshall). */
function distances(nodes: number, edges: readonly Edge[]): number[][] {
  const distance = Array.from({ length: nodes }, () => new Array<number>(nodes).fill(Infinity));
  for (const [from, to] of edges) distance[from][to] = 1;
  for (let via = 0; via < nodes; via++) {
    for (let from = 0; from < nodes; from++) {
      for (let to = 0; to < nodes; to++) {
        distance[from][to] = Math.min(distance[from][to], distance[from][via] + distance[via][to]);
      }
    }
  }
  return distance;
}
