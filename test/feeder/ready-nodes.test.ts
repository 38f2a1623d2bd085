import fc from 'fast-check';
import { ReadyNodes } from '../../src/feeder/ready-nodes.js';
import { SlotTable } from '../../src/feeder/slot-table.js';

const near = fc.bigInt({ min: 0n, max: 300n });
/** Also ids beyond 2^53, of which many are one number as doubles, and ids on both sides of a carry into the upper half. */
const id = fc.oneof(
  near,
  near.map((distance) => 2n ** 32n - 150n + distance),
  near.map((distance) => 2n ** 63n - 150n + distance),
  near.map((distance) => 2n ** 64n - 1n - distance),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
);
const low = (value: bigint): number => Number(value & 0xffffffffn);
const high = (value: bigint): number => Number(value >> 32n);

/** Pushes the ids in turn, with pops of the given lengths between, and compares each pop with a sorted array. */
function check(ids: readonly bigint[], pops: readonly number[]): void {
  const slots = new SlotTable();
  const ready = new ReadyNodes(slots);
  const twin: bigint[] = [];
  const idOf: bigint[] = [];
  const pop = (): void => {
    twin.sort((one, other) => (one < other ? -1 : 1));
    expect(idOf[ready.pop()]).toBe(twin.shift());
    expect(ready.length).toBe(twin.length);
  };
  ids.forEach((value, at) => {
    const slot = slots.claim(low(value), high(value));
    idOf[slot] = value;
    ready.push(slot);
    twin.push(value);
    for (let times = pops[at % pops.length]; times > 0 && twin.length > 0; times--) pop();
  });
  while (twin.length > 0) pop();
}

const pops = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 });

test('gives the lowest id first, as a sorted array does', () => {
  fc.assert(fc.property(fc.uniqueArray(id, { maxLength: 200 }), pops, check));
});

test('gives the lowest id first where ascending and other ids come in turn, beyond the first capacity', () => {
  const ids: bigint[] = [];
  for (let at = 0n; at < 600n; at++) ids.push(10_000n + at, (at * 7919n) % 9973n);
  check(ids, [0]);
  check(ids, [0, 0, 0, 2]);
  check(ids, [1, 0, 1, 1, 0, 0, 2]);
});
