import { Pattern, phaseShape, type PhaseKind, type PhaseShape } from '../../src/astra-sim/phase-shape.js';
import { implementation } from '../support/system-runs.js';

const shape = (algorithm: string, kind: PhaseKind, count: number, bytes: number, inGroup = false): PhaseShape =>
  phaseShape(implementation(algorithm), kind, count, bytes, inGroup);

/** P, Z, sends, bytes of a message, and the data that is left. */
function numbers({ parallelism, relays, sends, bytes, outputBytes }: PhaseShape): number[] {
  return [parallelism, relays, sends, bytes[0], outputBytes];
}

/** A digit a packet: 1 where its bundle is reduced; nothing where none is. */
function reduced(phase: PhaseShape): string {
  return [...phase.reduced].join('');
}

describe('ring (astra-sim-semantics 8.1)', () => {
  test.each([
    ['allReduce, 2 × 3 messages of a quarter', 'allReduce', 4, 1000, [1, 3, 6, 250, 1000]],
    ['reduceScatter leaves a quarter', 'reduceScatter', 4, 1000, [1, 3, 3, 250, 250]],
    ['allGather sends all it has and leaves four times that', 'allGather', 4, 1000, [1, 3, 3, 1000, 4000]],
    ['allToAll, 4 × 3 ÷ 2 messages', 'allToAll', 4, 1000, [1, 3, 6, 250, 1000]],
    ['allToAll of 5, 5 × 4 ÷ 2 messages', 'allToAll', 5, 1000, [1, 4, 10, 200, 1000]],
    ['of 2', 'allReduce', 2, 1000, [1, 1, 2, 500, 1000]],
    ['a size that does not divide: ⌊1003 ÷ 3⌋', 'reduceScatter', 3, 1003, [1, 2, 2, 334, 334]],
    ['… and is left whole by an allReduce', 'allReduce', 3, 1003, [1, 2, 4, 334, 1003]],
  ] as const)('%s', (_name, kind, count, bytes, expected) => {
    const phase = shape('ring', kind, count, bytes);
    expect(phase.pattern).toBe(Pattern.ring);
    expect(numbers(phase)).toEqual(expected);
    expect(numbers(shape('ring', kind, count, bytes, true))).toEqual(expected);
  });

  test('an allReduce reduces the three packets relayed in the first cycle, a reduceScatter those of every cycle', () => {
    // Packets 0 | 1 2 3 | 4 | 5 6: fresh, relayed, fresh, relayed.
    expect(reduced(shape('ring', 'allReduce', 4, 1000))).toBe('0111000');
    expect(reduced(shape('ring', 'reduceScatter', 4, 1000))).toBe('0111');
    expect(reduced(shape('ring', 'allGather', 4, 1000))).toBe('');
    expect(reduced(shape('ring', 'allToAll', 4, 1000))).toBe('');
  });
});

describe('direct (8.2)', () => {
  test.each([
    ['without window: as many as peers', 'direct', 'allReduce', 5, [4, 4, 8, 200, 1000]],
    ['window 2', 'direct2', 'allReduce', 5, [2, 2, 8, 200, 1000]],
    ['a window above the peers', 'direct9', 'allReduce', 5, [4, 4, 8, 200, 1000]],
    ['window 1, one message at a time', 'direct1', 'allGather', 5, [1, 1, 4, 1000, 5000]],
    ['allToAll sends each peer its part', 'direct', 'allToAll', 5, [4, 4, 4, 200, 1000]],
    ['reduceScatter', 'direct3', 'reduceScatter', 5, [3, 3, 4, 200, 200]],
  ] as const)('%s', (_name, algorithm, kind, count, expected) => {
    const phase = shape(algorithm, kind, count, 1000);
    expect(phase.pattern).toBe(Pattern.direct);
    expect(numbers(phase)).toEqual(expected);
  });

  test('in a group (N − 1) × P packets are relayed between fresh ones', () => {
    expect(numbers(shape('direct', 'allReduce', 5, 1000, true))).toEqual([4, 16, 8, 200, 1000]);
    expect(numbers(shape('direct2', 'allReduce', 5, 1000, true))).toEqual([2, 8, 8, 200, 1000]);
  });

  test('which packets are reduced: cycles of P fresh and P relayed, of an allReduce every other one', () => {
    // N = 4, P = 3: 3 fresh, 3 relayed and reduced, 3 fresh.
    expect(reduced(shape('direct', 'allReduce', 4, 1000))).toBe('000111000');
    // P = 1: cycles of two; the second and the fourth do not reduce.
    expect(reduced(shape('direct1', 'allReduce', 4, 1000))).toBe('0100010');
    expect(reduced(shape('direct1', 'reduceScatter', 4, 1000))).toBe('0101');
    // In a group, P = 1: one fresh, three relayed.
    expect(reduced(shape('direct1', 'allReduce', 4, 1000, true))).toBe('0111000');
    expect(reduced(shape('direct', 'allReduce', 4, 1000, true))).toBe('000111111');
    expect(reduced(shape('direct', 'allToAll', 4, 1000))).toBe('');
  });
});

