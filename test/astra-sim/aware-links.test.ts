import fc from 'fast-check';
import { AwareLinks } from '../../src/astra-sim/aware-links.js';
import { MessagePool } from '../../src/astra-sim/message-pool.js';
import { MessageSizes } from '../../src/astra-sim/message-sizes.js';
import { LaneQueue } from '../../src/kernel/lane-queue.js';
import type { AnalyticalSpec, Topology } from '../../src/network/network-spec.js';
import { eventList } from '../oracles/astra-sim/events.js';
import { awareNetwork } from '../oracles/astra-sim/network.js';
import { topologyOf } from '../support/topologies.js';

/** A message that leaves `source` at `atNs`, which is scheduled at `knownNs`. */
interface Sent {
  readonly atNs: number;
  readonly knownNs: number;
  readonly source: number;
  readonly destination: number;
  readonly bytes: number;
}

function send(atNs: number, source: number, destination: number, bytes: number, knownNs = 0): Sent {
  return { atNs, knownNs, source, destination, bytes };
}

const ARRIVAL = 0;
const FREE = 1;
const SEND = 2;
const KNOW = 3;

/** When each message is where it wanted to go, ns, and how many events that took beside two for each send. */
function arrivals(spec: AnalyticalSpec, sends: readonly Sent[]): { readonly times: number[]; readonly events: number } {
  const queue = new LaneQueue();
  const messages = new MessagePool();
  const sizes = new MessageSizes();
  const links = new AwareLinks(spec, queue, messages, sizes, ARRIVAL, FREE, false);
  const times = new Array<number>(sends.length).fill(NaN);
  const schedule = (delayNs: number, kind: number, at: number): void =>
    queue.push(queue.laneOf(delayNs), delayNs, kind, at, 0, 0, 0);
  sends.forEach(({ knownNs }, at) => schedule(knownNs, KNOW, at));
  while (queue.pop()) {
    if (queue.kind === FREE) {
      links.free(queue.a);
    } else if (queue.kind === KNOW) {
      schedule(sends[queue.a].atNs - queue.time, SEND, queue.a);
    } else if (queue.kind === SEND) {
      const { source, destination, bytes } = sends[queue.a];
      links.send(messages.add(source, destination, 0, sizes.numberOf(bytes), 0, queue.a));
    } else if (links.arrive(queue.a)) {
      times[messages.reference(queue.a)] = queue.time;
      messages.remove(queue.a);
    }
  }
  return { times, events: queue.popped - 2 * sends.length };
}

const timesOf = (spec: AnalyticalSpec, ...sends: Sent[]): number[] => arrivals(spec, sends).times;

/** 1 GiB/s are 1.073741824 B/ns: n × 1.073741824 B, rounded up, keep a link busy for n ns. */
function lasting(ns: number): number {
  return Math.ceil(ns * 1.073741824);
}

const one = (topology: Topology, npus: number, latencyNs = 100): AnalyticalSpec =>
  topologyOf([topology, npus, 1, latencyNs]);

