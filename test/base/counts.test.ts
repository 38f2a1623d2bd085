import { counted, grouped } from '../../src/base/counts.js';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
  [-1234, '-1,234'],
])('%d is grouped as %s', (value, text) => expect(grouped(value)).toBe(text));

test.each([
  [0, '0 nodes'],
  [1, '1 node'],
  [1014, '1,014 nodes'],
])('%d counted nodes are %s', (count, text) => expect(counted(count, 'node')).toBe(text));

test('a noun with a plural of its own', () => expect(counted(2, 'dependency', 'dependencies')).toBe('2 dependencies'));
