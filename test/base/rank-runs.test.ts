import { rankList, rankRuns, rankRunsByStride, ranksText } from '../../src/base/rank-runs.js';

test.each([
  [[], ''],
  [[3], '3'],
  [[0, 1], '0, 1'],
  [[0, 1, 2, 3, 4, 5, 6, 7, 9], '0–7, 9'],
  [[1, 0], '1, 0'],
  [Array.from({ length: 13 }, (_, place) => 2 * place), '0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, …'],
])('%j is %s', (ranks, text) => expect(rankRuns(ranks)).toBe(text));

test.each([
  [[0, 4, 8, 12, 16], '0–16 by 4'],
  [[0, 4, 8, 12], '0, 4, 8, 12'],
  [[0, 4, 8, 12, 17], '0, 4, 8, 12, 17'],
  [[0, 1, 2, 3, 4], '0–4'],
])('%j is %s where a distance may be said', (ranks, text) => expect(rankRunsByStride(ranks)).toBe(text));

test('rankList shortens', () => {
  expect(rankList([5])).toBe('rank 5');
  expect(rankList(Array.from({ length: 64 }, (_, rank) => rank))).toBe(
    'ranks 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … 64 in all',
  );
});

test('a list with its noun', () => {
  expect([ranksText([3]), ranksText([0, 1, 2, 5])]).toEqual(['rank 3', 'ranks 0–2, 5']);
});
