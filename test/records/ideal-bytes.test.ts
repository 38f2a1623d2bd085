import { Share } from '../../src/collectives/algorithm.js';
import { ALGORITHMS } from '../../src/collectives/catalogue.js';
import { idealBytes, idealMicros } from '../../src/records/ideal-bytes.js';
import { decimalText, roundedDecimal } from '../../src/records/number-formats.js';
import { COLLECTIVE_NAMES, CollectiveType, collectiveName } from '../../src/trace/collective-type.js';

const { allReduce, allGather, barrier, broadcast, reduce, reduceScatter } = CollectiveType;

/** M in units of S. */
function factor(type: number, algorithm: string, groupSize: number): number {
  const { numerator, denominator } = idealBytes({ type, algorithm, size: 1, groupSize })!;
  return Number(numerator) / Number(denominator);
}

test('R-157 ring AllReduce of 1 GiB, N = 8, at 400 Gbit/s', () => {
  const ideal = idealMicros({ type: allReduce, algorithm: 'ring', size: 2 ** 30, groupSize: 8 }, 50)!;
  expect(decimalText(roundedDecimal(ideal, 6), 6)).toBe('37580.963840');
});

test.each([
  [2, 1],
  [3, 2],
  [4, 3],
  [5, 3],
  [64, 3],
])('R-157 AllReduce tree, N = %d: %d S', (groupSize, expected) => {
  expect(factor(allReduce, 'tree', groupSize)).toBe(expected);
});

test.each([
  [2, 1],
  [3, 1.5],
  [4, 2],
  [5, 2],
  [6, 2.5],
  [7, 3],
  [8, 2],
  [9, 3],
  [16, 2],
  [1024, 2],
])('R-157 AllReduce double-tree, N = %d: %d S', (groupSize, expected) => {
  expect(factor(allReduce, 'double-tree', groupSize)).toBe(expected);
});

test('R-157 AllReduce double-tree never moves more than 3 S', () => {
  for (let groupSize = 2; groupSize <= 300; groupSize++) {
    expect(factor(allReduce, 'double-tree', groupSize)).toBeLessThanOrEqual(3);
  }
});

test('R-157 Reduce tree: S up to 3 members, 2 S beyond', () => {
  expect([2, 3, 4, 9].map((groupSize) => factor(reduce, 'tree', groupSize))).toEqual([1, 1, 2, 2]);
});

test('R-157 S/N is exact, not rounded up to whole bytes', () => {
  expect(idealBytes({ type: reduceScatter, algorithm: 'ring', size: 1001, groupSize: 8 })).toEqual({
    numerator: 7007n,
    denominator: 8n,
  });
});

test('R-157 no ideal for a Barrier, for no bytes, or for an unknown algorithm where it matters', () => {
  const shape = { algorithm: '', size: 1000, groupSize: 4 };
  expect(idealMicros({ ...shape, type: barrier, algorithm: 'ring' }, 50)).toBeUndefined();
  expect(idealMicros({ ...shape, type: allGather, size: 0 }, 50)).toBeUndefined();
  expect(idealMicros({ ...shape, type: allReduce }, 50)).toBeUndefined();
  expect(idealMicros({ ...shape, type: reduce }, 50)).toBeUndefined();
  expect(factor(broadcast, '', 4)).toBe(3);
});

describe.each(COLLECTIVE_NAMES.map((_, type) => type).filter((type) => type !== barrier))('type %d', (type) => {
  for (const algorithm of ALGORITHMS[type]) {
    test(`R-157 ${collectiveName(type)} ${algorithm.name}: M is what the transfers come to, N = 2 … 64`, () => {
      const share = new Share();
      for (let groupSize = 2; groupSize <= 64; groupSize++) {
        if (algorithm.powerOfTwo && !Number.isInteger(Math.log2(groupSize))) continue;
        const size = 2 * groupSize * 1000; // every part of it is whole bytes
        let most = 0;
        for (let position = 0; position < groupSize; position++) {
          algorithm.share(position, { groupSize, bytes: size, root: 0 }, share);
          const moved = [0, 0];
          for (let place = 0; place < share.length; place++) moved[share.send[place]] += share.bytes[place];
          most = Math.max(most, ...moved);
        }
        const { numerator, denominator } = idealBytes({ type, algorithm: algorithm.name, size, groupSize })!;
        expect([groupSize, Number(numerator) / Number(denominator)]).toEqual([groupSize, most]);
      }
    });
  }
});
