import { EventClass } from '../../../../src/kernel/event-queue.js';
import { Kernel } from '../../../../src/kernel/kernel.js';
import { RetransmissionTimers } from '../../../../src/network/packet/selective/retransmission-timers.js';

/** Packet, its transmission and when it starts its timer, µs; of packets in `retired` nobody wants to know. */
type Start = readonly [psn: number, attempt: number, atMicroseconds: number];

function expiriesOf(starts: readonly Start[], retired: readonly number[] = [], isFixed = false): [number, number][] {
  const kernel = new Kernel();
  const expiries: [number, number][] = [];
  const packets = {
    isTimed: (_message: number, _opening: number, psn: number) => !retired.includes(psn),
    expired: (_message: number, psn: number, nowPs: number) => {
      expiries.push([psn, nowPs / 1e6]);
    },
  };
  const timers = new RetransmissionTimers(kernel, packets, 150e6, isFixed);
  const start = kernel.addHandler((at) => {
    timers.start(0, 0, 0, starts[at][0], starts[at][1], kernel.now);
  });
  for (const [at, [, , time]] of starts.entries()) kernel.schedule(time * 1e6, EventClass.completion, 0, start, at);
  kernel.run();
  return expiries;
}

test('UE-6: 150 µs × 2^min(k, 5)', () => {
  const starts = [0, 1, 2, 3, 4, 5, 6, 7].map((attempt): Start => [attempt, attempt, 0]);
  expect(expiriesOf(starts)).toEqual([
    [0, 150],
    [1, 300],
    [2, 600],
    [3, 1200],
    [4, 2400],
    [5, 4800],
    [6, 4800],
    [7, 4800],
  ]);
});

test('UE-6: FixedRto: always 150 µs', () => {
  const starts: Start[] = [
    [0, 0, 0],
    [1, 3, 10],
    [2, 9, 20],
  ];
  expect(expiriesOf(starts, [], true)).toEqual([
    [0, 150],
    [1, 160],
    [2, 170],
  ]);
});

test('UE-6: packets that have arrived do not expire, those behind them do in their time', () => {
  const starts: Start[] = Array.from({ length: 1000 }, (_, psn) => [psn, 0, psn]);
  const retired = starts.map(([psn]) => psn).filter((psn) => psn % 7 !== 0);
  expect(expiriesOf(starts, retired)).toEqual(starts.filter(([psn]) => psn % 7 === 0).map(([psn]) => [psn, psn + 150]));
});

test('section 11: no event for each packet', () => {
  const kernel = new Kernel();
  const timers = new RetransmissionTimers(kernel, { isTimed: () => false, expired: () => {} }, 150e6, false);
  for (let psn = 0; psn < 1000; psn++) timers.start(0, 0, 0, psn, 0, 0);
  expect(kernel.queue.length).toBe(1);
});
