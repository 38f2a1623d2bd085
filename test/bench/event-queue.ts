import { EventClass, EventQueue, eventOrder } from '../../src/kernel/event-queue.js';
import { perCpuSecond, type BenchCase } from './bench-case.js';

const PENDING = 1_000_000;
const ROUNDS = 4_000_000;

/** Hold model: with a million events pending, each pop is followed by a push at a random later time. */
function holdRate(delayPs: (random: number) => number): number {
  const queue = new EventQueue();
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let event = 0; event < PENDING; event++) queue.push(1 + delayPs(random()), event & 4095, 0, event);
  return perCpuSecond(ROUNDS, () => {
    for (let round = 0; round < ROUNDS; round++) {
      queue.pop();
      queue.push(queue.time + delayPs(random()), queue.order, 0, queue.payload);
    }
  });
}

/** Packets on links: with one event pending a link, each pop is followed by a push a packet and its crossing later. */
function packetRate(links: number): number {
  const queue = new EventQueue();
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state >>> 4;
  };
  for (let link = 0; link < links; link++) {
    queue.push(500_000 + (random() % 83_080), eventOrder(EventClass.arrival, link), 1, link);
  }
  return perCpuSecond(ROUNDS, () => {
    for (let round = 0; round < ROUNDS; round++) {
      queue.pop();
      const link = queue.payload;
      queue.push(queue.time + 83_080 + (random() & 16383), eventOrder(EventClass.arrival, link), 1, link);
    }
  });
}

export const cases: BenchCase[] = [
  {
    name: 'event queue, 1 M pending, delays spread over 10 ms',
    unit: 'push+pop/s',
    target: 6e6,
    run: () => holdRate((random) => 1 + Math.floor(random * 1e10)),
  },
  {
    name: 'event queue, 1 M pending, every event of 4,096 entities tied',
    unit: 'push+pop/s',
    target: 6e6,
    run: () => holdRate(() => 1_000_000),
  },
  ...[16, 768, 6144, 100_000].map((links) => ({
    name: `event queue, packets of 83 to 99 ns on ${links.toLocaleString('en')} links`,
    unit: 'push+pop/s',
    ...(links < 10_000 && { target: 22e6 }),
    run: () => packetRate(links),
  })),
];
