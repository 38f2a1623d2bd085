import { conventionsInUse, observationsOf } from '../../../src/passes/validate/conventions-in-use.js';
import { observe, sumOf } from '../../../src/passes/validate/observations.js';
import { assumptionsOf } from '../../../src/trace/assumptions.js';
import { CollectiveType } from '../../../src/trace/collective-type.js';
import { attributes, collective } from '../../support/preparation.js';
import { openTraceSource } from '../../../src/formats/open-source.js';
import { readTrace } from '../../../src/formats/read-trace.js';
import { describeShared, shared, sharedFiles } from '../../support/shared.js';
import { traceOf, type NodeObject } from '../../support/traces.js';

const { allGather, barrier, broadcast } = CollectiveType;

const NODES: NodeObject[] = [
  { id: 0, type: 'COMP_NODE', duration_micros: 5, start_time_micros: 7, attr: { is_cpu_op: { bool_val: true } } },
  { ...collective(1, { type: allGather, size: 8, group: 'G' }), data_deps: [0, 0, 4] },
  { ...collective(2, { type: broadcast, size: 8, root: 0 }), ctrl_deps: [5, 5, 9, 9] },
  collective(3, { type: broadcast, size: 8 }),
  { id: 4, type: 'COMM_SEND_NODE', attr: attributes({ to: 1, size: 8, tag: 1, group: 'G' }) },
  { id: 5, type: 'COMM_RECV_NODE', attr: attributes({ from: 1, size: 8 }) },
  collective(6, { type: barrier, group: 'G' }),
  {
    id: 7,
    type: 'COMM_SEND_NODE',
    data_deps: [...Array.from({ length: 20 }, () => 0), 1],
    attr: { ...attributes({ to: 1, size: 8, group: 'G', type: allGather }), collective_instance: { int64_val: 0 } },
  },
  collective(8, { size: 8 }),
];

test('what a rank leaves unsaid, counted by hand', () => {
  expect(observe(traceOf(NODES))).toEqual({
    nodes: 9,
    communication: 8, // all but 0
    computes: 1,
    timedComputes: 1,
    // AllGather 1; Broadcast 2 and 3; the barrier 6; 8 has no type. 7 belongs to an expanded collective.
    collectives: [0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 1],
    transfers: 2,
    groupedTransfers: 1,
    untagged: 2, // 5 and 7
    rooted: 2,
    rootless: 1,
    timed: 1,
    startTimes: 1,
    withoutSide: 8,
    zeroIds: 1,
    dependencies: 28, // 3 + 4 + 21
    repeated: 22, // 0 in 1; 5 and the missing 9 in 2; 19 times 0 in 7
    forward: 3, // 4 in 1, 5 twice in 2
  });
});

test('ranks are added up', () => {
  const rank = observe(traceOf(NODES));
  const { nodes, collectives, repeated } = sumOf([rank, rank, rank]);
  expect([nodes, collectives[5], repeated]).toEqual([27, 6, 66]);
});

test('the conventions of what is there, in the order of the table', () => {
  const inUse = conventionsInUse([observe(traceOf(NODES))], assumptionsOf(['root=position']), 'data');
  expect(inUse.map(({ name, value, assumed, count }) => [name, value, assumed, count])).toEqual([
    ['element-bytes', '1', false, 6], // 1, 2, 3, 8 and the transfers 4, 5
    ['allgather-size', 'shard', false, 1],
    ['root', 'position', true, 2],
    ['peer', 'rank', false, 1],
    ['duration-unit', 'us', false, 1],
    ['deps', 'data', true, 28],
  ]);
});

test('a rank of nodes that say everything has nothing to tell', () => {
  const nodes = [{ id: 1, type: 'COMP_NODE', attr: { is_cpu_op: { bool_val: false } } }];
  const observed = [observe(traceOf(nodes))];
  expect(conventionsInUse(observed, undefined, 'both')).toEqual([]);
  expect(observationsOf(observed, 0)).toEqual([]);
  expect(observationsOf(observed, 2).map(({ message }) => message)).toEqual([
    '2 files packed with gzip: unpacked while reading',
  ]);
});

describeShared('the counts that chakra-format gives for real traces', () => {
  const seenIn = (folder: string, name: RegExp): ReturnType<typeof observe> =>
    sumOf(
      sharedFiles(folder, name).map((path, rank) => {
        const file = shared(path);
        return observe(readTrace(openTraceSource(file), { rank, file }).trace);
      }),
    );

  test('section 1: STAGE has 936 forward references in 3,816 edges over 8 ranks', () => {
    const { forward, dependencies } = seenIn('traces/stage/llama_dp2tp2pp2', /\.et\.gz$/);
    expect([forward, dependencies]).toEqual([936, 3816]);
  });

  test('section 20: no PyTorch trace with two groups leaves out is_cpu_op, no legacy STAGE trace has it', () => {
    const pytorch = seenIn('traces/hybrid-parallelism-2groups', /\.et\.gz$/);
    expect([pytorch.nodes, pytorch.withoutSide, pytorch.startTimes]).toEqual([3268, 0, 0]);
    const stage = seenIn('traces/stage/llama_legacy_tp4', /\.et(\.gz)?$/);
    expect([stage.nodes, stage.withoutSide]).toEqual([712, 712]);
  });
});
