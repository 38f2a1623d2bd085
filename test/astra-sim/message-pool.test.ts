import fc from 'fast-check';
import { MessagePool } from '../../src/astra-sim/message-pool.js';

/** Every field of a message, made from one number. */
function fieldsOf(name: number): [number, number, number, number, number, number] {
  return [name, name + 1, -name, name + 3, name % 256, name + 2];
}

function fieldsAt(pool: MessagePool, slot: number): number[] {
  return [
    pool.source(slot),
    pool.destination(slot),
    pool.tag(slot),
    pool.size(slot),
    pool.code(slot),
    pool.reference(slot),
  ];
}

test('a message keeps its fields; it is at its source and waits behind nobody', () => {
  const pool = new MessagePool();
  const slot = pool.add(...fieldsOf(5));
  expect(fieldsAt(pool, slot)).toEqual(fieldsOf(5));
  expect([pool.at(slot), pool.hop(slot), pool.next(slot)]).toEqual([5, 0, -1]);
});

test('where it is does not touch what it is', () => {
  const pool = new MessagePool();
  const slot = pool.add(...fieldsOf(255));
  pool.setAt(slot, 77);
  pool.setHop(slot, 9);
  pool.setNext(slot, 3);
  expect([pool.at(slot), pool.hop(slot), pool.next(slot)]).toEqual([77, 9, 3]);
  pool.setHop(slot, 4);
  expect(pool.hop(slot)).toBe(4);
  expect(fieldsAt(pool, slot)).toEqual(fieldsOf(255));
  // The next message in the slot starts anew.
  pool.remove(slot);
  expect(pool.add(...fieldsOf(1))).toBe(slot);
  expect([pool.at(slot), pool.hop(slot), pool.next(slot)]).toEqual([1, 0, -1]);
});

test('a slot that was given back is the next one taken', () => {
  const pool = new MessagePool();
  pool.add(...fieldsOf(1));
  const slot = pool.add(...fieldsOf(2));
  pool.add(...fieldsOf(3));
  pool.remove(slot);
  expect(pool.add(...fieldsOf(4))).toBe(slot);
});

test('law: messages under way have slots of their own, however many there are', () => {
  // A number adds that many messages; a fraction removes the one at that place among those under way.
  const step = fc.oneof(fc.integer({ min: 1, max: 80 }), fc.double({ min: 0, max: 0.999, noNaN: true }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const pool = new MessagePool();
      const underWay: { slot: number; name: number }[] = [];
      let names = 0;
      for (const one of steps) {
        if (one >= 1) {
          for (let count = 0; count < one; count++) {
            underWay.push({ slot: pool.add(...fieldsOf(++names)), name: names });
          }
        } else if (underWay.length > 0) {
          const [{ slot }] = underWay.splice(Math.floor(one * underWay.length), 1);
          pool.remove(slot);
        }
      }
      expect(new Set(underWay.map(({ slot }) => slot)).size).toBe(underWay.length);
      for (const { slot, name } of underWay) expect(fieldsAt(pool, slot)).toEqual(fieldsOf(name));
    }),
  );
});