describe('one link (astra-sim-semantics section 13)', () => {
  const mesh = one('FullyConnected', 4);

  test('arrival and link-free are truncated apart', () => {
    // 10 B take 9.31 ns: arrival ⌊0.7 + 9.31⌋ = 10, free at 9; the second arrives at 9 + 10.
    const spec = topologyOf(['FullyConnected', 2, 1, 0.7]);
    expect(timesOf(spec, send(0, 0, 1, 10), send(0, 0, 1, 10))).toEqual([10, 19]);
  });

  test('messages that find it busy wait in the order in which they came', () => {
    // 50, 30 and 20 ns long: the link is free at 50, 80, 100.
    expect(timesOf(mesh, send(0, 0, 1, lasting(50)), send(10, 0, 1, lasting(30)), send(20, 0, 1, lasting(20)))).toEqual(
      [150, 180, 200],
    );
  });

  test('one that comes when the link is free again does not wait', () => {
    expect(timesOf(mesh, send(0, 0, 1, lasting(50)), send(51, 0, 1, lasting(30)))).toEqual([150, 181]);
    expect(timesOf(mesh, send(0, 0, 1, lasting(50)), send(1000, 0, 1, lasting(30)))).toEqual([150, 1130]);
  });

  test('messages of no length go one after another within an instant', () => {
    expect(timesOf(mesh, send(5, 0, 1, 1), send(5, 0, 1, 1), send(5, 0, 1, lasting(10)))).toEqual([105, 105, 115]);
  });

  test('each direction and each pair has a link of its own', () => {
    const bytes = lasting(50);
    expect(timesOf(mesh, send(0, 0, 1, bytes), send(0, 1, 0, bytes), send(0, 0, 2, bytes))).toEqual([150, 150, 150]);
  });

  test('its end is an event only where a message waits for it', () => {
    expect(arrivals(mesh, [send(0, 0, 1, 64), send(500, 0, 1, 64)]).events).toBe(2);
    // The third waits for the end of the second.
    expect(arrivals(mesh, [send(0, 0, 1, 64), send(500, 0, 1, 64), send(510, 0, 1, 64)]).events).toBe(4);
  });
});

describe('a message that comes at the instant at which the link falls free', () => {
  const spec = one('Switch', 4);
  // Up-link 0 is busy from 0 to 50. At 50 rank 0 sends to 2, and rank 1 does, whose up-link is free; both are at the switch at
  // 50 + 100 + 20 = 170, where the one that started first takes the down-link until 190 and arrives at 290, the other at 310.
  const busy = send(0, 0, 3, lasting(50));

  test('before the link-free event: it waits for that, and the other starts first', () => {
    expect(timesOf(spec, busy, send(50, 0, 2, lasting(20)), send(50, 1, 2, lasting(20))).slice(1)).toEqual([310, 290]);
  });

  test('after the link-free event: it starts at once, before the other', () => {
    const sends = [busy, send(50, 0, 2, lasting(20), 1), send(50, 1, 2, lasting(20), 1)];
    expect(timesOf(spec, ...sends).slice(1)).toEqual([290, 310]);
  });

  test('one that waits goes before one that comes then', () => {
    const sends = [busy, send(50, 0, 2, lasting(20), 1), send(40, 0, 1, lasting(30), 1)];
    // The third starts at 50, the second at 80: switch at 200, rank 2 at 320.
    expect(timesOf(spec, ...sends).slice(1)).toEqual([320, 310]);
  });

  test('without latency a link falls free when its message arrives, before what was started right behind it', () => {
    // Meshes 0 1, 2 3 and 4 5; 0 2 4 and 1 3 5 have a switch each. At 0 start 0 → 2 and 3 → 4, which goes over 2; both are over their
    // first links at 20. In between the up-link of 0 falls free for the message to 4 that waits there since 5: it is at the switch
    // at 40 before the one that comes from 2, and takes the down-link to 4.
    const meshes = topologyOf(['FullyConnected', 2, 1, 0], ['Switch', 3, 1, 0]);
    const bytes = lasting(20);
    expect(timesOf(meshes, send(0, 0, 2, bytes), send(0, 3, 4, bytes), send(5, 0, 4, bytes))).toEqual([40, 80, 60]);
  });
});

describe('ways', () => {
  const bytes = lasting(50);

  test('Switch: up, then down, store and forward; several to one wait at the down-link', () => {
    // At the switch at 150; the down-link is free at 200, 250.
    expect(timesOf(one('Switch', 4), send(0, 0, 3, bytes), send(0, 1, 3, bytes), send(0, 2, 3, bytes))).toEqual([
      300, 350, 400,
    ]);
  });

  test('Ring: the shorter way, hop by hop', () => {
    const ring = one('Ring', 5);
    // 0 → 1 → 2 and 0 → 4 → 3; a neighbour's message holds the second hop, 1 → 2, from 120 to 170.
    expect(timesOf(ring, send(0, 0, 2, bytes), send(0, 0, 3, bytes), send(120, 1, 2, bytes))).toEqual([320, 300, 270]);
  });

  test('Ring: both ways equal, so clockwise', () => {
    // 0 → 1 is busy for 50 ns, 0 → 3 is not.
    const ring = one('Ring', 4);
    expect(timesOf(ring, send(0, 0, 1, bytes), send(0, 0, 2, bytes))).toEqual([150, 350]);
    expect(timesOf(ring, send(0, 0, 3, bytes), send(0, 0, 2, bytes))).toEqual([150, 300]);
  });

  test('Ring of two: one link for each direction', () => {
    const ring = one('Ring', 2);
    expect(timesOf(ring, send(0, 0, 1, bytes), send(0, 1, 0, bytes), send(0, 0, 1, bytes))).toEqual([150, 150, 200]);
  });
});

