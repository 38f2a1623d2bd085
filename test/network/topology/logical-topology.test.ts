import { checkLogicalSize, readLogicalTopology } from '../../../src/network/topology/logical-topology.js';

test('exchange-formats 7.2: {"logical-dims": ["8", "16"]} is 8 × 16, the innermost first, for 128 ranks', () => {
  expect(readLogicalTopology('{ "logical-dims": ["8", "16"] }', 'l')).toEqual({ dimensions: [8, 16], ranks: 128 });
});

test('exchange-formats 7.2: the product is the number of hosts, or it is an error', () => {
  const logical = readLogicalTopology('{"logical-dims": ["8", "16"]}', 'l');
  expect(checkLogicalSize(logical, 128, 'l')).toEqual([]);
  expect(checkLogicalSize(logical, 64, 'l')).toMatchObject([
    { code: 'TOPOLOGY_LOGICAL_SIZE', severity: 'error', message: 'l: 8 × 16 = 128 ranks, the topology has 64 hosts' },
  ]);
});

test.each([
  [
    '{"logical-dims": [8]}',
    'l:1:19: logical-dims: 8, expected a number of ranks from 1 to 1,000,000 as a text, such as "8"; ASTRA-sim takes texts only',
  ],
  [
    '{"logical-dims": ["0"]}',
    'l:1:19: logical-dims: "0", expected a number of ranks from 1 to 1,000,000 as a text, such as "8"',
  ],
  ['{"logical-dims": []}', 'l:1:18: logical-dims: [], expected a list such as ["8", "16"]'],
  ['{"logical-dims": "8"}', 'l:1:18: logical-dims: "8", expected a list such as ["8", "16"]'],
  ['{"logical-dims": ["8"], "dims": 1}', 'l:1:25: unknown key "dims" (known: logical-dims)'],
  ['9 1 8\n', 'l: no logical topology, expected {"logical-dims": ["8", "16"]}'],
])('%j is an error', (text, message) => {
  expect(() => readLogicalTopology(text, 'l')).toThrow(
    expect.objectContaining({ code: 'TOPOLOGY_MALFORMED', message }),
  );
});
