import { withJoined } from '../../src/cli/repeatable.js';

const joined = (...words: string[]): string[] => withJoined(words, ['assume']);

test('values of a repeated option are joined in its first place, however it is written', () => {
  expect(joined('validate', '--assume', 'a=1', 'in', '--assume=b=2', '--json', '--assume', 'c=3,d=4')).toEqual([
    'validate',
    '--assume=a=1,b=2,c=3,d=4',
    'in',
    '--json',
  ]);
});

test('other words stay, those behind -- too', () => {
  expect(joined('convert', '--assumed', 'x', '--to=et', '--', '--assume', 'a=1')).toEqual([
    'convert',
    '--assumed',
    'x',
    '--to=et',
    '--',
    '--assume',
    'a=1',
  ]);
});

test('an option without its value is left for the parser to complain of', () => {
  expect(joined('validate', '--assume')).toEqual(['validate', '--assume']);
  expect(joined('validate', '--assume', '--json', 'in')).toEqual(['validate', '--assume', '--json', 'in']);
});
