import type { Communication } from '../../../src/pytorch/communication.js';
import { linkDependencies, type LinkedDependencies } from '../../../src/pytorch/dependencies/dependencies.js';
import { orderNodes, type NodeOrder } from '../../../src/pytorch/node-order.js';
import { streamsOf } from '../../../src/pytorch/streams.js';
import { madeLinks, type MadeRank } from '../../support/linked-ranks.js';

const KERNELS = { sets: false, annotations: false };

interface Linked {
  readonly order: NodeOrder;
  readonly dependencies: LinkedDependencies;
  /** Data dependencies by node. */
  readonly waits: number[][];
}

function linked(rank: MadeRank, collectives: readonly number[] = [], parts = new Map<number, number>()): Linked {
  const links = madeLinks(rank);
  const streams = links.device && streamsOf(links, links.device, KERNELS);
  const order = orderNodes(links, streams, KERNELS, (event) => parts.get(event) ?? 1);
  const onDevice = new Map(collectives.map((event) => [event, [{ record: -1 } as Communication]]));
  const dependencies = linkDependencies(links, streams, order, { onDevice });
  const { start, target } = dependencies;
  const waits = Array.from({ length: order.length }, (_, node) => [...target.subarray(start[node], start[node + 1])]);
  return { order, dependencies, waits };
}

const ROOT = { id: 1, parent: 1, thread: 0 };
const THREAD = { id: 2, parent: 1 };
const US = 1000;

test('ops of a thread follow each other, kernels their launcher and their stream', () => {
  // Nodes: 0 root, 1 thread, 2 op 3, 3 its kernel, 4 op 5, 5 its kernel. The second op launches on the same stream.
  const { order, waits } = linked({
    ops: [
      { id: 5, parent: 2, startNs: 200, durationNs: 50 },
      { id: 3, parent: 2, startNs: 100, durationNs: 50 },
      THREAD,
      ROOT,
    ],
    calls: [
      { name: 'cudaLaunchKernel', startNs: 210, correlation: 12 },
      { name: 'cudaLaunchKernel', startNs: 110, correlation: 11 },
    ],
    events: [
      { startNs: 400, durationNs: 10, launcher: 0, call: 0 },
      { startNs: 300, durationNs: 90, launcher: 1, call: 1 },
    ],
  });
  expect([...order.origin]).toEqual([3, 2, 1, -2, 0, -1]);
  expect([...order.caller]).toEqual([-1, 0, 1, 2, 1, 4]);
  expect(waits).toEqual([[], [], [1], [2], [2], [3, 4]]);
});

test('a node behind a call that waits for the device waits for what its streams were given last before', () => {
  const rank = (name: string, synchronizations: MadeRank['synchronizations']): number[] =>
    linked({
      ops: [
        ROOT,
        THREAD,
        { id: 3, parent: 2, startNs: 0, durationNs: 100 },
        { id: 4, parent: 2, startNs: 900, durationNs: 10 },
      ],
      calls: [
        { name: 'cudaLaunchKernel', startNs: 10, correlation: 1 },
        { name: 'cudaLaunchKernel', startNs: 20, correlation: 2 },
        { name: 'cudaEventRecord', startNs: 25, correlation: 3 },
        { name: 'cudaLaunchKernel', startNs: 30, correlation: 4 },
        { name, startNs: 200, durationNs: 600, correlation: 5 },
      ],
      events: [
        { startNs: 40, durationNs: 100, launcher: 2, call: 0, stream: 7 },
        { startNs: 40, durationNs: 500, launcher: 2, call: 1, stream: 20 },
        { startNs: 600, durationNs: 50, launcher: 2, call: 3, stream: 20 },
      ],
      ...(synchronizations === undefined ? {} : { synchronizations }),
    }).waits[6];
  // Nodes 3, 4, 5 are the kernels; node 6 is op 4, which also waits for op 3, node 2.
  expect(rank('cudaDeviceSynchronize', [])).toEqual([2, 3, 5]);
  expect(rank('hipDeviceSynchronize', [])).toEqual([2, 3, 5]);
  expect(rank('cudaStreamSynchronize', [{ correlation: 5, stream: 7 }])).toEqual([2, 3]);
  expect(rank('cudaEventSynchronize', [{ correlation: 5, waitsOnStream: 20, waitsOnCorrelation: 3 }])).toEqual([2, 4]);
  // Nothing says which stream: what ended last, at 650.
  expect(rank('cudaStreamSynchronize', [])).toEqual([2, 5]);
  expect(rank('cudaEventQuery', [])).toEqual([2]);
});

test('an event that ended after the call returned was not waited for', () => {
  const { waits, dependencies } = linked({
    ops: [
      ROOT,
      THREAD,
      { id: 3, parent: 2, startNs: 0, durationNs: 100 },
      { id: 4, parent: 2, startNs: 300, durationNs: 10 },
    ],
    calls: [
      { name: 'cudaLaunchKernel', startNs: 10, correlation: 1 },
      { name: 'cudaLaunchKernel', startNs: 20, correlation: 2 },
      { name: 'cudaEventSynchronize', startNs: 200, durationNs: 50, correlation: 3 },
    ],
    events: [
      { startNs: 40, durationNs: 100, launcher: 2, call: 0, stream: 7 },
      { startNs: 40, durationNs: 500, launcher: 2, call: 1, stream: 20 },
    ],
  });
  expect(waits[5]).toEqual([2, 3]);
  expect(dependencies).toMatchObject({ hostWaits: 1, hostWaitsGuessed: 1 });
});

