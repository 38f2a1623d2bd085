import fc from 'fast-check';
import { LaneQueue } from '../../src/kernel/lane-queue.js';

/** Schedules an event named `a` after a delay, on the delay's own lane. */
function push(queue: LaneQueue, delay: number, a: number): void {
  queue.push(queue.laneOf(delay), delay, 0, a, 0, 0, 0);
}

/** `time: names` of all events that are left, those of one instant on one line. */
function drained(queue: LaneQueue): string[] {
  const lines: string[] = [];
  let time = NaN;
  while (queue.pop()) {
    if (queue.time === time) lines[lines.length - 1] += ` ${queue.a}`;
    else lines.push(`${queue.time}: ${queue.a}`);
    ({ time } = queue);
  }
  return lines;
}

describe('order of events (astra-sim-semantics section 2)', () => {
  test('by time, at one time in the order of scheduling, whatever their delays', () => {
    const queue = new LaneQueue();
    push(queue, 7, 1);
    push(queue, 3, 2);
    push(queue, 10, 3);
    push(queue, 7, 4);
    expect(queue.nextTime()).toBe(3);
    queue.pop();
    // 3 + 7 joins the event at 10, behind it; 3 + 4 those at 7.
    push(queue, 7, 5);
    push(queue, 4, 6);
    expect(drained(queue)).toEqual(['7: 1 4 6', '10: 3 5']);
    expect(queue.popped).toBe(6);
    expect(queue.nextTime()).toBe(Infinity);
    expect(queue.pop()).toBe(false);
    expect(queue.popped).toBe(6);
  });

  test('a delay of 0 joins the instant that is running, behind what is there', () => {
    const queue = new LaneQueue();
    push(queue, 5, 1);
    push(queue, 5, 2);
    push(queue, 6, 3);
    queue.pop();
    push(queue, 0, 4);
    expect(queue.nextTime()).toBe(5);
    expect(drained(queue)).toEqual(['5: 2 4', '6: 3']);
  });

  test('an event comes back as it was scheduled', () => {
    const queue = new LaneQueue();
    queue.push(queue.laneOf(2 ** 40), 2 ** 40, 3, -4, 5, -6, 2 ** 28 - 1);
    queue.push(0, 1, 7, 8, 7, -2_000_000_000, 6);
    queue.pop();
    expect(fields(queue)).toEqual([1, 7, 8, 7, -2_000_000_000, 6, 1]);
    queue.pop();
    expect(fields(queue)).toEqual([2 ** 40, 3, -4, 5, -6, 2 ** 28 - 1, 0]);
  });
});

function fields({ time, kind, a, b, c, amount, sequence }: LaneQueue): number[] {
  return [time, kind, a, b, c, amount, sequence];
}

describe('lanes', () => {
  test('a lane grows while its ring is wrapped', () => {
    const queue = new LaneQueue();
    const lane = queue.laneOf(100);
    // One event a ns. The ring has 16 places: 10 events come and go, then 16 wrap around its end and the 17th makes it grow.
    const schedule = (first: number, end: number): void => {
      for (let event = first; event < end; event++) {
        push(queue, 1, -1);
        queue.pop();
        queue.push(lane, 100, event % 8, event, event, event, event);
      }
    };
    const taken: number[][] = [];
    const takeAll = (): void => {
      while (queue.pop()) taken.push(fields(queue));
    };
    schedule(0, 10);
    takeAll();
    schedule(10, 50);
    takeAll();
    // The second batch begins at 110; of the two events scheduled a ns the even places are those of the first lane.
    expect(taken).toEqual(
      Array.from({ length: 50 }, (_, at) => [at < 10 ? 101 + at : 201 + at, at % 8, at, at, at, at, 2 * at + 1]),
    );
  });

  test('a delay has one lane, its own, however many others come', () => {
    const queue = new LaneQueue();
    const delays = [0, 1, 5, 1024, 4096, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 45];
    const lanes = delays.map((delay) => queue.laneOf(delay));
    expect(new Set(lanes).size).toBe(delays.length);
    expect(lanes).not.toContain(0);
    expect(lanes.map((lane) => queue.delayOf(lane))).toEqual(delays);
    for (let other = 1; other <= 1000; other++) queue.laneOf(3 * other + 10_000);
    expect(delays.map((delay) => queue.laneOf(delay))).toEqual(lanes);
  });

  test('256 delays have lanes, further ones share lane 0 and keep the order', () => {
    const queue = new LaneQueue();
    const lanes = Array.from({ length: 400 }, (_, delay) => queue.laneOf(delay));
    expect(lanes.filter((lane) => lane > 0)).toHaveLength(256);
    expect(new Set(lanes.slice(0, 256)).size).toBe(256);
    expect(lanes.slice(256)).toEqual(Array(144).fill(0));
    // Backwards, twice: within an instant the first round comes first.
    for (let round = 0; round < 2; round++) {
      for (let delay = 399; delay >= 0; delay--) push(queue, delay, 1000 * round + delay);
    }
    expect(drained(queue)).toEqual(Array.from({ length: 400 }, (_, at) => `${at}: ${at} ${1000 + at}`));
  });
});