describe('halving-doubling (8.3)', () => {
  /** Bytes and distances of the messages that are sent. */
  function messages({ bytes, distances, sends }: PhaseShape): [number[], number[]] {
    return [[...bytes.subarray(0, sends)], [...distances.subarray(0, sends)]];
  }

  test('allReduce of 8, example C: halves, then doubles; the turning size twice', () => {
    const phase = shape('halvingDoubling', 'allReduce', 8, 1_048_576);
    expect(numbers(phase)).toEqual([1, 2, 6, 524_288, 1_048_576]);
    expect(messages(phase)).toEqual([
      [524_288, 262_144, 131_072, 131_072, 262_144, 524_288],
      [1, 2, 4, 4, 2, 1],
    ]);
    // Two relayed after the fresh one; the third step of the reduction is not charged.
    expect(reduced(phase)).toBe('0110000');
  });

  test('the size that a received message is reduced with is that of the packet it makes', () => {
    // Six messages make seven packets; the last is never sent.
    expect(shape('halvingDoubling', 'allReduce', 8, 1_048_576).bytes).toHaveLength(7);
  });

  test('an odd last size loses its last bit on the way back', () => {
    // 500, 250, 125; 125 ÷ 2 = 62, doubled: 124, 248, 496.
    expect(messages(shape('halvingDoubling', 'allReduce', 8, 1000))[0]).toEqual([500, 250, 125, 124, 248, 496]);
  });

  test('where the program would send 0 bytes the way back has the sizes of the way there', () => {
    expect(messages(shape('halvingDoubling', 'allReduce', 4, 4))[0]).toEqual([2, 1, 1, 2]);
    expect(messages(shape('halvingDoubling', 'allReduce', 4, 7))[0]).toEqual([3, 1, 1, 3]);
    expect(messages(shape('halvingDoubling', 'allReduce', 2, 2))[0]).toEqual([1, 1]);
  });

  test('reduceScatter and allGather go one way each', () => {
    const scatter = shape('halvingDoubling', 'reduceScatter', 8, 1000);
    expect(numbers(scatter)).toEqual([1, 2, 3, 500, 125]);
    expect(messages(scatter)).toEqual([
      [500, 250, 125],
      [1, 2, 4],
    ]);
    expect(reduced(scatter)).toBe('0110');
    const gather = shape('halvingDoubling', 'allGather', 8, 1000);
    expect(numbers(gather)).toEqual([1, 2, 3, 1000, 8000]);
    expect(messages(gather)).toEqual([
      [1000, 2000, 4000],
      [4, 2, 1],
    ]);
    expect(reduced(gather)).toBe('');
  });

  test('of 2: log₂ 2 − 1 = 0 relayed packets, so that nothing is reduced', () => {
    const phase = shape('halvingDoubling', 'allReduce', 2, 1000);
    expect(numbers(phase)).toEqual([1, 0, 2, 500, 1000]);
    expect(messages(phase)[1]).toEqual([1, 1]);
    expect(reduced(phase)).toBe('000');
  });

  test('allGather of 6: log₂ is cut to 2 messages, at distances 3 and 1', () => {
    expect(messages(shape('halvingDoubling', 'allGather', 6, 1000))).toEqual([
      [1000, 2000],
      [3, 1],
    ]);
  });
});

test.each(['allReduce', 'reduceScatter', 'allGather'] as const)(
  'a double binary tree sends and leaves all data as %s (5.3, 8.4)',
  (kind) => {
    const phase = shape('doubleBinaryTree', kind, 8, 1000);
    expect(phase.pattern).toBe(Pattern.doubleBinaryTree);
    expect([phase.bytes[0], phase.outputBytes]).toEqual([1000, 1000]);
  },
);