test('a blocking copy holds up the host, an asynchronous one only to memory that is not pinned', () => {
  const waits = (call: string, name: string): number[] =>
    linked({
      ops: [
        ROOT,
        THREAD,
        { id: 3, parent: 2, startNs: 0, durationNs: 100 },
        { id: 4, parent: 2, startNs: 300, durationNs: 10 },
      ],
      calls: [{ name: call, startNs: 10, durationNs: 80, correlation: 1 }],
      events: [{ name, kind: 'copy', startNs: 20, durationNs: 60, launcher: 2, call: 0 }],
    }).waits[4];
  expect(waits('cudaMemcpy', 'Memcpy HtoD (Pinned -> Device)')).toEqual([2, 3]);
  expect(waits('cudaMemcpyAsync', 'Memcpy DtoH (Device -> Pageable)')).toEqual([2, 3]);
  expect(waits('cudaMemcpyAsync', 'Memcpy DtoH (Device -> Pinned)')).toEqual([2]);
  expect(waits('cudaMemcpyAsync', 'Memcpy HtoD (Pageable -> Device)')).toEqual([2]);
});

test('a stream that waits for an event waits for what the other stream was given before the record', () => {
  const { waits, dependencies } = linked({
    ops: [ROOT, THREAD, { id: 3, parent: 2, startNs: 0, durationNs: 100 }],
    calls: [
      { name: 'cudaLaunchKernel', startNs: 10, correlation: 1 },
      { name: 'cudaEventRecord', startNs: 20, correlation: 2 },
      { name: 'cudaLaunchKernel', startNs: 30, correlation: 3 },
      { name: 'cudaStreamWaitEvent', startNs: 40, correlation: 4 },
      { name: 'cudaLaunchKernel', startNs: 50, correlation: 5 },
    ],
    events: [
      { startNs: 100, durationNs: 10, launcher: 2, call: 0, stream: 7 },
      { startNs: 110, durationNs: 90, launcher: 2, call: 2, stream: 7 },
      { startNs: 120, durationNs: 10, launcher: 2, call: 4, stream: 20 },
    ],
    synchronizations: [
      { name: 'Stream Wait Event', stream: 20, correlation: 4, waitsOnStream: 7, waitsOnCorrelation: 2 },
    ],
  });
  expect(waits.slice(3)).toEqual([[2], [2, 3], [2, 3]]);
  expect(dependencies).toMatchObject({ streamWaitsStated: 1, streamWaitsInferred: 0, streamWaitsLost: 0 });
});

test('without cuda_sync events a collective waits for the stream of its caller, and that for the collective', () => {
  // Thread: kernel on 7, wait, collective on 20, the library's own wait, kernel on 7, wait, kernel on 7.
  const { waits, dependencies } = linked(
    {
      ops: [
        ROOT,
        THREAD,
        { id: 3, parent: 2, startNs: 0, durationNs: 15 },
        { id: 4, parent: 2, startNs: 20, durationNs: 30 },
        { id: 5, parent: 2, startNs: 60, durationNs: 10 },
        { id: 6, parent: 2, startNs: 400, durationNs: 20 },
      ],
      calls: [
        { name: 'cudaLaunchKernel', startNs: 10, correlation: 1 },
        { name: 'cudaStreamWaitEvent', startNs: 25, correlation: 2, caller: 3 },
        { name: 'cudaLaunchKernelExC', startNs: 30, correlation: 3 },
        { name: 'cudaStreamWaitEvent', startNs: 35, correlation: 4, caller: 3 },
        { name: 'cudaLaunchKernel', startNs: 65, correlation: 5 },
        { name: 'cudaStreamWaitEvent', startNs: 405, correlation: 6, caller: 5 },
        { name: 'cudaLaunchKernel', startNs: 410, correlation: 7 },
      ],
      events: [
        { startNs: 50, durationNs: 40, launcher: 2, call: 0, stream: 7 },
        { startNs: 100, durationNs: 200, launcher: 3, call: 2, stream: 20 },
        { startNs: 110, durationNs: 10, launcher: 4, call: 4, stream: 7 },
        { startNs: 450, durationNs: 10, launcher: 5, call: 6, stream: 7 },
      ],
    },
    [1],
  );
  // Nodes: 2 op 3, 3 kernel, 4 op 4, 5 collective, 6 op 5, 7 kernel, 8 op 6, 9 kernel.
  expect(waits[5]).toEqual([3, 4]);
  expect(waits[7]).toEqual([3, 6]);
  expect(waits[9]).toEqual([5, 7, 8]);
  expect(dependencies).toMatchObject({ streamWaitsStated: 0, streamWaitsInferred: 2, streamWaitsLost: 0 });
});