describe('reserved places', () => {
  test('an inserted event comes at the place that was reserved, not where it is inserted', () => {
    const queue = new LaneQueue();
    push(queue, 4, 1);
    const reserved = queue.reserve();
    push(queue, 4, 2);
    push(queue, 1, 3);
    queue.pop();
    push(queue, 3, 4);
    queue.insert(4, reserved, 0, 9, 0, 0, 0);
    expect(drained(queue)).toEqual(['4: 1 9 2 4']);
  });

  test('one with a place before all that wait is next', () => {
    const queue = new LaneQueue();
    const first = queue.reserve();
    const second = queue.reserve();
    push(queue, 4, 1);
    queue.insert(4, second, 0, 8, 0, 0, 0);
    queue.insert(4, first, 0, 7, 0, 0, 0);
    queue.insert(3, queue.reserve(), 0, 6, 0, 0, 0);
    expect(queue.nextTime()).toBe(3);
    expect(drained(queue)).toEqual(['3: 6', '4: 7 8 1']);
  });

  test('the place right after an event is between it and the next', () => {
    const queue = new LaneQueue();
    const lane = queue.laneOf(4);
    // Runs of one lane with and without reserved places.
    push(queue, 4, 1);
    const first = queue.pushAndReserve(lane, 4, 0, 2);
    const second = queue.pushAndReserve(lane, 4, 0, 3);
    push(queue, 4, 4);
    const rare = queue.pushAndReserve(0, 5, 0, 5);
    expect([first, second, rare]).toEqual([2, 4, 7]);
    push(queue, 3, 6);
    queue.insert(3, first, 0, 9, 0, 0, 0);
    queue.insert(5, second, 0, 8, 0, 0, 0);
    queue.insert(4, rare, 0, 7, 0, 0, 0);
    const taken: string[] = [];
    while (queue.pop()) taken.push(`${queue.time} ${queue.a} ${queue.sequence}`);
    expect(taken).toEqual(['3 9 2', '3 6 8', '4 1 0', '4 2 1', '4 3 3', '4 4 5', '4 7 7', '5 8 4', '5 5 6']);
  });

  test('one that is never inserted leaves no trace', () => {
    const queue = new LaneQueue();
    queue.reserve();
    push(queue, 4, 1);
    expect(drained(queue)).toEqual(['4: 1']);
  });
});

/** The slow twin: all events in an array, sorted by time and sequence whenever one is taken. */
class SortedArray {
  time = 0;
  scheduled = 0;
  readonly events: { time: number; sequence: number; name: number }[] = [];

  push(delay: number, name: number): void {
    this.events.push({ time: this.time + delay, sequence: this.scheduled++, name });
  }

  pop(): { time: number; sequence: number; name: number } | undefined {
    this.events.sort((one, other) => one.time - other.time || one.sequence - other.sequence);
    const event = this.events.shift();
    if (event) this.time = event.time;
    return event;
  }
}

