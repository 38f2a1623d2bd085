import { DeviceKind } from '../formats/pytorch/device-trace.js';
import type { DependencyKind, LinkedDependencies } from './dependencies/dependencies.js';
import type { Links } from './links.js';
import type { NodeOrder } from './node-order.js';
import type { ChosenDeviceEvents } from './streams.js';

/** What a linked rank consists of. Plain data. */
export interface NodeCounts {
  readonly nodes: number;
  readonly hostNodes: number;
  /** Nodes of kernels, copies, memsets and device annotations; a kernel of several transfers has several. */
  readonly deviceNodes: number;
  readonly dataDependencies: number;
  readonly byKind: Readonly<Partial<Record<DependencyKind, number>>>;
  /** Memsets and device annotations of the trace that become no nodes. */
  readonly setsLeftOut: number;
  readonly annotationsLeftOut: number;
  /** Kernels, copies and memsets that were launched before the host trace began or after it ended, and become no nodes. */
  readonly outsideHostTrace: number;
  /** Own time of host nodes, and the part of it in which they waited for the device or another thread. */
  readonly hostNs: number;
  readonly hostWaitNs: number;
  readonly deviceNs: number;
}

export function nodeCounts(
  { host, device, exclusiveNs }: Links,
  order: NodeOrder,
  { target, counts, waitNs }: LinkedDependencies,
  chosen: ChosenDeviceEvents,
  outsideHostTrace: number,
): NodeCounts {
  let deviceNodes = 0;
  let setsLeftOut = 0;
  let annotationsLeftOut = 0;
  let hostNs = 0;
  let hostWaitNs = 0;
  let deviceNs = 0;
  for (let place = 0; place < host.length; place++) {
    if (exclusiveNs[place] > 0) hostNs += exclusiveNs[place];
    hostWaitNs += waitNs[place];
  }
  const { kind, durationNs, length } = device?.deviceEvents ?? { kind: [], durationNs: [], length: 0 };
  for (let event = 0; event < length; event++) {
    if (order.deviceNode[event] >= 0) {
      deviceNodes += order.parts[event];
      if (kind[event] !== DeviceKind.annotation) deviceNs += durationNs[event];
    } else if (kind[event] === DeviceKind.set && !chosen.sets) setsLeftOut++;
    else if (kind[event] === DeviceKind.annotation && !chosen.annotations) annotationsLeftOut++;
  }
  return {
    nodes: order.length,
    hostNodes: host.length,
    deviceNodes,
    dataDependencies: target.length,
    byKind: Object.fromEntries(counts),
    ...{ setsLeftOut, annotationsLeftOut, outsideHostTrace, hostNs, hostWaitNs, deviceNs },
  };
}
