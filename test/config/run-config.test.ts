import { parseRunConfig } from '../../src/config/run-config.js';

test('attributes of R-010 and flags say the same', () => {
  expect(parseRunConfig('AllReduceAlgorithm: tree\n', 'run.yaml')).toEqual({ allreduce: 'tree' });
  expect(parseRunConfig('allreduce: tree\nsync: false\n', 'run.yaml')).toEqual({ allreduce: 'tree', sync: false });
});

test('R-095: the scaling factor counts only with Scaling true', () => {
  expect(parseRunConfig('Scaling: false\nScalingFactor: 0.5\n', 'run.yaml')).toEqual({});
  expect(parseRunConfig('Scaling: true\nScalingFactor: 0.5\n', 'run.yaml')).toEqual({ scale: 0.5 });
});

test('R-010: a wrong value is an error naming file, line, column and the four values', () => {
  expect(() => parseRunConfig('sync: true\nAllReduceAlgorithm: rings\n', 'run.yaml')).toThrow(
    'run.yaml:2:21: AllReduceAlgorithm: "rings", expected one of ring, tree, double-tree, halving-doubling',
  );
});

test('R-010: an unknown attribute is an error that lists the known ones', () => {
  expect(() => parseRunConfig('AllReduce: ring\n', 'run.yaml')).toThrow(
    /^run\.yaml:1:1: unknown attribute: AllReduce \(known: allreduce, /,
  );
});

test('broken YAML names the place', () => {
  expect(() => parseRunConfig('sync: [1\n', 'run.yaml')).toThrow(/^run\.yaml:\d+:\d+: /);
});

test('an empty file says nothing', () => {
  expect(parseRunConfig('', 'run.yaml')).toEqual({});
});
