import { likelyShift, matchById } from '../../src/pytorch/match-by-id.js';

function sides(host: [number, number][], events: [number, number][]) {
  return {
    hostId: Float64Array.from(host, ([id]) => id),
    hostName: Int32Array.from(host, ([, name]) => name),
    eventId: Float64Array.from(events, ([id]) => id),
    eventName: Int32Array.from(events, ([, name]) => name),
  };
}

test('equal ids are pairs, whose names agree or not; 0 and NaN are no ids', () => {
  const match = matchById(
    sides(
      [
        [0, 9],
        [5, 1],
        [6, 2],
        [7, 3],
      ],
      [
        [7, 3],
        [NaN, 9],
        [5, 4],
        [0, 9],
      ],
    ),
  );
  expect([...match.hostEvent]).toEqual([-1, 2, -1, 0]);
  expect(match).toMatchObject({ pairs: 2, agreeing: 1, doubledNodes: 0, doubledEvents: 0 });
});

test('the first of an id keeps it, on both sides', () => {
  const match = matchById(
    sides(
      [
        [5, 1],
        [5, 1],
      ],
      [
        [5, 1],
        [5, 2],
      ],
    ),
  );
  expect([...match.hostEvent]).toEqual([0, -1]);
  expect(match).toMatchObject({ pairs: 1, doubledNodes: 1, doubledEvents: 1 });
});

test('a constant between the ids is found by rare names, not by those that fit everywhere', () => {
  const common = Array.from({ length: 20 }, (_, i): [number, number] => [100 + i, 0]);
  const host: [number, number][] = [[1, 10], [2, 11], [3, 12], ...common];
  const events: [number, number][] = [[3, 10], [4, 11], [9, 12], ...common];
  expect(likelyShift(sides(host, events))).toBe(2);
  expect(matchById(sides(host, events), 2)).toMatchObject({ pairs: 20, agreeing: 20 });
});
