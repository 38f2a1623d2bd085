import fc from 'fast-check';
import { EditPath } from '../../src/pytorch/edit-path.js';

const names = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 14 });

/** Names left out of either on the way from the start to each pair of places, by the table. */
function edits(a: readonly number[], b: readonly number[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(Infinity));
  for (let x = 0; x <= a.length; x++) {
    for (let y = 0; y <= b.length; y++) {
      if (x === 0 && y === 0) table[x][y] = 0;
      if (x > 0) table[x][y] = Math.min(table[x][y], table[x - 1][y] + 1);
      if (y > 0) table[x][y] = Math.min(table[x][y], table[x][y - 1] + 1);
      if (x > 0 && y > 0 && a[x - 1] === b[y - 1]) table[x][y] = Math.min(table[x][y], table[x - 1][y - 1]);
    }
  }
  return table;
}

test('an edit path leaves out as few names as the table does until one sequence ends', () => {
  const path = new EditPath();
  fc.assert(
    fc.property(names, names, (a, b) => {
      const table = edits(a, b);
      const ends = [
        ...table[a.length].map((cost, y) => ({ cost, both: a.length + y })),
        ...table.map((row, x) => ({ cost: row[b.length], both: x + b.length })),
      ];
      const least = Math.min(...ends.map(({ cost }) => cost));
      const possible = ends.filter(({ cost }) => cost === least).map(({ both }) => (both - least) / 2);

      const matches = path.find(Int32Array.from(a), 0, Int32Array.from(b), 0);
      expect(possible).toContain(matches);
      for (let m = 0; m < matches; m++) {
        expect(a[path.matchI(m)]).toBe(b[path.matchJ(m)]);
        if (m === 0) continue;
        expect(path.matchI(m)).toBeGreaterThan(path.matchI(m - 1));
        expect(path.matchJ(m)).toBeGreaterThan(path.matchJ(m - 1));
      }
    }),
    { numRuns: 2000 },
  );
});

test('within a window half is settled, as what follows may still tell', () => {
  const long = Int32Array.from({ length: 5000 }, (_, i) => i % 7);
  const path = new EditPath();
  expect(path.find(long, 0, long.slice(1), 0)).toBe(1023);
  expect([path.matchI(0), path.matchJ(0)]).toEqual([1, 0]);
});

test('sequences that differ too much have no path', () => {
  const path = new EditPath();
  expect(path.find(new Int32Array(3000).fill(1), 0, new Int32Array(3000).fill(2), 0)).toBe(0);
});