describe('events of one instant whose order depends on who scheduled them', () => {
  /** Whether that is noticed, of events `[origin, interchange, delay]` that are scheduled at one instant. */
  function isAmbiguous(...events: readonly (readonly [origin: number, interchange: number, delay: number])[]): boolean {
    const queue = new LaneQueue();
    queue.tracksOrigins = true;
    for (const [origin, interchange, delay] of events) {
      queue.origin = origin;
      queue.interchange = interchange;
      push(queue, delay, 0);
    }
    return queue.isAmbiguous;
  }

  test.each<[string, boolean, [number, number, number][]]>([
    [
      'two origins',
      true,
      [
        [1, -1, 5],
        [2, -1, 5],
      ],
    ],
    [
      'one origin',
      false,
      [
        [1, -1, 5],
        [1, -1, 5],
      ],
    ],
    [
      'two origins, two instants',
      false,
      [
        [1, -1, 5],
        [2, -1, 6],
      ],
    ],
    [
      'two origins of events that may change places',
      false,
      [
        [1, 3, 5],
        [2, 3, 5],
      ],
    ],
    [
      '… with others than these',
      true,
      [
        [1, 3, 5],
        [2, 4, 5],
      ],
    ],
    [
      '… and one that may not',
      true,
      [
        [1, 3, 5],
        [2, 3, 5],
        [1, -1, 5],
      ],
    ],
    [
      'one origin before and after another instant',
      false,
      [
        [1, -1, 5],
        [1, -1, 6],
        [1, -1, 5],
      ],
    ],
  ])('%s: %p', (_name, expected, events) => {
    expect(isAmbiguous(...events)).toBe(expected);
  });

  test('those that were scheduled at different instants keep their order', () => {
    const queue = new LaneQueue();
    queue.tracksOrigins = true;
    queue.origin = 1;
    push(queue, 10, 1);
    push(queue, 4, 2);
    queue.pop();
    queue.origin = 2;
    push(queue, 6, 3);
    expect(queue.isAmbiguous).toBe(false);
    expect(drained(queue)).toEqual(['10: 1 3']);
  });

  test('of events without a lane nothing is known', () => {
    const queue = new LaneQueue();
    queue.tracksOrigins = true;
    queue.push(0, 5, 0, 1, 0, 0, 0);
    expect(queue.isAmbiguous).toBe(true);
  });
});

type Step = { readonly push: number; readonly reserve?: number } | { readonly reserve: number } | 'insert' | 'pop';

/** 700 different delays: most have no lane of their own. */
const delay = fc.oneof(fc.constantFrom(0, 1, 10), fc.nat(700));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ push: delay }) },
  { weight: 2, arbitrary: fc.record({ push: delay, reserve: delay }) },
  { weight: 1, arbitrary: fc.record({ reserve: delay }) },
  { weight: 1, arbitrary: fc.constant('insert' as const) },
  { weight: 5, arbitrary: fc.constant('pop' as const) },
);

test('law: any mix of events is taken in the order of a sorted array', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 600 }), (steps) => {
      const queue = new LaneQueue();
      const twin = new SortedArray();
      const reserved: { time: number; sequence: number }[] = [];
      const pop = (): boolean => {
        const event = twin.pop();
        expect(queue.pop()).toBe(event !== undefined);
        if (event) expect([queue.time, queue.sequence, queue.a]).toEqual([event.time, event.sequence, event.name]);
        return event !== undefined;
      };
      for (const [name, one] of steps.entries()) {
        if (one === 'pop') {
          pop();
        } else if (one === 'insert') {
          const place = reserved.shift();
          // A place that has passed can no longer be taken.
          if (place === undefined || place.time < twin.time) continue;
          if (place.time === twin.time && place.sequence < queue.sequence) continue;
          queue.insert(place.time, place.sequence, 0, name, 0, 0, 0);
          twin.events.push({ ...place, name });
        } else if ('push' in one) {
          twin.push(one.push, name);
          if (one.reserve === undefined || one.reserve === one.push) {
            push(queue, one.push, name);
          } else {
            const sequence = queue.pushAndReserve(queue.laneOf(one.push), one.push, 0, name);
            expect(sequence).toBe(twin.scheduled++);
            reserved.push({ time: twin.time + one.reserve, sequence });
          }
        } else {
          const sequence = queue.reserve();
          expect(sequence).toBe(twin.scheduled++);
          reserved.push({ time: twin.time + one.reserve, sequence });
        }
      }
      while (pop());
    }),
  );
});
