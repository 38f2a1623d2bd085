import { DeviceKind, type DeviceTrace } from '../formats/pytorch/device-trace.js';
import { eventsAround } from './nesting.js';
import { startOrder, type StartOrder } from './start-order.js';

/** Why a device event has no host node. */
export const LaunchGap = {
  none: 0,
  /** No call has its correlation. */
  noCall: 1,
  /** No host event is around its call. */
  noEvent: 2,
  /** No event around its call has a host node. */
  noNode: 3,
  /** The same, and the call was made before the first event with a host node, or after the last one's end. */
  before: 4,
  after: 5,
  /** No host event has the External id and the name of a device annotation. */
  noAnnotation: 6,
} as const;

/** Who launched what. */
export interface Launches {
  readonly call: Int32Array; // [device events] launching call, −1
  readonly launcher: Int32Array; // [device events] host node, −1
  readonly gap: Uint8Array; // [device events] a LaunchGap
  readonly caller: Int32Array; // [calls] host node, −1
  readonly callEvent: Int32Array; // [calls] innermost host event around the call, −1
  /** Calls whose correlation another call had before. */
  readonly doubledCorrelations: number;
  /** Calls that outlast the host event in which they start. */
  readonly outlasting: number;
  /** Device events attached by their External id, for want of a call or of an event around it. */
  readonly byExternalId: number;
  /** Calls whose External id names a host event that is not around them; 0 where External ids are not believed. */
  readonly contradicted: number;
}

/** Steps from a call outwards in which the host event of its External id is looked for. */
const MOST_STEPS = 64;

/**
 * Finds the host node behind each device event: by its correlation the launching call (one call of a graph launches many
 * kernels), by time the innermost host event around the call on its thread, and from there outwards the first with a host node.
 *
 * "External id" is a check, and the fallback where there is no call or nothing around it. Older profilers write the correlation
 * there, which names no host event (chakra-format section 13); so the ids are believed where most calls that lie in a host
 * event name one of those around them.
 *
 * A kernel of a collective library under the annotation `nccl:coalesced` belongs to the last communication op before it, inside
 * the same op: the annotation ends a batch of collectives or sends and receives and says nothing of them (chakra-tools
 * section 1, point 6).
 *
 * @param parent innermost host event around each host event
 * @param nodeOf [host events] host node, −1
 */
export function findLaunches(
  device: DeviceTrace,
  starts: StartOrder,
  parent: Int32Array,
  nodeOf: Int32Array,
): Launches {
  const { hostEvents, calls, deviceEvents } = device;
  const { around, outlasting } = eventsAround(hostEvents, starts, calls, startOrder(calls, calls.correlation));
  const nodeAround = nearestNodes(starts, parent, nodeOf);

  let eventById: ReadonlyMap<number, number> | undefined;
  const eventOfId = (id: number): number => {
    eventById ??= eventsByExternalId(device);
    return eventById.get(id) ?? -1;
  };
  const believed = believeExternalIds(device, around, parent, eventOfId);

  const callEvent = around;
  const caller = new Int32Array(calls.length).fill(-1);
  const callByExternalId = new Uint8Array(calls.length);
  for (let call = 0; call < calls.length; call++) {
    if (callEvent[call] < 0 && believed.ids && calls.externalId[call] > 0) {
      callEvent[call] = eventOfId(calls.externalId[call]);
      if (callEvent[call] >= 0) callByExternalId[call] = 1;
    }
    if (callEvent[call] >= 0) caller[call] = nodeAround[callEvent[call]];
  }

  const { callOf, doubled } = callsByCorrelation(device);
  const coalesced = coalescedEvents(device, starts, parent);
  const isLibrary = Uint8Array.from(device.names, (name) => (/nccl/i.test(name) ? 1 : 0));

  const call = new Int32Array(deviceEvents.length).fill(-1);
  const launcher = new Int32Array(deviceEvents.length).fill(-1);
  const gap = new Uint8Array(deviceEvents.length);
  const covered = coveredTime(device, nodeOf);
  let byExternalId = 0;
  for (let i = 0; i < deviceEvents.length; i++) {
    let event = -1;
    if (deviceEvents.kind[i] === DeviceKind.annotation) {
      event = eventOfId(deviceEvents.externalId[i]);
      if (event >= 0 && hostEvents.name[event] !== deviceEvents.name[i]) event = -1;
      if (event < 0) gap[i] = LaunchGap.noAnnotation;
    } else {
      const launch = callOf.get(deviceEvents.correlation[i]) ?? -1;
      call[i] = launch;
      if (launch >= 0) {
        event = callEvent[launch];
        if (event < 0) gap[i] = LaunchGap.noEvent;
        else byExternalId += callByExternalId[launch];
      } else {
        if (believed.ids && deviceEvents.externalId[i] > 0) event = eventOfId(deviceEvents.externalId[i]);
        if (event < 0) gap[i] = LaunchGap.noCall;
        else byExternalId++;
      }
      if (event >= 0 && coalesced !== undefined && isLibrary[deviceEvents.name[i]] === 1) {
        event = coalesced.get(event) ?? event;
      }
    }
    if (event < 0) continue;
    launcher[i] = nodeAround[event];
    if (launcher[i] >= 0) continue;
    const startNs = call[i] >= 0 ? calls.startNs[call[i]] : hostEvents.startNs[event];
    gap[i] = startNs < covered.fromNs ? LaunchGap.before : startNs > covered.toNs ? LaunchGap.after : LaunchGap.noNode;
  }
  return {
    ...{ call, launcher, gap, caller, callEvent },
    ...{ doubledCorrelations: doubled, outlasting, byExternalId, contradicted: believed.contradicted },
  };
}

