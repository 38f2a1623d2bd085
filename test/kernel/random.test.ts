import { RandomStream, fnv1a } from '../../src/kernel/random.js';

describe('random numbers', () => {
  test('R-006 the hash of 1/8/ecn is bf85a1da', () => {
    expect(fnv1a('1/8/ecn').toString(16)).toBe('bf85a1da');
  });

  test('R-006 the outputs of 1/8/ecn', () => {
    const random = new RandomStream(1, 8, 'ecn');
    expect([random.uint32(), random.uint32(), random.uint32()]).toEqual([0xa35de453, 0xa8a06e05, 0x1e7af13a]);
  });

  test('R-006 a uniform number is an output divided by 2^32', () => {
    const random = new RandomStream(1, 8, 'ecn');
    for (const expected of [0.638151427, 0.658697964, 0.11906345]) expect(random.uniform()).toBeCloseTo(expected, 9);
  });

  test('R-006 another entity and another seed have other numbers', () => {
    expect(new RandomStream(1, 9, 'ecn').uint32()).toBe(0xd18d7f0d);
    expect(new RandomStream(2, 8, 'ecn').uint32()).toBe(0xf51633f2);
  });

  test('R-006 the draws of one entity do not depend on those of another', () => {
    const alone = new RandomStream(1, 8, 'ecn');
    const first = [alone.uint32(), alone.uint32()];
    const beside = new RandomStream(1, 8, 'ecn');
    const other = new RandomStream(1, 9, 'ecn');
    const second = [beside.uint32(), (other.uint32(), beside.uint32())];
    expect(second).toEqual(first);
  });
});
