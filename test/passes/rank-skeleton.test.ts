import fc from 'fast-check';
import { rankSkeleton, type RankSkeleton } from '../../src/passes/rank-skeleton.js';
import { SkeletonKind } from '../../src/passes/transfer-columns.js';
import { NodeType } from '../../src/trace/node-type.js';
import { RankTraceBuilder } from '../../src/trace/rank-trace-builder.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';

/** Node k has id k and depends on `before[k]`; data dependencies in front of the `|`, control behind it. */
function traceOfEdges(types: readonly number[], before: readonly (readonly number[])[], control = false): RankTrace {
  const builder = new RankTraceBuilder(3, 'skeleton');
  types.forEach((type, node) => {
    builder.addNode(node, 0, type, 0);
    for (const target of before[node] ?? []) (control ? builder.control : builder.data).add(target);
  });
  return builder.finish({ version: '', kept: new Uint8Array(0), passes: [] }, undefined);
}

/** Dependencies by node index. */
function edgesOf({ node, beforeStart, before }: RankSkeleton): Record<number, number[]> {
  return Object.fromEntries(
    Array.from(node, (index, place) => [
      index,
      Array.from(before.subarray(beforeStart[place], beforeStart[place + 1]), (target) => node[target]).sort(),
    ]),
  );
}

const { compute, send, receive, collective } = NodeType;

describe('the skeleton of a rank', () => {
  test('leaves out a chain of compute nodes between two collectives', () => {
    const trace = traceOfEdges([collective, compute, compute, collective], [[], [0], [1], [2]]);
    expect(edgesOf(rankSkeleton(trace, 'both'))).toEqual({ 0: [], 3: [0] });
  });

  test('joins and forks through one compute node while that needs no more edges: 2 × 2 ≤ 2 + 2', () => {
    const trace = traceOfEdges([send, receive, compute, send, receive], [[], [], [0, 1], [2], [2]]);
    expect(edgesOf(rankSkeleton(trace, 'both'))).toEqual({ 0: [], 1: [], 3: [0, 1], 4: [0, 1] });
  });

  test('keeps a compute node that joins three and frees two: 3 × 2 > 3 + 2', () => {
    const trace = traceOfEdges([send, send, send, compute, receive, receive], [[], [], [], [0, 1, 2], [3], [3]]);
    const skeleton = rankSkeleton(trace, 'both');
    expect(edgesOf(skeleton)).toEqual({ 0: [], 1: [], 2: [], 3: [0, 1, 2], 4: [3], 5: [3] });
    expect([...skeleton.kind]).toEqual([1, 1, 1, SkeletonKind.relay, 2, 2]);
  });

  test('a chain of compute nodes that each wait for one more message needs edges in proportion', () => {
    // Compute node 1000 + k waits for receive k and for the compute node before; a send waits for the last of them.
    const count = 1000;
    const types = [...Array<number>(count).fill(receive), ...Array<number>(count).fill(compute), send];
    const waits = Array.from({ length: count }, (_, k) => (k === 0 ? [0] : [k, count + k - 1]));
    const trace = traceOfEdges(types, [...Array<number[]>(count).fill([]), ...waits, [2 * count - 1]]);
    const skeleton = rankSkeleton(trace, 'both');
    // 8 receives are handed on; the compute node that has 9 to wait for is kept and stands for them. So is each after 8 more.
    expect(edgesOf(skeleton)[count + 8]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(edgesOf(skeleton)[count + 16].sort((a, b) => a - b)).toEqual([9, 10, 11, 12, 13, 14, 15, 16, count + 8]);
    expect(skeleton.before.length).toBeLessThan(1.2 * count);
  });

  test('takes control dependencies only when they hold nodes back', () => {
    const trace = traceOfEdges([collective, collective], [[], [0]], true);
    expect(edgesOf(rankSkeleton(trace, 'both'))).toEqual({ 0: [], 1: [0] });
    expect(edgesOf(rankSkeleton(trace, 'data'))).toEqual({ 0: [], 1: [] });
  });

  test('follows dependencies whatever the order in the file', () => {
    const trace = traceOfEdges([collective, compute, collective], [[1], [2], []]);
    expect(edgesOf(rankSkeleton(trace, 'both'))).toEqual({ 0: [2], 2: [] });
  });

  test('keeps a cycle of compute nodes, so that what is behind it stays behind it', () => {
    const trace = traceOfEdges([compute, compute, collective], [[1], [0], [1]]);
    const edges = edgesOf(rankSkeleton(trace, 'both'));
    expect(edges[2]).toEqual([0]);
    expect(edges[0]).toEqual([0]);
  });

  test('orders the same communication as the trace and has no more edges', () => {
    const type = fc.constantFrom(compute, compute, compute, send, collective);
    const nodes = fc.array(fc.tuple(type, fc.array(fc.nat(11), { maxLength: 4 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(nodes, fc.boolean(), (rows, reverse) => {
        // Dependencies on earlier nodes only; reversed, on later ones only.
        const count = rows.length;
        const before = rows.map(([, targets], node) => [...new Set(targets.filter((target) => target < node))]);
        const place = (node: number): number => (reverse ? count - 1 - node : node);
        const types = rows.map((_, at) => rows[place(at)][0]);
        const edges = rows.map((_, at) => before[place(at)].map(place));
        const trace = traceOfEdges(types, edges);
        const skeleton = rankSkeleton(trace, 'both');
        expect(skeleton.before.length).toBeLessThanOrEqual(trace.dataTarget.length);
        const whole = reachable(edges);
        const kept = edgesOf(skeleton);
        const short = reachable(rows.map((_, node) => kept[node] ?? []));
        for (const left of skeleton.node) {
          for (const right of skeleton.node) expect(short[left].has(right)).toBe(whole[left].has(right));
        }
        const communication = types.flatMap((value, node) => (value === compute ? [] : [node]));
        expect([...skeleton.node]).toEqual(expect.arrayContaining(communication));
      }),
    );
  });
});

/** Nodes that each node comes after. */
function reachable(before: readonly (readonly number[])[]): Set<number>[] {
  return before.map((_, start) => {
    const seen = new Set<number>();
    const open = [...before[start]];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      open.push(...before[node]);
    }
    return seen;
  });
}
