import { codes, collective, only, receive, send, validateNodes } from '../../support/validation.js';

const groups = { pg: [0, 1] };

/** A collective with these tensors as PyTorch's converter writes them. */
const reduced = (size: number, values: string) => ({ ...collective(1, 0, size), inputs: { values } });

/** What is found where both ranks have the collective. */
const found = (size: number, values: string) =>
  only(validateNodes([[reduced(size, values)], [reduced(size, values)]], { groups }), 'SIZE_IN_ELEMENTS');

test('SIZE_IN_ELEMENTS: 1,024 floats are 4,096 bytes', () => {
  const findings = found(1024, "[[15, 5, 0, 1024, 4, 'cuda:0']]");
  expect(codes(findings)).toEqual(['SIZE_IN_ELEMENTS warning', 'SIZE_IN_ELEMENTS warning']);
  expect(findings[0]).toMatchObject({ rank: 0, nodes: [1] });
  expect(findings[0].message).toBe(
    'rank 0: 1 communication node with the number of tensor elements as comm_size, ' +
      '1,024 where the tensors have 4,096 bytes: node 1 "coll1"',
  );
});

test.each([
  ['bytes', 4096, "[[15, 5, 0, 1024, 4, 'cuda:0']]"],
  ['elements of one byte', 1024, "[[15, 5, 0, 1024, 1, 'cuda:0']]"],
  ['neither', 1000, "[[15, 5, 0, 1024, 4, 'cuda:0']]"],
  ['no tensor', 1024, "[1024, 'x', [1, 2, 3, 1024]]"],
  ['no text', 1024, ''],
  ['text that is cut', 1024, "[[15, 5, 0, 1024, 4, 'cud"],
])('%s: no finding', (_, size, values) => {
  expect(found(size, values)).toEqual([]);
});

test('several tensors count together, in lists of lists too', () => {
  expect(found(30, "[[[1, 1, 0, 10, 4, 'cuda:0'], [2, 2, 0, 20, 2, 'cuda:0']], 'x', 0]")).toHaveLength(2);
  expect(found(80, "[[[1, 1, 0, 10, 4, 'cuda:0'], [2, 2, 0, 20, 2, 'cuda:0']], 'x', 0]")).toEqual([]);
});

test('sends and receives have tensors too', () => {
  const inputs = { values: "[[15, 5, 0, 8, 4, 'cuda:0']]" };
  const ranks = [[{ ...send(1, 1, 5, 8), inputs }], [{ ...receive(2, 0, 5, 8), inputs }]];
  expect(only(validateNodes(ranks), 'SIZE_IN_ELEMENTS').map(({ rank, nodes }) => [rank, nodes])).toEqual([
    [0, [1]],
    [1, [2]],
  ]);
});
