import { startOrder } from '../../src/pytorch/start-order.js';

/** [thread, start, duration] in ns. */
function spans(...rows: [number, number, number][]) {
  return {
    length: rows.length,
    thread: Float64Array.from(rows, ([thread]) => thread),
    startNs: Float64Array.from(rows, ([, start]) => start),
    durationNs: Float64Array.from(rows, ([, , duration]) => duration),
  };
}

test('threads ascend, and starts within a thread; a thread without a number is last', () => {
  const { order, threads, threadStart } = startOrder(spans([NaN, 1, 1], [7, 9, 1], [3, 5, 1], [7, 2, 1], [NaN, 0, 1]));
  expect([...order]).toEqual([2, 3, 1, 4, 0]);
  expect([...threads]).toEqual([3, 7, NaN]);
  expect([...threadStart]).toEqual([0, 1, 3, 5]);
});

test('of events that start together the longer is first, as it is the caller', () => {
  expect([...startOrder(spans([1, 0, 3], [1, 0, 9], [1, 0, 5])).order]).toEqual([1, 2, 0]);
});

test('ids that grow with time order events of one start: a caller cut to the length of its callee is first', () => {
  // Both start in microsecond 4 and last 1 µs; the caller is second in the file.
  const cut = spans([1, 0, 3000], [1, 4000, 1000], [1, 4000, 1000]);
  expect([...startOrder(cut).order]).toEqual([0, 1, 2]);
  expect([...startOrder(cut, Float64Array.of(10, 12, 11)).order]).toEqual([0, 2, 1]);
});

test('ids that do not grow with time are not used', () => {
  const cut = spans([1, 0, 3000], [1, 4000, 1000], [1, 4000, 1000], [1, 6000, 1000]);
  expect([...startOrder(cut, Float64Array.of(10, 12, 11, 5)).order]).toEqual([0, 1, 2, 3]);
});

test('ids that would put an event before the longer one around it are not used', () => {
  expect([...startOrder(spans([1, 0, 2000], [1, 0, 9000]), Float64Array.of(1, 2)).order]).toEqual([1, 0]);
});

test('times in whole microseconds are rounded by one; others are not', () => {
  expect(startOrder(spans([1, 2000, 1000])).roundingNs).toBe(1000);
  expect(startOrder(spans([1, 2000, 1001])).roundingNs).toBe(1);
});
