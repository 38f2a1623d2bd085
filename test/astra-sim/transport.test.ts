import { Completion, Event } from '../../src/astra-sim/events.js';
import { Transport } from '../../src/astra-sim/transport.js';
import { LaneQueue } from '../../src/kernel/lane-queue.js';
import type { AnalyticalSpec } from '../../src/network/network-spec.js';
import { networkOf } from '../support/system-runs.js';

interface Setting {
  readonly network?: AnalyticalSpec;
  readonly aware?: boolean;
  readonly rendezvous?: boolean;
}

/** An event that only the tests have. */
const LATER = 7;

/** Messages between four ranks; what completes is told as `time rank:reference`. */
class Bench {
  readonly queue = new LaneQueue();
  readonly transport: Transport;
  readonly told: string[] = [];
  readonly #later: (() => void)[] = [];
  /** Whether a receive of a collective waits. */
  waits = false;

  constructor({ network = networkOf('FullyConnected 4'), aware = false, rendezvous = false }: Setting = {}) {
    this.transport = new Transport(network, aware, rendezvous, 4, this.queue, false);
    this.transport.streams = {
      receive: (destination, source, tag, size) => {
        const bytes = this.transport.sizes.bytes(size);
        this.told.push(`${this.queue.time} collective ${source}→${destination} ${tag} ${bytes}`);
        return this.waits;
      },
    };
    this.transport.listener = {
      complete: (rank, completion, reference) => {
        const kind = completion === Completion.record ? 'record' : `${rank}`;
        this.told.push(`${this.queue.time} ${kind}:${reference}`);
      },
    };
  }

  send(source: number, destination: number, tag: number, bytes: number, reference: number): void {
    this.transport.send(source, destination, tag, bytes, Completion.node, reference);
  }

  receive(source: number, destination: number, tag: number, bytes: number, reference: number): void {
    this.transport.receive(source, destination, tag, bytes, Completion.node, reference);
  }

