import { CollectiveType } from '../../src/trace/collective-type.js';
import { scaleRank } from '../../src/passes/scale.js';
import { NodeFlag } from '../../src/trace/rank-trace.js';
import { attributes, collective, groupsOf, prepareAll } from '../support/preparation.js';
import { traceOf } from '../support/traces.js';

const trace = () =>
  traceOf([
    { id: 1, type: 'COMP_NODE', duration_micros: 1 },
    { id: 2, type: 'COMM_SEND_NODE', attr: attributes({ to: 0, size: 125 }) },
    { id: 3, type: 'COMP_NODE', duration_micros: 100, data_deps: [1] },
    { id: 4, type: 'COMP_NODE' },
  ]);

test('R-095 one double multiplication, cut to whole units', () => {
  const half = scaleRank(trace(), 0.5);
  expect([...half.durationMicros]).toEqual([0, 0, 50, 0]);
  expect([...half.commSize]).toEqual([NaN, 62, NaN, NaN]);
  expect(scaleRank(trace(), 0.29).durationMicros[2]).toBe(28); // 28.999999999999996
});

test('R-095 factor 0: all zero, dependencies unchanged', () => {
  const before = trace();
  const zero = scaleRank(before, 0);
  expect([...zero.durationMicros, zero.commSize[1]]).toEqual([0, 0, 0, 0, 0]);
  expect(zero.dataTarget).toBe(before.dataTarget);
});

test('only changed nodes are touched; the input is left alone', () => {
  const before = trace();
  const half = scaleRank(before, 0.5);
  expect([...half.flags].map((flags) => flags & NodeFlag.touched)).toEqual([4, 4, 4, 0]);
  expect([...before.durationMicros]).toEqual([1, 0, 100, 0]);
  expect(half.metadata.passes).toEqual(['scale']);
});

test('factor 1 gives the trace itself', () => {
  const before = trace();
  expect(scaleRank(before, 1)).toBe(before);
});

test('R-095 after expansion: transfers are scaled, not S; the identity keeps the size of the trace', () => {
  const allReduce = { type: CollectiveType.allReduce, size: 1000, group: 'g' };
  const ranks = [0, 1, 2, 3, 4, 5, 6, 7];
  const traces = ranks.map((rank) => traceOf([collective(1, allReduce)], rank));
  const prepared = prepareAll(traces, { expand: true, scale: 0.5, groups: groupsOf({ g: ranks }) });
  const [first] = prepared.traces;
  expect(first.commSize[0]).toBe(62); // not ceil(500 / 8) = 63
  expect(first.collectives[0].size).toBe(1000);
  expect(prepared.balance.scaledNodes).toBe(8 * (28 + 1)); // 28 transfers and the exit
});

test('scaling collectives that are not expanded yet is warned of', () => {
  const traces = [0, 1].map((rank) =>
    traceOf([collective(1, { type: CollectiveType.allReduce, size: 9, group: 'g' })], rank),
  );
  const { balance } = prepareAll(traces, { scale: 0.5, groups: groupsOf({ g: [0, 1] }) });
  expect(balance.findings.map(({ code, count }) => [code, count])).toEqual([
    ['SCALED_BEFORE_EXPANSION', 1],
    ['SCALED_BEFORE_EXPANSION', 1],
  ]);
});

test.each([-0.1, 1.1, NaN])('factor %d is refused', (scale) => {
  expect(() => prepareAll([trace()], { scale })).toThrow(
    expect.objectContaining({ code: 'SCALE_OUT_OF_RANGE', exitStatus: 2 }),
  );
});
