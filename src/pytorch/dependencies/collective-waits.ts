import type { DeviceTrace } from '../../formats/pytorch/device-trace.js';
import type { RankCommunications } from '../communication.js';
import type { Links } from '../links.js';
import type { NodeOrder } from '../node-order.js';
import { firstLaunched, lastLaunched, type Streams } from '../streams.js';
import { CallKind, callKinds } from './calls.js';
import type { DependencyList } from './dependency-list.js';
import { addBetweenEvents } from './device-order.js';

export interface LinkedRank {
  readonly links: Links;
  readonly device: DeviceTrace;
  readonly streams: Streams;
  readonly order: NodeOrder;
  readonly communications: Pick<RankCommunications, 'onDevice'>;
  /** Calls that a cuda_sync event explains. */
  readonly explained: ReadonlySet<number>;
}

/**
 * Between the stream of collectives and the others, in traces without cuda_sync events: the calls are there and do not say which
 * stream waits for which event, but frameworks use them in two ways.
 *
 * Before a collective its stream waits for what the stream of the caller was given before: `cudaStreamWaitEvent`, and the next launch of
 * the thread is the collective. Later the stream of the caller waits for the collective: a call outside of every op
 * that launches one; for the collective with the sequence number of the `wait` record around it, else for the first
 * collective that nobody has waited for. What contradicts the times of the trace is left out.
 *
 * @returns calls that this explains, and those that stay unexplained
 */
export function addCollectiveWaits(rank: LinkedRank, list: DependencyList): { inferred: number; lost: number } {
  const { links, device, streams, communications, explained, order } = rank;
  const { calls } = device;
  const kinds = callKinds(device.names);
  const asked: number[] = [];
  for (let call = 0; call < calls.length; call++) {
    if (kinds[calls.name[call]] === CallKind.streamWaitsForEvent && !explained.has(call)) asked.push(call);
  }
  if (asked.length === 0) return { inferred: 0, lost: 0 };
  asked.sort((one, other) => calls.startNs[one] - calls.startNs[other]);
  const launches = launchesByThread(rank);
  const collectives = new Collectives(rank);
  let inferred = 0;
  let lost = 0;
  const add = (event: number, waitsFor: number): boolean => {
    const { startNs, durationNs } = device.deviceEvents;
    if (startNs[waitsFor] + durationNs[waitsFor] > startNs[event]) return false;
    addBetweenEvents('stream wait', order, event, waitsFor, list);
    inferred++;
    return true;
  };
  for (const call of asked) {
    const ns = calls.startNs[call];
    const own = launches.get(calls.thread[call]) ?? NO_LAUNCHES;
    const next = placeFrom(own.launchNs, ns);
    const ahead = own.event[next];
    if (ahead !== undefined && communications.onDevice.has(ahead)) {
      const stream = streamBefore(own, next, streams, streams.streamOf[ahead]);
      const last = stream < 0 ? -1 : lastLaunched(streams, stream, ns);
      if (last < 0 || !add(ahead, streams.event[last])) lost++;
      continue;
    }
    const around = links.caller[call];
    if (collectives.launchedIn(around)) continue; // the library's own bookkeeping
    const event = collectives.waitedFor(around, ns);
    const stream = event < 0 ? -1 : streamAround(own, next, streams, streams.streamOf[event]);
    const following = stream < 0 ? -1 : firstLaunched(streams, stream, ns);
    if (following < 0 || !add(streams.event[following], event)) lost++;
    else collectives.take(event);
  }
  return { inferred, lost };
}

/** Collectives of the rank in the order of their launches, and who has waited for them. */
class Collectives {
  readonly #events: number[] = []; // not waited for yet
  readonly #launchNs = new Map<number, number>();
  readonly #bySequence = new Map<number, number>();
  readonly #ops = new Set<number>(); // host nodes that launch or record one

  constructor(readonly rank: LinkedRank) {
    const { links, streams, communications } = rank;
    const launched: [number, number][] = [];
    streams.event.forEach((event, at) => {
      if (communications.onDevice.has(event)) launched.push([streams.launchNs[at], event]);
    });
    launched.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    for (const [ns, event] of launched) {
      this.#events.push(event);
      this.#launchNs.set(event, ns);
      if (links.launcher[event] >= 0) this.#ops.add(links.launcher[event]);
      for (const { record } of communications.onDevice.get(event)!) {
        if (record < 0) continue;
        this.#ops.add(record);
        const sequence = links.host.communications.get(record)?.sequence;
        if (sequence !== undefined) this.#bySequence.set(sequence, event);
      }
    }
  }

  /** Whether a host node (−1 for none) or one around it launches a collective. */
  launchedIn(op: number): boolean {
    const { order } = this.rank;
    if (op < 0) return false;
    for (let node = order.hostNode[op]; node >= 0; node = order.caller[node]) {
      if (this.#ops.has(order.origin[node])) return true;
    }
    return false;
  }

  /** The collective that a wait in an op stands for, −1 for none. */
  waitedFor(op: number, ns: number): number {
    const record = this.rank.links.host.communications.get(op);
    const sequence = record?.collective === 'wait' ? record.sequence : undefined;
    const event = sequence === undefined ? this.#events[0] : this.#bySequence.get(sequence);
    return event !== undefined && this.#launchNs.get(event)! < ns ? event : -1;
  }

  take(event: number): void {
    const place = this.#events.indexOf(event);
    if (place >= 0) this.#events.splice(place, 1);
  }
}

interface Launches {
  readonly launchNs: number[];
  readonly event: number[];
}

const NO_LAUNCHES: Launches = { launchNs: [], event: [] };

/** Streamed events by the thread that launched them, in the order of their launches. */
function launchesByThread({ links, device, streams }: LinkedRank): Map<number, Launches> {
  const { call } = links;
  const { startNs, thread } = device.calls;
  const launched = [...streams.event].filter((event) => call[event] >= 0);
  launched.sort((one, other) => startNs[call[one]] - startNs[call[other]] || one - other);
  const threads = new Map<number, Launches>();
  for (const event of launched) {
    const number = thread[call[event]];
    let own = threads.get(number);
    if (own === undefined) threads.set(number, (own = { launchNs: [], event: [] }));
    own.launchNs.push(startNs[call[event]]);
    own.event.push(event);
  }
  return threads;
}

function placeFrom(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Stream that a thread used last before a launch, another one than that of collectives; −1 for none. */
function streamBefore({ event }: Launches, place: number, { streamOf }: Streams, other: number): number {
  for (let at = place - 1; at >= 0; at--) if (streamOf[event[at]] !== other) return streamOf[event[at]];
  return -1;
}

/** The same; the one it uses next where it used none before. */
function streamAround(own: Launches, place: number, streams: Streams, other: number): number {
  const before = streamBefore(own, place, streams, other);
  if (before >= 0) return before;
  const next = own.event.slice(place).find((event) => streams.streamOf[event] !== other);
  return next === undefined ? -1 : streams.streamOf[next];
}
