import { QUEUE_TURNS, type CollectivePlan, type Phase, type QueueTurn } from '../../src/astra-sim/collective-plan.js';
import { PhaseCounts } from '../../src/astra-sim/phase-counts.js';
import { phaseShape } from '../../src/astra-sim/phase-shape.js';

/** A phase over two ranks of a dimension. */
function phase(dimension: number, turn: QueueTurn, algorithm: 'ring' | 'doubleBinaryTree' = 'ring'): Phase {
  return {
    shape: phaseShape({ algorithm, whole: false }, 'allReduce', 2, 100, false),
    implementation: { algorithm, whole: false },
    members: { count: 2, stride: 1, isCoordinate: true },
    dimension,
    turn,
  };
}

function counts(chunks: number, orders: readonly (readonly Phase[])[], orderOf?: readonly number[]): PhaseCounts {
  const plan = { orders, chunks, ...(orderOf && { orderOf: Uint16Array.from(orderOf) }) };
  return new PhaseCounts(plan as CollectivePlan, 2);
}

/** What has been given before each chunk to the queues of a dimension in a turn, at a place of its phases. */
function given(
  of: PhaseCounts,
  chunks: readonly number[],
  place: number,
  dimension: number,
  turn: QueueTurn,
): number[] {
  const counter = of.givenTo(dimension, QUEUE_TURNS.indexOf(turn));
  return chunks.map((chunk) => of.given(chunk, place, counter));
}

test('section 6: every phase of every chunk counts, chunk after chunk', () => {
  const aware = counts(3, [[phase(0, 'first'), phase(1, 'first'), phase(0, 'last')]]);
  expect(given(aware, [0, 1, 2], 0, 0, 'first')).toEqual([0, 1, 2]);
  expect(given(aware, [0, 1, 2], 2, 0, 'last')).toEqual([0, 1, 2]);
  // By dimension: any, first, last; then trees.
  expect([...aware.total]).toEqual([0, 3, 3, 0, 3, 0, 0, 0]);
});

test('chunks that go through the dimensions in turn count for the dimension that they are in', () => {
  const up = [phase(0, 'first'), phase(1, 'first'), phase(0, 'last')];
  const down = [phase(1, 'first'), phase(0, 'first'), phase(1, 'last')];
  const turns = counts(5, [up, down], [0, 1, 0, 1, 0]);
  expect(given(turns, [0, 2, 4], 0, 0, 'first')).toEqual([0, 2, 4]);
  expect(given(turns, [1, 3], 1, 0, 'first')).toEqual([1, 3]);
  // The gathering queues of dimension 0 get every other chunk.
  expect(given(turns, [0, 2, 4], 2, 0, 'last')).toEqual([0, 1, 2]);
  expect(given(turns, [1, 3], 2, 1, 'last')).toEqual([0, 1]);
  expect([...turns.total]).toEqual([0, 5, 3, 0, 5, 2, 0, 0]);
});

test('section 8.4: trees are counted by dimension, two of a chunk where it comes back to it', () => {
  const up = [phase(0, 'first', 'doubleBinaryTree'), phase(1, 'first'), phase(0, 'last', 'doubleBinaryTree')];
  const down = [phase(1, 'first'), phase(0, 'first', 'doubleBinaryTree'), phase(1, 'last')];
  const same = counts(2, [up]);
  const counter = same.treesOn(0);
  expect([0, 1].map((chunk) => same.trees(chunk, 0, counter))).toEqual([0, 2]);
  expect([0, 1].map((chunk) => same.trees(chunk, 2, counter))).toEqual([1, 3]);
  expect(same.total[counter]).toBe(4);
  const turns = counts(3, [up, down], [0, 1, 0]);
  expect([turns.trees(0, 2, counter), turns.trees(1, 1, counter), turns.trees(2, 0, counter)]).toEqual([1, 2, 3]);
  expect(turns.total[counter]).toBe(5);
});
