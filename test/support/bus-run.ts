import { BusEnd, SharedBus } from '../../src/astra-sim/shared-bus.js';
import type { SharedBusConfiguration } from '../../src/astra-sim/system-configuration.js';
import { SortedEvents } from './sorted-events.js';

/** One dimension: 2^30 bytes a second a unit of bandwidth, ns a hop (sections 12, 13). */
export interface BusNetwork {
  readonly topology: 'Ring' | 'Switch';
  readonly backend: 'unaware' | 'aware';
  readonly bandwidth: number;
  readonly latencyNs: number;
}

/** One collective over all ranks: a ring all-reduce, or an all-to-all that is direct and without window (sections 6 to 8). */
export interface BusCollective {
  readonly ranks: number;
  readonly algorithm: 'ring all-reduce' | 'direct all-to-all';
  readonly chunks: number;
  readonly chunkBytes: number;
  readonly activeChunks: number;
  readonly localMemoryGBps: number;
}

interface Stream {
  readonly rank: number;
  readonly chunk: number;
  packets: number;
  toSend: number;
  credits: number;
  fresh: number;
  relay: number;
  reducing: boolean;
  /** Packets sent. */
  sent: number;
}

/** Finish time of each rank, ns; NaN of one that never finishes. */
export function busRun(
  collective: BusCollective,
  network: BusNetwork,
  configuration: SharedBusConfiguration,
): number[] {
  const { ranks, algorithm, chunks, chunkBytes, activeChunks, localMemoryGBps } = collective;
  const events = new SortedEvents();
  const bytes = Math.floor(chunkBytes / ranks);
  const direct = algorithm === 'direct all-to-all';
  const parallel = direct ? ranks - 1 : 1;
  const finish = new Array<number>(ranks).fill(NaN);
  const started = new Array<number>(ranks).fill(0);
  const ended = new Array<number>(ranks).fill(0);
  const streams = new Map<string, Stream>();

  const bundles: { stream: Stream; reduced: boolean }[] = [];
  const bus = new SharedBus(configuration, ranks, events, (reference) => {
    const { stream, reduced } = bundles[reference];
    if (!reduced) return bundleOut(stream);
    const access = Math.trunc((bytes / (localMemoryGBps * 1e9)) * 1e9);
    events.timer(stream.rank, 3 * access, () => bundleOut(stream));
  });
  events.fire = (rank, code, reference) => bus.fire(rank, code, reference);

  const send: Send =
    network.backend === 'aware' ? linkNetwork(network, ranks, events) : freeNetwork(network, ranks, events);
  /** What has arrived and nobody waits for (below 0: receives that wait), by chunk, source and destination. */
  const waiting = new Map<string, number>();

  function startWaiting(rank: number): void {
    while (started[rank] < chunks && started[rank] - ended[rank] < activeChunks) {
      const chunk = started[rank]++;
      const toSend = direct ? ranks - 1 : 2 * (ranks - 1);
      const stream = { rank, chunk, packets: 0, toSend, credits: 0, fresh: 0, relay: 0, reducing: false, sent: 0 };
      streams.set(`${chunk} ${rank}`, stream);
      for (let packet = 0; packet < parallel; packet++) newPacket(stream);
    }
  }

  function newPacket(stream: Stream): void {
    if (stream.fresh === 0 && stream.relay === 0) {
      stream.fresh = parallel;
      stream.relay = ranks - 1;
      stream.reducing = !stream.reducing;
    }
    const reference = bundles.length;
    stream.packets++;
    if (stream.fresh > 0) {
      stream.fresh--;
      bundles.push({ stream, reduced: false });
      bus.request(stream.rank, BusEnd.A, bytes, false, false, reference);
    } else {
      const reduced = !direct && stream.reducing;
      const returns = stream.relay > parallel;
      stream.relay--;
      bundles.push({ stream, reduced });
      bus.request(stream.rank, BusEnd.M, bytes, reduced, returns, reference);
    }
  }

  function bundleOut(stream: Stream): void {
    stream.credits++;
    if (stream.packets > 0 && stream.toSend > 0) {
      const { rank, chunk } = stream;
      stream.credits--;
      stream.packets--;
      stream.toSend--;
      const distance = direct ? 1 + (stream.sent++ % (ranks - 1)) : 1;
      const peer = (rank + distance) % ranks;
      const source = (rank - distance + ranks) % ranks;
      send(rank, peer, bytes, () => arrived(chunk, rank, peer));
      posted(chunk, source, rank);
    }
    if (stream.toSend === 0 && stream.credits === parallel) {
      ended[stream.rank]++;
      if (ended[stream.rank] === chunks) finish[stream.rank] = events.nowNs;
      startWaiting(stream.rank);
    }
  }

  function arrived(chunk: number, source: number, destination: number): void {
    const key = `${chunk} ${source} ${destination}`;
    const balance = waiting.get(key) ?? 0;
    waiting.set(key, balance + 1);
    if (balance < 0) newPacket(streams.get(`${chunk} ${destination}`)!);
  }

  function posted(chunk: number, source: number, destination: number): void {
    const key = `${chunk} ${source} ${destination}`;
    const balance = waiting.get(key) ?? 0;
    waiting.set(key, balance - 1);
    if (balance > 0) events.schedule(events.nowNs, () => newPacket(streams.get(`${chunk} ${destination}`)!));
  }

  for (let rank = 0; rank < ranks; rank++) startWaiting(rank);
  events.run();
  return finish;
}

type Send = (source: number, destination: number, bytes: number, arrived: () => void) => void;

function freeNetwork({ topology, bandwidth, latencyNs }: BusNetwork, ranks: number, events: SortedEvents): Send {
  const bytesPerNs = (bandwidth * 2 ** 30) / 1e9;
  return (source, destination, bytes, arrived) => {
    const clockwise = (destination - source + ranks) % ranks;
    const hops = topology === 'Switch' ? 2 : Math.min(clockwise, ranks - clockwise);
    events.schedule(events.nowNs + Math.trunc(hops * latencyNs + bytes / bytesPerNs), arrived);
  };
}

/** Every link one message at a time, store and forward; the device of a switch is number `ranks`. */
function linkNetwork({ topology, bandwidth, latencyNs }: BusNetwork, ranks: number, events: SortedEvents): Send {
  const bytesPerNs = (bandwidth * 2 ** 30) / 1e9;
  const links = new Map<string, { busy: boolean; queue: (() => void)[] }>();

  function cross(route: number[], bytes: number, arrived: () => void): void {
    if (route.length === 1) return arrived();
    const key = `${route[0]} ${route[1]}`;
    if (!links.has(key)) links.set(key, { busy: false, queue: [] });
    const link = links.get(key)!;
    const start = () => {
      link.busy = true;
      events.schedule(events.nowNs + Math.trunc(latencyNs + bytes / bytesPerNs), () =>
        cross(route.slice(1), bytes, arrived),
      );
      events.schedule(events.nowNs + Math.trunc(bytes / bytesPerNs), () => {
        link.busy = false;
        link.queue.shift()?.();
      });
    };
    if (link.busy) link.queue.push(start);
    else start();
  }

  return (source, destination, bytes, arrived) => {
    const clockwise = (destination - source + ranks) % ranks;
    if (topology === 'Switch') return cross([source, ranks, destination], bytes, arrived);
    const step = ranks - clockwise < clockwise ? ranks - 1 : 1;
    const route = [source];
    while (route.at(-1) !== destination) route.push((route.at(-1)! + step) % ranks);
    cross(route, bytes, arrived);
  };
}
