import type { AnalyticalSpec } from '../../src/network/network-spec.js';
import type { PostedTransfer, TransferTimes } from './fabric-run.js';

interface Link {
  /** Devices: NPUs, then switches. */
  readonly from: number;
  readonly to: number;
  readonly gibPerSecond: number;
  readonly latency: number;
  readonly queue: Message[];
  busy: boolean;
}

interface Message {
  readonly transfer: number;
  readonly way: readonly Link[];
  /** Links of the way that it has entered or waits for. */
  offered: number;
}

interface Event {
  readonly time: number;
  /** 0 a link becomes free, 1 a message arrives, 2 a transfer is posted. */
  readonly phase: number;
  readonly entity: number;
  readonly act: () => void;
}

/**
 * The congestion-aware network as section 13 of astra-sim-semantics reads, with plain objects: links are found by the devices
 * they join, the whole way of a message is listed when it is posted, every link tells when it becomes free, and the list of
 * events is searched for the first one by R-004.
 *
 * @param npuOf by rank
 */
export function slowLinks(
  spec: AnalyticalSpec,
  npuOf: readonly number[],
  transfers: readonly PostedTransfer[],
): TransferTimes[] {
  const times = transfers.map(() => ({ sent: NaN, received: NaN, acknowledged: NaN }));
  const ways = new Ways(spec);
  const events: Event[] = [];
  let now = 0;

  const offer = (message: Message): void => {
    const link = message.way[message.offered++];
    if (link.busy) link.queue.push(message);
    else start(link, message);
  };
  const start = (link: Link, message: Message): void => {
    const { transfer, way } = message;
    const free = now + exactTime(transfers[transfer].bytes, link.gibPerSecond);
    link.busy = true;
    if (link === way[0]) times[transfer].sent = free;
    const arrive = (): void => {
      if (link === way[way.length - 1]) times[transfer].received = now;
      else offer(message);
    };
    const becomeFree = (): void => {
      link.busy = false;
      const next = link.queue.shift();
      if (next !== undefined) start(link, next);
    };
    events.push({ time: free + link.latency, phase: 1, entity: link.to, act: arrive });
    events.push({ time: free, phase: 0, entity: link.from, act: becomeFree });
  };

  for (const [transfer, { source, destination, at }] of transfers.entries()) {
    const way = ways.between(npuOf[source], npuOf[destination]);
    events.push({ time: at, phase: 2, entity: transfer, act: () => offer({ transfer, way, offered: 0 }) });
  }
  while (events.length > 0) {
    const first = events.reduce((best, event) => (isBefore(event, best) ? event : best));
    events.splice(events.indexOf(first), 1);
    now = first.time;
    first.act();
  }
  for (const [transfer, { source, destination }] of transfers.entries()) {
    const back = ways.between(npuOf[destination], npuOf[source]);
    times[transfer].acknowledged = times[transfer].received + back.reduce((sum, { latency }) => sum + latency, 0);
  }
  return times;
}

/** Of equal events the one that was made first stays first. */
function isBefore(a: Event, b: Event): boolean {
  if (a.time !== b.time) return a.time < b.time;
  return a.phase !== b.phase ? a.phase < b.phase : a.entity < b.entity;
}

class Ways {
  readonly #spec: AnalyticalSpec;
  readonly #links = new Map<string, Link>();
  readonly #switches = new Map<string, number>();

  constructor(spec: AnalyticalSpec) {
    this.#spec = spec;
    const npus = spec.dimensions.reduce((product, dimension) => product * dimension.npus, 1);
    for (const [at, { topology }] of spec.dimensions.entries()) {
      for (let npu = 0; topology === 'Switch' && npu < npus; npu++) {
        const name = this.#switchName(this.#coordinates(npu), at);
        if (!this.#switches.has(name)) this.#switches.set(name, npus + this.#switches.size);
      }
    }
  }

  /** The links from one NPU to another, dimension after dimension. */
  between(from: number, to: number): Link[] {
    const here = this.#coordinates(from);
    const goal = this.#coordinates(to);
    const way: Link[] = [];
    for (const [at, { topology, npus }] of this.#spec.dimensions.entries()) {
      while (here[at] !== goal[at]) {
        const start = this.#npu(here);
        if (topology === 'Ring') {
          const clockwise = (goal[at] - here[at] + npus) % npus;
          const step = npus - clockwise < clockwise ? npus - 1 : 1;
          here[at] = (here[at] + step) % npus;
        } else {
          here[at] = goal[at];
        }
        const end = this.#npu(here);
        if (topology === 'Switch') {
          const middle = this.#switches.get(this.#switchName(here, at))!;
          way.push(this.#link(at, start, middle), this.#link(at, middle, end));
        } else {
          way.push(this.#link(at, start, end));
        }
      }
    }
    return way;
  }

  #link(dimension: number, from: number, to: number): Link {
    const name = `${dimension}: ${from} → ${to}`;
    const { bandwidthGiBPerSecond: gibPerSecond, latencyPs: latency } = this.#spec.dimensions[dimension];
    const link = this.#links.get(name) ?? { from, to, gibPerSecond, latency, queue: [], busy: false };
    this.#links.set(name, link);
    return link;
  }

  #switchName(coordinates: readonly number[], dimension: number): string {
    return `${dimension}: ${coordinates.with(dimension, -1).join()}`;
  }

  #coordinates(npu: number): number[] {
    let rest = npu;
    return this.#spec.dimensions.map(({ npus }) => {
      const coordinate = rest % npus;
      rest = (rest - coordinate) / npus;
      return coordinate;
    });
  }

  #npu(coordinates: readonly number[]): number {
    return coordinates.reduceRight((npu, coordinate, at) => npu * this.#spec.dimensions[at].npus + coordinate, 0);
  }
}

/** ceil(bytes × 10^12 / (bandwidth × 2^30)) ps with the bandwidth as the decimal it is written as. */
function exactTime(bytes: number, gibPerSecond: number): number {
  const [whole, fraction = ''] = String(gibPerSecond).split('.');
  const numerator = BigInt(bytes) * 10n ** 12n * 10n ** BigInt(fraction.length);
  const denominator = BigInt(whole + fraction) * 2n ** 30n;
  return Number((numerator + denominator - 1n) / denominator);
}
