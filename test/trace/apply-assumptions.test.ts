import { encodeChakraEt } from '../../src/formats/et/encode.js';
import { applyAssumptions } from '../../src/trace/apply-assumptions.js';
import { assumptionsInForce, foldAssumptions } from '../../src/trace/assumption-findings.js';
import { assumptionsOf, type Assumptions } from '../../src/trace/assumptions.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { NodeFlag, type RankTrace } from '../../src/trace/rank-trace.js';
import { attributes, collective } from '../support/preparation.js';
import { readBytes, traceOf, type NodeObject } from '../support/traces.js';

const { allGather, gather, scatter, allToAll, reduceScatter, reduceScatterBlock, allReduce, broadcast } =
  CollectiveType;

/** Four ranks in `G`, in another order than their numbers; `P` has ranks 4 and 6; the world has eight. */
const GROUPS = new Map([
  ['G', [2, 0, 3, 1]],
  ['P', [4, 6]],
  ['world', [0, 1, 2, 3, 4, 5, 6, 7]],
]);

function assume(...texts: string[]): Assumptions {
  return { ...assumptionsOf(texts)!, groups: GROUPS };
}

function applied(nodes: readonly NodeObject[], ...texts: string[]): RankTrace {
  return applyAssumptions(traceOf(nodes), assume(...texts)).trace;
}

function findings(nodes: readonly NodeObject[], ...texts: string[]): string[] {
  return applyAssumptions(traceOf(nodes), assume(...texts)).findings.map(({ code, message }) => `${code} ${message}`);
}

const sizes = ({ commSize }: RankTrace): number[] => [...commSize];

test('a total of 4,000 over four ranks is a shard of 1,000; over the world of eight 500', () => {
  const nodes = [
    collective(1, { type: allGather, size: 4000, group: 'G' }),
    collective(2, { type: allGather, size: 4000 }),
    collective(3, { type: gather, size: 4000, group: 'G' }),
  ];
  expect(sizes(applied(nodes, 'allgather-size=total'))).toEqual([1000, 500, 4000]);
  expect(sizes(applied(nodes, 'gather-size=total'))).toEqual([4000, 4000, 1000]);
});

test('a result of 250 on four ranks is a full input of 1,000', () => {
  const nodes = [
    collective(1, { type: reduceScatter, size: 250, group: 'G' }),
    collective(2, { type: reduceScatterBlock, size: 250, group: 'P' }),
    collective(3, { type: scatter, size: 250, group: 'G' }),
    collective(4, { type: allToAll, size: 250, group: 'G' }),
    collective(5, { type: allReduce, size: 250, group: 'G' }),
  ];
  expect(sizes(applied(nodes, 'reducescatter-size=shard'))).toEqual([1000, 500, 250, 250, 250]);
  expect(sizes(applied(nodes, 'scatter-size=shard'))).toEqual([250, 250, 1000, 250, 250]);
  expect(sizes(applied(nodes, 'alltoall-size=pair'))).toEqual([250, 250, 250, 1000, 250]);
});

test('elements become bytes before totals are divided: 999 elements of 4 bytes over 4 ranks are 999 bytes each', () => {
  const nodes = [collective(1, { type: allGather, size: 999, group: 'G' })];
  const { trace, findings: found } = applyAssumptions(
    traceOf(nodes),
    assume('element-bytes=4', 'allgather-size=total'),
  );
  expect(sizes(trace)).toEqual([999]);
  expect(found.map(({ code, count }) => [code, count])).toEqual([
    ['ASSUMPTION_APPLIED', 1],
    ['ASSUMPTION_APPLIED', 1],
  ]);
});

test('elements of sends, receives and both split lists', () => {
  const { trace } = applyAssumptions(
    traceOf([
      { id: 1, type: 'COMM_SEND_NODE', attr: attributes({ to: 1, tag: 7, size: 25 }) },
      { id: 2, type: 'COMM_RECV_NODE', attr: attributes({ from: 1, tag: 7 }) },
      collective(3, { type: allToAll, size: 6, group: 'P', splits: [1, 5], receiveSplits: [2, 4] }),
      { id: 4, type: 'COMP_NODE', duration_micros: 5, attr: { comm_size: { int64_val: 3 } } },
    ]),
    assume('element-bytes=8'),
  );
  expect(sizes(trace)).toEqual([200, NaN, 48, 3]);
  expect(trace.splits.get(2)).toEqual([8, 40]);
  expect(trace.receiveSplits.get(2)).toEqual([16, 32]);
  const written = readBytes(encodeChakraEt(trace)).trace;
  expect([written.splits.get(2), written.receiveSplits.get(2)]).toEqual([
    [8, 40],
    [16, 32],
  ]);
});

