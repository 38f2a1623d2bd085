import { CollectiveType } from '../../src/trace/collective-type.js';
import { NodeFlag } from '../../src/trace/rank-trace.js';
import { collective, groupsOf, nodeTexts, prepareAll } from '../support/preparation.js';
import { traceOf } from '../support/traces.js';

const groups = groupsOf({ g: [0, 1] });
const broadcast = { type: CollectiveType.broadcast, size: 1000, group: 'g', root: 0 };

function twoRanks() {
  return [0, 1].map((rank) =>
    traceOf(
      [
        { id: 1, type: 'COMP_NODE' },
        { id: 2, type: 'COMP_NODE' },
        collective(3, broadcast, { data_deps: [1], ctrl_deps: [2] }),
      ],
      rank,
    ),
  );
}

describe('R-093 the barrier takes the entry over; the collective waits for all of its nodes', () => {
  test('before expansion', () => {
    const { traces, balance } = prepareAll(twoRanks(), { sync: true, groups });
    // Tree of two: up 1→0 is edge 0, down 0→1 is edge 1. The root's down send waits for its receive.
    expect(nodeTexts(traces[0])).toEqual([
      'COMP_NODE 1',
      'COMP_NODE 2',
      'receive 4 from 1, 0 B, tag 0, sync, data 1, control 2',
      'send 5 to 1, 0 B, tag 1, sync, data 4',
      'COMM_COLL_NODE 3, data 4 5',
    ]);
    expect(nodeTexts(traces[1]).slice(2)).toEqual([
      'send 4 to 0, 0 B, tag 0, sync, data 1, control 2',
      'receive 5 from 0, 0 B, tag 1, sync, data 4',
      'COMM_COLL_NODE 3, data 4 5',
    ]);
    expect(balance.syncTransfers).toBe(2);
    expect(traces[0].metadata.passes).toEqual(['sync']);
  });

  test('with expansion: barrier ids and tags before and after those of the list', () => {
    const { traces } = prepareAll(twoRanks(), { sync: true, expand: true, groups });
    expect(nodeTexts(traces[0]).slice(2)).toEqual([
      'receive 4 from 1, 0 B, tag 65536, sync, data 1, control 2',
      'send 5 to 1, 0 B, tag 65537, sync, data 4',
      'send 6 to 1, 1000 B, tag 1, data 4 5',
      'METADATA_NODE 3, data 6',
    ]);
    expect(traces[0].metadata.passes).toEqual(['expand', 'sync']);
  });

  test('after expansion', () => {
    const expanded = prepareAll(twoRanks(), { expand: true, groups }).traces;
    const { traces } = prepareAll(expanded, { sync: true, groups });
    expect(nodeTexts(traces[0]).slice(2)).toEqual([
      'receive 5 from 1, 0 B, tag 65536, sync, data 1, control 2',
      'send 6 to 1, 0 B, tag 65537, sync, data 5',
      'send 4 to 1, 1000 B, tag 1, data 5 6',
      'METADATA_NODE 3, data 4',
    ]);
  });
});

test('R-094 barrier transfers carry the flag and the identity of the collective they precede', () => {
  const [trace] = prepareAll(twoRanks(), { sync: true, expand: true, groups }).traces;
  expect([...trace.flags].map((flags) => flags & NodeFlag.addedSync)).toEqual([0, 0, 8, 8, 0, 0]);
  expect([...trace.collective]).toEqual([-1, -1, 0, 0, 0, 0]);
  expect([...trace.commType].slice(2, 4)).toEqual([5, 5]);
  expect(trace.collectives).toEqual([{ group: 'g', type: 5, instance: 0, size: 1000, algorithm: 'interleaved' }]);
});

test('R-093 the pattern is the tree whatever the barrier algorithm: 2(N − 1) transfers, before a Barrier too', () => {
  const barrier = { type: CollectiveType.barrier, group: 'g' };
  const traces = [0, 1, 2, 3, 4].map((rank) => traceOf([collective(1, barrier)], rank));
  const { balance } = prepareAll(traces, {
    sync: true,
    expand: true,
    algorithms: { barrier: 'ring' },
    groups: groupsOf({ g: [0, 1, 2, 3, 4] }),
  });
  expect(balance.syncTransfers).toBe(8);
  expect(balance.expanded['Barrier ring'].transfers).toBe(40);
});

test('a collective that is not expanded gets no barrier', () => {
  const untyped = { size: 1000, group: 'g' };
  const traces = [0, 1].map((rank) => traceOf([collective(1, untyped)], rank));
  const { traces: prepared, balance } = prepareAll(traces, { sync: true, expand: true, groups });
  expect(prepared.map(nodeTexts)).toEqual([['COMM_COLL_NODE 1'], ['COMM_COLL_NODE 1']]);
  expect(balance.unexpandedNodes).toBe(2);
  expect(balance.findings.map(({ code, rank }) => [code, rank])).toEqual([
    ['COMM_TYPE_MISSING', 0],
    ['COMM_TYPE_MISSING', 1],
  ]);
});

test('synchronizing twice doubles no barrier, before and after expansion', () => {
  const once = prepareAll(twoRanks(), { sync: true, groups }).traces;
  const twice = prepareAll(once, { sync: true, groups }).traces;
  expect(twice.map(nodeTexts)).toEqual(once.map(nodeTexts));
  const expanded = prepareAll(once, { expand: true, groups }).traces;
  expect(prepareAll(expanded, { sync: true, groups }).traces.map(nodeTexts)).toEqual(expanded.map(nodeTexts));
});

test('a traceset synchronized on some members only is refused', () => {
  const [first] = prepareAll(twoRanks(), { sync: true, groups }).traces;
  expect(() => prepareAll([first, twoRanks()[1]], { sync: true, groups })).toThrow(
    expect.objectContaining({
      code: 'PREPARATION_REFUSED',
      exitStatus: 1,
      message: 'g: collective 0 is synchronized on rank 0 (node 3) and not on rank 1 (node 3)',
    }),
  );
});
