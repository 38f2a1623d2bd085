import { dottedConnection, segmentsOf, sliceIndices } from '../../../../src/network/topology/infragraph/endpoints.js';

describe('indices are Python slices, half-open', () => {
  test.each([
    [undefined, [0, 1, 2, 3]],
    ['0:2', [0, 1]],
    [':2', [0, 1]],
    ['2:', [2, 3]],
    [':', [0, 1, 2, 3]],
    ['3', [3]],
    ['-1', [3]],
    ['-2:', [2, 3]],
    ['0:4:2', [0, 2]],
    ['::-1', [3, 2, 1, 0]],
    ['3:1:-1', [3, 2]],
  ])('%s of 4 things', (slice, indices) => {
    expect(sliceIndices(slice, 4)).toEqual(indices);
  });

  test.each([
    ['4', 'there are 4'],
    ['-5', 'there are 4'],
    ['0:5', 'there are 4'],
    ['2:2', 'it holds nothing'],
    ['0:4:0', 'a step of 0'],
    ['', 'expected an index or a slice such as 0:4'],
    ['x', 'expected an index or a slice such as 0:4'],
    ['0:1:2:3', 'expected an index or a slice such as 0:4'],
  ])('%s of 4 things is refused', (slice, why) => {
    expect(sliceIndices(slice, 4)).toBe(why);
  });
});

test('an endpoint in nested devices has a segment each', () => {
  expect(segmentsOf('cx5[0:2].port[0]')).toEqual([
    { name: 'cx5', slice: '0:2' },
    { name: 'port', slice: '0' },
  ]);
  expect(segmentsOf('nic')).toEqual([{ name: 'nic' }]);
  expect(segmentsOf('nic[0')).toBeUndefined();
});

test('the dotted example of exchange-formats 10', () => {
  expect(dottedConnection('server.0.nic.1.eth1.leafsw.0.port.1')).toEqual({
    ends: [
      [
        { name: 'server', slice: '0' },
        { name: 'nic', slice: '1' },
      ],
      [
        { name: 'leafsw', slice: '0' },
        { name: 'port', slice: '1' },
      ],
    ],
    link: 'eth1',
  });
  expect(dottedConnection('xpu.0.pcie.nic.0')).toEqual({
    ends: [[{ name: 'xpu', slice: '0' }], [{ name: 'nic', slice: '0' }]],
    link: 'pcie',
  });
});
