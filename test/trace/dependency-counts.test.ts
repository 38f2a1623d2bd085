import { countDependencies } from '../../src/trace/dependency-counts.js';
import { NodeType } from '../../src/trace/node-type.js';
import { RankTraceBuilder } from '../../src/trace/rank-trace-builder.js';

test('counts each kind of awkward dependency apart', () => {
  // id 1: data [9, 9], both dangling · id 2: data [2, 3], itself and forward · id 3: data [1, 1], control [8, 9]
  const builder = new RankTraceBuilder(0, 'counts');
  builder.addNode(1, 0, NodeType.compute, 0);
  builder.data.addId(9, 0);
  builder.data.addId(9, 0);
  builder.addNode(2, 0, NodeType.compute, 0);
  builder.data.addId(2, 0);
  builder.data.addId(3, 0);
  builder.addNode(3, 0, NodeType.compute, 0);
  builder.data.addId(1, 0);
  builder.data.addId(1, 0);
  builder.control.addId(8, 0);
  builder.control.addId(9, 0);
  builder.addNode(4, 0, NodeType.compute, 0);
  builder.control.addId(1, 0);
  builder.addNode(5, 0, NodeType.compute, 0);
  const trace = builder.finish({ version: '', kept: new Uint8Array(0), passes: [] }, undefined);
  expect(countDependencies(trace)).toEqual({
    data: { total: 6, dangling: 2, danglingTargets: 1, self: 1, repeated: 2, forward: 1 },
    control: { total: 3, dangling: 2, danglingTargets: 2, self: 0, repeated: 0, forward: 0 },
    withoutData: 2,
    withoutAny: 1,
  });
});

test('a dependency of the second of two equal ids on that id counts as its own', () => {
  const builder = new RankTraceBuilder(0, 'twice');
  builder.addNode(7, 1, NodeType.compute, 0);
  builder.addNode(7, 1, NodeType.compute, 0);
  builder.data.addId(7, 1);
  const trace = builder.finish({ version: '', kept: new Uint8Array(0), passes: [] }, undefined);
  expect(countDependencies(trace).data).toMatchObject({ self: 1, forward: 0 });
});
