import { callersOf, nearestCaller } from '../../../src/pytorch/communication/callers.js';
import { linked } from '../../support/communications.js';

const op = (id: number, parent: number) => ({ id, name: 'op', parent });

test.each([
  ['near each other', 1],
  ['far apart', 1e9],
])('callers are places in the file, also where ids are %s', (_, factor) => {
  const nodes = [op(4 * factor, 2 * factor), op(2 * factor, factor), op(9 * factor, 7), op(factor, factor)];
  const { host } = linked({ nodes });
  const callers = callersOf(host);
  expect([...callers]).toEqual([1, 3, -1, -1]);
  expect(nearestCaller(callers, 0, (node) => node === 3)).toBe(3);
  expect(nearestCaller(callers, 2, (node) => node === 3)).toBe(-1);
});

test('callers in a circle end the search', () => {
  const { host } = linked({ nodes: [op(1, 2), op(2, 1)] });
  expect(nearestCaller(callersOf(host), 0, () => false)).toBe(-1);
});
