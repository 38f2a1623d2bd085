import fc from 'fast-check';
import { EventClass, EventQueue, NO_EVENT, eventOrder } from '../../src/kernel/event-queue.js';

/** The slow twin: an array kept in the order (time, order, sequence). */
class SortedArrayQueue {
  time = 0;
  order = 0;
  kind = 0;
  payload = 0;
  readonly #events: { time: number; order: number; kind: number; payload: number }[] = [];

  constructor(startPs = 0) {
    this.time = startPs;
  }

  push(time: number, order: number, kind: number, payload: number): void {
    const event = { time, order, kind, payload };
    const before = this.#events.findLastIndex(
      (other) => other.time < time || (other.time === time && other.order <= order),
    );
    this.#events.splice(before + 1, 0, event);
  }

  peekTime(): number {
    return this.#events[0]?.time ?? Infinity;
  }

  nextOrder(): number {
    const [next] = this.#events;
    return next?.time === this.time ? next.order : NO_EVENT;
  }

  pop(): boolean {
    const event = this.#events.shift();
    if (event === undefined) return false;
    Object.assign(this, { time: event.time, order: event.order, kind: event.kind, payload: event.payload });
    return true;
  }
}

/** Numbers from 0 up to 1, excluding it. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

const delay = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 5) },
  { weight: 3, arbitrary: fc.nat(100) },
  { weight: 2, arbitrary: fc.nat(2 ** 31 - 1) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** 48 }) },
);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ delay, eventClass: fc.nat(6), entity: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.constant('pop' as const) },
);

/** How far now is moved on to an event of somebody else: that part of the time to the next event. */
const advance = fc.record({ part: fc.constantFrom(0, 0.3, 0.999, 1) });

/**
 * A stretch of a simulation: so many events are pushed at once, then for each pop one event is pushed or none. Times are
 * multiples of a grid, so that events tie; delays lie below 2^bits grid steps.
 */
const phase = fc.record({
  burst: fc.oneof(fc.nat(3), fc.nat(40), fc.nat(1500)),
  burstBits: fc.nat(40),
  pops: fc.oneof(fc.nat(5), fc.nat(300)),
  repush: fc.constantFrom(0, 0.5, 1, 1.3),
  delayBits: fc.nat(34),
  grid: fc.constantFrom(1, 1, 7, 1000),
  orders: fc.constantFrom(1, 3, 2 ** 31 - 1),
  seed: fc.nat(2 ** 31 - 1),
});

const LAST_PS = 2 ** 53 - 1;

/** Starts at which what follows crosses a boundary of a level, of the two halves of a time, or comes near the end of time. */
const start = fc.constantFrom(0, 1, 2 ** 10 - 3, 2 ** 30 - 500, 2 ** 30 + 2 ** 29, 3 * 2 ** 35 - 1, 2 ** 53 - 2 ** 42);

