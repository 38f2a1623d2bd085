import { DeviceKind, type DeviceTrace } from '../../formats/pytorch/device-trace.js';
import type { Links } from '../links.js';
import type { NodeOrder } from '../node-order.js';
import { lastLaunched, type Streams } from '../streams.js';
import { CallKind, callKinds, isPageableCopyToHost } from './calls.js';
import type { DependencyList } from './dependency-list.js';
import { firstFrom, type HostThread } from './host-threads.js';
import { placesByCorrelation, streamsNumbered } from './synchronizations.js';
import type { WaitingTimes } from './waiting-times.js';

/** How many calls that hold up their thread there are, and for how many it is guessed what they wait for. */
export interface HostWaits {
  readonly calls: number;
  /** Waits for a stream or event that the trace does not name (it has no cuda_sync event for them). */
  readonly guessed: number;
}

/**
 * From the device to the host: behind a call that waits for the device, the next op of the thread waits for what the call waited
 * for. That is the last op launched before on every stream, on one stream, or before an event was recorded; or the copy.
 *
 * Where the trace does not say which stream or event a call waits for, it is taken to wait for that op launched before it that
 * ended last before the call returned; an op that went on cannot have been waited for.
 */
export function addHostWaits(
  links: Links,
  device: DeviceTrace,
  streams: Streams,
  order: NodeOrder,
  threads: ReadonlyMap<number, HostThread>,
  list: DependencyList,
  times: WaitingTimes,
): HostWaits {
  const { calls, synchronizations, deviceEvents } = device;
  const kinds = callKinds(device.names);
  const synchronizationOf = placesByCorrelation(synchronizations.correlation);
  const callOf = placesByCorrelation(calls.correlation);
  const copies = blockingCopies(links, device, kinds);
  const numbered = streamsNumbered(streams);
  let waiting = 0;
  let guessed = 0;
  for (let call = 0; call < calls.length; call++) {
    const kind = kinds[calls.name[call]];
    const copied = copies.get(call);
    const waits = kind >= CallKind.deviceWait && kind <= CallKind.eventWait;
    if (!waits && copied === undefined) continue;
    waiting++;
    const startNs = calls.startNs[call];
    const endNs = startNs + calls.durationNs[call];
    const thread = threads.get(calls.thread[call]);
    const place = thread === undefined ? 0 : firstFrom(thread, endNs);
    if (thread === undefined || place === thread.node.length) continue;
    const node = thread.node[place];
    let waitedNs = startNs;
    const waitForEvent = (event: number): void => {
      const first = order.deviceNode[event];
      for (let part = 0; part < order.parts[event]; part++) {
        if (!list.add('host wait', node, first + part)) return;
      }
      waitedNs = Math.max(waitedNs, deviceEvents.startNs[event] + deviceEvents.durationNs[event]);
    };
    const waitFor = (at: number): void => {
      if (at >= 0) waitForEvent(streams.event[at]);
    };
    const isWaiting = (): void => times.add(links.caller[call], startNs, Math.min(waitedNs, endNs));
    if (copied !== undefined) {
      for (const event of copied) waitForEvent(event);
      isWaiting();
      continue;
    }
    if (kind === CallKind.deviceWait) {
      for (let stream = 0; stream < streams.count; stream++) waitFor(lastLaunched(streams, stream, startNs));
      isWaiting();
      continue;
    }
    const known = synchronizationOf.get(calls.correlation[call]) ?? -1;
    const stream = known < 0 ? -1 : synchronizations[kind === CallKind.streamWait ? 'stream' : 'waitsOnStream'][known];
    const named = numbered.get(stream) ?? [];
    if (stream < 0) {
      guessed++;
      waitFor(endedLast(device, streams, startNs, endNs));
    } else {
      const record = callOf.get(synchronizations.waitsOnCorrelation[known]);
      const until = kind === CallKind.eventWait && record !== undefined ? calls.startNs[record] : startNs;
      for (const each of named) waitFor(lastLaunched(streams, each, until));
    }
    isWaiting();
  }
  return { calls: waiting, guessed };
}

/** Of what was launched up to an instant: place of what ended last up to another one; −1 for none. */
function endedLast({ deviceEvents }: DeviceTrace, streams: Streams, launchedNs: number, endedNs: number): number {
  let latest = -1;
  let latestNs = -Infinity;
  for (let stream = 0; stream < streams.count; stream++) {
    for (let at = lastLaunched(streams, stream, launchedNs); at >= streams.first[stream]; at--) {
      const event = streams.event[at];
      const end = deviceEvents.startNs[event] + deviceEvents.durationNs[event];
      if (end > endedNs) continue;
      if (end > latestNs) [latest, latestNs] = [at, end];
      break;
    }
  }
  return latest;
}

/** Copies that hold up the host, by their call. */
function blockingCopies({ call }: Links, { deviceEvents, calls, names }: DeviceTrace, kinds: Uint8Array) {
  const copies = new Map<number, number[]>();
  const pageable = names.map(isPageableCopyToHost);
  for (let event = 0; event < deviceEvents.length; event++) {
    const by = call[event];
    if (by < 0 || deviceEvents.kind[event] !== DeviceKind.copy) continue;
    if (kinds[calls.name[by]] !== CallKind.blockingCopy && !pageable[deviceEvents.name[event]]) continue;
    copies.set(by, [...(copies.get(by) ?? []), event]);
  }
  return copies;
}