test('the first op of a thread and the first one behind a quiet stretch wait for what the others had done', () => {
  const { waits } = linked({
    ops: [
      ROOT,
      THREAD,
      { id: 3, parent: 1, thread: 2 },
      { id: 4, parent: 2, startNs: 0, durationNs: 100 * US },
      { id: 5, parent: 4, startNs: 10 * US, durationNs: 20 * US },
      { id: 6, parent: 2, startNs: 200 * US, durationNs: 9000 * US },
      { id: 7, parent: 3, thread: 2, startNs: 300 * US, durationNs: 4000 * US },
      { id: 8, parent: 7, thread: 2, startNs: 4100 * US, durationNs: 100 * US },
      { id: 9, parent: 2, startNs: 9300 * US, durationNs: US },
    ],
  });
  // Nodes are in the order of the ids: node n has id n + 1. Op 7 begins when ops 4 and 5 are done; op 6 still runs, and of the two,
  // 5 comes last on the thread. Nothing ended on thread 1 while thread 2 was quiet inside op 7, so 8 has no other one.
  // Op 6 is quiet from 200 to 9200 us: 9 waits for 8, the last op that thread 2 had begun.
  expect(waits[6]).toEqual([2, 4]);
  expect(waits[7]).toEqual([6]);
  expect(waits[8]).toEqual([5, 7]);
});

test('the first backward op waits for the last forward op of its sequence number', () => {
  const { waits } = linked({
    hostOnly: true,
    ops: [
      ROOT,
      THREAD,
      { id: 3, parent: 1, thread: 2 },
      { id: 4, parent: 2, sequence: 9 },
      { id: 5, parent: 4, sequence: 9 },
      { id: 6, parent: 2, sequence: 10 },
      { id: 7, parent: 3, thread: 2, forwardThread: 1, sequence: 9 },
      { id: 8, parent: 7, thread: 2, forwardThread: 1, sequence: 9 },
    ],
  });
  expect(waits[6]).toEqual([2, 4]);
  expect(waits[7]).toEqual([6]);
});

test('ops without their caller come under a node of their own, behind the root', () => {
  const { order } = linked({ hostOnly: true, ops: [{ id: 7, parent: 5 }, ROOT, THREAD, { id: 9, parent: 7 }] });
  expect(order.synthetic).toBe(1);
  expect([...order.origin]).toEqual([1, 4, 2, 0, 3]);
  expect([...order.caller]).toEqual([-1, 0, 0, 1, 3]);
  expect(order.orphans).toEqual([0]);
});

test('an event that starts before its op is not launched by it, one without op follows its stream', () => {
  const { order, waits } = linked({
    ops: [
      ROOT,
      THREAD,
      { id: 3, parent: 2, startNs: 100, durationNs: 10 },
      { id: 4, parent: 2, startNs: 200, durationNs: 10 },
    ],
    calls: [{ name: 'cudaLaunchKernel', startNs: 105, correlation: 1 }],
    events: [
      { startNs: 50, durationNs: 10, launcher: 3, stream: 9 },
      { startNs: 110, durationNs: 10, launcher: 2, call: 0 },
      { startNs: 130, durationNs: 10 },
    ],
  });
  expect(order.earlyLaunches).toEqual([0]);
  expect([...order.origin]).toEqual([0, -1, 1, 2, -2, -3, 3]);
  expect(waits).toEqual([[], [], [], [2], [3], [4], [3]]);
});

test('what comes behind several transfers in one kernel waits for all of them', () => {
  const { order, waits } = linked(
    {
      ops: [ROOT, THREAD, { id: 3, parent: 2, startNs: 0, durationNs: 10 }],
      events: [
        { startNs: 20, durationNs: 10, launcher: 2 },
        { startNs: 40, durationNs: 10, launcher: 2 },
      ],
    },
    [0],
    new Map([[0, 2]]),
  );
  expect([...order.part]).toEqual([0, 0, 0, 0, 1, 0]);
  expect(waits.slice(3)).toEqual([[2], [2], [2, 3, 4]]);
});

test('copies of a call, waits of a graph: one node names another once', () => {
  const { dependencies, order } = linked({
    ops: [
      ROOT,
      THREAD,
      { id: 3, parent: 2, startNs: 0, durationNs: 10 },
      { id: 4, parent: 2, startNs: 100, durationNs: 10 },
    ],
    calls: [
      { name: 'cudaLaunchKernel', startNs: 1, correlation: 1 },
      { name: 'cudaDeviceSynchronize', startNs: 20, durationNs: 30, correlation: 2 },
      { name: 'cudaDeviceSynchronize', startNs: 60, durationNs: 10, correlation: 3 },
    ],
    events: [{ startNs: 5, durationNs: 10, launcher: 2, call: 0 }],
  });
  expect(dependencies.counts.get('host wait')).toBe(2);
  expect([...dependencies.target.subarray(dependencies.start[4], dependencies.start[5])]).toEqual([2, 3]);
  expect(order.length).toBe(5);
});
