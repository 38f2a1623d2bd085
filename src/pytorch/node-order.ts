import { DeviceKind } from '../formats/pytorch/device-trace.js';
import type { HostTrace } from '../formats/pytorch/host-trace.js';
import type { Links } from './links.js';
import type { ChosenDeviceEvents, Streams } from './streams.js';

/**
 * Every node of the linked trace in the order of its id. Host nodes are in the order of their own ids, which is the order in which
 * ops started; what a device runs comes behind the host node that launched it and, on a stream, behind what the
 * stream was given before. So callers, launchers and whatever a stream does first have smaller ids.
 */
export interface NodeOrder {
  readonly length: number;
  readonly origin: Int32Array; // [n] h ≥ 0 for host node h, −1 − d for device event d
  readonly part: Uint16Array; // [n] which communication of a device event that has several
  /** Node over host nodes whose caller was not recorded, −1 where there is none. */
  readonly synthetic: number;
  readonly hostNode: Int32Array; // [host nodes]
  readonly hostOrder: Int32Array; // [host nodes] in the order of their ids
  readonly deviceNode: Int32Array; // [device events] its first node, −1 for one that becomes none
  readonly parts: Uint16Array; // [device events] nodes it becomes
  readonly caller: Int32Array; // [n] node of the caller, of the launcher for device nodes; −1 for none
  readonly thread: Int32Array; // [host nodes] thread of the observer; the caller's where none is stated
  /** Host nodes whose caller is stated and not in the file. */
  readonly orphans: readonly number[];
  /** Host nodes whose caller has a larger id. */
  readonly lateCallers: readonly number[];
  /** Device events that start before the op that is said to have launched them. */
  readonly earlyLaunches: readonly number[];
}

/** Name of the node over host nodes whose caller was not recorded. */
export const SYNTHETIC_NAME = '[chakra-prep|callers not recorded]';

const NONE = new Int32Array(0);

/**
 * Puts the nodes of a rank in order.
 * @param streams absent where there is only a host trace
 * @param partsOf nodes that a device event becomes: its communications, else 1
 */
export function orderNodes(
  links: Links,
  streams: Streams | undefined,
  chosen: ChosenDeviceEvents,
  partsOf: (event: number) => number,
): NodeOrder {
  const { host } = links;
  const hostOrder = ascendingIds(host);
  const rankOf = new Int32Array(host.length);
  for (let rank = 0; rank < host.length; rank++) rankOf[hostOrder[rank]] = rank;
  const callers = callersOf(host, hostOrder);
  const slots = deviceSlots(links, streams, chosen, rankOf, partsOf);
  const hasSynthetic = callers.orphans.length > 0;
  const length = host.length + slots.nodes + Number(hasSynthetic);
  const origin = new Int32Array(length);
  const part = new Uint16Array(length);
  const hostNode = new Int32Array(host.length);
  const deviceNode = new Int32Array(slots.parts.length).fill(-1);
  let node = 0;
  let synthetic = -1;
  let event = 0;
  const takeSynthetic = (): void => {
    if (hasSynthetic && synthetic < 0) {
      synthetic = node;
      origin[node++] = host.length;
    }
  };
  for (let rank = 0; rank < host.length; rank++) {
    const place = hostOrder[rank];
    if (callers.caller[place] !== place) takeSynthetic();
    hostNode[place] = node;
    origin[node++] = place;
    for (; event < slots.event.length && slots.slot[event] === rank; event++) {
      const of = slots.event[event];
      deviceNode[of] = node;
      for (let each = 0; each < slots.parts[of]; each++) {
        part[node] = each;
        origin[node++] = -1 - of;
      }
    }
  }
  const caller = new Int32Array(length).fill(-1);
  for (let place = 0; place < host.length; place++) {
    const by = callers.caller[place];
    if (by >= 0 && by !== place) caller[hostNode[place]] = hostNode[by];
  }
  for (const orphan of callers.orphans) caller[hostNode[orphan]] = synthetic;
  if (synthetic > 0) caller[synthetic] = 0;
  for (const of of slots.event) {
    if (slots.launcher[of] < 0) continue;
    for (let each = 0; each < slots.parts[of]; each++) {
      caller[deviceNode[of] + each] = hostNode[slots.launcher[of]];
    }
  }
  return {
    ...{ length, origin, part, synthetic, hostNode, hostOrder, deviceNode, parts: slots.parts, caller },
    ...{ thread: callers.thread, orphans: callers.orphans, lateCallers: callers.late, earlyLaunches: slots.early },
  };
}

/** Host nodes by id; nodes of the same id by place. */
function ascendingIds({ id, length }: HostTrace): Int32Array {
  let largest = 0;
  let plain = true; // small whole numbers, as producers count them
  for (let place = 0; place < length; place++) {
    if (id[place] > largest) largest = id[place];
    if (!(Number.isInteger(id[place]) && id[place] >= 0)) plain = false;
  }
  const order = new Int32Array(length);
  if (!plain || largest > 16 * length + 1024) {
    for (let place = 0; place < length; place++) order[place] = place;
    return order.sort((one, other) => id[one] - id[other] || one - other);
  }
  const next = new Uint32Array(largest + 2);
  for (let place = 0; place < length; place++) next[id[place] + 1]++;
  for (let value = 0; value <= largest; value++) next[value + 1] += next[value];
  for (let place = 0; place < length; place++) order[next[id[place]]++] = place;
  return order;
}

