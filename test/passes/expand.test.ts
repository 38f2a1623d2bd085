import { planCollectives } from '../../src/collectives/build-plan.js';
import { surveyCollectives } from '../../src/collectives/survey.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { NodeFlag } from '../../src/trace/rank-trace.js';
import { collective, groupsOf, nodeTexts, prepareAll } from '../support/preparation.js';
import { traceOf } from '../support/traces.js';

const groups = groupsOf({ g: [0, 1] });
const allReduce = { type: CollectiveType.allReduce, size: 1000, group: 'g' };

/** Two ranks: compute 4, compute 7, AllReduce 9 after data 4 and control 7, compute 10 after the AllReduce. */
function twoRanks() {
  return [0, 1].map((rank) =>
    traceOf(
      [
        { id: 4, type: 'COMP_NODE' },
        { id: 7, type: 'COMP_NODE' },
        collective(9, allReduce, { data_deps: [4], ctrl_deps: [7] }),
        { id: 10, type: 'COMP_NODE', data_deps: [9] },
      ],
      rank,
    ),
  );
}

test('R-080, R-081 a ring of two: entry nodes keep both lists, the exit waits for the whole share', () => {
  const { traces } = prepareAll(twoRanks(), { expand: true, groups });
  expect(nodeTexts(traces[0])).toEqual([
    'COMP_NODE 4',
    'COMP_NODE 7',
    'send 11 to 1, 500 B, tag 0, data 4, control 7',
    'receive 12 from 1, 500 B, tag 0, data 4, control 7',
    'send 13 to 1, 500 B, tag 1, data 12',
    'receive 14 from 1, 500 B, tag 1, data 12',
    'METADATA_NODE 9, data 11 12 13 14',
    'COMP_NODE 10, data 9',
  ]);
  expect(nodeTexts(traces[1])[2]).toBe('send 11 to 0, 500 B, tag 0, data 4, control 7');
});

test('transfers and exit carry the identity of the collective; the input is left alone', () => {
  const input = twoRanks();
  const before = nodeTexts(input[0]);
  const { traces } = prepareAll(input, { expand: true, groups });
  const [trace] = traces;
  expect(nodeTexts(input[0])).toEqual(before);
  expect(input[0].metadata.passes).toEqual([]);
  expect(trace.metadata.passes).toEqual(['expand']);
  expect(trace.collectives).toEqual([{ group: 'g', type: 0, instance: 0, size: 1000, algorithm: 'ring' }]);
  expect([...trace.collective]).toEqual([-1, -1, 0, 0, 0, 0, 0, -1]);
  expect([...trace.step]).toEqual([-1, -1, 0, 0, 1, 1, -1, -1]);
  expect([...trace.commType].slice(2, 7)).toEqual([0, 0, 0, 0, 0]);
  expect(trace.groupNames[trace.group[2]]).toBe('g');
  expect(trace.frameOffset[2]).toBe(-1);
  expect(trace.frameOffset[6]).toBe(input[0].frameOffset[2]);
  expect(trace.flags[6] & NodeFlag.touched).toBe(NodeFlag.touched);
  expect(trace.flags[7]).toBe(input[0].flags[3]);
});

test('R-082 tags: base above every tag, k over the traceset, index of the step', () => {
  const nodes = (rank: number) => [
    { id: 1, type: 'COMM_SEND_NODE', attr: { comm_tag: { int32_val: 70000 }, comm_dst: { int32_val: 1 - rank } } },
    { id: 2, type: 'COMM_RECV_NODE', attr: { comm_tag: { int32_val: 70000 }, comm_src: { int32_val: 1 - rank } } },
    ...[3, 4, 5, 6].map((id) => collective(id, allReduce)),
  ];
  const four = groupsOf({ g: [0, 1, 2, 3] });
  const traces = [0, 1, 2, 3].map((rank) => traceOf(rank < 2 ? nodes(rank) : nodes(rank).slice(2), rank));
  const prepared = prepareAll(traces, { expand: true, groups: four }).traces;
  // Largest tag 70,000: base 131,072; instance 3, step 5: 131,072 + 196,608 + 5.
  expect(Math.max(...prepared[2].commTag.filter((tag) => !Number.isNaN(tag)))).toBe(327685);
});

test('R-082 more steps than 2^16 make the field wider', () => {
  const size = 32770; // ring: 65,538 steps
  const all = Array.from({ length: size }, (_, rank) => rank);
  const trace = traceOf([collective(1, allReduce), collective(2, allReduce)], 0);
  const survey = surveyCollectives(trace);
  const plan = planCollectives(
    all.map((rank) => ({ ...survey, rank })),
    groupsOf({ g: all }),
    {},
  );
  expect([plan.tagBase, plan.tagStride]).toEqual([0, 131072]);
});

