import { groupNumbers, numberGroups } from '../../../src/passes/for-astra-sim/group-numbers.js';
import { groupsOf } from '../../support/preparation.js';

const numbered = (groups: Record<string, number[]>, worldSize = 4) => {
  const numbers = numberGroups(groupsOf(groups), worldSize);
  return { renamed: groupNumbers(numbers), groups: [...numbers.groups.keys()], from: numbers.renamed };
};

test('decimal names stay, the others get the smallest numbers that are free, from 1', () => {
  const { renamed, groups } = numbered({ dp: [0, 2], 2: [1, 3], tp: [0, 1], 7: [2, 3] });
  expect(renamed).toEqual({ dp: '1', tp: '3' });
  expect(groups.sort()).toEqual(['1', '2', '3', '7']);
});

test('"0" stays where it is all ranks, in any order, and not where it is a part of them', () => {
  expect(numbered({ 0: [3, 1, 2, 0] }).renamed).toEqual({});
  expect(numbered({ 0: [0, 1, 2] }).renamed).toEqual({ 0: '1' });
});

test('what the program would read as another number does not stay', () => {
  const names = ['0.0', '07', '1st', '-1', ' 2', '2147483648'];
  const { renamed } = numbered(Object.fromEntries(names.map((name) => [name, [0, 1]])));
  expect(Object.keys(renamed).sort()).toEqual([...names].sort());
  expect(numbered({ 2147483647: [0, 1] }).renamed).toEqual({});
});

test('the name of the world goes where it is all ranks', () => {
  const { from, groups } = numbered({ world: [0, 1, 2, 3], tp: [0, 1] });
  expect(from.get('world')).toBe('');
  expect(groups).toEqual(['1']);
  expect(numbered({ world: [0, 1] }).renamed).toEqual({ world: '1' });
});
