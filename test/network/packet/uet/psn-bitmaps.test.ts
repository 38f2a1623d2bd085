import fc from 'fast-check';
import { ACKNOWLEDGED, ARRIVED, MESSAGE_INTEGERS } from '../../../../src/network/packet/uet/message-record.js';
import { Messages } from '../../../../src/network/packet/uet/messages.js';
import { PsnBitmaps } from '../../../../src/network/packet/uet/psn-bitmaps.js';
import { RingMemory } from '../../../../src/network/packet/uet/ring-memory.js';

function windowOf(has: (psn: number) => boolean, from: number): [number, number] {
  const word = (first: number): number => {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if (has(first + bit)) bits |= 1 << bit;
    return bits;
  };
  return [word(from), word(from + 32)];
}

test('UE-3: a bitmap holds what was added, its first missing packet, and 64 packets from there', () => {
  // Some packets are held back for a while, so that the set is out of order near and far.
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 300 }), fc.boolean(), (delays, isFirst) => {
      const messages = new Messages();
      const bitmaps = new PsnBitmaps(messages, new RingMemory());
      if (!isFirst) messages.add(0, 0, 1, 0, 0);
      const at = messages.add(1, 0, delays.length, 0, 0) * MESSAGE_INTEGERS + ARRIVED;
      const order = delays.map((delay, psn) => ({ psn, due: psn + (delay > 300 ? delay : delay % 3) }));
      order.sort((one, other) => one.due - other.due);
      const model = new Set<number>();
      for (const { psn } of order) {
        expect(bitmaps.has(at, psn)).toBe(false);
        bitmaps.add(at, psn);
        model.add(psn);
        expect(bitmaps.has(at, psn)).toBe(true);
        let from = 0;
        while (model.has(from)) from++;
        expect(messages.integers[at]).toBe(from);
        bitmaps.readWindow(at);
        expect([bitmaps.low, bitmaps.high]).toEqual(windowOf((each) => model.has(each), from));
      }
      expect(messages.integers[at]).toBe(delays.length);
    }),
  );
});

test('UE-3: packets before the cumulative one are added together', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 299 }), { maxLength: 40 }), fc.nat({ max: 299 }), (some, end) => {
      const messages = new Messages();
      const bitmaps = new PsnBitmaps(messages, new RingMemory());
      const at = messages.add(0, 0, 300, 0, 0) * MESSAGE_INTEGERS + ACKNOWLEDGED;
      const model = new Set(some.filter((psn) => psn !== end && psn !== 0));
      for (const psn of model) bitmaps.add(at, psn);
      bitmaps.addBefore(at, end);
      for (let psn = 0; psn < end; psn++) model.add(psn);
      expect(messages.integers[at]).toBe(end);
      for (let psn = 0; psn < 300; psn++) expect(bitmaps.has(at, psn)).toBe(model.has(psn));
      bitmaps.readWindow(at);
      expect([bitmaps.low, bitmaps.high]).toEqual(windowOf((each) => model.has(each), end));
    }),
  );
});

test('blocks are used again by whoever needs as many integers', () => {
  const memory = new RingMemory();
  const first = memory.take(8);
  const second = memory.take(8);
  memory.release(first, 8);
  expect(memory.take(16)).not.toBe(first);
  expect(memory.take(8)).toBe(first);
  memory.release(second, 8);
  expect(memory.take(8)).toBe(second);
});
