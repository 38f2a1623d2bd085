import { ruledTable } from '../../src/base/ruled-table.js';

const rows = ['rule', ['a', '1'], 'rule', ['bcd', '20'], 'rule'] as const;

describe('ruled table', () => {
  test('with boxes', () => {
    expect(ruledTable(rows, 'lr', true)).toEqual(['────┬───', 'a   │  1', '────┼───', 'bcd │ 20', '────┴───']);
  });

  test('without, rules are empty lines and the outer ones nothing', () => {
    expect(ruledTable(rows, 'lr', false)).toEqual(['a     1', '', 'bcd  20']);
    expect(ruledTable([['a', 'b']], 'll', false)).toEqual(['a  b']);
  });
});
