import fc from 'fast-check';
import { surveyWaits } from '../../../src/passes/waits/wait-survey.js';
import { traceOf, type NodeObject } from '../../support/traces.js';

const compute = (id: number, ...after: number[]): NodeObject => ({ id, type: 'COMP_NODE', data_deps: after });

const receive = (id: number, ...after: number[]): NodeObject => ({
  id,
  type: 'COMM_RECV_NODE',
  data_deps: after,
  attr: { comm_src: { int32_val: 1 }, comm_tag: { int32_val: 5 }, comm_size: { int64_val: 8 } },
});

/** Earliest and latest turn of each receive that is listed, by id. */
function turns(nodes: NodeObject[]): Record<number, [earliest: number, latest: number]> {
  const { skeleton, turns: found } = surveyWaits(traceOf(nodes), 'both');
  return Object.fromEntries(
    Array.from(found.place, (place, at) => [skeleton.idLow[place], [found.earliest[at], found.latest[at]]]),
  );
}

describe('turns of receives with one key', () => {
  test('are their places where each depends on the one before, and nothing is listed', () => {
    expect(turns([receive(1), compute(2, 1), receive(3, 2), receive(4, 3)])).toEqual({});
  });

  test('are open where nothing orders them', () => {
    expect(turns([compute(1), compute(2), receive(3, 1), receive(4, 2)])).toEqual({ 3: [1, 2], 4: [1, 2] });
  });

  test('R-007 are ascending ids where all wait for the same, whatever the order in the file', () => {
    expect(turns([compute(1), receive(3, 1), receive(4, 1)])).toEqual({});
    expect(turns([compute(1), receive(4, 1), receive(3, 1)])).toEqual({ 3: [1, 1], 4: [2, 2] });
  });

  test('of two batches, the second behind a wait for the first, are open within each', () => {
    const wait = compute(5, 3, 4);
    const first = [compute(1), compute(2), receive(3, 1), receive(4, 2)];
    const second = [compute(6), compute(7), receive(8, 5, 6), receive(9, 5, 7)];
    expect(turns([...first, wait, ...second])).toEqual({ 3: [1, 2], 4: [1, 2], 8: [3, 4], 9: [3, 4] });
  });

  test('are bounded by all others where there are too many to compare', () => {
    const count = 2049;
    const nodes = Array.from({ length: count }, (_, at) => [compute(2 * at), receive(2 * at + 1, 2 * at)]).flat();
    expect(new Set(Object.values(turns(nodes)).map(String))).toEqual(new Set([`1,${count}`]));
  });

  test('are what comparing every two of them gives', () => {
    const node = fc.tuple(fc.boolean(), fc.array(fc.nat(9), { maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(node, { minLength: 2, maxLength: 10 }), fc.boolean(), (rows, reversed) => {
        const nodes = rows.map(([isReceive, wishes], id) => {
          const after = [...new Set(wishes.filter((wish) => wish < id))];
          return isReceive ? receive(id, ...after) : compute(id, ...after);
        });
        const listed = turns(reversed ? [...nodes].reverse() : nodes);
        const expected = comparedTurns(nodes);
        const inPlace = Object.entries(expected).every(([, [earliest, latest]]) => earliest === latest);
        if (Object.keys(listed).length > 0) expect(listed).toEqual(expected);
        else expect(inPlace).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

/** The same by the closure of "starts before": by dependencies, and by id where two wait for the same. */
function comparedTurns(nodes: readonly NodeObject[]): Record<number, [number, number]> {
  const reached = nodes.map(() => new Set<number>());
  for (const { id, data_deps: after } of nodes) {
    for (const before of after as number[])
      for (const each of [before, ...reached[before]]) reached[id as number].add(each);
  }
  const receives = nodes.filter(({ type }) => type === 'COMM_RECV_NODE').map(({ id }) => id as number);
  const before = (left: number, right: number): boolean =>
    reached[right].has(left) || (left < right && String(nodes[left].data_deps) === String(nodes[right].data_deps));
  const closed = new Map(receives.map((id) => [id, new Set(receives.filter((other) => before(other, id)))]));
  for (const middle of receives) {
    for (const later of receives) {
      if (closed.get(later)!.has(middle)) for (const each of closed.get(middle)!) closed.get(later)!.add(each);
    }
  }
  const behind = (id: number): number => receives.filter((other) => closed.get(other)!.has(id)).length;
  return receives.length < 2
    ? {}
    : Object.fromEntries(receives.map((id) => [id, [1 + closed.get(id)!.size, receives.length - behind(id)]]));
}
