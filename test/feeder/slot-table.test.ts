import fc from 'fast-check';
import { SlotState, SlotTable } from '../../src/feeder/slot-table.js';

test('finds what it holds and nothing else while ids come and go, as a map does', () => {
  // Few of 512 ids in a table of 2,048 places would hardly ever meet: 1,000 are held from the start.
  const step = fc.record({ id: fc.nat(511), high: fc.nat(1) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 600 }), fc.nat(), (steps, salt) => {
      const table = new SlotTable();
      const twin = new Map<string, number>();
      const toggle = (low: number, high: number): void => {
        const key = `${high}:${low}`;
        const held = twin.get(key);
        // One call of expect a toggle would take most of the time of this test.
        if (table.slotOf(low, high) !== (held ?? -1)) expect(table.slotOf(low, high)).toBe(held ?? -1);
        if (held === undefined) {
          const slot = table.claim(low, high);
          table.state[slot] = SlotState.waiting;
          twin.set(key, slot);
        } else {
          table.release(held);
          twin.delete(key);
        }
      };
      for (let id = 0; id < 1000; id++) toggle(Math.imul(id, 0x9e3779b1) >>> 0, salt % 3);
      for (const { id, high } of steps) toggle(Math.imul(id, 0x9e3779b1) >>> 0, high);
      for (const [key, slot] of twin) {
        const [high, low] = key.split(':').map(Number);
        if (table.slotOf(low, high) !== slot) expect(table.slotOf(low, high)).toBe(slot);
      }
      expect(new Set(twin.values()).size).toBe(twin.size);
    }),
    { numRuns: 60 },
  );
});

test.each([1, 16, 2 ** 20])('finds every id of a range with a stride of %i while it moves on', (stride) => {
  const table = new SlotTable();
  const held = 3000;
  const low = (at: number): number => (at * stride) % 2 ** 32;
  const high = (at: number): number => Math.floor((at * stride) / 2 ** 32);
  for (let at = 0; at < 3 * held; at++) {
    table.state[table.claim(low(at), high(at))] = SlotState.waiting;
    if (at >= held) table.release(table.slotOf(low(at - held), high(at - held)));
  }
  const slots = new Set<number>();
  for (let at = 0; at < 3 * held; at++) {
    const slot = table.slotOf(low(at), high(at));
    if (slot < 0 !== at < 2 * held) expect(slot < 0).toBe(at < 2 * held);
    if (slot < 0) continue;
    const id = [table.idLow[slot], table.idHigh[slot]];
    if (id[0] !== low(at) || id[1] !== high(at)) expect(id).toEqual([low(at), high(at)]);
    slots.add(slot);
  }
  expect(slots.size).toBe(held);
});

test('slots are used again, and columns keep their values when they grow', () => {
  const table = new SlotTable();
  for (let id = 0; id < 5000; id++) {
    const slot = table.claim(id, 0);
    table.state[slot] = SlotState.ready;
    table.commSize[slot] = id;
  }
  const { top } = table;
  for (let id = 0; id < 5000; id += 2) table.release(table.slotOf(id, 0));
  for (let id = 5000; id < 7500; id++) table.state[table.claim(id, 7)] = SlotState.ready;
  expect([top, table.top]).toEqual([5000, 5000]);
  for (let id = 1; id < 5000; id += 2) expect(table.commSize[table.slotOf(id, 0)]).toBe(id);
});