test('ids: ascending collective id, not file order; above the largest, across 2^32', () => {
  const large = 2 ** 32 - 2;
  const nodes = [collective(8, allReduce), collective(3, allReduce), { id: large, type: 'COMP_NODE' }];
  const { traces } = prepareAll([traceOf(nodes, 0), traceOf(nodes, 1)], { expand: true, groups });
  expect(nodeTexts(traces[0]).map((text) => text.split(',')[0])).toEqual([
    'send 4294967299 to 1',
    'receive 4294967300 from 1',
    'send 4294967301 to 1',
    'receive 4294967302 from 1',
    'METADATA_NODE 8',
    'send 4294967295 to 1',
    'receive 4294967296 from 1',
    'send 4294967297 to 1',
    'receive 4294967298 from 1',
    'METADATA_NODE 3',
    'COMP_NODE 4294967294',
  ]);
  expect(traces[0].collectives.map(({ instance }) => instance)).toEqual([0, 1]);
});

test('ids end at 2^64 − 1', () => {
  const prepare = (largest: bigint, passes: { expand?: boolean; serialize?: boolean }) => {
    const nodes = [collective(1, { ...allReduce, order: 0 }), { id: largest, type: 'COMP_NODE' }];
    return prepareAll([traceOf(nodes, 0), traceOf(nodes, 1)], { ...passes, groups });
  };
  // Four new nodes: the last id that fits, and one more than fits.
  expect(nodeTexts(prepare(2n ** 64n - 5n, { expand: true }).traces[0])[3]).toBe(
    'receive 18446744073709551615 from 1, 500 B, tag 1, data 18446744073709551613',
  );
  expect(() => prepare(2n ** 64n - 4n, { expand: true })).toThrow(
    expect.objectContaining({ code: 'ID_SPACE', exitStatus: 1 }),
  );
  expect(prepare(2n ** 64n - 1n, { serialize: true }).traces[0].length).toBe(2);
});

test('R-120 a group of one: the node becomes a metadata node that keeps its dependencies', () => {
  const trace = traceOf([
    { id: 1, type: 'COMP_NODE' },
    collective(2, { ...allReduce, group: 'one' }, { data_deps: [1] }),
  ]);
  const { traces, balance } = prepareAll([trace], { expand: true, sync: true, groups: groupsOf({ one: [0] }) });
  expect(nodeTexts(traces[0])).toEqual(['COMP_NODE 1', 'METADATA_NODE 2, data 1']);
  expect(balance.findings).toEqual([]);
});

test('uneven all-to-all: what each rank sends to each position, and what the other receives', () => {
  const lists = [
    [0, 10, 20],
    [30, 0, 40],
    [50, 60, 0],
  ];
  const traces = lists.map((splits, rank) =>
    traceOf([collective(1, { type: CollectiveType.allToAll, size: 110, group: 'g', splits })], rank),
  );
  const prepared = prepareAll(traces, { expand: true, groups: groupsOf({ g: [2, 0, 1] }) });
  // Positions 0, 1, 2 are ranks 2, 0, 1. Position 1 sends 20 to position 2; position 0 sends list 2 of rank 2.
  expect(nodeTexts(prepared.traces[0]).slice(0, 4)).toEqual([
    'send 2 to 1, 20 B, tag 1',
    'receive 3 from 2, 60 B, tag 1',
    'send 4 to 2, 0 B, tag 2',
    'receive 5 from 1, 0 B, tag 2',
  ]);
  // Off the diagonal by position: rank 2 sends 60 and 0, rank 0 sends 0 and 20, rank 1 sends 30 and 0.
  expect(prepared.balance.expanded['AllToAll interleaved']).toEqual({
    collectives: 1,
    nodes: 3,
    bytesIn: 330,
    transfers: 6,
    bytesOut: 110,
  });
});

test('a dangling dependency stays, at the entry', () => {
  const nodes = [collective(1, allReduce, { data_deps: [99] })];
  const { traces } = prepareAll([traceOf(nodes, 0), traceOf(nodes, 1)], { expand: true, groups });
  expect(nodeTexts(traces[0])[0]).toBe('send 2 to 1, 500 B, tag 0, data ?99');
});

test('expanding twice changes nothing and is noted', () => {
  const once = prepareAll(twoRanks(), { expand: true, groups }).traces;
  const twice = prepareAll(once, { expand: true, groups });
  expect(twice.traces.map(nodeTexts)).toEqual(once.map(nodeTexts));
  expect(twice.traces[0].metadata.passes).toEqual(['expand']);
  expect(twice.balance.findings.map(({ code, message }) => [code, message])).toEqual([
    ['PASS_RAN', 'expand: ran before on 2 of 2 ranks'],
  ]);
});

test('attributes of the rare columns follow their nodes', () => {
  const nodes = [
    collective(1, { ...allReduce, order: 0 }),
    collective(2, { ...allReduce, type: CollectiveType.broadcast, root: 1, order: 1 }),
  ];
  const [trace] = prepareAll([traceOf(nodes, 0), traceOf(nodes, 1)], { expand: true, groups }).traces;
  const exits = [4, 6];
  expect(exits.map((node) => trace.idLow[node])).toEqual([1, 2]);
  expect([...trace.issueOrder]).toEqual([
    [4, 0],
    [6, 1],
  ]);
  expect([...trace.root]).toEqual([[6, 1]]);
});
