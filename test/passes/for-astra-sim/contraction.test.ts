import fc from 'fast-check';
import { leaveOut } from '../../../src/passes/for-astra-sim/contraction.js';
import { traceOf, type NodeObject } from '../../support/traces.js';

/** Nodes 0, 1, … that wait for earlier ones, some as control dependencies. */
const graph = fc
  .array(
    fc.record({
      data: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
      control: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
      out: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((nodes) => ({
    out: Uint8Array.from(nodes, ({ out }) => Number(out)),
    nodes: nodes.map(({ data, control }, id): NodeObject => ({
      id,
      name: 'node',
      type: 'COMP_NODE',
      data_deps: back(data, id),
      ctrl_deps: back(control, id),
    })),
  }));

function back(distances: readonly number[], id: number): number[] {
  return [...new Set(distances.map((distance) => id - distance))].filter((before) => before >= 0);
}

function waiting(nodes: readonly NodeObject[]): number[] {
  return nodes.flatMap(({ data_deps = [], ctrl_deps = [] }) => [...data_deps, ...ctrl_deps]).map(Number);
}

/** [node] every node it comes behind, over these lists. */
function behind(length: number, listOf: (node: number) => readonly number[]): Set<number>[] {
  const sets: Set<number>[] = [];
  for (let node = 0; node < length; node++) {
    const all = new Set<number>();
    for (const before of listOf(node)) {
      all.add(before);
      for (const further of sets[before]) all.add(further);
    }
    sets.push(all);
  }
  return sets;
}

test('law: a node that stays comes behind the same nodes that stay, as data alone and in any way', () => {
  fc.assert(
    fc.property(graph, ({ nodes, out }) => {
      const trace = traceOf(nodes);
      const { leftOut, joins, data, dataStart, control, controlStart } = leaveOut(trace, out);
      const dataOf = (node: number): number[] => [...data.subarray(dataStart[node], dataStart[node + 1])];
      const controlOf = (node: number): number[] => [...control.subarray(controlStart[node], controlStart[node + 1])];
      const before = nodes.map(({ data_deps = [], ctrl_deps = [] }) => ({
        data: data_deps.map(Number),
        control: ctrl_deps.map(Number),
      }));
      for (const [one, other] of [
        [behind(nodes.length, (node) => before[node].data), behind(nodes.length, dataOf)],
        [
          behind(nodes.length, (node) => [...before[node].data, ...before[node].control]),
          behind(nodes.length, (node) => [...dataOf(node), ...controlOf(node)]),
        ],
      ]) {
        for (let node = 0; node < nodes.length; node++) {
          if (leftOut[node] === 1) continue;
          const staying = (set: Set<number>): number[] =>
            [...set].filter((at) => leftOut[at] === 0).sort((a, b) => a - b);
          expect(staying(other[node])).toEqual(staying(one[node]));
        }
      }
      expect(joins.every((join, node) => join === 0 || (leftOut[node] === 0 && out[node] === 1))).toBe(true);
      for (const target of [...data, ...control]) expect(leftOut[target]).toBe(0);
    }),
    { numRuns: 500 },
  );
});

const compute = (id: number, data: number[] = []): NodeObject => ({
  id,
  name: 'c',
  type: 'COMP_NODE',
  data_deps: data,
});
const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

test('who waited for a node waits for what it waited for, and of these for the last ones only', () => {
  // 1 waits for 0; node 2 for both; 3 and 4 for node 2.
  const trace = traceOf([compute(0), compute(1, [0]), compute(2, [0, 1]), compute(3, [2]), compute(4, [2])]);
  const { data, dataStart, leftOut } = leaveOut(trace, Uint8Array.of(0, 0, 1, 0, 0));
  expect([...leftOut]).toEqual([0, 0, 1, 0, 0]);
  expect([...dataStart]).toEqual([0, 0, 1, 1, 2, 3]);
  expect([...data]).toEqual([0, 1, 1]);
});

test('a node between many on both sides stays as a join, and the lists stay linear', () => {
  const many = 200;
  const nodes = [
    ...numbers(0, many).map((id) => compute(id)),
    compute(many, numbers(0, many)),
    ...numbers(many + 1, many).map((id) => compute(id, [many])),
  ];
  const out = new Uint8Array(nodes.length);
  out[many] = 1;
  const { joins, leftOut, data } = leaveOut(traceOf(nodes), out);
  // 200 × 200 is more than 16 × (200 + 200).
  expect(joins[many]).toBe(1);
  expect(leftOut[many]).toBe(0);
  expect(data).toHaveLength(2 * many);
});

test('a chain of nodes that each wait for one more is linear in dependencies', () => {
  // Node 2k + 1 waits for node 2k and for the one before it, and a node of its own waits for it.
  const links = 3000;
  const nodes: NodeObject[] = [];
  const out: number[] = [];
  for (let link = 0; link < links; link++) {
    const at = 3 * link;
    nodes.push(compute(at), compute(at + 1, link === 0 ? [at] : [at, at - 2]), compute(at + 2, [at + 1]));
    out.push(0, 1, 0);
  }
  const { data } = leaveOut(traceOf(nodes), Uint8Array.from(out));
  expect(data.length).toBeLessThanOrEqual(16 * (waiting(nodes).length + nodes.length));
});

test('a node that nobody waits for goes without a trace, and its dependencies with it', () => {
  const { data, leftOut } = leaveOut(traceOf([compute(0), compute(1, [0])]), Uint8Array.of(0, 1));
  expect([...leftOut]).toEqual([0, 1]);
  expect(data).toHaveLength(0);
});
