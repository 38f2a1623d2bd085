import { beginOrder } from '../../../src/astra-sim/expansion/begin-order.js';

test('each rank begins its own in its order', () => {
  // Collective 2 of ranks 1 and 2 comes before 0 and 1 on rank 1.
  expect(beginOrder([[0, 1], [2, 0, 1], [2]], 3)).toEqual([2, 0, 1]);
});

test('two that ranks have in different orders go by their numbers', () => {
  expect(
    beginOrder(
      [
        [1, 0, 2],
        [0, 1, 2],
      ],
      3,
    ),
  ).toEqual([0, 1, 2]);
});

test('none', () => {
  expect(beginOrder([[], []], 0)).toEqual([]);
});