/** Host node of each event or, where it has none, of the nearest event around it that has one. */
function nearestNodes(starts: StartOrder, parent: Int32Array, nodeOf: Int32Array): Int32Array {
  const nearest = nodeOf.slice();
  for (const event of starts.order) {
    if (nearest[event] < 0 && parent[event] >= 0) nearest[event] = nearest[parent[event]];
  }
  return nearest;
}

/** From the first start to the last end of host events that have a node. */
function coveredTime({ hostEvents }: DeviceTrace, nodeOf: Int32Array): { fromNs: number; toNs: number } {
  let fromNs = Infinity;
  let toNs = -Infinity;
  for (let event = 0; event < hostEvents.length; event++) {
    if (nodeOf[event] < 0) continue;
    fromNs = Math.min(fromNs, hostEvents.startNs[event]);
    toNs = Math.max(toNs, hostEvents.startNs[event] + hostEvents.durationNs[event]);
  }
  return { fromNs, toNs };
}

function callsByCorrelation({ calls }: DeviceTrace): { callOf: ReadonlyMap<number, number>; doubled: number } {
  const callOf = new Map<number, number>();
  let doubled = 0;
  for (let call = 0; call < calls.length; call++) {
    const correlation = calls.correlation[call];
    if (Number.isNaN(correlation)) continue;
    if (callOf.has(correlation)) doubled++;
    else callOf.set(correlation, call);
  }
  return { callOf, doubled };
}

function eventsByExternalId({ hostEvents }: DeviceTrace): ReadonlyMap<number, number> {
  const events = new Map<number, number>();
  for (let event = 0; event < hostEvents.length; event++) {
    const id = hostEvents.externalId[event];
    if (id > 0 && !events.has(id)) events.set(id, event);
  }
  return events;
}

/** Whether External ids of calls and device events are those of host events, judged by the calls that lie in one. */
function believeExternalIds(
  { hostEvents, calls, deviceEvents }: DeviceTrace,
  around: Int32Array,
  parent: Int32Array,
  eventOfId: (id: number) => number,
): { ids: boolean; contradicted: number } {
  let judged = 0;
  let agreeing = 0;
  let contradicted = 0;
  for (let call = 0; call < calls.length; call++) {
    const id = calls.externalId[call];
    let event = around[call];
    if (!(id > 0) || event < 0) continue;
    judged++;
    for (let step = 0; event >= 0 && step < MOST_STEPS && hostEvents.externalId[event] !== id; step++) {
      event = parent[event];
    }
    if (event >= 0 && hostEvents.externalId[event] === id) agreeing++;
    // A call outside of ops has its own correlation there.
    else if (id !== calls.correlation[call] && eventOfId(id) >= 0) contradicted++;
  }
  if (judged > 0) {
    const ids = 2 * agreeing >= judged;
    return { ids, contradicted: ids ? contradicted : 0 };
  }
  let own = 0;
  for (let i = 0; i < deviceEvents.length; i++) {
    if (deviceEvents.externalId[i] > 0 && deviceEvents.externalId[i] !== deviceEvents.correlation[i]) own++;
  }
  return { ids: 2 * own > deviceEvents.length, contradicted: 0 };
}

/** For each annotation `nccl:coalesced` the event that its kernels belong to; `undefined` where there is none. */
function coalescedEvents(
  { names, hostEvents }: DeviceTrace,
  starts: StartOrder,
  parent: Int32Array,
): ReadonlyMap<number, number> | undefined {
  const coalescedName = names.indexOf('nccl:coalesced');
  if (coalescedName < 0) return undefined;
  const communicates = Uint8Array.from(names, (name) => (/^(?:record_param_comms$|c10d::|nccl:)/.test(name) ? 1 : 0));
  const belongsTo = new Map<number, number>();
  for (let t = 0; t < starts.threads.length; t++) {
    let last = -1; // latest communication op of the thread
    for (let i = starts.threadStart[t]; i < starts.threadStart[t + 1]; i++) {
      const event = starts.order[i];
      if (hostEvents.name[event] !== coalescedName) {
        if (communicates[hostEvents.name[event]] === 1) last = event;
        continue;
      }
      const outside = parent[event];
      const inside = last >= 0 && (outside < 0 || hostEvents.startNs[last] >= hostEvents.startNs[outside]);
      if (inside) belongsTo.set(event, last);
      else if (outside >= 0) belongsTo.set(event, belongsTo.get(outside) ?? outside);
    }
  }
  return belongsTo;
}
