import { BusyTime, placesByStart } from '../../src/base/busy-time.js';

function length(...intervals: [number, number][]): number {
  const busy = new BusyTime();
  for (const [start, end] of intervals) busy.add(start, end);
  return busy.length;
}

describe('busy time', () => {
  test.each<[string, [number, number][], number]>([
    ['nothing', [], 0],
    [
      'apart',
      [
        [0, 2],
        [5, 6],
      ],
      3,
    ],
    [
      'overlapping',
      [
        [0, 4],
        [2, 6],
      ],
      6,
    ],
    [
      'touching',
      [
        [0, 4],
        [4, 6],
      ],
      6,
    ],
    [
      'one within another',
      [
        [0, 10],
        [2, 3],
        [5, 12],
      ],
      12,
    ],
    [
      'of no length',
      [
        [0, 0],
        [3, 3],
        [3, 5],
      ],
      2,
    ],
    [
      'before zero',
      [
        [-4, -2],
        [-3, 1],
      ],
      5,
    ],
  ])('of intervals %s', (_name, intervals, expected) => {
    expect(length(...intervals)).toBe(expected);
  });

  test('places by start keep the order of equal starts', () => {
    expect([...placesByStart([3, 1, 2, 1])]).toEqual([1, 3, 2, 0]);
    expect([...placesByStart(Float64Array.of(1, 1, 2))]).toEqual([0, 1, 2]);
  });
});
