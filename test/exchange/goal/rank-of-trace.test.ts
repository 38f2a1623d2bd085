import { GOAL_TEXT_TARGET } from '../../../src/exchange/goal/goal-targets.js';
import { told, writtenAs } from '../../support/goal.js';
import { collective, compute, memory, receive, send, traces } from '../../support/jobs.js';
import type { NodeObject } from '../../support/traces.js';

/** Lines of rank 0 between its braces, and what is told. */
function rank0(...ranks: NodeObject[][]): { lines: string[]; findings: string[]; losses: string[] } {
  const { files, findings, losses } = writtenAs(GOAL_TEXT_TARGET, traces(...ranks));
  const text = files['job.goal'];
  const lines = text
    .slice(text.indexOf('{\n') + 2, text.indexOf('}'))
    .trimEnd()
    .split('\n');
  return { lines, findings: told(findings), losses: told(losses) };
}

const nothing = (id: number, dataDeps: number[] = []): NodeObject => ({
  id,
  type: 'METADATA_NODE',
  data_deps: dataDeps,
});
const unnamed = (node: NodeObject): NodeObject => ({ ...node, name: '' });
const numbered = (node: NodeObject, name: string, value: number): NodeObject => ({
  ...unnamed(node),
  attr: { ...node.attr, [name]: { int64_val: value } },
});

test('durations become ns, memory computes, and what does nothing is left out', () => {
  const { lines, losses } = rank0([
    unnamed(compute(10, 5)),
    unnamed(memory(11, 2, [10])),
    unnamed(memory(12, 0, [11])),
    nothing(13, [12]),
    { ...unnamed(compute(14, 1, [13])), ctrl_deps: [10], start_time_micros: 7 },
  ]);
  expect(lines).toEqual([
    ...[
      'l10: calc 5000',
      'l11: calc 2000',
      'l11 requires l10',
      'l14: calc 1000',
      'l14 requires l10',
      'l14 requires l11',
    ],
  ]);
  expect(losses).toEqual([
    'CONVERSION_LOSS: GOAL cannot carry what memory nodes move: 1 is left out, first rank 0 node 11; each is a calc of its duration',
    'CONVERSION_LOSS: GOAL cannot carry memory nodes without a duration: 1 is left out, first rank 0 node 12; what depends on one waits for what it waited for',
    'CONVERSION_LOSS: GOAL cannot carry nodes of type METADATA_NODE: 1 is left out, first rank 0 node 13; what depends on one waits for what it waited for',
    'CONVERSION_LOSS: GOAL cannot carry start times: 1 is left out, first rank 0 node 14',
    'CONVERSION_LOSS: GOAL cannot carry which dependencies are control dependencies: 1 is left out, first rank 0 node 14; all are written as requires',
  ]);
});

test('a node that many wait for and that waits for many stays as calc 0', () => {
  const before = Array.from({ length: 12 }, (_, at) => unnamed(compute(at + 1, 1)));
  const after = Array.from({ length: 12 }, (_, at) => unnamed(compute(at + 21, 1, [20])));
  const { lines, findings } = rank0([
    ...before,
    nothing(
      20,
      before.map(({ id }) => id as number),
    ),
    ...after,
  ]);
  // 12 × 12 dependencies instead of 12 + 12.
  expect(lines.filter((line) => line.includes('requires')).length).toBe(24);
  expect(lines).toContain('l20: calc 0');
  expect(findings).toEqual([
    'GOAL_NODE_KEPT: 1 node that does nothing, first rank 0 node 20: written as calc 0, because leaving it out would multiply dependencies',
  ]);
});

test('operations come behind those they wait for, whatever their ids', () => {
  const { lines } = rank0([unnamed(compute(1, 1, [3])), unnamed(compute(2, 2)), unnamed(compute(3, 3))]);
  expect(lines).toEqual(['l2: calc 2000', 'l3: calc 3000', 'l1: calc 1000', 'l1 requires l3']);
});

