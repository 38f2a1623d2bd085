import { SIMGRID_TI } from '../../../src/exchange/simgrid/time-independent.js';
import { told, writtenAs } from '../../support/goal.js';
import { collective, compute, receive, send, traces } from '../../support/jobs.js';
import { pingPong } from '../../support/small-job.js';
import type { NodeObject } from '../../support/traces.js';

const lines = (text: string): string[] => text.trimEnd().split('\n');
const ROOT = { root: { int64_val: 1 } };
const rooted = (node: NodeObject): NodeObject => ({ ...node, attr: { ...node.attr, ...ROOT } });

test('a rank posts what it can, and waits where something depends on it', () => {
  const { files, findings, losses } = writtenAs(SIMGRID_TI, pingPong());
  expect(Object.keys(files)).toEqual(['job.0.ti', 'job.1.ti', 'job.txt', 'job.hosts']);
  expect(lines(files['job.0.ti'])).toEqual([
    '0 init',
    '0 irecv 1 2 500',
    '0 compute 5000',
    '0 isend 1 1 1000',
    '0 wait 1 0 2',
    '0 compute 3000',
    '0 wait 0 1 1',
    '0 isend 1 1 2000',
    '0 waitall',
    '0 finalize',
  ]);
  expect(lines(files['job.1.ti'])).toEqual([
    '1 init',
    '1 irecv 0 1 1000',
    '1 compute 10000',
    '1 wait 0 1 1',
    '1 irecv 0 1 2000',
    '1 isend 0 2 500',
    '1 waitall',
    '1 finalize',
  ]);
  expect(files['job.txt']).toBe('job.0.ti\njob.1.ti\n');
  expect(files['job.hosts']).toBe('node-0\nnode-1\n');
  expect(told(findings)).toEqual([
    'FLOPS_ASSUMED: computations are written in flops of hosts with 1e9 flops a second (1 flop for each ns), as --flops-per-second names none',
  ]);
  expect(losses).toEqual([]);
});

test('computations are times at the speed that is named', () => {
  const { files, findings } = writtenAs(SIMGRID_TI, traces([compute(1, 5)]), { flopsPerSecond: 2.5e12 });
  // 5 µs at 2.5 Tflop/s
  expect(files['job.0.ti']).toBe('0 init\n0 compute 12500000\n0 finalize\n');
  expect(findings).toEqual([]);
});

test('a wait that another rank could need to be left out is left out', () => {
  // Rank 1 posts the receive of the first message when it has the second one.
  const { files, losses } = writtenAs(
    SIMGRID_TI,
    traces([send(1, 1, 100, 1), send(2, 1, 200, 2, [1])], [receive(1, 0, 200, 2), receive(2, 0, 100, 1, [1])]),
  );
  expect(lines(files['job.0.ti'])).toEqual(['0 init', '0 isend 1 1 100', '0 isend 1 2 200', '0 waitall', '0 finalize']);
  expect(told(losses)).toEqual([
    'CONVERSION_LOSS: a time-independent trace cannot carry waits for a send whose receive is posted later: 1 is left out, first rank 0 node 2; what depends on it goes on at once',
  ]);
});

test('ranks that would wait for each other in the order of ids do not', () => {
  // In the order of ids each rank would wait for the other before it sends.
  const rank = (other: number): NodeObject[] => [receive(1, other, 8, 0), compute(2, 1, [1]), send(3, other, 8, 0)];
  const { files } = writtenAs(SIMGRID_TI, traces(rank(1), rank(0)));
  expect(lines(files['job.0.ti'])).toEqual([
    '0 init',
    '0 irecv 1 0 8',
    '0 isend 1 0 8',
    '0 wait 1 0 0',
    '0 compute 1000',
    '0 waitall',
    '0 finalize',
  ]);
});

test('transfers with one source, destination and tag are waited for in their order', () => {
  const { files } = writtenAs(
    SIMGRID_TI,
    traces([send(1, 1, 10, 0), send(2, 1, 20, 0)], [receive(1, 0, 10, 0), receive(2, 0, 20, 0), compute(3, 1, [2])]),
  );
  expect(lines(files['job.1.ti'])).toEqual([
    ...['1 init', '1 irecv 0 0 10', '1 irecv 0 0 20', '1 wait 0 1 0', '1 wait 0 1 0', '1 compute 1000', '1 finalize'],
  ]);
});

test('collectives over all ranks stay what they are', () => {
  const rank = (): NodeObject[] => [
    collective(1, 0, 1000, 'all'),
    rooted(collective(2, 1, 1000, 'all', [1])),
    collective(3, 2, 1000, 'all', [2]),
    rooted(collective(4, 3, 1000, 'all', [3])),
    rooted(collective(5, 4, 1000, 'all', [4])),
    rooted(collective(6, 5, 1000, 'all', [5])),
    collective(7, 6, 1000, 'all', [6]),
    collective(8, 7, 1000, 'all', [7]),
    collective(9, 8, 1000, 'all', [8]),
    collective(10, 9, 0, 'all', [9]),
  ];
  const { files } = writtenAs(SIMGRID_TI, traces(rank(), rank(), rank()), { flopsPerSecond: 1 });
  // AllGather and Gather sizes are a rank's share; those of Scatter, AllToAll and ReduceScatter are of all three: 1000 / 3 up.
  expect(lines(files['job.2.ti'])).toEqual([
    '2 init',
    '2 allreduce 1000 0',
    '2 reduce 1000 0 1',
    '2 allgather 1000 1000',
    '2 gather 1000 1000 1',
    '2 scatter 334 334 1',
    '2 bcast 1000 1',
    '2 alltoall 334 334',
    '2 reducescatter 334 334 334 0',
    '2 reducescatter 334 334 334 0',
    '2 barrier',
    '2 finalize',
  ]);
});

test('all ranks enter collectives in one order', () => {
  // Rank 0 is ready for the second one first, rank 1 for the first one.
  const { files } = writtenAs(
    SIMGRID_TI,
    traces(
      [compute(1, 9), collective(2, 9, 0, 'a', [1]), collective(3, 0, 8, 'b')],
      [compute(1, 2), collective(2, 9, 0, 'a'), collective(3, 0, 8, 'b', [1])],
    ),
    { flopsPerSecond: 1e9 },
  );
  expect(lines(files['job.0.ti'])).toEqual(['0 init', '0 compute 9000', '0 allreduce 8 0', '0 barrier', '0 finalize']);
  expect(lines(files['job.1.ti'])).toEqual(['1 init', '1 compute 2000', '1 allreduce 8 0', '1 barrier', '1 finalize']);
});

test.each([
  ['of some ranks', [[collective(1, 0, 8, 'g')], [compute(1, 1)]], 'process group "g", which has 1 of 2 ranks'],
  ['without a type', [[{ id: 1, type: 'COMM_COLL_NODE' }], []], 'is a collective without a known type'],
  [
    'that others have not',
    [[collective(1, 0, 8, 'h')], []],
    'collectives of process group "h": rank 0 has 1, rank 1 has 0',
  ],
  [
    'of another type',
    [[collective(1, 0, 8, 'h')], [collective(1, 9, 8, 'h')]],
    'number 1: AllReduce on rank 0, Barrier on rank 1',
  ],
] as [string, NodeObject[][], string][])('a collective %s is refused', (_, ranks, message) => {
  expect(() => writtenAs(SIMGRID_TI, traces(...ranks), {}, new Map([['g', [0]]]))).toThrow(message);
});