  at(timeNs: number, act: () => void): void {
    this.queue.push(0, timeNs, LATER, this.#later.push(act) - 1, 0, 0, 0);
  }

  run(): string[] {
    const { queue, transport } = this;
    while (queue.pop()) {
      if (queue.kind === LATER) this.#later[queue.a]();
      else if (queue.kind === Event.arrival) transport.arriveStream(queue.a, queue.b, queue.c, queue.amount);
      else if (queue.kind === Event.message) transport.arrive(queue.a);
      else if (queue.kind === Event.hop) transport.hop(queue.a);
      else if (queue.kind === Event.linkFree) transport.linkFree(queue.a);
      else transport.complete(queue.a, queue.b, queue.c);
    }
    return this.told;
  }
}

/** ⌊500 + B ÷ 53.6870912⌋ of the first is 1500, of the second 2500. */
const ONE = 53_688;
const TWO = 107_375;

describe.each([
  ['without congestion', false],
  ['over links', true],
])('sends and receives %s (astra-sim-semantics section 11)', (_name, aware) => {
  test('a send completes at the arrival, then the receive in the same event', () => {
    const bench = new Bench({ aware });
    bench.receive(0, 1, 7, ONE, 20);
    bench.send(0, 1, 7, ONE, 10);
    expect(bench.run()).toEqual(['1500 0:10', '1500 1:20']);
  });

  test('a receive that is posted after the arrival completes then, by an event of its own', () => {
    const bench = new Bench({ aware });
    bench.send(0, 1, 7, ONE, 10);
    bench.at(1600, () => {
      bench.receive(0, 1, 7, ONE, 20);
      bench.told.push('posted');
    });
    bench.at(1600, () => bench.told.push('other event'));
    expect(bench.run()).toEqual(['1500 0:10', 'posted', 'other event', '1600 1:20']);
  });

  test('the i-th send meets the i-th receive of equal tag, pair and size', () => {
    const bench = new Bench({ aware });
    bench.receive(0, 1, 7, ONE, 20);
    bench.receive(0, 1, 7, TWO, 21);
    bench.receive(0, 1, 7, ONE, 22);
    bench.receive(0, 1, 8, ONE, 23);
    bench.at(10_000, () => bench.send(0, 1, 8, ONE, 13));
    bench.at(20_000, () => bench.send(0, 1, 7, ONE, 10));
    bench.at(30_000, () => bench.send(0, 1, 7, ONE, 12));
    bench.at(40_000, () => bench.send(0, 1, 7, TWO, 11));
    const times = [11_500, 21_500, 31_500, 42_500];
    const pairs = ['0:13 1:23', '0:10 1:20', '0:12 1:22', '0:11 1:21'];
    expect(bench.run()).toEqual(times.flatMap((time, at) => pairs[at].split(' ').map((each) => `${time} ${each}`)));
  });

  test.each([
    ['another size', 0, 1, 7, ONE + 1],
    ['another tag', 0, 1, 8, ONE],
    ['another source', 2, 1, 7, ONE],
  ])('%s never matches: the send completes, the receive does not', (_what, source, destination, tag, bytes) => {
    const bench = new Bench({ aware });
    bench.receive(source, destination, tag, bytes, 20);
    bench.send(0, 1, 7, ONE, 10);
    expect(bench.run()).toEqual(['1500 0:10']);
  });

  test('messages are counted when they leave and when they arrive', () => {
    const bench = new Bench({ aware });
    const { messagesSent, messagesReceived, bytesSent, bytesReceived } = bench.transport;
    bench.send(0, 1, 7, ONE, 10);
    bench.send(0, 2, 7, TWO, 11);
    expect([messagesSent[0], bytesSent[0], messagesReceived[1]]).toEqual([2, ONE + TWO, 0]);
    bench.run();
    expect([...messagesReceived]).toEqual([0, 1, 1, 0]);
    expect([...bytesReceived]).toEqual([0, ONE, TWO, 0]);
  });
});

test('without congestion messages overlap, over links one waits for the other', () => {
  for (const [aware, second] of [
    [false, '1500 0:11'],
    [true, '2500 0:11'],
  ] as const) {
    const bench = new Bench({ aware });
    bench.send(0, 1, 7, ONE, 10);
    bench.send(0, 1, 7, ONE, 11);
    expect(bench.run()).toEqual(['1500 0:10', second]);
  }
});

describe.each([
  ['without congestion', false],
  ['over links', true],
])('messages of collectives %s', (_name, aware) => {
  test('one that a receive waits for is given to it', () => {
    const bench = new Bench({ aware });
    const { transport } = bench;
    bench.waits = true;
    transport.sendStream(0, 1, 5, transport.sizes.numberOf(ONE));
    expect(transport.postStream(0, 1, 5, transport.sizes.numberOf(ONE), 77)).toBe(true);
    expect(bench.run()).toEqual([`1500 collective 0→1 5 ${ONE}`]);
  });

  test('one that comes before its receive waits for it; the receive completes by an event of its own', () => {
    const bench = new Bench({ aware });
    const { transport } = bench;
    transport.sendStream(0, 1, 5, transport.sizes.numberOf(ONE));
    bench.at(1600, () => {
      expect(transport.postStream(0, 1, 5, transport.sizes.numberOf(ONE + 1), 76)).toBe(true);
      expect(transport.postStream(0, 1, 6, transport.sizes.numberOf(ONE), 76)).toBe(true);
      expect(transport.postStream(0, 1, 5, transport.sizes.numberOf(ONE), 77)).toBe(false);
      expect(transport.postStream(0, 1, 5, transport.sizes.numberOf(ONE), 78)).toBe(true);
    });
    expect(bench.run()).toEqual([`1500 collective 0→1 5 ${ONE}`, '1600 record:77']);
  });

  test('their tags are not those of sends and receives', () => {
    const bench = new Bench({ aware });
    const { transport } = bench;
    bench.receive(0, 1, 5, ONE, 20);
    transport.sendStream(0, 1, 5, transport.sizes.numberOf(ONE));
    expect(bench.run()).toEqual([`1500 collective 0→1 5 ${ONE}`]);
  });
});

test('a message whose delay is known takes it', () => {
  const bench = new Bench();
  const { transport } = bench;
  transport.sendStreamAfter(bench.queue.laneOf(42), 42, 2, 3, 5, transport.sizes.numberOf(1000));
  expect(bench.run()).toEqual(['42 collective 2→3 5 1000']);
  // What collectives send is counted by them, what they receive here.
  expect([transport.messagesSent[2], transport.messagesReceived[3], transport.bytesReceived[3]]).toEqual([0, 1, 1000]);
});

/** A message of 8192 B takes ⌊500 + 152.58…⌋ = 652 ns. */
describe('rendezvous (section 14)', () => {
  test('the receive asks, the send starts when that is there, the receive is posted when it has arrived', () => {
    const bench = new Bench({ rendezvous: true });
    bench.send(0, 1, 7, ONE, 10);
    bench.at(100, () => bench.receive(0, 1, 7, ONE, 20));
    expect(bench.run()).toEqual([`${100 + 652 + 1500} 0:10`, `${100 + 652 + 1500} 1:20`]);
    const { messagesSent, bytesSent, messagesReceived } = bench.transport;
    expect([...messagesSent]).toEqual([1, 1, 0, 0]);
    expect([...bytesSent]).toEqual([ONE, 8192, 0, 0]);
    expect([...messagesReceived]).toEqual([1, 1, 0, 0]);
  });

  test('a send that comes after the question starts at once', () => {
    const bench = new Bench({ rendezvous: true });
    bench.receive(0, 1, 7, ONE, 20);
    bench.at(5000, () => bench.send(0, 1, 7, ONE, 10));
    expect(bench.run()).toEqual(['6500 0:10', '6500 1:20']);
  });

  test('without a receive nothing is sent; the question of a receive without send stays', () => {
    const bench = new Bench({ rendezvous: true });
    bench.send(0, 1, 7, ONE, 10);
    bench.receive(0, 1, 8, ONE, 20);
    expect(bench.run()).toEqual([]);
    expect([...bench.transport.messagesSent]).toEqual([0, 1, 0, 0]);
  });

  test('questions do not tell sizes: a send of another size starts, and its receive never completes', () => {
    const bench = new Bench({ rendezvous: true });
    bench.send(0, 1, 7, ONE, 10);
    bench.receive(0, 1, 7, TWO, 20);
    expect(bench.run()).toEqual(['2152 0:10']);
  });

  test('collectives too, apart from sends and receives of the same tag', () => {
    const bench = new Bench({ rendezvous: true });
    const { transport } = bench;
    transport.sendStream(0, 1, 7, transport.sizes.numberOf(ONE));
    bench.receive(0, 1, 7, ONE, 20);
    // The record hears of it when it completes, whichever came first.
    expect(transport.postStream(0, 1, 7, transport.sizes.numberOf(ONE), 77)).toBe(false);
    expect(bench.run()).toEqual([`${652 + 1500} record:77`]);
  });

  test('over links the questions take their turn like all messages', () => {
    const bench = new Bench({ network: networkOf('Switch 4'), rendezvous: true, aware: true });
    // Both questions go down to rank 0: at the switch at 652, at rank 0 at 1304 and 152 ns later. The transfers leave from there:
    // up 1500, down 1500; the first holds the up-link from 1304 to 2304, and the second starts then.
    bench.send(0, 1, 7, ONE, 10);
    bench.send(0, 2, 7, ONE, 11);
    bench.receive(0, 1, 7, ONE, 20);
    bench.receive(0, 2, 7, ONE, 21);
    expect(bench.run()).toEqual(['4304 0:10', '4304 1:20', '5304 0:11', '5304 2:21']);
  });
});
