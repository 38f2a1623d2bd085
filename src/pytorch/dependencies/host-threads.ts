import type { Links } from '../links.js';
import type { NodeOrder } from '../node-order.js';

/** Linked host nodes of one thread of the operating system, in the order in which they started. */
export interface HostThread {
  readonly node: Int32Array; // [n]
  readonly op: Int32Array; // [n] host node of the same
  readonly startNs: Float64Array; // [n]
  readonly endNs: Float64Array; // [n]
}

/** By thread number; host nodes without times are in none. */
export function hostThreads({ device, hostEvent }: Links, order: NodeOrder): ReadonlyMap<number, HostThread> {
  const threads = new Map<number, HostThread>();
  if (device === undefined) return threads;
  const { startNs, durationNs, thread } = device.hostEvents;
  const places = new Map<number, number[]>();
  for (const place of order.hostOrder) {
    const event = hostEvent[place];
    if (event < 0) continue;
    const known = places.get(thread[event]);
    if (known === undefined) places.set(thread[event], [place]);
    else known.push(place);
  }
  for (const [number, list] of places) {
    // Nodes are in the order of their ids, which is that of their starts but for links that went wrong.
    list.sort(
      (one, other) =>
        startNs[hostEvent[one]] - startNs[hostEvent[other]] || order.hostNode[one] - order.hostNode[other],
    );
    threads.set(number, {
      op: Int32Array.from(list),
      node: Int32Array.from(list, (place) => order.hostNode[place]),
      startNs: Float64Array.from(list, (place) => startNs[hostEvent[place]]),
      endNs: Float64Array.from(list, (place) => startNs[hostEvent[place]] + durationNs[hostEvent[place]]),
    });
  }
  return threads;
}

/** Place of the first op that starts at an instant or later; the number of ops for none. */
export function firstFrom({ startNs }: HostThread, ns: number): number {
  let low = 0;
  let high = startNs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startNs[middle] < ns) low = middle + 1;
    else high = middle;
  }
  return low;
}
