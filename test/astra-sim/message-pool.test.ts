import fc from 'fast-check';
import { MessagePool } from '../../src/astra-sim/message-pool.js';

/** Every field of a message, made from one number. */
function fieldsOf(name: number): [number, number, number, number, number, number] {
  return [name, name + 1, -name, name * 2 ** 33, name % 256, name + 2];
}

function fieldsAt(pool: MessagePool, slot: number): number[] {
  const { source, destination, tag, bytes, code, reference } = pool;
  return [source[slot], destination[slot], tag[slot], bytes[slot], code[slot], reference[slot]];
}

test('a message keeps its fields until it is removed, and waits behind nobody', () => {
  const pool = new MessagePool();
  const slot = pool.add(...fieldsOf(5));
  expect(fieldsAt(pool, slot)).toEqual(fieldsOf(5));
  expect(pool.next[slot]).toBe(-1);
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
