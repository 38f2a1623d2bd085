import type { AnalyticalSpec, Dimension } from '../../../src/network/network-spec.js';
import type { Events, Action } from './events.js';

/** Moves a message from rank to rank and runs `arrived` as an event of its own when it is there. */
export type Network = (from: number, to: number, bytes: number, arrived: Action) => void;

/** Bytes a ns of a bandwidth in units of 2^30 B/s (section 12). */
function bytesPerNs({ bandwidthGiBPerSecond }: Dimension): number {
  return (bandwidthGiBPerSecond * 2 ** 30) / 1e9;
}

/** The coordinates of a rank, dimension 0 fastest (section 5.4). */
export function coordinates(rank: number, sizes: readonly number[]): number[] {
  return sizes.map((size, dimension) => {
    const stride = sizes.slice(0, dimension).reduce((product, before) => product * before, 1);
    return Math.floor(rank / stride) % size;
  });
}

/** Section 12: a delay, and nothing else. */
export function unawareNetwork(events: Events, { dimensions }: AnalyticalSpec): Network {
  const sizes = dimensions.map(({ npus }) => npus);
  return (from, to, bytes, arrived) => {
    const start = coordinates(from, sizes);
    const end = coordinates(to, sizes);
    const paid = start.findIndex((coordinate, dimension) => coordinate !== end[dimension]);
    const dimension = dimensions[paid];
    const delay = hops(dimension, start[paid], end[paid]) * dimension.latencyNs + bytes / bytesPerNs(dimension);
    events.at(events.now + Math.floor(delay), arrived);
  };
}

function hops({ topology, npus }: Dimension, from: number, to: number): number {
  if (topology === 'FullyConnected') return 1;
  if (topology === 'Switch') return 2;
  const clockwise = (to - from + npus) % npus;
  return Math.min(clockwise, npus - clockwise);
}

interface Message {
  readonly bytes: number;
  readonly route: readonly Link[];
  /** Links passed. */
  passed: number;
  readonly arrived: Action;
}

interface Link {
  readonly bytesPerNs: number;
  readonly latencyNs: number;
  busy: boolean;
  readonly waiting: Message[];
}

/** Section 13: links that carry one message at a time, store and forward, dimension after dimension. */
export function awareNetwork(events: Events, { dimensions }: AnalyticalSpec): Network {
  const sizes = dimensions.map(({ npus }) => npus);
  const links = new Map<string, Link>();
  const link = (dimension: Dimension, name: string): Link => {
    let found = links.get(name);
    if (found === undefined) {
      found = { bytesPerNs: bytesPerNs(dimension), latencyNs: dimension.latencyNs, busy: false, waiting: [] };
      links.set(name, found);
    }
    return found;
  };
  const routeOf = (from: number, to: number): Link[] => {
    const route: Link[] = [];
    const place = coordinates(from, sizes);
    const goal = coordinates(to, sizes);
    dimensions.forEach((dimension, index) => {
      const { topology, npus } = dimension;
      // The other coordinates say which of the rings, switches or meshes of this dimension it is.
      const inside = (position: number | 'switch'): string =>
        place.map((coordinate, other) => (other === index ? position : coordinate)).join(',');
      const take = (start: number | 'switch', end: number | 'switch'): void => {
        route.push(link(dimension, `${inside(start)} to ${inside(end)} in dimension ${index}`));
      };
      const [start, end] = [place[index], goal[index]];
      if (start !== end) {
        if (topology === 'FullyConnected') take(start, end);
        if (topology === 'Switch') {
          take(start, 'switch');
          take('switch', end);
        }
        if (topology === 'Ring') {
          const clockwise = (end - start + npus) % npus;
          const step = clockwise <= npus - clockwise ? 1 : npus - 1;
          for (let at = start; at !== end; at = (at + step) % npus) take(at, (at + step) % npus);
        }
      }
      place[index] = end;
    });
    return route;
  };
  const routes = new Map<number, Link[]>();

  const offer = (message: Message): void => {
    const next = message.route[message.passed];
    if (next.busy) next.waiting.push(message);
    else start(next, message);
  };
  const start = (on: Link, message: Message): void => {
    on.busy = true;
    const { bytes, route } = message;
    events.at(events.now + Math.floor(on.latencyNs + bytes / on.bytesPerNs), () => {
      message.passed++;
      if (message.passed === route.length) message.arrived();
      else offer(message);
    });
    events.at(events.now + Math.floor(bytes / on.bytesPerNs), () => {
      on.busy = false;
      const waiting = on.waiting.shift();
      if (waiting !== undefined) start(on, waiting);
    });
  };
  return (from, to, bytes, arrived) => {
    const pair = from * 2 ** 20 + to;
    if (!routes.has(pair)) routes.set(pair, routeOf(from, to));
    offer({ bytes, route: routes.get(pair)!, passed: 0, arrived });
  };
}
