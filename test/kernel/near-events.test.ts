import { NearEvents } from '../../src/kernel/near-events.js';

function popAll(near: NearEvents): number[] {
  const payloads: number[] = [];
  while (near.length > 0) {
    payloads.push(near.firstPayload());
    near.removeFirst();
  }
  return payloads;
}

describe('events near the run', () => {
  test('come by time, then order, then the order they were pushed in', () => {
    const near = new NearEvents();
    near.push(20, 1, 0, 5);
    near.push(10, 3, 0, 3);
    near.push(10, 2, 0, 1);
    near.push(10, 3, 0, 4);
    near.push(10, 2, 0, 2);
    near.push(9, 8, 0, 0);
    expect([near.firstTime(), near.firstOrder()]).toEqual([9, 8]);
    expect(popAll(near)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('100 events of one time and order stay as they were pushed, while others are pushed and popped', () => {
    const near = new NearEvents();
    for (let event = 0; event < 100; event++) {
      near.push(50, 7, 255, event);
      near.push(40, event, 1, -1);
      expect([near.firstTime(), near.firstOrder(), near.firstKind(), near.firstPayload()]).toEqual([40, event, 1, -1]);
      near.removeFirst();
    }
    expect(popAll(near)).toEqual(Array.from({ length: 100 }, (_, event) => event));
  });

  test('those after a time are counted', () => {
    const near = new NearEvents();
    for (const time of [5, 6, 6, 7, 2 ** 52]) near.push(time, 0, 0, 0);
    expect([4, 5, 6, 2 ** 52].map((time) => near.countAfter(time))).toEqual([5, 4, 2, 0]);
  });
});