describe('event queue', () => {
  test('R-004 at one instant events come by class, then entity, then the order they were pushed in', () => {
    const queue = new EventQueue();
    const push = (eventClass: number, entity: number, payload: number): void =>
      queue.push(500, eventOrder(eventClass, entity), 0, payload);
    push(EventClass.kick, 0, 1);
    push(EventClass.rank, 9, 2);
    push(EventClass.rank, 2, 3);
    push(EventClass.completion, 7, 4);
    push(EventClass.rank, 2, 5);
    queue.push(499, eventOrder(EventClass.stop, 0), 0, 6);
    const popped: number[] = [];
    while (queue.pop()) popped.push(queue.payload);
    expect(popped).toEqual([6, 4, 3, 5, 2, 1]);
  });

  test('R-004 an event of class 3 created at the current time runs before a waiting one of class 4', () => {
    const queue = new EventQueue();
    queue.push(10, eventOrder(EventClass.completion, 0), 0, 1);
    queue.push(10, eventOrder(EventClass.kick, 0), 0, 2);
    queue.pop();
    queue.push(10, eventOrder(EventClass.rank, 5), 0, 3);
    expect(queue.nextOrder()).toBe(eventOrder(EventClass.rank, 5));
    const popped: number[] = [];
    while (queue.pop()) popped.push(queue.payload);
    expect(popped).toEqual([3, 2]);
    expect(queue.nextOrder()).toBe(NO_EVENT);
  });

  test('pops what a sorted array pops, whatever is pushed in between', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const fast = new EventQueue();
        const slow = new SortedArrayQueue();
        let payload = 0;
        const seen = (queue: EventQueue | SortedArrayQueue, found: boolean): unknown =>
          found ? [queue.time, queue.order, queue.kind, queue.payload] : 'empty';
        for (const one of steps) {
          if (one === 'pop') {
            expect(seen(fast, fast.pop())).toEqual(seen(slow, slow.pop()));
          } else {
            const order = eventOrder(one.eventClass, one.entity);
            fast.push(fast.time + one.delay, order, payload & 255, payload);
            slow.push(fast.time + one.delay, order, payload & 255, payload);
            payload++;
          }
        }
        for (let more = true; more;) {
          more = fast.pop();
          expect(seen(fast, more)).toEqual(seen(slow, slow.pop()));
        }
        expect(fast.length).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  test('pops what a sorted array pops where somebody else keeps events too, and moves now on', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(step, advance), { maxLength: 300 }), (steps) => {
        const fast = new EventQueue();
        const slow = new SortedArrayQueue();
        let payload = 0;
        for (const one of steps) {
          if (one === 'pop') {
            expect(fast.pop()).toBe(slow.pop());
            expect([fast.time, fast.order, fast.payload]).toEqual([slow.time, slow.order, slow.payload]);
          } else if ('part' in one) {
            expect(fast.peekTime()).toBe(slow.peekTime());
            const left = slow.peekTime() === Infinity ? 1000 : slow.peekTime() - slow.time;
            slow.time += Math.floor(left * one.part);
            fast.advance(slow.time);
          } else {
            const order = eventOrder(one.eventClass, one.entity);
            fast.push(slow.time + one.delay, order, 0, payload);
            slow.push(slow.time + one.delay, order, 0, payload);
            payload++;
          }
          expect(fast.time).toBe(slow.time);
          expect(fast.nextOrder()).toBe(slow.nextOrder());
        }
        for (let more = true; more;) {
          more = fast.pop();
          expect(slow.pop()).toBe(more);
          expect([fast.time, fast.payload]).toEqual([slow.time, slow.payload]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('pops what a sorted array pops, in bursts, holds and crowded windows of every width', () => {
    fc.assert(
      fc.property(start, fc.array(phase, { minLength: 1, maxLength: 6 }), (startPs, phases) => {
        const fast = new EventQueue(startPs);
        const slow = new SortedArrayQueue(startPs);
        let payload = 0;
        const push = (delay: number, grid: number, order: number): void => {
          const time = Math.max(slow.time, Math.min(LAST_PS, Math.floor((slow.time + delay) / grid) * grid));
          fast.push(time, order, payload & 255, payload);
          slow.push(time, order, payload & 255, payload);
          payload++;
        };
        const pop = (): boolean => {
          const more = slow.pop();
          if (
            fast.pop() !== more ||
            fast.time !== slow.time ||
            fast.order !== slow.order ||
            fast.kind !== slow.kind ||
            fast.payload !== slow.payload ||
            fast.nextOrder() !== slow.nextOrder()
          ) {
            throw new Error(`event ${fast.payload} at ${fast.time}, expected ${slow.payload} at ${slow.time}`);
          }
          return more;
        };
        for (const { burst, burstBits, pops, repush, delayBits, grid, orders, seed } of phases) {
          const random = randomNumbers(seed);
          const draw = (bits: number): number => Math.floor(random() * 2 ** bits) * grid;
          const order = (): number => Math.floor(random() * orders);
          for (let event = 0; event < burst; event++) push(draw(burstBits), grid, order());
          for (let round = 0; round < pops && pop(); round++) {
            for (let more = repush; random() < more; more--) push(draw(delayBits), grid, order());
          }
        }
        while (pop());
        expect(fast.length).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  test('a short burst in the time of a run: what was pending at its end stays behind it, equal times by order, then age', () => {
    const queue = new EventQueue();
    const far = eventOrder(EventClass.timer, 1);
    for (let timer = 0; timer < 10; timer++) queue.push(1_000_000 + timer * 1000, far, 0, timer);
    queue.pop();
    // 99 events between the timers, then three tied with timer 1: of an earlier order, of its own, and of a later one.
    for (let event = 0; event < 99; event++) queue.push(1_000_001 + 10 * event, far, 1, event);
    queue.push(1_001_000, eventOrder(EventClass.arrival, 9), 2, 0);
    queue.push(1_001_000, far, 2, 1);
    queue.push(1_001_000, eventOrder(EventClass.kick, 0), 2, 2);
    const popped: string[] = [];
    while (queue.pop()) if (queue.kind !== 1) popped.push(`${queue.time} ${queue.kind}:${queue.payload}`);
    expect(popped.slice(0, 5)).toEqual(['1001000 2:0', '1001000 0:1', '1001000 2:1', '1001000 2:2', '1002000 0:2']);
    expect(popped).toHaveLength(12);
  });

  test('the next order is that of the running instant, also where later ones are sorted already', () => {
    const queue = new EventQueue(5);
    queue.push(20, 7, 0, 0);
    queue.push(10, 3, 0, 0);
    queue.push(10, 4, 0, 0);
    expect(queue.nextOrder()).toBe(NO_EVENT);
    queue.pop();
    expect([queue.time, queue.nextOrder()]).toEqual([10, 4]);
    queue.push(15, 1, 0, 0);
    expect(queue.nextOrder()).toBe(4);
    queue.pop();
    expect([queue.time, queue.nextOrder()]).toEqual([10, NO_EVENT]);
    queue.push(10, 9, 0, 0);
    expect(queue.nextOrder()).toBe(9);
  });

  test('4,096 entities tied at each of 20 instants come by entity, stable among themselves', () => {
    const queue = new EventQueue();
    for (let instant = 20; instant >= 1; instant--) {
      for (let event = 0; event < 8192; event++) {
        queue.push(instant * 1_000_003, eventOrder(EventClass.rank, (event * 2741) % 4096), 0, event);
      }
    }
    let last = [-1, -1, -1];
    let popped = 0;
    while (queue.pop()) {
      const next = [queue.time, queue.order, queue.payload];
      const ascending =
        next[0] > last[0] || (next[0] === last[0] && (next[1] > last[1] || (next[1] === last[1] && next[2] > last[2])));
      if (!ascending) throw new Error(`${String(next)} after ${String(last)}`);
      last = next;
      popped++;
    }
    expect(popped).toBe(20 * 8192);
  });

  test('times up to 2^53 ps and a start that is not 0', () => {
    const queue = new EventQueue(2 ** 40 + 7);
    queue.push(2 ** 53 - 1, 0, 0, 1);
    queue.push(2 ** 40 + 8, 0, 0, 2);
    queue.push(2 ** 45, 0, 0, 3);
    const popped: number[] = [];
    while (queue.pop()) popped.push(queue.time);
    expect(popped).toEqual([2 ** 40 + 8, 2 ** 45, 2 ** 53 - 1]);
  });

  test('an event in the past is refused', () => {
    const queue = new EventQueue(100);
    expect(() => queue.push(99, 0, 0, 0)).toThrow('event at 99 ps, but the time is 100 ps already');
    expect(() => queue.push(NaN, 0, 0, 0)).toThrow(RangeError);
    // Also before the end of what is sorted already.
    queue.push(200, 0, 0, 0);
    queue.push(300, 0, 0, 0);
    queue.pop();
    expect(() => queue.push(199, 0, 0, 0)).toThrow('event at 199 ps, but the time is 200 ps already');
    expect(queue.length).toBe(1);
  });
});
