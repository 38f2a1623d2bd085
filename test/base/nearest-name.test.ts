import { nearestName } from '../../src/base/nearest-name.js';

const KNOWN = ['RunTime', 'StartTime', 'Scaling', 'ScalingFactor', 'allreduce'];

test.each([
  ['Runtime', 'RunTime'],
  ['RunTme', 'RunTime'],
  ['StarTime', 'StartTime'],
  ['ScalingFaktor', 'ScalingFactor'],
  ['AllReduce', 'allreduce'],
  ['colour', undefined],
  ['', undefined],
  ['x'.repeat(1000), undefined],
])('%s is near %s', (name, nearest) => {
  expect(nearestName(name, KNOWN)).toBe(nearest);
});