describe('several dimensions', () => {
  const bytes = lasting(50);
  // Ranks 0 1 2 and 3 4 5 are rings; 0 3, 1 4 and 2 5 have a switch each. 1 GiB/s and 100 ns, 2 GiB/s and 1000 ns.
  const spec = topologyOf(['Ring', 3, 1, 100], ['Switch', 2, 2, 1000]);

  test('every differing dimension is paid for with its own numbers, the first one first', () => {
    // 0 → 1 150; up and down 1025 each.
    expect(timesOf(spec, send(0, 0, 4, bytes))).toEqual([150 + 1025 + 1025]);
    expect(timesOf(spec, send(0, 0, 3, bytes))).toEqual([1025 + 1025]);
  });

  test('coordinate 0 is corrected first: the message shares the up-link of rank 1, not that of rank 0', () => {
    // At rank 1 at 150, where a message of 25 ns holds the up-link from 140 to 165.
    expect(timesOf(spec, send(0, 0, 4, bytes), send(140, 1, 4, bytes))[0]).toBe(165 + 1025 + 1025);
    expect(timesOf(spec, send(0, 0, 4, bytes), send(140, 0, 3, bytes))[0]).toBe(150 + 1025 + 1025);
  });

  test('each ring and each switch is a device of its own', () => {
    const sends = [send(0, 0, 1, bytes), send(0, 3, 4, bytes), send(0, 0, 3, bytes), send(0, 1, 4, bytes)];
    expect(timesOf(spec, ...sends)).toEqual([150, 150, 2050, 2050]);
  });
});

describe('law: any messages arrive as in the slow twin, which makes an event of every end', () => {
  const topology = fc.constantFrom<Topology>('Ring', 'Switch', 'FullyConnected');
  // Few latencies and sizes, so that instants meet.
  const dimension = fc.tuple(topology, fc.integer({ min: 2, max: 4 }), fc.constantFrom(1, 2), fc.constantFrom(0, 10));
  const message = fc.record({
    atNs: fc.nat(30).map((tens) => 10 * tens),
    source: fc.nat(63),
    further: fc.nat(62),
    nanoseconds: fc.constantFrom(0, 10, 20, 40),
  });

  test('one to three dimensions', () => {
    fc.assert(
      fc.property(
        fc.array(dimension, { minLength: 1, maxLength: 3 }),
        fc.array(message, { minLength: 1, maxLength: 80 }),
        (dimensions, drawn) => {
          const spec = topologyOf(...dimensions);
          const ranks = dimensions.reduce((product, [, npus]) => product * npus, 1);
          const sends = drawn.map(({ atNs, source, further, nanoseconds }) => {
            const from = source % ranks;
            const to = (from + 1 + (further % (ranks - 1))) % ranks;
            return send(atNs, from, to, lasting(nanoseconds) + 1);
          });
          expect(timesOf(spec, ...sends)).toEqual(slowArrivals(spec, sends));
        },
      ),
    );
  });
});

function slowArrivals(spec: AnalyticalSpec, sends: readonly Sent[]): number[] {
  const events = eventList();
  const network = awareNetwork(events, spec);
  const times = new Array<number>(sends.length).fill(NaN);
  sends.forEach(({ atNs, source, destination, bytes }, at) =>
    events.at(0, () => events.at(atNs, () => network(source, destination, bytes, () => (times[at] = events.now)))),
  );
  events.run(Infinity);
  return times;
}
