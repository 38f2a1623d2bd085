import type { NodeOrder } from '../node-order.js';
import type { Streams } from '../streams.js';
import type { DependencyList } from './dependency-list.js';

/** Every node of a device event waits for every node of another one. */
export function addBetweenEvents(
  kind: 'stream order' | 'stream wait',
  { deviceNode, parts }: NodeOrder,
  event: number,
  waitsFor: number,
  list: DependencyList,
): void {
  for (let part = 0; part < parts[event]; part++) {
    for (let other = 0; other < parts[waitsFor]; other++) {
      if (!list.add(kind, deviceNode[event] + part, deviceNode[waitsFor] + other)) return;
    }
  }
}

/** A device op waits for the host op that launched it. */
export function addLaunches({ length, origin, caller }: NodeOrder, list: DependencyList): void {
  for (let node = 0; node < length; node++) {
    if (origin[node] < 0 && caller[node] >= 0) list.add('launch', node, caller[node]);
  }
}

/** A device op waits for the one before it on its stream. */
export function addStreamOrder(order: NodeOrder, { count, first, event }: Streams, list: DependencyList): void {
  for (let stream = 0; stream < count; stream++) {
    for (let at = first[stream] + 1; at < first[stream + 1]; at++) {
      addBetweenEvents('stream order', order, event[at], event[at - 1], list);
    }
  }
}
