import { DeviceKind, type DeviceTrace } from '../formats/pytorch/device-trace.js';
import type { Links } from './links.js';

/** Which device events become nodes; kernels and copies always do. */
export interface ChosenDeviceEvents {
  /** Memsets. */
  readonly sets: boolean;
  /** gpu_user_annotation spans. */
  readonly annotations: boolean;
}

/** What runs on the streams of the devices: in a stream, one after the other. */
export interface Streams {
  readonly count: number;
  readonly device: Int32Array; // [count]
  readonly stream: Int32Array; // [count] number of the stream on its device
  readonly streamOf: Int32Array; // [device events] place of its stream, −1 for what is on none or becomes no node
  readonly first: Uint32Array; // [count + 1] begin of each stream in `event`
  readonly event: Int32Array; // device events of a stream by start, all streams one after the other
  /** When the host launched what `event` lists, ns; within a stream never less than before, as a stream keeps its order. */
  readonly launchNs: Float64Array;
  /** Streamed events of all streams by start. */
  readonly byStart: Int32Array;
  /** Events that are left out because they were launched before the host trace began or after it ended. */
  readonly outsideHostTrace: number;
}

/**
 * The work of a rank's devices, by stream. Spans that the profiler draws over a stream (gpu_user_annotation) are no work, and
 * what was launched before the first or after the last op of the host trace belongs to steps that the host trace does not have.
 * @param chosen memsets count where they become nodes
 */
export function streamsOf(links: Links, device: DeviceTrace, chosen: ChosenDeviceEvents): Streams {
  const { deviceEvents } = device;
  const { kind, startNs } = deviceEvents;
  const streamOf = new Int32Array(deviceEvents.length).fill(-1);
  const numbers = new Map<number, number>();
  const devices: number[] = [];
  const streams: number[] = [];
  const sizes: number[] = [];
  let streamed = 0;
  let outsideHostTrace = 0;
  const outside = callsOutside(links, device);
  for (let event = 0; event < deviceEvents.length; event++) {
    if (kind[event] === DeviceKind.annotation || (kind[event] === DeviceKind.set && !chosen.sets)) continue;
    if (links.launcher[event] < 0 && outside(links.call[event])) {
      outsideHostTrace++;
      continue;
    }
    const key = deviceEvents.device[event] * 0x100000000 + deviceEvents.stream[event];
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
      devices.push(deviceEvents.device[event]);
      streams.push(deviceEvents.stream[event]);
      sizes.push(0);
    }
    streamOf[event] = number;
    sizes[number]++;
    streamed++;
  }
  const count = numbers.size;
  const first = new Uint32Array(count + 1);
  for (let number = 0; number < count; number++) first[number + 1] = first[number] + sizes[number];
  const byStart = new Int32Array(streamed);
  let filled = 0;
  for (let event = 0; event < deviceEvents.length; event++) if (streamOf[event] >= 0) byStart[filled++] = event;
  byStart.sort((one, other) => startNs[one] - startNs[other] || one - other);
  const next = first.slice();
  const event = new Int32Array(streamed);
  const launchNs = new Float64Array(streamed);
  for (const place of byStart) {
    const at = next[streamOf[place]]++;
    event[at] = place;
    const launched = launchTime(links, device, place);
    launchNs[at] = at > first[streamOf[place]] ? Math.max(launched, launchNs[at - 1]) : launched;
  }
  const facts = { device: Int32Array.from(devices), stream: Int32Array.from(streams) };
  return { count, ...facts, streamOf, first, event, launchNs, byStart, outsideHostTrace };
}

/** Tells whether a call was made before the first op of the host trace or after the last; one that is not there was not. */
function callsOutside({ hostEvent }: Links, { hostEvents, calls }: DeviceTrace): (call: number) => boolean {
  let fromNs = Infinity;
  let toNs = -Infinity;
  for (const event of hostEvent) {
    if (event < 0) continue;
    fromNs = Math.min(fromNs, hostEvents.startNs[event]);
    toNs = Math.max(toNs, hostEvents.startNs[event] + hostEvents.durationNs[event]);
  }
  return (call) => call >= 0 && fromNs <= toNs && (calls.startNs[call] < fromNs || calls.startNs[call] > toNs);
}

/** When the host launched an event: the start of its call, else of its op, else its own. */
function launchTime(
  { call, launcher, hostEvent }: Links,
  { calls, hostEvents, deviceEvents }: DeviceTrace,
  event: number,
) {
  if (call[event] >= 0) return calls.startNs[call[event]];
  const host = launcher[event] < 0 ? -1 : hostEvent[launcher[event]];
  return host < 0 ? deviceEvents.startNs[event] : hostEvents.startNs[host];
}

/** Place in `event` of the last that a stream was given up to an instant; −1 for none. */
export function lastLaunched({ first, launchNs }: Streams, stream: number, ns: number): number {
  let low = first[stream];
  let high = first[stream + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (launchNs[middle] <= ns) low = middle + 1;
    else high = middle;
  }
  return low === first[stream] ? -1 : low - 1;
}

/** Place in `event` of the first that a stream is given from an instant on; −1 for none. */
export function firstLaunched({ first, launchNs }: Streams, stream: number, ns: number): number {
  let low = first[stream];
  let high = first[stream + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (launchNs[middle] < ns) low = middle + 1;
    else high = middle;
  }
  return low === first[stream + 1] ? -1 : low;
}