interface Callers {
  readonly caller: Int32Array; // [host nodes] place of the caller, the node itself for a root, −1 for none
  readonly thread: Int32Array;
  readonly orphans: number[];
  readonly late: number[];
}

function callersOf({ id, parent, thread, length }: HostTrace, hostOrder: Int32Array): Callers {
  const caller = new Int32Array(length).fill(-1);
  const threads = thread.slice();
  const orphans: number[] = [];
  const late: number[] = [];
  const sortedId = new Float64Array(length);
  for (let rank = 0; rank < length; rank++) sortedId[rank] = id[hostOrder[rank]];
  for (let rank = 0; rank < length; rank++) {
    const place = hostOrder[rank];
    const wanted = parent[place];
    if (wanted === id[place] || Number.isNaN(wanted)) {
      caller[place] = place;
      continue;
    }
    const found = placeOf(sortedId, wanted);
    if (found < 0) {
      orphans.push(place);
    } else if (found >= rank) {
      late.push(place);
    } else {
      caller[place] = hostOrder[found];
      if (threads[place] < 0) threads[place] = threads[caller[place]];
    }
  }
  return { caller, thread: threads, orphans, late };
}

/** Place of a value in an ascending column, the first of equals; −1 where it is not there. */
function placeOf(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === value ? low : -1;
}

interface Slots {
  /** Device events that become nodes: ascending slot, then start. */
  readonly event: Int32Array;
  readonly slot: Int32Array; // of the same: rank of the host node behind which it comes
  readonly launcher: Int32Array; // [device events] host node, −1
  readonly parts: Uint16Array; // [device events]
  readonly nodes: number;
  readonly early: number[];
}

/** Where device events come: behind their launcher, and not before what their stream was given earlier. */
function deviceSlots(
  { device, launcher, hostEvent }: Links,
  streams: Streams | undefined,
  chosen: ChosenDeviceEvents,
  rankOf: Int32Array,
  partsOf: (event: number) => number,
): Slots {
  if (device === undefined || streams === undefined) {
    return { event: NONE, slot: NONE, launcher: NONE, parts: new Uint16Array(0), nodes: 0, early: [] };
  }
  const { deviceEvents, hostEvents } = device;
  const early: number[] = [];
  const accepted = launcher.slice();
  const order = chosen.annotations ? withAnnotations(deviceEvents, streams.byStart) : streams.byStart;
  const lastSlot = new Int32Array(streams.count); // what no host node launched and a stream begins with comes behind the first node
  const slotOf = new Int32Array(order.length);
  const parts = new Uint16Array(deviceEvents.length);
  const sizes = new Uint32Array(rankOf.length + 1);
  let nodes = 0;
  let latest = 0;
  order.forEach((event, place) => {
    const by = accepted[event];
    if (by >= 0 && hostEvent[by] >= 0 && deviceEvents.startNs[event] < hostEvents.startNs[hostEvent[by]]) {
      early.push(event);
      accepted[event] = -1;
    }
    const stream = streams.streamOf[event];
    const floor = stream >= 0 ? lastSlot[stream] : accepted[event] >= 0 ? 0 : latest;
    const slot = accepted[event] >= 0 ? Math.max(floor, rankOf[accepted[event]]) : floor;
    if (stream >= 0) lastSlot[stream] = slot;
    latest = slot;
    slotOf[place] = slot;
    sizes[slot + 1]++;
    parts[event] = Math.max(1, partsOf(event));
    nodes += parts[event];
  });
  for (let slot = 0; slot < rankOf.length; slot++) sizes[slot + 1] += sizes[slot];
  const sorted = new Int32Array(order.length);
  const slots = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) {
    const at = sizes[slotOf[place]]++;
    sorted[at] = order[place];
    slots[at] = slotOf[place];
  }
  return { event: sorted, slot: slots, launcher: accepted, parts, nodes, early };
}

/** Streamed events and annotations by start; an annotation before what starts with it. */
function withAnnotations(
  { kind, startNs, length }: NonNullable<Links['device']>['deviceEvents'],
  byStart: Int32Array,
): Int32Array {
  const spans: number[] = [];
  for (let event = 0; event < length; event++) if (kind[event] === DeviceKind.annotation) spans.push(event);
  spans.sort((one, other) => startNs[one] - startNs[other] || one - other);
  const all = new Int32Array(byStart.length + spans.length);
  let filled = 0;
  let next = 0;
  for (const event of byStart) {
    while (next < spans.length && startNs[spans[next]] <= startNs[event]) all[filled++] = spans[next++];
    all[filled++] = event;
  }
  while (next < spans.length) all[filled++] = spans[next++];
  return all;
}
