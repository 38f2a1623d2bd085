import { dependentIds, selectNodes, type NodeFilter } from '../../../src/passes/views/nodes.js';
import { NodeType } from '../../../src/trace/node-type.js';
import { traceOf } from '../../support/traces.js';
import { collective, compute, receive, send } from '../../support/validation.js';

const HUGE = 2n ** 64n - 1n;
const trace = traceOf([
  compute(5),
  collective(3, 0, 8),
  send(9, 1, 0),
  { ...receive(0, 1, 0), id: 2n ** 32n },
  { ...compute(HUGE, [5, 9, 5], [5]), name: 'last op' },
  { id: 77, name: 'odd', type: 9 },
]);

function selected(filter: NodeFilter): number[] {
  return [...selectNodes(trace, filter).nodes];
}

test('every part of the filter must let a node through', () => {
  expect(selected({})).toEqual([0, 1, 2, 3, 4, 5]);
  expect(selected({ types: [NodeType.send, NodeType.compute] })).toEqual([0, 2, 4]);
  expect(selected({ types: [9] })).toEqual([5]);
  expect(selected({ name: 'op' })).toEqual([0, 4]);
  expect(selected({ name: /^op|SEND/i })).toEqual([0, 2]);
  expect(selected({ name: 'op', types: [NodeType.compute], ids: [{ from: 0n, to: 9n }] })).toEqual([0]);
});

test('an expression with the flag g looks at every name from its start', () => {
  expect(selected({ name: /op/g })).toEqual([0, 4]);
});

test('ids to the last of 64 bits', () => {
  expect(selected({ ids: [{ from: HUGE, to: HUGE }] })).toEqual([4]);
  expect(selected({ ids: [{ from: 4n, to: 2n ** 32n }] })).toEqual([0, 2, 3, 5]);
  expect(selected({ ids: [{ from: 2n ** 32n - 1n, to: 2n ** 32n - 1n }] })).toEqual([]);
  const ids = [
    { from: 5n, to: 5n },
    { from: 6n, to: 8n },
    { from: 3n, to: 3n },
  ];
  expect(selectNodes(trace, { ids, types: [NodeType.compute] })).toMatchObject({
    matched: 1,
    idsFound: [true, false, true],
  });
});

test('the limit cuts the list and not the count', () => {
  expect(selectNodes(trace, { limit: 2 })).toMatchObject({ matched: 6, nodes: Int32Array.of(0, 1) });
  expect(selectNodes(trace, { limit: 0 })).toMatchObject({ matched: 6, nodes: Int32Array.of() });
});

test('dependents, each once, by kind', () => {
  expect(dependentIds(trace, Int32Array.of(2, 0, 1))).toEqual([
    { data: [String(HUGE)], control: [] },
    { data: [String(HUGE)], control: [String(HUGE)] },
    { data: [], control: [] },
  ]);
});
