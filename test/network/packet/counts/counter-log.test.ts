import fc from 'fast-check';
import { CounterLog, CounterReading } from '../../../../src/network/packet/counts/counter-log.js';

test('only what is compared makes an entry, unless something is new', () => {
  const log = new CounterLog(2, 2, 1);
  const note = (interval: number, device: number, counts: readonly number[], isNew?: boolean): void => {
    log.row.set(counts);
    log.note(interval, device, isNew);
  };
  note(1, 0, [0, 5]);
  expect(log.count).toBe(0);
  note(2, 0, [0, 6], true);
  note(2, 1, [7, 0]);
  note(5, 1, [7, 1]);
  note(6, 1, [8, 2]);
  expect(log.count).toBe(3);
  const reading = new CounterReading(log);
  reading.goTo(4);
  expect([...reading.now]).toEqual([0, 6, 7, 0]);
  expect([0, 1].map((device) => reading.isChanged(device))).toEqual([false, false]);
  reading.goTo(6);
  expect([...reading.now, ...reading.before]).toEqual([0, 6, 8, 2, 0, 0, 7, 0]);
  expect([0, 1].map((device) => reading.isChanged(device))).toEqual([false, true]);
});

test('a log reads as what was noted', () => {
  const noted = fc.array(fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }), { maxLength: 60 });
  fc.assert(
    fc.property(noted, (rows) => {
      const log = new CounterLog(3, 2);
      for (const [row, counts] of rows.entries()) {
        for (const device of [0, 1, 2]) {
          log.row.set(counts.slice(2 * device, 2 * device + 2));
          log.note(row + 1, device);
        }
      }
      const reading = new CounterReading(log);
      for (const [row, counts] of rows.entries()) {
        reading.goTo(row + 1);
        expect([...reading.now]).toEqual(counts);
        const before = rows[row - 1] ?? [0, 0, 0, 0, 0, 0];
        for (const device of [0, 1, 2]) {
          const isChanged = [0, 1].some((place) => counts[2 * device + place] !== before[2 * device + place]);
          expect(reading.isChanged(device)).toBe(isChanged);
        }
      }
    }),
  );
});
