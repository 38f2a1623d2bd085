import fc from 'fast-check';
import { RankTimers } from '../../src/astra-sim/rank-timers.js';
import { LaneQueue } from '../../src/kernel/lane-queue.js';

const TIMERS = 0;
const OTHER = 1;

/** Timers of some ranks beside other events; what ends is told as `time rank:code/reference`, an other event as `time event`. */
class Bench {
  readonly queue = new LaneQueue();
  readonly timers: RankTimers;
  readonly told: string[] = [];
  /** Called after each timer that ends. */
  ended: (rank: number, code: number, reference: number) => void = () => {};

  constructor(ranks: number) {
    this.timers = new RankTimers(this.queue, ranks, TIMERS);
  }

  register(rank: number, delayNs: number, code: number, reference = 0): void {
    this.timers.register(rank, this.queue.laneOf(delayNs), delayNs, code, reference);
  }

  other(delayNs: number): void {
    this.queue.push(this.queue.laneOf(delayNs), delayNs, OTHER, 0, 0, 0, 0);
  }

  /** Takes one event; `false` when there is none. */
  step(): boolean {
    const { queue, timers, told } = this;
    if (!queue.pop()) return false;
    if (queue.kind === OTHER) {
      told.push(`${queue.time} event`);
      return true;
    }
    const { a: rank, b: instant } = queue;
    for (let timer = timers.first(instant); timer >= 0; timer = timers.next(rank, instant, timer)) {
      const code = timers.code(timer);
      const reference = timers.reference(timer);
      for (let time = 0; time < timers.times(timer); time++) {
        told.push(`${queue.time} ${rank}:${code}/${reference}`);
        this.ended(rank, code, reference);
      }
    }
    return true;
  }

  run(): string[] {
    while (this.step());
    return this.told;
  }
}

describe('timers of a rank (astra-sim-semantics section 2)', () => {
  test('those of one instant end together, where the first was registered', () => {
    const bench = new Bench(2);
    bench.register(0, 10, 1);
    bench.other(10);
    bench.register(1, 10, 2);
    bench.register(0, 10, 3, 7);
    expect(bench.run()).toEqual(['10 0:1/0', '10 0:3/7', '10 event', '10 1:2/0']);
    // One event for both timers of rank 0.
    expect(bench.queue.popped).toBe(3);
  });

  test('equal instants meet, whatever the delays', () => {
    const bench = new Bench(1);
    bench.register(0, 10, 1);
    bench.register(0, 4, 2);
    bench.other(10);
    bench.ended = (rank, code) => {
      if (code === 2) bench.register(rank, 6, 3);
    };
    expect(bench.run()).toEqual(['4 0:2/0', '10 0:1/0', '10 0:3/0', '10 event']);
  });

  test('one that is registered for the instant that is ending joins it, before other events of the instant', () => {
    const bench = new Bench(1);
    bench.register(0, 5, 1);
    bench.other(5);
    bench.ended = (rank, code) => {
      if (code < 4) bench.register(rank, 0, code + 1);
    };
    expect(bench.run()).toEqual(['5 0:1/0', '5 0:2/0', '5 0:3/0', '5 0:4/0', '5 event']);
    expect(bench.queue.popped).toBe(2);
  });

  test('one that is registered for the instant after it has ended makes a new event', () => {
    const bench = new Bench(1);
    bench.register(0, 5, 1);
    bench.other(5);
    bench.step();
    bench.register(0, 0, 2);
    expect(bench.run()).toEqual(['5 0:1/0', '5 event', '5 0:2/0']);
  });

  test('equal ones, one right after the other, end as often as they were registered, those from while they end too', () => {
    const bench = new Bench(1);
    for (const [code, reference] of [
      [1, 5],
      [1, 5],
      [1, 6],
      [1, 5],
      [2, 5],
      [2, 5],
    ])
      bench.register(0, 3, code, reference);
    let more = 2;
    bench.ended = (rank, code) => {
      if (code === 2 && more-- > 0) bench.register(rank, 0, 2, 5);
    };
    const once = ['3 0:1/5', '3 0:1/5', '3 0:1/6', '3 0:1/5'];
    expect(bench.run()).toEqual([...once, ...Array<string>(4).fill('3 0:2/5')]);
  });

  test('more than eight instants are found as well as few, before and after they have become few', () => {
    const bench = new Bench(2);
    for (let delay = 1; delay <= 20; delay++) bench.register(0, delay, delay);
    for (let delay = 20; delay >= 1; delay--) bench.register(0, delay, 100 + delay);
    bench.register(1, 20, 200);
    const both = (delay: number): string[] => [`${delay} 0:${delay}/0`, `${delay} 0:${100 + delay}/0`];
    const expected = Array.from({ length: 20 }, (_, at) => both(at + 1)).flat();
    expect(bench.run()).toEqual([...expected, '20 1:200/0']);
    expect(bench.queue.popped).toBe(21);
    // None is left over: the next two share a new instant.
    bench.told.length = 0;
    bench.register(0, 3, 1);
    bench.register(0, 3, 2);
    expect(bench.run()).toEqual(['23 0:1/0', '23 0:2/0']);
    expect(bench.queue.popped).toBe(22);
  });

  test('slots are used again: a thousand timers that follow each other keep apart from one that waits', () => {
    const bench = new Bench(1);
    bench.register(0, 5000, 9, 42);
    bench.register(0, 1, 1, 0);
    bench.ended = (rank, code, reference) => {
      if (code === 1 && reference < 1000) bench.register(rank, 1, 1, reference + 1);
    };
    const told = bench.run();
    expect(told).toHaveLength(1002);
    expect(told.slice(0, 1001)).toEqual(Array.from({ length: 1001 }, (_, at) => `${at + 1} 0:1/${at}`));
    expect(told[1001]).toBe('5000 0:9/42');
  });

  test('more timers at once than there were slots', () => {
    const bench = new Bench(3);
    for (let reference = 0; reference < 300; reference++) bench.register(reference % 3, 1, 1, reference);
    const ofRank = (rank: number): string[] => Array.from({ length: 100 }, (_, at) => `1 ${rank}:1/${3 * at + rank}`);
    expect(bench.run()).toEqual([...ofRank(0), ...ofRank(1), ...ofRank(2)]);
  });
});

