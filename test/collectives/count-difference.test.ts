import fc from 'fast-check';
import { countDifference } from '../../src/collectives/count-difference.js';
import { surveyCollectives } from '../../src/collectives/survey.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { traceOf } from '../support/traces.js';
import { collective } from '../support/validation.js';

/** A member with these collectives, `[type, size]`; the first has id 10. */
function member(rank: number, list: readonly (readonly [number, number])[]) {
  const nodes = list.map(([type, size], at) =>
    collective(10 + at, type, size, Number.isNaN(size) ? { comm_size: undefined } : {}),
  );
  return { survey: surveyCollectives(traceOf(nodes, rank)), places: list.map((_, at) => at) };
}

const { allReduce, allGather, barrier } = CollectiveType;
const A = [allReduce, 8] as const;
const B = [allGather, 16] as const;
const C = [allReduce, 4096] as const;
const text = (odd: (readonly [number, number])[], usual: (readonly [number, number])[], alone = false) =>
  countDifference(member(2, odd), member(0, usual), alone)?.text;

test.each([
  ['in the middle', [A, C], [A, B, C], "rank 2 lacks AllGather 1 of 16 B (the others' 2nd, node 11 on rank 0)"],
  ['at the beginning', [B, C], [A, B, C], "rank 2 lacks AllReduce 0 of 8 B (the others' 1st, node 10 on rank 0)"],
  ['at the end', [A, B], [A, B, C], "rank 2 lacks AllReduce 2 of 4,096 B (the others' 3rd, node 12 on rank 0)"],
  [
    'two in a row',
    [A],
    [A, B, C],
    "rank 2 lacks 2 in a row, from AllGather 1 of 16 B on (the others' 2nd, node 11 on rank 0)",
  ],
  [
    'one of several that are alike',
    [A, B, B, C],
    [A, B, B, B, C],
    "rank 2 lacks one of 3 that are alike, from AllGather 1 of 16 B on (the others' 2nd to 4th, the first is node 11 on rank 0)",
  ],
  ['one too many', [A, B, C], [A, C], 'rank 2 has one more: AllGather 1 of 16 B (its 2nd, node 11)'],
  [
    'one repeated',
    [A, A, C],
    [A, C],
    'rank 2 has one more of 2 that are alike, from AllReduce 0 of 8 B on (its 1st to 2nd, the first is node 10)',
  ],
  [
    'lost, and another size',
    [[allReduce, 9] as const, C],
    [A, B, C],
    "rank 2 lacks AllGather 1 of 16 B (the others' 2nd, node 11 on rank 0)",
  ],
  [
    'lost in two places',
    [B, B, A, B],
    [A, B, B, C, A, B],
    'rank 2 first differs at its 1st: AllGather 0 of 16 B (node 10) where rank 0 has AllReduce 0 of 8 B (node 10)',
  ],
  [
    'a barrier and a collective without a size',
    [A],
    [A, [barrier, 0] as const],
    "rank 2 lacks Barrier 1 (the others' 2nd, node 11 on rank 0)",
  ],
  ['none at all', [], [A], undefined],
])('%s', (_, odd, usual, expected) => {
  expect(text([...odd], [...usual])).toBe(expected);
});

test('of two ranks the other is named', () => {
  expect(text([A], [A, B], true)).toBe("rank 2 lacks AllGather 1 of 16 B (rank 0's 2nd, node 11)");
});

test('what is said to be missing makes the two equal again, wherever it was lost', () => {
  const kind = fc.constantFrom(A, B, C, [allReduce, NaN] as const);
  fc.assert(
    fc.property(fc.array(kind, { minLength: 2, maxLength: 12 }), fc.nat(), fc.nat(), (usual, start, length) => {
      const from = start % usual.length;
      const count = 1 + (length % (usual.length - from));
      const odd = usual.toSpliced(from, count);
      fc.pre(odd.length > 0);
      const found = countDifference(member(2, odd), member(0, usual), false)!;
      expect([found.kind, found.count]).toEqual(['missing', count]);
      expect(usual.toSpliced(found.at, found.count)).toEqual(odd);
      expect(found.node).toBe(10 + found.at);
      const back = countDifference(member(2, usual), member(0, odd), false)!;
      expect([back.kind, back.count, back.at]).toEqual(['extra', count, found.at]);
    }),
  );
});
