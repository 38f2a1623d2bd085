import type { DeviceTrace } from '../../src/formats/pytorch/device-trace.js';
import { findLaunches, LaunchGap, type Launches } from '../../src/pytorch/launches.js';
import { parentsByTime } from '../../src/pytorch/nesting.js';
import { startOrder } from '../../src/pytorch/start-order.js';
import { deviceTrace, type KinetoEvent } from '../support/pytorch-columns.js';

const op = (name: string, ts: number, dur: number, externalId = NaN, tid = 1): KinetoEvent => ({
  ...{ cat: 'cpu_op', name, ts, dur, tid, args: { 'External id': externalId } },
});
const call = (correlation: number, ts: number, dur = 1, externalId = correlation, tid = 1): KinetoEvent => ({
  ...{ cat: 'cuda_runtime', name: 'cudaLaunchKernel', ts, dur, tid, args: { correlation, 'External id': externalId } },
});
const kernel = (correlation: number, name = 'gemm', externalId = correlation): KinetoEvent => ({
  ...{ cat: 'kernel', name, ts: 900, dur: 1, tid: 7, args: { correlation, stream: 7, 'External id': externalId } },
});

/** Launches of events, of which those named have host node 10 + place. */
function launches(events: readonly KinetoEvent[], withNode?: readonly string[]): Launches & { device: DeviceTrace } {
  const device = deviceTrace(events);
  const { hostEvents, names } = device;
  const starts = startOrder(hostEvents);
  const nodeOf = hostEvents.name.map((name, event) =>
    withNode === undefined || withNode.includes(names[name]) ? 10 + event : -1,
  );
  return { device, ...findLaunches(device, starts, parentsByTime(hostEvents, starts), nodeOf) };
}

test('a kernel hangs under the innermost op around the call of its correlation', () => {
  const {
    launcher,
    call: calls,
    gap,
  } = launches([op('outer', 0, 100), op('inner', 10, 20), call(1, 15), call(2, 50), kernel(2), kernel(1)]);
  expect([...calls]).toEqual([1, 0]);
  expect([...launcher]).toEqual([10, 11]);
  expect([...gap]).toEqual([LaunchGap.none, LaunchGap.none]);
});

test('one call of a graph launches many kernels', () => {
  expect([...launches([op('replay', 0, 100), call(1, 15), kernel(1), kernel(1), kernel(1)]).launcher]).toEqual([
    10, 10, 10,
  ]);
});

test('an op without a host node hands its kernel to the nearest op around it that has one', () => {
  const events = [op('outer', 0, 100), op('middle', 5, 50), op('inner', 10, 20), call(1, 15), kernel(1)];
  const { launcher, caller, callEvent } = launches(events, ['outer']);
  expect([...launcher]).toEqual([10]);
  expect([...caller]).toEqual([10]);
  expect([...callEvent]).toEqual([2]);
});

test('a device event without a call, without an event around its call, without a node: each has its reason', () => {
  const { launcher, gap } = launches(
    [
      op('known', 0, 10),
      op('unknown', 20, 10),
      op('known', 40, 10),
      op('late', 60, 10),
      ...[call(2, 15), call(3, 25), call(4, 65)],
      ...[kernel(1), kernel(2), kernel(3), kernel(4)],
    ],
    ['known'],
  );
  expect([...launcher]).toEqual([-1, -1, -1, -1]);
  expect([...gap]).toEqual([LaunchGap.noCall, LaunchGap.noEvent, LaunchGap.noNode, LaunchGap.after]);
});

test('External ids that name the ops around calls attach what has no call, or whose call lies nowhere', () => {
  const { launcher, byExternalId, contradicted } = launches([
    op('first', 0, 10, 501),
    op('second', 20, 10, 502),
    ...[call(1, 5, 1, 501), call(2, 22, 1, 502), call(3, 15, 1, 501)],
    ...[kernel(1, 'gemm', 501), kernel(3, 'gemm', 501), kernel(9, 'gemm', 502)],
  ]);
  expect([...launcher]).toEqual([10, 10, 11]);
  expect(byExternalId).toBe(2);
  expect(contradicted).toBe(0);
});

test('an External id against time is counted, and time decides', () => {
  const { launcher, contradicted } = launches([
    op('first', 0, 10, 501),
    op('second', 20, 10, 502),
    ...[call(1, 5, 1, 501), call(2, 6, 1, 501), call(3, 22, 1, 501)],
    kernel(3, 'gemm', 501),
  ]);
  expect([...launcher]).toEqual([11]);
  expect(contradicted).toBe(1);
});

test('External ids that are correlations attach nothing, even where they equal the id of some op', () => {
  const { launcher, gap } = launches([
    op('first', 0, 10, 3),
    op('second', 20, 10, 9),
    ...[call(1, 5), call(2, 22), kernel(9)],
  ]);
  expect([...launcher]).toEqual([-1]);
  expect([...gap]).toEqual([LaunchGap.noCall]);
});

test('a device annotation hangs under the host annotation of its External id and name', () => {
  const annotation = (name: string): KinetoEvent => ({
    ...{ cat: 'gpu_user_annotation', name, ts: 900, dur: 5, tid: 7, args: { 'External id': 501 } },
  });
  const host = { ...op('## forward ##', 0, 10, 501), cat: 'user_annotation' };
  const { launcher, gap } = launches([host, annotation('## forward ##'), annotation('## other ##')]);
  expect([...launcher]).toEqual([10, -1]);
  expect([...gap]).toEqual([LaunchGap.none, LaunchGap.noAnnotation]);
});

test('of calls with one correlation the first in the file counts', () => {
  const { call: calls, doubledCorrelations } = launches([op('op', 0, 100), call(1, 50), call(1, 10), kernel(1)]);
  expect([...calls]).toEqual([0]);
  expect(doubledCorrelations).toBe(1);
});

const BATCH = [
  op('batch_isend_irecv', 0, 100),
  op('c10d::send', 10, 20),
  op('record_param_comms', 12, 10),
  op('nccl:send 0->1', 14, 5),
  op('c10d::recv_', 40, 20),
  op('record_param_comms', 42, 10),
  op('nccl:coalesced', 70, 20),
  call(1, 75),
];

test('a kernel of a batch under nccl:coalesced belongs to the last communication op before it', () => {
  expect([...launches([...BATCH, kernel(1, 'ncclDevKernel_SendRecv')]).launcher]).toEqual([15]);
});

test('another kernel there belongs to the annotation', () => {
  expect([...launches([...BATCH, kernel(1, 'copy')]).launcher]).toEqual([16]);
});

test('an op outside of the one around nccl:coalesced is no part of the batch', () => {
  const { launcher } = launches([
    op('c10d::allreduce_', 0, 10),
    op('other', 20, 50),
    op('nccl:coalesced', 30, 20),
    ...[call(1, 35), kernel(1, 'ncclDevKernel_SendRecv')],
  ]);
  expect([...launcher]).toEqual([11]);
});
