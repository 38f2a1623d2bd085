import { DanglingIds } from '../../src/trace/dangling-ids.js';

test('ids are numbered in the order in which they come, each once, both halves counting', () => {
  const ids = new DanglingIds();
  expect([ids.low.length, ids.high.length]).toEqual([0, 0]);
  const places = [
    [7, 0],
    [7, 1],
    [0, 0],
    [7, 0],
    [0xffffffff, 0xffffffff],
    [7, 1],
  ].map(([low, high]) => ids.placeOf(low, high));
  expect(places).toEqual([0, 1, 2, 0, 3, 1]);
  expect([[...ids.low], [...ids.high]]).toEqual([
    [7, 7, 0, 0xffffffff],
    [0, 1, 0, 0xffffffff],
  ]);
});

test('a thousand ids', () => {
  const ids = new DanglingIds();
  for (let round = 0; round < 2; round++) {
    for (let id = 0; id < 1000; id++) expect(ids.placeOf(id * 4096, 0)).toBe(id);
  }
});
