import { codes, collective, compute, only, receive, send, validateNodes } from '../../support/validation.js';

const groups = { pg: [0, 1] };

/** The same nodes on two ranks. */
const twice = (...nodes: Parameters<typeof validateNodes>[0][number]) => [nodes, nodes];

test('a collective on both members and a matched pair have no finding', () => {
  const ranks = [
    [collective(1, 0, 8), send(2, 1, 5)],
    [collective(1, 0, 8), receive(2, 0, 5)],
  ];
  expect(validateNodes(ranks, { groups })).toEqual([]);
});

test('COMM_SIZE_MISSING: on a collective, a send and a receive (R-021, R-123)', () => {
  const nothing = { comm_size: undefined };
  const ranks = [
    [collective(1, 0, 8, nothing), send(2, 1, 5, 8, nothing)],
    [collective(1, 0, 8), receive(2, 0, 5, 8, nothing)],
  ];
  const findings = validateNodes(ranks, { groups });
  expect(codes(findings)).toEqual(['COMM_SIZE_MISSING warning', 'COMM_SIZE_MISSING warning']);
  expect(findings[0]).toMatchObject({ rank: 0, count: 2, nodes: [1, 2] });
  expect(findings[0].message).toBe('rank 0: 2 communication nodes without comm_size (bytes): nodes 1 "coll1" and 2');
  expect(findings[1]).toMatchObject({ rank: 1, nodes: [2] });
});

test('a barrier needs no size (R-123)', () => {
  expect(validateNodes(twice(collective(1, 9, 0, { comm_size: undefined })), { groups })).toEqual([]);
});

describe('COMM_SIZE_ZERO', () => {
  test('is legal when all members say it (R-121)', () => {
    expect(validateNodes(twice(collective(1, 0, 0)), { groups })).toEqual([]);
  });

  test('is a warning when another member has a size', () => {
    const findings = validateNodes([[collective(1, 0, 8)], [collective(4, 0, 0)]], { groups });
    expect(codes(findings)).toEqual(['COMM_SIZE_ZERO warning', 'COLLECTIVE_SIZE warning']);
    expect(findings[0]).toMatchObject({ rank: 1, nodes: [4] });
    expect(findings[0].message).toBe(
      'rank 1: 1 collective with comm_size 0, AllReduce 0 of pg, which has 8 bytes on another rank: node 4',
    );
  });

  test('is a warning on the end of a pair whose other end has a size', () => {
    const findings = validateNodes([[send(2, 1, 5, 0)], [receive(3, 0, 5, 64)]]);
    expect(codes(findings)).toEqual(['COMM_SIZE_ZERO warning', 'TRANSFER_SIZE warning']);
    expect(findings[0]).toMatchObject({ rank: 0, nodes: [2] });
    expect(validateNodes([[send(2, 1, 5, 0)], [receive(3, 0, 5, 0)]])).toEqual([]);
  });
});

test('COMM_TYPE_MISSING, not taken for all-reduce (R-122)', () => {
  const findings = validateNodes(twice(collective(1, 0, 8, { comm_type: undefined })), { groups });
  expect(codes(findings)).toEqual(['COMM_TYPE_MISSING warning', 'COMM_TYPE_MISSING warning']);
  expect(findings[0].message).toBe('rank 0: 1 collective without comm_type: node 1 "coll1"');
});

test('COMM_TYPE_UNKNOWN', () => {
  const found = only(validateNodes(twice(collective(1, 42, 8)), { groups }), 'COMM_TYPE_UNKNOWN');
  expect(found.map(({ rank, nodes }) => [rank, nodes])).toEqual([[0, [1]], [1, [1]]]); // prettier-ignore
});

test('ATTRIBUTE_ARM and ATTRIBUTE_NOT_NUMBER, found by the reader, are among the findings', () => {
  const ranks = [
    [collective(1, 0, 8, { comm_size: { uint64_val: 8 } })],
    [collective(1, 0, 8, { comm_size: { float_val: 8 } })],
  ];
  const findings = validateNodes(ranks, { groups });
  expect(codes(findings)).toEqual([
    'ATTRIBUTE_ARM warning',
    'ATTRIBUTE_NOT_NUMBER warning',
    'COMM_SIZE_MISSING warning',
  ]);
});

test('COMM_ON_CPU', () => {
  const findings = validateNodes(twice(collective(1, 0, 8, { is_cpu_op: { bool_val: true } })), { groups });
  expect(codes(findings)).toEqual(['COMM_ON_CPU warning', 'COMM_ON_CPU warning']);
  expect(findings[0].message).toBe('rank 0: 1 communication node with is_cpu_op true: node 1 "coll1"');
});

