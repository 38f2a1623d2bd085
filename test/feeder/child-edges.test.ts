import fc from 'fast-check';
import { ChildEdges } from '../../src/feeder/child-edges.js';

interface Edge {
  readonly child: number;
  readonly control: boolean;
}

/** The edges of a list, the newest first. */
function listed(edges: ChildEdges, first: number): Edge[] {
  const list: Edge[] = [];
  edges.forEach(first, (child, control) => list.push({ child, control }));
  return list;
}

test('keeps each list while others grow and are given back, as arrays do', () => {
  const LISTS = 12;
  const step = fc.record({
    list: fc.nat(LISTS - 1),
    release: fc.nat(9).map((number) => number === 0),
    child: fc.nat(2 ** 30 - 1),
    control: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const edges = new ChildEdges();
      const first = new Array<number>(LISTS).fill(-1);
      const twin = Array.from({ length: LISTS }, (): Edge[] => []);
      for (const { list, release, child, control } of steps) {
        if (!release) {
          first[list] = edges.add(first[list], child, control);
          twin[list].unshift({ child, control });
        } else if (first[list] >= 0) {
          let last = first[list];
          for (let place = last; place >= 0; place = edges.after(place)) last = place;
          edges.release(first[list], last);
          first[list] = -1;
          twin[list] = [];
        }
      }
      for (let list = 0; list < LISTS; list++) expect(listed(edges, first[list])).toEqual(twin[list]);
    }),
  );
});

test('lists given back are used again, so that the pool does not grow', () => {
  const edges = new ChildEdges();
  const { length } = edges.cells;
  for (let round = 0; round < length; round++) {
    let first = -1;
    for (let child = 0; child < 7; child++) first = edges.add(first, child, false);
    let last = first;
    for (let place = first; place >= 0; place = edges.after(place)) last = place;
    edges.release(first, last);
  }
  expect(edges.cells).toHaveLength(length);
});

test('keeps long lists when the pool grows', () => {
  const edges = new ChildEdges();
  let [even, odd] = [-1, -1];
  for (let child = 0; child < 20_000; child += 2) {
    even = edges.add(even, child, false);
    odd = edges.add(odd, child + 1, true);
  }
  const expected = Array.from({ length: 10_000 }, (_, at) => 19_998 - 2 * at);
  expect(listed(edges, even)).toEqual(expected.map((child) => ({ child, control: false })));
  expect(listed(edges, odd)).toEqual(expected.map((child) => ({ child: child + 1, control: true })));
});
