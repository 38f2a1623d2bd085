import { EventClass, eventOrder } from '../../src/kernel/event-queue.js';
import { Kernel } from '../../src/kernel/kernel.js';

describe('kernel', () => {
  test('settles between class 3 and class 4 of an instant, as often as there is work', () => {
    const kernel = new Kernel();
    const log: string[] = [];
    const say = kernel.addHandler((payload) => {
      log.push(`${kernel.now} event ${payload}`);
      if (payload === 1) kernel.settlePending = true;
    });
    let settled = 0;
    kernel.onSettle(() => {
      log.push(`${kernel.now} settle`);
      if (settled++ === 0) kernel.schedule(kernel.now, EventClass.rank, 0, say, 1);
    });
    kernel.schedule(10, EventClass.kick, 0, say, 3);
    kernel.schedule(10, EventClass.rank, 0, say, 1);
    kernel.schedule(10, EventClass.rank, 1, say, 2);
    expect(kernel.run()).toBe(false);
    expect(log).toEqual(['10 event 1', '10 event 2', '10 settle', '10 event 1', '10 settle', '10 event 3']);
    expect(kernel.events).toBe(4);
  });

  test('R-141 events at the limit are handled, later ones are not', () => {
    const kernel = new Kernel();
    const log: number[] = [];
    const handler = kernel.addHandler(() => log.push(kernel.now));
    for (const time of [5, 6, 7]) kernel.schedule(time, EventClass.rank, 0, handler, 0);
    expect(kernel.run(6)).toBe(true);
    expect(log).toEqual([5, 6]);
  });

  test('R-141 events that mean nothing are not what is left', () => {
    const ran = (spent: readonly number[]): boolean => {
      const kernel = new Kernel();
      const handler = kernel.addHandler(
        () => {},
        (payload, timePs) => spent.includes(payload) && timePs === 10 * payload,
      );
      for (const payload of [1, 2, 3]) kernel.schedule(10 * payload, EventClass.timer, 0, handler, payload);
      return kernel.run(10);
    };
    expect([ran([2, 3]), ran([1, 2, 3]), ran([2]), ran([3])]).toEqual([false, false, true, true]);
  });

  test('R-004 an event of the running instant precedes an order when its own is smaller', () => {
    const kernel = new Kernel();
    const asked: boolean[] = [];
    const kick = eventOrder(EventClass.kick, 5);
    const handler = kernel.addHandler(() => asked.push(kernel.hasEventBefore(kick)));
    kernel.schedule(10, EventClass.arrival, 1, handler, 0); // an arrival comes
    kernel.schedule(10, EventClass.arrival, 2, handler, 0); // the kick of 4 comes
    kernel.schedule(10, EventClass.kick, 4, handler, 0); // only the kick of 5 itself comes
    kernel.schedule(10, EventClass.kick, 5, handler, 0); // nothing at this instant
    kernel.schedule(11, EventClass.arrival, 0, handler, 0); // nothing at all
    expect(kernel.hasEventBefore(kick)).toBe(false);
    kernel.run();
    expect(asked).toEqual([true, true, false, false, false]);
  });
});