test('DURATIONS_ABSENT only where no compute node has one', () => {
  const silent = [1, 2].map((id) => ({ ...compute(id), duration_micros: 0 }));
  const findings = validateNodes([silent]);
  expect(codes(findings)).toEqual(['DURATIONS_ABSENT note']);
  expect(findings[0].message).toBe('rank 0: none of the 2 compute nodes has duration_micros');
  expect(only(validateNodes([[...silent, compute(3)]]), 'DURATIONS_ABSENT')).toEqual([]);
});

describe('NODE_IDLE', () => {
  const silent = (id: number, type: string, attr = {}) => ({ id, type, attr });
  const idle = (...nodes: Parameters<typeof validateNodes>[0][number]) =>
    only(validateNodes([nodes]), 'NODE_IDLE').map(({ severity, nodes, message }) => [severity, nodes, message]);

  test('a compute node without work beside others with duration, operations or bytes', () => {
    const worked = [
      compute(1),
      silent(2, 'COMP_NODE', { num_ops: { int64_val: 5 } }),
      silent(3, 'COMP_NODE', { tensor_size: { uint64_val: 5 } }),
    ];
    expect(idle(...worked)).toEqual([]);
    const zero = { num_ops: { int64_val: 0 }, tensor_size: { uint64_val: 0 } };
    expect(idle(...worked, silent(7, 'COMP_NODE'), silent(8, 'COMP_NODE', zero))).toEqual([
      [
        'note',
        [7, 8],
        'rank 0: 2 of 5 compute nodes have neither duration_micros nor num_ops nor tensor_size: nodes 7 and 8',
      ],
    ]);
  });

  test('memory nodes have no part in it, and are told of themselves', () => {
    const nodes = [
      compute(1),
      silent(2, 'MEM_LOAD_NODE', { tensor_size: { uint64_val: 5 } }),
      silent(3, 'MEM_STORE_NODE'),
    ];
    expect(idle(...nodes)).toEqual([
      ['note', [3], 'rank 0: 1 of 2 memory nodes has neither duration_micros nor num_ops nor tensor_size: node 3'],
    ]);
  });

  test('nothing where none of the kind says more', () => {
    expect(idle(compute(1), silent(2, 'MEM_LOAD_NODE'), silent(3, 'MEM_STORE_NODE'))).toEqual([]);
    expect(idle(silent(1, 'COMP_NODE'), silent(2, 'COMP_NODE'))).toEqual([]);
  });
});

describe('what some nodes say and others do not', () => {
  const device = { is_cpu_op: { bool_val: false } };
  const plain = { id: 1, type: 'COMP_NODE', duration_micros: 1 };

  test('SIDE_PARTIAL', () => {
    const nodes = [
      { ...plain, attr: device },
      { ...plain, id: 2 },
      { ...plain, id: 3 },
    ];
    const findings = validateNodes([nodes]);
    expect(codes(findings)).toEqual(['SIDE_PARTIAL note']);
    expect(findings[0].message).toBe(
      'rank 0: is_cpu_op (CPU or device) is on 1 node and not on 2 others: nodes 2 and 3',
    );
  });

  test('START_TIMES_PARTIAL', () => {
    const findings = validateNodes([
      [
        { ...plain, start_time_micros: 7 },
        { ...plain, id: 2 },
      ],
    ]);
    expect(codes(findings)).toEqual(['START_TIMES_PARTIAL note']);
    expect(findings[0].message).toBe('rank 0: start_time_micros is on 1 node and not on 1 other: node 2');
  });

  test('all or none, and metadata nodes: no finding', () => {
    const metadata = { id: 9, type: 'METADATA_NODE' };
    const full = { ...plain, start_time_micros: 7, attr: device };
    expect(validateNodes([[plain, { ...plain, id: 2 }, metadata]])).toEqual([]);
    expect(validateNodes([[full, { ...full, id: 2 }, metadata]])).toEqual([]);
  });
});

describe('NUMBER_TOO_LARGE of a duration', () => {
  // 2^53 − 1 ps are 9,007,199,254.740991 µs.
  const lasting = (micros: number, type = 'COMP_NODE') => ({ id: 1, name: 'op', type, duration_micros: micros });

  test('is an error above 2^53 ps, which simulate refuses', () => {
    const [found, ...others] = validateNodes([[lasting(9_007_199_255)]]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'NUMBER_TOO_LARGE', severity: 'error', rank: 0, nodes: [1] });
    expect(found.message).toBe(
      'rank 0: 1 node of a duration above 2^53 ps (9007 s), up to 9,007,199,255 µs: node 1 "op"',
    );
  });

  test('on memory nodes too; not on nodes without a time, nor below', () => {
    expect(codes(validateNodes([[lasting(9_007_199_255, 'MEM_LOAD_NODE')]]))).toEqual(['NUMBER_TOO_LARGE error']);
    expect(validateNodes([[lasting(9_007_199_254)]])).toEqual([]);
    expect(validateNodes([[lasting(9_007_199_255, 'METADATA_NODE')]])).toEqual([]);
  });
});
