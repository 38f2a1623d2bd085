import { MemorySource } from '../../src/base/byte-source.js';
import type { FeederOptions } from '../../src/feeder/feeder-options.js';
import type { NodeFeeder } from '../../src/feeder/node-feeder.js';
import { openFeeder } from '../../src/feeder/open-feeder.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective } from '../support/preparation.js';
import { buildEt, type NodeObject } from '../support/traces.js';

const { allGather } = CollectiveType;

const NODES: NodeObject[] = [
  { id: 1, type: 'COMP_NODE', duration_micros: 3000 },
  collective(2, { type: allGather, size: 4000, group: 'g' }, { data_deps: [1] }),
  collective(3, { type: allGather, size: 4000 }, { data_deps: [2] }),
  { id: 4, type: 'COMP_NODE', duration_micros: 5000, data_deps: [3] },
];

function feederOf(options: FeederOptions): NodeFeeder {
  return openFeeder(new MemorySource(buildEt(NODES), 'job.0.et'), options);
}

/** Duration and size of each node, one after another. */
function values(feeder: NodeFeeder): (number | undefined)[][] {
  const seen: (number | undefined)[][] = [];
  for (let node = feeder.getNextIssuableNode(); node !== undefined; node = feeder.getNextIssuableNode()) {
    seen.push([node.durationMicros, node.commSize]);
    feeder.freeChildrenNodes(node);
    feeder.removeNode(node);
  }
  return seen;
}

test.each([1, 2, 65536])('sizes and durations follow the assumptions, with windows of %d', (windowNodes) => {
  const feeder = feederOf({
    windowNodes,
    assume: ['allgather-size=total,duration-unit=ns'],
    groups: { g: [0, 1, 2, 3], world: [0, 1, 2, 3, 4, 5, 6, 7] },
  });
  expect(values(feeder)).toEqual([
    [3, undefined],
    [undefined, 1000],
    [undefined, 500],
    [5, undefined],
  ]);
  expect(feeder.findings().map(({ code, count }) => [code, count])).toEqual([
    ['ASSUMPTION_APPLIED', 2],
    ['ASSUMPTION_APPLIED', 2],
  ]);
});

test('what was applied before is said once, whatever the windows', () => {
  const metadata = { version: '0.0.4', attr: { chakra_prep_passes: { string_list: ['assume duration-unit=ns'] } } };
  const source = new MemorySource(buildEt(NODES, metadata), 'job.0.et');
  const feeder = openFeeder(source, { windowNodes: 1, assume: ['duration-unit=ns'] });
  expect(values(feeder).map(([duration]) => duration)).toEqual([3000, undefined, undefined, 5000]);
  expect(feeder.findings()).toMatchObject([
    {
      code: 'ASSUMPTION_DONE',
      message: 'duration-unit=ns: one rank says that it was applied before; nothing is changed there',
      ranks: 1,
    },
  ]);
});

test('without assumptions the values are those of the file', () => {
  expect(values(feederOf({ assume: ['allgather-size=shard'] })).map(([, size]) => size)).toEqual([
    undefined,
    4000,
    4000,
    undefined,
  ]);
});

test('a group that is not in groups is an error that findings tell', () => {
  const feeder = feederOf({ assume: ['allgather-size=total'], groups: { g: [0, 1] } });
  expect(values(feeder).map(([, size]) => size)).toEqual([undefined, 2000, 4000, undefined]);
  expect(feeder.findings()[0]).toMatchObject({
    code: 'GROUP_UNDECLARED',
    severity: 'error',
    message: 'group "world" is not in groups: one collective keeps its size',
  });
});

test.each([
  ['root=position', 'root=position: a feeder gives roots and peers as the file has them'],
  ['peer=position', 'peer=position: a feeder gives roots and peers as the file has them'],
  ['alltoall-size=pair', 'alltoall-size=pair: the sizes of groups are not known to a feeder, which reads one rank'],
])('%s is refused', (assume, message) => {
  expect(() => feederOf({ assume: [assume] })).toThrow(
    expect.objectContaining({ code: 'ASSUMPTION_UNKNOWN', exitStatus: 2, message }) as Error,
  );
});