test('streams and threads are cpus, by first appearance', () => {
  const onHost = (node: NodeObject, thread: number): NodeObject => ({
    ...numbered(node, 'tid', thread),
    attr: { ...numbered(node, 'tid', thread).attr, is_cpu_op: { bool_val: true }, stream: { int64_val: 7 } },
  });
  const { lines } = rank0([
    numbered(compute(1, 1), 'stream', 20),
    numbered(compute(2, 1), 'stream', 7),
    onHost(compute(3, 1), 7),
    numbered(compute(4, 1), 'stream', 20),
    unnamed(compute(5, 1)),
  ]);
  expect(lines).toEqual([
    ...['l1: calc 1000', 'l2: calc 1000 cpu 1', 'l3: calc 1000 cpu 2', 'l4: calc 1000', 'l5: calc 1000'],
  ]);
});

test('more than 256 streams share cpus', () => {
  const nodes = Array.from({ length: 257 }, (_, at) => numbered(compute(at + 1, 1), 'stream', at));
  const { lines, findings } = rank0(nodes);
  expect(lines[255]).toBe('l256: calc 1000 cpu 255');
  expect(lines[256]).toBe('l257: calc 1000');
  expect(findings).toEqual([
    'GOAL_CPUS_FOLDED: 1 node on a thread or stream beyond the 256 cpus of a rank, first rank 0 node 257: cpus are used again from 0',
  ]);
});

test('tags that GOAL has no place for are replaced on both sides, by numbers that are free', () => {
  const wide = (node: NodeObject, tag: number): NodeObject => ({
    ...unnamed(node),
    attr: { ...node.attr, comm_tag: { int64_val: tag } },
  });
  const { lines, findings } = rank0(
    [
      wide(send(1, 1, 8, 0), 2 ** 33),
      wide(send(2, 1, 8, 0), 2 ** 31),
      wide(send(3, 1, 8, 0), 2 ** 32 - 1),
      unnamed(send(4, 1, 8, 5)),
    ],
    [1, 2, 3, 4].map((id) => wide(receive(id, 0, 8, 0), [0, 2 ** 33, 2 ** 31, 2 ** 32 - 1, 5][id])),
  );
  // Free numbers are taken from 2^31 on; 2^31 itself is used. 2^32 − 1 stands for any tag.
  expect(lines).toEqual([
    'l1: send 8b to 1 tag 2147483650',
    'l2: send 8b to 1 tag 2147483648',
    'l3: send 8b to 1 tag 2147483649',
    'l4: send 8b to 1 tag 5',
  ]);
  expect(findings).toEqual([
    'TAG_REPLACED: 2 tags that GOAL has no place for (0 to 4294967294), first 4294967295: replaced by numbers that no transfer has, 2147483649 and on',
  ]);
});

test('a duration that a pass changed counts, not the exact one from before', () => {
  const { lines } = rank0([numbered(compute(1, 2), 'duration_ns', 1600), numbered(compute(2, 1), 'duration_ns', 1600)]);
  expect(lines).toEqual(['l1: calc 1600', 'l2: calc 1000']);
});

test('a transfer without a size has no bytes, and that is told', () => {
  const { lines, findings } = rank0(
    [{ id: 1, type: 'COMM_SEND_NODE', attr: { comm_dst: { int32_val: 1 } } }],
    [unnamed(receive(1, 0, 8, 0))],
  );
  expect(lines).toEqual(['l1: send 0b to 1']);
  expect(findings).toEqual([
    'COMM_SIZE_MISSING: 1 send or receive without comm_size, first rank 0 node 1: written with 0 bytes',
  ]);
});

test.each([
  [
    'a collective',
    [collective(1, 0, 8, 'g')],
    'rank 0 node 1 "collective 1" is the collective AllReduce; GOAL has sends and receives only',
  ],
  ['no partner', [{ id: 1, type: 'COMM_SEND_NODE' }], 'rank 0 node 1 names no partner rank'],
  [
    'a partner outside the job',
    [send(1, 3, 8, 0)],
    'rank 0 node 1 "send 1" has rank 3 as partner; the job has ranks 0 to 0',
  ],
  ['a circle', [compute(1, 1, [2]), compute(2, 1, [1])], 'rank 0: nodes 1, 2 wait for each other and would never run'],
  ['a node that waits for itself', [compute(1, 1, [1])], 'rank 0: node 1 waits for itself and would never run'],
  ['an id twice', [compute(1, 1), compute(1, 1)], 'rank 0: two nodes have the id 1'],
] as [string, NodeObject[], string][])('%s is refused', (_, nodes, message) => {
  expect(() => rank0(nodes)).toThrow(message);
});