/** The slow twin: per rank a map from instants to lists; one list is one event, and all events are sorted when one is taken. */
class SlowTimers {
  now = 0;
  readonly told: string[] = [];
  #scheduled = 0;
  readonly #instants = new Map<string, { rank: number; timeNs: number; place: number; references: number[] }>();

  register(rank: number, delayNs: number, reference: number): void {
    const timeNs = this.now + delayNs;
    const key = `${rank} ${timeNs}`;
    const instant = this.#instants.get(key);
    if (instant) instant.references.push(reference);
    else this.#instants.set(key, { rank, timeNs, place: this.#scheduled++, references: [reference] });
  }

  step(ended: (rank: number, reference: number) => void): boolean {
    const [next] = [...this.#instants].sort(
      ([, one], [, other]) => one.timeNs - other.timeNs || one.place - other.place,
    );
    if (next === undefined) return false;
    const [key, { rank, timeNs, references }] = next;
    this.now = timeNs;
    for (const reference of references) {
      this.told.push(`${timeNs} ${rank}:0/${reference}`);
      ended(rank, reference);
    }
    this.#instants.delete(key);
    return true;
  }
}

test('law: timers that register further ones end as in a map from instants to lists', () => {
  // What each timer registers when it ends: delays, by its reference.
  const children = fc.array(fc.array(fc.nat(12), { maxLength: 3 }), { minLength: 1, maxLength: 200 });
  const first = fc.array(fc.record({ rank: fc.nat(2), delayNs: fc.nat(40) }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(first, children, (begun, delays) => {
      const bench = new Bench(3);
      const twin = new SlowTimers();
      let references = 0;
      let twinReferences = 0;
      for (const { rank, delayNs } of begun) {
        bench.register(rank, delayNs, 0, references++);
        twin.register(rank, delayNs, twinReferences++);
      }
      bench.ended = (rank, _code, reference) => {
        for (const delay of delays[reference] ?? []) bench.register(rank, delay, 0, references++);
      };
      bench.run();
      while (
        twin.step((rank, reference) => {
          for (const delay of delays[reference] ?? []) twin.register(rank, delay, twinReferences++);
        })
      );
      expect(bench.told).toEqual(twin.told);
    }),
  );
});
