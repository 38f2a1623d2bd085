import { AlignmentTarget } from '../../src/pytorch/align-sequences.js';

/** Names of one letter each. */
function names(text: string): Int32Array {
  return Int32Array.from(text, (letter) => letter.charCodeAt(0));
}

function ways(first: string, second: string): { partner: number[]; matched: number; start: number }[] {
  return new AlignmentTarget(names(second))
    .alignments(names(first))
    .map(({ partner, matched, start }) => ({ partner: [...partner], matched, start }));
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

test('a stretch is found inside a longer sequence', () => {
  expect(ways('klmnopqrs', 'abcdefghijklmnopqrstuvw')).toEqual([{ partner: range(10, 9), matched: 9, start: 10 }]);
});

test('a sequence longer than the other leaves its ends without partners', () => {
  expect(ways('abcdefghijklmnop', 'defghijklm')[0].partner).toEqual([-1, -1, -1, ...range(0, 10), -1, -1, -1]);
});

test('names that only one side has are stepped over', () => {
  // X is only in the second; Y only in the first.
  expect(ways('abcdefghijYklmnopqrst', 'abcdefghXijklmnopqrst')[0].partner).toEqual([
    ...range(0, 8),
    9,
    10,
    -1,
    ...range(11, 10),
  ]);
});

test('two names in the other order: one of them finds its partner', () => {
  expect(ways('abcdefghXYijklmnop', 'abcdefghYXijklmnop')[0].matched).toBe(17);
});

test('repetitions are equally good ways, the earliest first', () => {
  const found = ways('abcdefghijkl', 'abcdefghijkl'.repeat(3));
  expect(found.map(({ matched, start }) => [matched, start])).toEqual([
    [12, 0],
    [12, 12],
    [12, 24],
  ]);
});

test('a repetition that lacks a name is a worse way than a complete one', () => {
  const found = ways('abcdefghijkl', 'abcdefghijl' + 'abcdefghijkl');
  expect(found.map(({ matched, start }) => [matched, start])).toEqual([
    [12, 11],
    [11, 0],
  ]);
});

test('a sequence shorter than a run is found by shorter runs', () => {
  expect(ways('efg', 'abcdefghij')[0]).toEqual({ partner: [4, 5, 6], matched: 3, start: 4 });
});

test('sequences with nothing in common have no way', () => {
  expect(ways('abcdefghij', 'klmnopqrst')).toEqual([]);
  expect(ways('', 'abc')).toEqual([]);
});

test('resemblance is the part of runs that occur', () => {
  // Of the 13 runs of 8 names, the first 5 lie in the second sequence.
  expect(new AlignmentTarget(names('abcdefghijkl')).resemblance(names('abcdefghijklMNOPQRST'))).toBeCloseTo(5 / 13, 12);
});

test('in a loop that lacks one name the turns stay together', () => {
  // 40 turns of "rs"; the second sequence lacks the s of turn 10: names skip one place and run on by the turn.
  const loop = 'abcdefgh' + 'rs'.repeat(40) + 'ijklmnop';
  const lacking = 'abcdefgh' + 'rs'.repeat(9) + 'r' + 'rs'.repeat(30) + 'ijklmnop';
  const { partner } = ways(loop, lacking)[0];
  const left = 8 + 2 * 9 + 1;
  expect(partner).toEqual([...range(0, left), -1, ...range(left, loop.length - left - 1)]);
});

test('a long stretch that only one side has is stepped over', () => {
  const before = range(100, 200);
  const after = range(400, 200);
  const other = range(1000, 700);
  const [way] = new AlignmentTarget(Int32Array.from([...before, ...other, ...after])).alignments(
    Int32Array.from([...before, ...after]),
  );
  expect([...way.partner]).toEqual([...range(0, 200), ...range(900, 200)]);
});
