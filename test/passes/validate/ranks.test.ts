import { PLAIN } from '../../../src/passes/validate/stored-form.js';
import { surveyForValidation, validateTraceset } from '../../../src/passes/validate/validate.js';
import { traceOf, type NodeObject } from '../../support/traces.js';
import { codes, compute, only, receive, send, validateNodes } from '../../support/validation.js';

const quiet = { ...compute(1), duration_micros: 0 };
const told = (ranks: readonly NodeObject[][], metadata: object[] = []) =>
  only(validateNodes(ranks, { metadata }), 'RANKS_DIFFER').map(({ severity, message }) => `${severity}: ${message}`);

describe('communication', () => {
  const ring = (rank: number, ranks: number) => [send(2, (rank + 1) % ranks, 5), receive(3, (rank || ranks) - 1, 5)];

  test('one rank without it, where all others have some', () => {
    const ranks = [0, 1, 2].map((rank) => ring(rank, 3));
    expect(told([...ranks, [compute(1)]])).toEqual([
      'warning: rank 3 has no communication nodes, the 3 other ranks have some',
    ]);
  });

  test('two ranks of many', () => {
    const ranks = [0, 1, 2].map((rank) => ring(rank, 3));
    const [found] = validateNodes([...ranks, [compute(1)], [compute(1)]]);
    expect(found).toMatchObject({ property: 'communication', ranks: [3, 4], count: 2 });
    expect(found.message).toBe('ranks 3, 4 have no communication nodes, the 3 other ranks have some');
  });

  test('one rank that has some alone', () => {
    const ranks = [[send(1, 1, 5)], [compute(1)], [compute(1)]];
    expect(told(ranks)).toEqual(['warning: rank 0 has communication nodes, the 2 other ranks have none']);
  });

  test('a pair among many ranks, and ranks without any node, are nothing odd', () => {
    expect(told([...[0, 1].map((rank) => ring(rank, 2)), [compute(1)], [compute(1)], [compute(1)]])).toEqual([]);
    expect(told([...[0, 1].map((rank) => ring(rank, 2)), []])).toEqual([]);
  });

  test('stages with other kinds and numbers of nodes are nothing odd', () => {
    const ranks = [
      [compute(1), compute(2), send(3, 1, 5)],
      [receive(1, 0, 5), compute(2), send(3, 2, 5)],
      [receive(1, 1, 5), compute(2), compute(3), compute(4), compute(5)],
    ];
    expect(validateNodes(ranks)).toEqual([]);
  });
});

describe('durations', () => {
  test('the fewer are named', () => {
    expect(told([[compute(1)], [quiet], [compute(1)]])).toEqual([
      'warning: rank 1 has no durations on its compute nodes, the 2 other ranks have some',
    ]);
    expect(told([[quiet], [quiet], [compute(1)], [quiet]])).toEqual([
      'warning: rank 2 has durations on its compute nodes, the 3 other ranks have none',
    ]);
  });

  test('nowhere, or no compute node on a rank: no finding', () => {
    expect(told([[quiet], [quiet]])).toEqual([]);
    expect(told([[compute(1)], [{ id: 1, type: 'METADATA_NODE' }]])).toEqual([]);
  });
});

test('prepared ranks beside raw ones, and ranks prepared in another way', () => {
  const passes = (...names: string[]) => ({ attr: { chakra_prep_passes: { string_list: names } } });
  const ranks = [1, 2, 3, 4].map(() => [compute(1)]);
  expect(told(ranks, [{}, {}, passes('expand', 'sync'), {}])).toEqual([
    'warning: rank 2 is prepared (expand, sync), the 3 other ranks are not prepared',
  ]);
  expect(told(ranks, [passes('sync'), passes('sync'), passes('sync'), passes('sync')])).toEqual([]);
  expect(told(ranks, [passes('sync'), {}, passes('expand'), passes('sync')])).toEqual([
    'warning: rank 1 is not prepared, the 2 other ranks are prepared (sync)',
    'warning: rank 2 is prepared (expand), the 2 other ranks are prepared (sync)',
  ]);
});

test('feeder JSON beside Chakra traces; JSON lines say the same as protobuf', () => {
  const found = (...forms: string[]) => {
    const surveys = forms.map((format, rank) =>
      surveyForValidation(traceOf([compute(1)], rank), { stored: { ...PLAIN, format } }),
    );
    return validateTraceset(surveys, { worldSize: forms.length, declared: { groups: new Map(), findings: [] } });
  };
  const mixed = found('chakra-et', 'feeder-json', 'chakra-et');
  expect(codes(mixed)).toEqual(['RANKS_DIFFER warning']);
  expect(mixed[0].message).toBe('rank 1 is feeder JSON, the 2 other ranks are in another form');
  expect(found('chakra-et', 'chakra-jsonl')).toEqual([]);
  expect(found('feeder-json', 'feeder-json')).toEqual([]);
});
