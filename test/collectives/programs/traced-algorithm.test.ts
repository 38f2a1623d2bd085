import { checkTraced } from '../../../src/collectives/programs/check-traced.js';
import { scaled, type TracedPosition } from '../../../src/collectives/programs/traced-algorithm.js';

/** A position that does these transfers one after another: [1 for a send, peer, bytes, index]. */
function position(...transfers: [send: 0 | 1, peer: number, bytes: number, index: number][]): TracedPosition {
  return {
    send: Uint8Array.from(transfers, ([send]) => send),
    peer: Int32Array.from(transfers, ([, peer]) => peer),
    bytes: Float64Array.from(transfers, ([, , bytes]) => bytes),
    index: Int32Array.from(transfers, ([, , , index]) => index),
    dependencies: transfers.map((_, at) => (at === 0 ? [] : [at - 1])),
  };
}

const told = (positions: TracedPosition[], type: number, size: number): string[] =>
  checkTraced(positions, type, size, 'x')
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code} ${message}`);

/** A chain 0 → 1 → 2. */
const CHAIN = [position([1, 1, 90, 0]), position([0, 0, 90, 0], [1, 2, 90, 0]), position([0, 1, 90, 0])];

test('a chain is a broadcast from 0 and a reduce to 2, and no all-reduce', () => {
  expect(told(CHAIN, 5, 90)).toEqual([]);
  expect(checkTraced(CHAIN, 5, 90, 'x').root).toBe(0);
  expect(told(CHAIN, 1, 90)).toEqual([]);
  expect(checkTraced(CHAIN, 1, 90, 'x').root).toBe(2);
  expect(told(CHAIN, 0, 0)).toEqual([
    'PROGRAM_REACH x: position 0 does not depend on position 1, whose data an AllReduce needs there (and 2 more pairs)',
  ]);
});

test('a send that does not wait for a receive passes nothing on', () => {
  const unchained = { ...CHAIN[1], dependencies: [[], []] };
  expect(told([CHAIN[0], unchained, CHAIN[2]], 5, 90)).toEqual([
    'PROGRAM_REACH x: position 2 does not depend on position 0, whose data a Broadcast needs there',
  ]);
});

// Two positions that exchange 60 bytes; S is 100 where that is not enough, by the bytes that must come in or go out.
const swap = (bytes: number): TracedPosition[] => [
  position([1, 1, bytes, 0], [0, 1, bytes, 0]),
  position([1, 0, bytes, 0], [0, 0, bytes, 0]),
];
test.each<[string, number, number, number]>([
  ['AllReduce: S in, S out', 0, 100, 100],
  ['AllGather: (N−1)·S in', 2, 100, 100],
  ['AllToAll: (N−1)·S/N in and out', 6, 100, 50],
  ['ReduceScatter: (N−1)·S/N out', 7, 100, 50],
])('%s', (_name, type, size, least) => {
  expect(told(swap(least), type, size)).toEqual([]);
  expect(told(swap(least - 1), type, size)).toHaveLength(1);
  expect(told(swap(least - 1), type, size)[0]).toMatch(/^PROGRAM_BYTES x: position 0 sends /);
  expect(told(swap(1), type, 0)).toEqual([]);
});

test.each([
  [131072, 1048576, 1048576, 131072],
  [100, 1001, 1000, 101],
  [100, 2000, 1000, 200],
  [1, 1, 3, 1],
  [3, 0, 7, 0],
  [2 ** 40, 2 ** 40 + 1, 2 ** 40, 2 ** 40 + 1],
])('%d bytes for S = %d of %d are %d, rounded up', (bytes, to, from, expected) => {
  expect(scaled(bytes, to, from)).toBe(expected);
});
