import { nodeLabel, nodeName, shortName } from '../../src/trace/node-label.js';
import { traceOf } from '../support/traces.js';

test('a node is called by its id and, where it has one, its name', () => {
  expect(nodeLabel(3, 'wait')).toBe('3 "wait"');
  expect(nodeLabel('18446744073709551615', '')).toBe('18446744073709551615');
  expect(nodeLabel(3, 'say "no"')).toBe('3 "say \\"no\\""');
});

test('a name of more than 60 letters is cut, and seen to be', () => {
  expect(shortName('k'.repeat(60))).toBe('k'.repeat(60));
  expect(shortName('k'.repeat(61))).toBe(`${'k'.repeat(59)}…`);
});

test('the name is read from the trace', () => {
  const trace = traceOf([
    { id: 1, name: 'gemm', type: 'COMP_NODE' },
    { id: 2, type: 'COMP_NODE' },
  ]);
  expect([nodeName(trace, 0), nodeName(trace, 1)]).toEqual(['gemm', '']);
});
