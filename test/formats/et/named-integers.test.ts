import { NamedIntegers } from '../../../src/formats/et/named-integers.js';
import { traceOf } from '../../support/traces.js';

const trace = traceOf([
  {
    id: 1,
    name: 'one',
    attr: {
      stream: { int64_val: -7 },
      tid: { uint32_val: 3 },
      ids: { int64_list: [1, 2 ** 40, -1] },
      other: { string_val: 'x' },
      comm_size: { int64_val: 9 },
    },
  },
  { id: 2, attr: { strean: { int64_val: 1 }, stream: {}, ids: { bool_val: true } } },
  { id: 3, attr: { stream: { string_val: '5' } } },
]);

test('integers and lists are read by name, and the rest is counted', () => {
  const integers = new NamedIntegers(['stream', 'tid', 'ids'], ['comm_size']);
  integers.read(trace, 0);
  expect([...integers.values]).toEqual([-7, 3, NaN]);
  expect(integers.lists).toEqual([undefined, undefined, [1, 2 ** 40, -1]]);
  expect([integers.others, integers.isNamed]).toEqual([1, true]);
  // Nothing of one node is left at the next; a name without a value and a text are no integers, a bool is one.
  integers.read(trace, 1);
  expect([...integers.values]).toEqual([NaN, NaN, 1]);
  expect(integers.lists).toEqual([undefined, undefined, undefined]);
  expect([integers.others, integers.isNamed]).toEqual([1, false]);
  integers.read(trace, 2);
  expect([...integers.values]).toEqual([NaN, NaN, NaN]);
  expect(integers.others).toBe(0);
});