test('a total that does not divide is rounded up and said', () => {
  const nodes = [
    collective(5, { type: allGather, size: 4001, group: 'G' }),
    collective(6, { type: allGather, size: 4000, group: 'G' }),
  ];
  expect(sizes(applied(nodes, 'allgather-size=total'))).toEqual([1001, 1000]);
  expect(findings(nodes, 'allgather-size=total')).toEqual([
    'ASSUMPTION_APPLIED allgather-size=total: AllGather sizes read as the gathered result, group size × shard; ' +
      '2 nodes changed, first node 5 "collective 5" of rank 0',
    'ASSUMPTION_INEXACT allgather-size=total: the size of 1 node is no multiple of the group size, rounded up; ' +
      'first node 5 "collective 5" of rank 0',
  ]);
});

test('a share is exact to 2^53: 2^53 − 1 over 4 is 2^51', () => {
  const nodes = [collective(1, { type: allGather, size: 2 ** 53 - 1, group: 'G' })];
  expect(sizes(applied(nodes, 'allgather-size=total'))).toEqual([2 ** 51]);
});

test.each([
  ['element-bytes=2', collective(7, { type: allReduce, size: 2 ** 52 }), 'comm_size 4503599627370496 × 2'],
  [
    'reducescatter-size=shard',
    collective(7, { type: reduceScatter, size: 2 ** 51, group: 'G' }),
    'comm_size 2251799813685248 × 4 ranks of its group',
  ],
  [
    'element-bytes=2',
    collective(7, { type: allToAll, size: 1, splits: [0, 2 ** 52] }),
    'split list entry 4503599627370496 × 2',
  ],
  [
    'duration-unit=ms',
    { id: 7, type: 'COMP_NODE', duration_micros: 2 ** 50 },
    'duration_micros 1125899906842624 × 1000',
  ],
])('%s above 2^53 is refused', (text, node: NodeObject, product) => {
  let refused: unknown;
  try {
    applied([node], text);
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({
    code: 'NUMBER_TOO_LARGE',
    exitStatus: 1,
    message: `rank 0, node 7: ${product} is too large: at most 2^53 − 1 can be read exactly`,
  });
});

const timed = (id: number, duration: number): NodeObject => ({ id, type: 'COMP_NODE', duration_micros: duration });

test('R-002 durations become whole µs, halves up', () => {
  // 1,499 ns, 1,500 ns, 300 ns, 2,000 ns; a node without a duration has none afterwards.
  const nodes = [timed(1, 1499), timed(2, 1500), timed(3, 300), timed(4, 2000), { id: 5, type: 'COMP_NODE' }];
  expect([...applied(nodes, 'duration-unit=ns').durationMicros]).toEqual([1, 2, 0, 2, 0]);
  expect([...applied(nodes, 'duration-unit=ms').durationMicros]).toEqual([1_499_000, 1_500_000, 300_000, 2_000_000, 0]);
  expect(findings(nodes, 'duration-unit=ns')).toEqual([
    'ASSUMPTION_APPLIED duration-unit=ns: durations read as ns; 4 nodes changed, first node 1 of rank 0',
    'ASSUMPTION_INEXACT duration-unit=ns: the duration of 3 nodes is no whole µs, rounded, 1 to 0; ' +
      'first node 1 of rank 0',
  ]);
});

test('cycles of 667 ps: 3,000,000,000,000 of them are 2,001 s, exactly', () => {
  // 3e12 × 667 ps = 2.001e15 ps = 2.001e9 µs; as one product 2.001e15 it would be exact, 9e15 × 667 would not.
  expect([...applied([timed(1, 3e12)], 'duration-unit=667ps').durationMicros]).toEqual([2_001_000_000]);
  // 9e15 × 667 / 1e6 = 6,003,000,000,000; 9,000,000,000,000,001 adds 667 ps, which is rounded away.
  const nodes = [timed(1, 9e15), timed(2, 9e15 + 1)];
  expect([...applied(nodes, 'duration-unit=667ps').durationMicros]).toEqual([6_003_000_000_000, 6_003_000_000_000]);
});

test('roots are positions: position 2 of G is rank 3, position 1 of P rank 6', () => {
  const trace = applied(
    [
      collective(1, { type: broadcast, size: 8, group: 'G', root: 2 }),
      collective(2, { type: broadcast, size: 8, group: 'P', root: 1 }),
      collective(3, { type: broadcast, size: 8, root: 5 }),
      collective(4, { type: broadcast, size: 8, group: 'G' }),
    ],
    'root=position',
  );
  expect(trace.root).toEqual(
    new Map([
      [0, 3],
      [1, 6],
      [2, 5],
    ]),
  );
  expect([...trace.flags].map((flags) => (flags & NodeFlag.touched) !== 0)).toEqual([true, true, false, false]);
});

test('peers of nodes that name a group are positions; those that name none are ranks', () => {
  const trace = applied(
    [
      { id: 1, type: 'COMM_SEND_NODE', attr: attributes({ to: 1, tag: 7, size: 8, group: 'P' }) },
      { id: 2, type: 'COMM_RECV_NODE', attr: attributes({ from: 0, tag: 7, size: 8, group: 'G' }) },
      { id: 3, type: 'COMM_SEND_NODE', attr: attributes({ to: 1, tag: 7, size: 8 }) },
      { id: 4, type: 'COMM_SEND_NODE', attr: attributes({ tag: 7, size: 8, group: 'P' }) },
    ],
    'peer=position',
  );
  expect([...trace.peer]).toEqual([6, 2, 1, -1]);
});

test('a position the group does not have is an error, and stays', () => {
  const nodes = [
    collective(1, { type: broadcast, size: 8, group: 'P', root: 4 }),
    collective(2, { type: broadcast, size: 8, group: 'P', root: 1 }),
  ];
  expect([...applied(nodes, 'root=position').root.values()]).toEqual([4, 6]);
  expect(findings(nodes, 'root=position')[1]).toBe(
    'ASSUMPTION_POSITION rank 0: root=position: one node names a position that the group does not have, ' +
      'first node 1 "collective 1", position 4',
  );
});

test('a peer in a group that nobody declares cannot be read', () => {
  const nodes = [{ id: 1, type: 'COMM_SEND_NODE', attr: attributes({ to: 1, tag: 7, size: 8, group: 'Q' }) }];
  expect([...applied(nodes, 'peer=position').peer]).toEqual([1]);
  expect(findings(nodes, 'peer=position')[0]).toBe(
    'GROUP_UNDECLARED rank 0: one send or receive names a position in group "Q", which is not declared',
  );
});

test('what this program made stays: nodes of an expanded collective', () => {
  const own = { collective_instance: { int64_val: 0 }, collective_size: { int64_val: 400 } };
  const nodes: NodeObject[] = [
    {
      id: 1,
      type: 'COMM_SEND_NODE',
      attr: { ...attributes({ type: allGather, to: 1, tag: 7, size: 400, group: 'G' }), ...own },
    },
    {
      id: 2,
      type: 'METADATA_NODE',
      duration_micros: 3,
      attr: { ...attributes({ type: allGather, size: 400, group: 'G', root: 1 }), ...own },
    },
  ];
  const all = ['element-bytes=4', 'allgather-size=total', 'root=position', 'peer=position', 'duration-unit=ms'];
  const { trace, findings: found } = applyAssumptions(traceOf(nodes), assume(...all));
  expect(sizes(trace)).toEqual([400, 400]);
  expect([...trace.peer, trace.root.get(1), trace.durationMicros[1]]).toEqual([1, -1, 1, 3]);
  expect([...trace.flags].every((flags) => (flags & NodeFlag.touched) === 0)).toBe(true);
  expect(found).toEqual([]);
});

test('nodes that nothing was changed on keep their bytes, the input its columns', () => {
  const nodes = [
    { ...collective(1, { type: allReduce, size: 8, group: 'G' }), outputs: { values: 'kept' } },
    collective(2, { type: allGather, size: 0, group: 'G' }),
    { id: 3, name: 'op', type: 'COMP_NODE', duration_micros: 5, start_time_micros: 9 },
  ];
  const trace = traceOf(nodes);
  const { trace: same } = applyAssumptions(trace, assume('allgather-size=total'));
  const nodesOnly = { ...same, metadata: trace.metadata };
  expect(Buffer.from(encodeChakraEt(nodesOnly))).toEqual(Buffer.from(encodeChakraEt(trace)));
  const before = traceOf([collective(1, { type: allGather, size: 400, group: 'G' })]);
  applyAssumptions(before, assume('allgather-size=total'));
  expect([before.commSize[0], before.flags[0] & NodeFlag.touched]).toEqual([400, 0]);
});

test('findings of several ranks are joined; an assumption that met nothing is a warning', () => {
  const assumptions = assume('allgather-size=total', 'duration-unit=ns', 'root=position');
  const rank = (number: number, size: number): ReturnType<typeof applyAssumptions>['findings'] =>
    applyAssumptions(
      traceOf([timed(1, 1500), collective(10 + number, { type: allGather, size, group: 'G' })], number),
      assumptions,
    ).findings;
  const other = { code: 'GROUP_WORLD', severity: 'note' as const, message: 'other' };
  const folded = foldAssumptions([...rank(0, 0), other, ...rank(1, 4002), ...rank(2, 4000)], assumptions);
  expect(folded.map(({ code, message, count }) => [code, message, count])).toEqual([
    ['GROUP_WORLD', 'other', undefined],
    [
      'ASSUMPTION_APPLIED',
      'allgather-size=total: AllGather sizes read as the gathered result, group size × shard; ' +
        '2 of 3 nodes changed, first node 11 "collective 11" of rank 1',
      2,
    ],
    [
      'ASSUMPTION_INEXACT',
      'allgather-size=total: the size of 1 node is no multiple of the group size, rounded up; ' +
        'first node 11 "collective 11" of rank 1',
      1,
    ],
    ['ASSUMPTION_UNUSED', 'root=position changes nothing: these traces have no collective with a root', undefined],
    ['ASSUMPTION_APPLIED', 'duration-unit=ns: durations read as ns; 3 nodes changed, first node 1 of rank 0', 3],
    [
      'ASSUMPTION_INEXACT',
      'duration-unit=ns: the duration of 3 nodes is no whole µs, rounded; first node 1 of rank 0',
      3,
    ],
  ]);
});

test('what was applied is in the metadata and is not applied again; another assumption is', () => {
  const nodes = [collective(1, { type: allGather, size: 4000, group: 'G' })];
  const once = readBytes(encodeChakraEt(applied(nodes, 'allgather-size=total', 'root=position'))).trace;
  expect(once.metadata.passes).toEqual(['assume allgather-size=total']);
  const assumptions = assume('allgather-size=total', 'element-bytes=2');
  const { trace: twice, findings: found } = applyAssumptions(once, assumptions);
  expect(sizes(twice)).toEqual([2000]);
  expect(twice.metadata.passes).toEqual(['assume allgather-size=total', 'assume element-bytes=2']);
  expect(
    foldAssumptions([...found, ...found.map((one) => ({ ...one, rank: 1 }))], assumptions).map(
      ({ code, message }) => `${code} ${message}`,
    ),
  ).toEqual([
    'ASSUMPTION_APPLIED element-bytes=2: sizes read as elements of 2 bytes; 2 nodes changed, ' +
      'first node 1 "collective 1" of rank 0',
    'ASSUMPTION_DONE allgather-size=total: 2 ranks say that it was applied before; nothing is changed there',
  ]);
  expect(assumptionsInForce(assumptions, foldAssumptions(found, assumptions))!.chosen).toEqual(
    new Map([['element-bytes', '2']]),
  );
  const third = applyAssumptions(twice, assume('element-bytes=8'));
  expect(third.trace).toBe(twice);
  expect(third.findings[0].message).toBe(
    'element-bytes=8: one rank says that it was applied before as 2; nothing is changed there',
  );
});
