import { circularWaits } from '../../src/astra-sim/circular-waits.js';

function circular(waitsFor: Record<string, string>): string {
  return [...circularWaits(new Map(Object.entries(waitsFor).map(([one, others]) => [one, new Set(others)])))].join('');
}

test.each([
  ['nothing waits', { a: '', b: '' }, ''],
  ['a chain', { a: 'b', b: 'c', c: '' }, ''],
  ['two that wait for each other', { a: 'b', b: 'a' }, 'ab'],
  [
    'what leads to a circle and what a circle waits for are not in it',
    { a: 'b', b: 'c', c: 'bd', d: 'e', e: '' },
    'bc',
  ],
  ['a longer circle, and one apart', { a: 'b', b: 'c', c: 'a', d: 'e', e: 'd', f: 'a' }, 'abcde'],
])('%s', (_, waitsFor, expected) => {
  expect(circular(waitsFor)).toBe(expected);
});
