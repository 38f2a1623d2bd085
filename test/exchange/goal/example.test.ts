import { MemorySource } from '../../../src/base/byte-source.js';
import { GOAL_BINARY_TARGET, GOAL_TEXT_TARGET } from '../../../src/exchange/goal/goal-targets.js';
import { readGoalText } from '../../../src/exchange/goal/read-text.js';
import { logGopsEnds } from '../../support/log-gops.js';
import { binaryJob, etOf, EXAMPLE, linesOf, textJob, told, tracesOf, writtenAs } from '../../support/goal.js';

/** The bytes that exchange-formats 2.3 lists for rank 0, and those of rank 1 worked out by hand in the same way. */
const BYTES =
  '7f10000000000000' +
  '020000000100' +
  '2600000000000000af00000000000000' +
  'af000000000000000d01000000000000' +
  '030000000100000000000000' +
  '000000000300000000' +
  '6400000000000000' +
  '000000000100' +
  '0100000000000000' +
  '0000000001000000' +
  '010000000101000000' +
  '0a00000000000000' +
  '050000000000' +
  '0000000001000000' +
  '0100000001000000' +
  '010000000201000000' +
  '0800000000000000' +
  '060000000000' +
  '0000000002000000' +
  '0000000002000000' +
  '0100000002000000' +
  // Rank 1: 2 operations, 1 root: a; a is waited for by b.
  '020000000100000000000000' +
  '000000000200000000' +
  '0a00000000000000' +
  '050000000000' +
  '0100000000000000' +
  '0000000001000000' +
  '010000000100000000' +
  '0800000000000000' +
  '060000000000' +
  '0000000001000000' +
  '0000000001000000' +
  '01000000';

/** The example as it is written: labels are ids, and what is 0 is left out. */
const WRITTEN = `num_ranks 2

rank 0 {
l1: calc 100 cpu 1
l2: send 10b to 1 tag 5
l2 requires l1
l3: recv 8b from 1 tag 6
l3 irequires l2
}

rank 1 {
l1: recv 10b from 0 tag 5
l2: send 8b to 0 tag 6
l2 requires l1
}
`;

test('the example becomes nodes that keep everything', () => {
  const attr = (node: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      (node.attr as Record<string, unknown>[]).map(({ name, ...value }) => [name as string, Object.values(value)[0]]),
    );
  const [metadata, calc, send, receive] = linesOf(textJob(EXAMPLE), 0);
  expect(metadata.attr).toEqual([
    { name: 'rank', int64: 0 },
    { name: 'world_size', int64: 2 },
  ]);
  expect(calc).toMatchObject({ id: 1, name: 'calc', type: 'COMP_NODE' });
  expect(attr(calc)).toEqual({ is_cpu_op: false, duration_ns: 100, goal_cpu: 1 });
  expect(send).toMatchObject({ id: 2, name: 'send to 1', type: 'COMM_SEND_NODE', dataDeps: [1] });
  expect(attr(send)).toEqual({ is_cpu_op: false, comm_size: 10, comm_dst: 1, comm_tag: 5, goal_cpu: 0, goal_nic: 0 });
  // l3 may start when l2 starts, and l2 starts when l1 has ended.
  expect(receive).toMatchObject({ id: 3, name: 'receive from 1', type: 'COMM_RECV_NODE', ctrlDeps: [1] });
  expect(attr(receive)).toEqual({
    is_cpu_op: false,
    comm_size: 8,
    comm_src: 1,
    comm_tag: 6,
    goal_cpu: 0,
    goal_nic: 0,
    goal_irequires: [2],
  });
});

test('what the example loses as a trace is told', () => {
  expect(told(textJob(EXAMPLE).findings)).toEqual([
    'GOAL_ROUNDED: 1 calc operation: no whole microseconds, rounded by 100 ns in all, first rank 0 node 1; the attribute duration_ns keeps the exact time',
    'GOAL_START_DEPENDENCY: 1 dependency on the start of an operation (irequires), first on rank 0: each became control dependencies on what that operation waits for; the attribute goal_irequires keeps it',
  ]);
});

test('the example is written as the 277 bytes of the specification', () => {
  const { files } = writtenAs(GOAL_BINARY_TARGET, tracesOf(textJob(EXAMPLE)));
  expect(Object.keys(files)).toEqual(['job.bin']);
  expect(files['job.bin'].length).toBe(277);
  expect(Buffer.from(files['job.bin'], 'latin1').toString('hex')).toBe(BYTES);
});

test('and comes back from them as the same job and the same text', () => {
  const fromText = textJob(EXAMPLE);
  const fromBytes = binaryJob(Buffer.from(BYTES, 'hex'));
  for (const rank of [0, 1]) expect(etOf(fromBytes, rank).equals(etOf(fromText, rank))).toBe(true);
  expect(fromBytes.findings).toEqual(fromText.findings);
  const { files, losses } = writtenAs(GOAL_TEXT_TARGET, tracesOf(fromBytes));
  expect(files).toEqual({ 'job.goal': WRITTEN });
  expect(told(losses)).toEqual([]);
});

test('written by us, it takes the times in LogGOPSim and in ATLAHS that exchange-formats 1.5 gives', () => {
  const { files } = writtenAs(GOAL_TEXT_TARGET, tracesOf(textJob(EXAMPLE)));
  const schedule = readGoalText(new MemorySource(Buffer.from(files['job.goal']), 'job.goal'), []);
  const ranks = [schedule.rank(0), schedule.rank(1)];
  expect(logGopsEnds(ranks, 'original')).toEqual([11096, 7054]);
  expect(logGopsEnds(ranks, 'atlahs')).toEqual([13196, 8154]);
});
