import { splitBytes } from '../../../src/pytorch/communication/split-bytes.js';

const none = { splits: [], bytes: 0 };

test('entries that count rows share the buffer out: 6 rows of 256 B', () => {
  const sides = splitBytes({ splits: [1, 2, 3], bytes: 1536 }, { splits: [2, 2, 2], bytes: 1536 }, 3);
  expect(sides).toEqual({ send: [256, 512, 768], receive: [512, 512, 512], problem: undefined });
});

test('entries that count elements: 10 of 4 B', () => {
  const sides = splitBytes({ splits: [7, 3], bytes: 40 }, { splits: [0, 5], bytes: 20 }, 2);
  expect(sides).toEqual({ send: [28, 12], receive: [0, 20], problem: undefined });
});

test('even lists are no splits', () => {
  const list = [768, 768, 768, 768];
  expect(splitBytes({ splits: list, bytes: 12288 }, { splits: list, bytes: 12288 }, 4)).toEqual({
    send: [],
    receive: [],
    problem: undefined,
  });
  expect(splitBytes(none, none, 4).send).toEqual([]);
});

test('a side without a list is even', () => {
  const sides = splitBytes({ splits: [3, 1], bytes: 16 }, { splits: [], bytes: 24 }, 2);
  expect(sides).toEqual({ send: [12, 4], receive: [12, 12], problem: undefined });
});

test('a rank that sends nothing sends nothing to anybody', () => {
  const sides = splitBytes({ splits: [0, 0], bytes: 0 }, { splits: [1, 4], bytes: 20 }, 2);
  expect(sides).toEqual({ send: [0, 0], receive: [4, 16], problem: undefined });
});

test.each([
  ['3 splits, expected 4', [1, 2, 3], 24, 4],
  ['splits that add up to 5 do not share out 24 B', [1, 4], 24, 2],
  ['splits that add up to 0 do not share out 24 B', [0, 0], 24, 2],
  ['splits of a buffer whose bytes are not known', [1, 4], NaN, 2],
  ['splits that add up to 3 do not share out 24 B', [-1, 4], 24, 2],
])('%s', (problem, splits, bytes, groupSize) => {
  expect(splitBytes({ splits, bytes }, { splits: splits.map(() => 1), bytes: 24 }, groupSize)).toEqual({
    send: [],
    receive: [],
    problem,
  });
});
