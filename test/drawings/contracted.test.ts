import fc from 'fast-check';
import { contract } from '../../src/drawings/contracted.js';
import { traceOf, type NodeObject } from '../support/traces.js';

/** Nodes with dependencies on nodes before them, and which of them are drawn. */
const graphs = fc
  .array(fc.tuple(fc.array(fc.nat(19), { maxLength: 3 }), fc.boolean(), fc.nat(9)), { minLength: 1, maxLength: 20 })
  .map((rows) => ({
    deps: rows.map(([others], node) => others.filter((other) => other < node)),
    drawn: rows.map(([, isDrawn]) => isDrawn),
    micros: rows.map(([, , duration]) => duration),
  }));

/** Whether one node waits for another, by looking at every way. */
function waits(deps: readonly (readonly number[])[], node: number, other: number): boolean {
  return deps[node].some((next) => next === other || waits(deps, next, other));
}

/** The longest sum of durations of undrawn nodes on ways through undrawn nodes only; −1 where there is none. */
function longest(graph: { deps: number[][]; drawn: boolean[]; micros: number[] }, node: number, other: number): number {
  let most = -1;
  for (const next of graph.deps[node]) {
    if (next === other) most = Math.max(most, 0);
    else if (!graph.drawn[next]) {
      const rest = longest(graph, next, other);
      if (rest >= 0) most = Math.max(most, rest + graph.micros[next]);
    }
  }
  return most;
}

test('which drawn node waits for which stays as it is, and every way has the longest time on it', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const { deps, drawn, micros } = graph;
      const nodes = deps.map((others, id): NodeObject => ({
        id,
        type: 4,
        data_deps: others,
        duration_micros: micros[id],
      }));
      const { forEachPath, onCycles } = contract(traceOf(nodes), Uint8Array.from(drawn, Number), 'data');
      expect(onCycles).toBe(0);
      const pictured = deps.map((others, node) => (drawn[node] ? others.filter((other) => drawn[other]) : []));
      deps.forEach((others, node) => {
        if (!drawn[node]) return;
        forEachPath(node, (from, through) => {
          expect(drawn[from]).toBe(true);
          expect(others).not.toContain(from);
          expect(through).toBe(longest(graph, node, from));
          pictured[node].push(from);
        });
      });
      for (let node = 0; node < deps.length; node++) {
        for (let other = 0; other < node; other++) {
          if (drawn[node] && drawn[other]) expect(waits(pictured, node, other)).toBe(waits(deps, node, other));
        }
      }
    }),
  );
});

test('a way that another drawn node lies on is left out', () => {
  // 0 → 1 → 2, and 0 → x → 2 with x not drawn.
  const nodes = [
    { id: 0, type: 4 },
    { id: 1, type: 4, data_deps: [0] },
    { id: 9, type: 4, data_deps: [0] },
    { id: 2, type: 4, data_deps: [1, 9] },
  ];
  const found: number[] = [];
  contract(traceOf(nodes), Uint8Array.of(1, 1, 0, 1), 'both').forEachPath(3, (from) => found.push(from));
  expect(found).toEqual([]);
});

test('cycles through nodes that are not drawn are counted and end', () => {
  const nodes = [
    { id: 0, type: 4, data_deps: [1] },
    { id: 1, type: 4, data_deps: [0, 2] },
    { id: 2, type: 4 },
    { id: 3, type: 4, data_deps: [1] },
  ];
  const ways = contract(traceOf(nodes), Uint8Array.of(0, 0, 1, 1), 'both');
  const found: number[] = [];
  ways.forEachPath(3, (from) => found.push(from));
  expect(found).toEqual([2]);
  expect(ways.onCycles).toBe(1);
});
