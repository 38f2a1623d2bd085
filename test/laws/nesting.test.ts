import fc from 'fast-check';
import { eventsAround, exclusiveTimes, parentsByTime } from '../../src/pytorch/nesting.js';
import { startOrder, type Spans } from '../../src/pytorch/start-order.js';
import { SlowNesting } from '../support/slow-nesting.js';

interface Span {
  thread: number;
  start: number;
  duration: number;
}

const span = fc.record({
  thread: fc.integer({ min: 1, max: 2 }),
  start: fc.integer({ min: 0, max: 40 }),
  duration: fc.integer({ min: 0, max: 30 }),
});

function columns(spans: readonly Span[], unitNs: number): Spans {
  return {
    length: spans.length,
    startNs: Float64Array.from(spans, ({ start }) => start * unitNs),
    durationNs: Float64Array.from(spans, ({ duration }) => duration * unitNs),
    thread: Float64Array.from(spans, ({ thread }) => thread),
  };
}

const cases = fc.record({
  events: fc.array(span, { maxLength: 24 }),
  calls: fc.array(span, { maxLength: 8 }),
  counted: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
});

test('whatever the spans, events, parents and exclusive times are those of comparing each with each', () => {
  fc.assert(
    fc.property(cases, ({ events, calls, counted }) => {
      // 7 ns are no whole µs: a unit of 1 ns.
      const spans = columns(events, 7);
      const slow = new SlowNesting(spans, 1);
      const starts = startOrder(spans);
      const counts = Uint8Array.from(events, (_, i) => (counted[i] ? 1 : 0));
      const parent = parentsByTime(spans, starts);
      const { exclusiveNs } = exclusiveTimes(spans, starts, counts);
      events.forEach((_, event) => {
        expect(parent[event]).toBe(slow.parent(event));
        expect(exclusiveNs[event]).toBe(slow.exclusiveNs(event, counts));
      });
      const callSpans = columns(calls, 7);
      const { around } = eventsAround(spans, starts, callSpans, startOrder(callSpans));
      calls.forEach(({ thread }, call) => {
        expect(around[call]).toBe(slow.around(thread, callSpans.startNs[call], callSpans.durationNs[call]));
      });
    }),
    { numRuns: 500 },
  );
});

test('the same where times are whole microseconds and an event may end one after the event around it', () => {
  fc.assert(
    fc.property(cases, ({ events, counted }) => {
      const spans = columns(
        events.map(({ thread, start, duration }) => ({ thread, start: start % 8, duration: duration % 6 })),
        1000,
      );
      const slow = new SlowNesting(spans, 1000);
      const starts = startOrder(spans);
      const counts = Uint8Array.from(events, (_, i) => (counted[i] ? 1 : 0));
      const parent = parentsByTime(spans, starts);
      const { exclusiveNs } = exclusiveTimes(spans, starts, counts);
      events.forEach((_, event) => {
        expect(parent[event]).toBe(slow.parent(event));
        expect(exclusiveNs[event]).toBe(slow.exclusiveNs(event, counts));
      });
    }),
    { numRuns: 500 },
  );
});
