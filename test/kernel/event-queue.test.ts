import fc from 'fast-check';
import { EventClass, EventQueue, NO_EVENT, eventOrder } from '../../src/kernel/event-queue.js';

/** The slow twin: an array kept in the order (time, order, sequence). */
class SortedArrayQueue {
  time = 0;
  order = 0;
  kind = 0;
  payload = 0;
  #sequence = 0;
  readonly #events: { time: number; order: number; sequence: number; kind: number; payload: number }[] = [];

  push(time: number, order: number, kind: number, payload: number): void {
    this.#events.push({ time, order, sequence: this.#sequence++, kind, payload });
    this.#events.sort((a, b) => a.time - b.time || a.order - b.order || a.sequence - b.sequence);
  }

  pop(): boolean {
    const event = this.#events.shift();
    if (event === undefined) return false;
    Object.assign(this, { time: event.time, order: event.order, kind: event.kind, payload: event.payload });
    return true;
  }
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
  });
});
