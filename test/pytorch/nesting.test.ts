import { eventsAround, exclusiveTimes, parentsByTime } from '../../src/pytorch/nesting.js';
import { startOrder } from '../../src/pytorch/start-order.js';

/** [start, end] in ns, all of one thread. */
function spans(...rows: [number, number][]) {
  return {
    length: rows.length,
    thread: new Float64Array(rows.length).fill(1),
    startNs: Float64Array.from(rows, ([start]) => start),
    durationNs: Float64Array.from(rows, ([start, end]) => end - start),
  };
}

function times(rows: [number, number][], counts?: number[]) {
  const events = spans(...rows);
  const starts = startOrder(events);
  const { exclusiveNs, cut, overlapping } = exclusiveTimes(
    events,
    starts,
    Uint8Array.from(counts ?? rows.map(() => 1)),
  );
  return { parent: [...parentsByTime(events, starts)], exclusive: [...exclusiveNs], cut, overlapping };
}

test('an event has its time without what is nested in it', () => {
  // 100 − (20 + 30) = 50; the second child is 30 − 10 itself.
  expect(
    times([
      [0, 100],
      [10, 30],
      [50, 80],
      [60, 70],
    ]),
  ).toEqual({ parent: [-1, 0, 0, 2], exclusive: [50, 20, 20, 10], cut: 0, overlapping: 0 });
});

test('an event that starts with the one around it is nested in it', () => {
  expect(
    times([
      [0, 100],
      [0, 40],
      [0, 15],
    ]),
  ).toMatchObject({ parent: [-1, 0, 1], exclusive: [60, 25, 15] });
});

test('an event that ends with the one around it is nested, one that starts at its end is not', () => {
  expect(
    times([
      [0, 100],
      [90, 100],
      [100, 110],
    ]),
  ).toMatchObject({ parent: [-1, 0, -1], exclusive: [90, 10, 10], overlapping: 0 });
});

test('events that overlap without nesting take nothing off each other, and are counted', () => {
  // Both lie in the first: their union is 10 … 60.
  expect(
    times([
      [0, 100],
      [10, 40],
      [30, 60],
    ]),
  ).toEqual({ parent: [-1, 0, 0], exclusive: [50, 30, 30], cut: 0, overlapping: 1 });
});

test('what lies in two overlapping events is taken off both', () => {
  expect(
    times([
      [0, 40],
      [20, 70],
      [25, 35],
    ]),
  ).toMatchObject({ parent: [-1, -1, 1], exclusive: [30, 40, 10], overlapping: 1 });
});

test('an event whose end is cut to the next microsecond is nested, and cut at the end of the one around', () => {
  expect(
    times([
      [0, 5000],
      [2000, 6000],
    ]),
  ).toEqual({ parent: [-1, 0], exclusive: [2000, 4000], cut: 1, overlapping: 0 });
});

test('time of events that do not count stays with the event around them', () => {
  // The middle event has no node: its own 20 stay, the 10 of what it calls do not.
  expect(
    times(
      [
        [0, 100],
        [10, 40],
        [20, 30],
      ],
      [1, 0, 1],
    ),
  ).toMatchObject({ parent: [-1, 0, 1], exclusive: [90, NaN, 10] });
});

test('a call lies in the innermost event around all of it, or else around its start', () => {
  const events = spans([0, 100], [10, 50], [60, 70]);
  const calls = spans([20, 30], [45, 55], [65, 80], [90, 130], [200, 210]);
  const { around, outlasting } = eventsAround(events, startOrder(events), calls, startOrder(calls));
  expect([...around]).toEqual([1, 0, 0, 0, -1]);
  expect(outlasting).toBe(1);
});

test('a call at the border of two events lies in the one that goes on', () => {
  const events = spans([0, 10], [10, 20]);
  const calls = spans([10, 13]);
  expect([...eventsAround(events, startOrder(events), calls, startOrder(calls)).around]).toEqual([1]);
});

test('a call lies in events of its own thread only', () => {
  const events = spans([0, 100]);
  const calls = { ...spans([10, 20]), thread: Float64Array.of(2) };
  expect([...eventsAround(events, startOrder(events), calls, startOrder(calls)).around]).toEqual([-1]);
});
