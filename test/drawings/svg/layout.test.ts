import fc from 'fast-check';
import { layersOf } from '../../../src/drawings/svg/layers.js';
import { layOut } from '../../../src/drawings/svg/layout.js';
import { rowPlaces } from '../../../src/drawings/svg/row-places.js';

test('layers by the longest chain', () => {
  // 0 → 1 → 2, 0 → 2, 3 → 2: node 3 stands right above 2.
  const { layer, upwards, count } = layersOf(5, { from: [0, 1, 0, 3], to: [1, 2, 2, 2] });
  expect([...layer]).toEqual([0, 1, 2, 1, 0]);
  expect([...upwards]).toEqual([0, 0, 0, 0]);
  expect(count).toBe(3);
});

test('a cycle is opened at its first node, and an edge to itself points upwards', () => {
  const { layer, upwards } = layersOf(4, { from: [0, 1, 2, 3], to: [1, 2, 0, 3] });
  expect([...layer]).toEqual([0, 1, 2, 0]);
  expect([...upwards]).toEqual([0, 0, 1, 1]);
});

test('places in a row: by hand', () => {
  // Both want 0 and are 10 apart: they stand 5 to either side.
  expect(rowPlaces([0, 0], [5, 5])).toEqual([-5, 5]);
  expect(rowPlaces([0, 100, 90], [5, 5, 5])).toEqual([0, 90, 100]);
  expect(rowPlaces([3, 50], [5, 5])).toEqual([3, 50]);
  expect(rowPlaces([], [])).toEqual([]);
});

const graphs = fc.integer({ min: 1, max: 30 }).chain((nodes) =>
  fc.record({
    band: fc.array(fc.nat(2), { minLength: nodes, maxLength: nodes }),
    width: fc.array(fc.integer({ min: 40, max: 200 }), { minLength: nodes, maxLength: nodes }),
    edges: fc.array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1), fc.constantFrom(-1, 0, 1)), { maxLength: 60 }),
  }),
);

test('nodes do not overlap, stay in their band, and stand below what they wait for', () => {
  fc.assert(
    fc.property(graphs, ({ band, width, edges }) => {
      // Tracks lie within a band.
      const kept = edges.filter(([from, to, kind]) => kind < 0 || band[from] === band[to]);
      const [from, to, kind] = [0, 1, 2].map((part) => kept.map((edge) => edge[part]));
      const graph = { band, bands: 3, width, from, to, kind };
      const layout = layOut(graph);
      expect(layOut(graph)).toEqual(layout);
      const { x, row, upwards, bandWidth, tracks } = layout;
      from.forEach((one, edge) => {
        if (upwards[edge] === 0) expect(row[to[edge]]).toBeGreaterThan(row[one]);
      });
      for (let node = 0; node < band.length; node++) {
        expect(x[node] - width[node] / 2).toBeGreaterThanOrEqual(0);
        expect(x[node] + width[node] / 2).toBeLessThanOrEqual(bandWidth[band[node]] + 1e-9);
        for (let other = 0; other < node; other++) {
          if (row[other] !== row[node] || band[other] !== band[node]) continue;
          expect(Math.abs(x[other] - x[node])).toBeGreaterThan((width[other] + width[node]) / 2);
        }
        // What passes a row keeps off the nodes in it.
        for (const track of tracks) {
          if (band[track.source] !== band[node]) continue;
          const at = row[node] - row[track.source] - 1;
          if (at < 0 || at >= track.x.length) continue;
          expect(Math.abs(track.x[at] - x[node])).toBeGreaterThan(width[node] / 2);
        }
      }
    }),
  );
});
