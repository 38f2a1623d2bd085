import fc from 'fast-check';
import { ReadyHeap } from '../../src/astra-sim/ready-heap.js';

test('the smallest node comes first, however they went in', () => {
  const heap = new ReadyHeap();
  for (const node of [7, 3, 9, 1, 8, 2]) heap.push(node);
  expect(heap.length).toBe(6);
  expect(heap.first).toBe(1);
  expect([heap.pop(), heap.pop()]).toEqual([1, 2]);
  heap.push(0);
  heap.push(4);
  expect([heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop()]).toEqual([0, 3, 4, 7, 8, 9]);
  expect(heap.length).toBe(0);
});

test('law: nodes that are put in and taken out come as from a sorted list', () => {
  const step = fc.oneof(fc.constant('pop' as const), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const heap = new ReadyHeap();
      const list: number[] = [];
      for (const one of steps) {
        if (one !== 'pop') {
          heap.push(one);
          list.push(one);
          list.sort((a, b) => a - b);
        } else if (list.length > 0) {
          expect(heap.pop()).toBe(list.shift());
        }
        expect(heap.length).toBe(list.length);
        if (list.length > 0) expect(heap.first).toBe(list[0]);
      }
    }),
  );
});
