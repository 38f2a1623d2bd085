import { nestingAgreement } from '../../src/pytorch/nesting-agreement.js';
import { hostTrace } from '../support/pytorch-columns.js';

const HOST = hostTrace([
  { id: 1, name: 'process', parent: 1 },
  { id: 2, name: 'thread', parent: 1 },
  { id: 3, name: 'outer', parent: 2 },
  { id: 4, name: 'middle', parent: 3 },
  { id: 5, name: 'inner', parent: 4 },
]);

test('pairs nest alike where callers without events and events without nodes are passed over', () => {
  // Events 0 ⊃ 1 ⊃ 2 are outer, one that the host trace lacks, and inner; middle has no event.
  expect(nestingAgreement(HOST, Int32Array.of(-1, -1, 0, -1, 2), Int32Array.of(-1, 0, 1))).toBe(1);
});

test('a pair whose event lies elsewhere does not nest alike', () => {
  // inner's event lies beside outer's.
  expect(nestingAgreement(HOST, Int32Array.of(-1, -1, 0, -1, 1), Int32Array.of(-1, -1))).toBe(0.5);
});

test('callers in a circle have no event around them', () => {
  const circle = hostTrace([
    { id: 3, name: 'a', parent: 4 },
    { id: 4, name: 'b', parent: 3 },
    { id: 5, name: 'c', parent: 3 },
  ]);
  expect(nestingAgreement(circle, Int32Array.of(-1, -1, 0), Int32Array.of(-1))).toBe(1);
});
