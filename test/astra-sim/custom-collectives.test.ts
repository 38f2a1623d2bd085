import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute, receive, send } from '../support/jobs.js';
import { endsOf, everyRank, networkOf, systemOf, systemRun, type RunParts } from '../support/system-runs.js';
import type { NodeObject } from '../support/traces.js';

/** A run of one all-reduce, which the traces `c.0`, `c.1` … describe. */
function custom(ranks: number, algorithm: readonly NodeObject[][], told: Partial<RunParts> = {}): RunParts {
  return {
    nodes: everyRank(ranks, collective(1, CollectiveType.allReduce, 1000, '')),
    network: networkOf(`FullyConnected ${ranks}`),
    system: systemOf('ring', { customImplementations: { allReduce: 'c' } }),
    custom: Object.fromEntries(algorithm.map((nodes, position) => [`c.${position}`, nodes])),
    ...told,
  };
}

/** 50 GiB/s and 500 ns: ⌊500 + B ÷ 53.6870912⌋; for 53,688 B 1500 ns. */
const B = 53_688;

describe('a collective that traces describe (astra-sim-semantics section 10)', () => {
  test('sizes, tags and partners are those of the traces; no endpoint delay, no reduction', () => {
    // 0 sends to 1, which then sends back.
    const there = [send(1, 1, B, 3), receive(2, 1, 2 * B, 4)];
    const back = [receive(1, 0, B, 3), send(2, 0, 2 * B, 4, [1])];
    expect(endsOf(custom(2, [there, back]))).toEqual([1500 + 2500, 1500 + 2500]);
  });

  test('all ready nodes are issued at once, without slots', () => {
    const first = [send(1, 1, B, 0), send(2, 2, B, 0), send(3, 1, B, 1), compute(4, 1), compute(5, 2)];
    expect(endsOf(custom(3, [first, [receive(1, 0, B, 0), receive(2, 0, B, 1)], [receive(1, 0, B, 0)]]))).toEqual([
      2000, 1500, 1500,
    ]);
  });

  test('compute nodes take their duration, or 1 ns; a node waits for all it depends on', () => {
    const nodes = [compute(1, 3), compute(2, 0), compute(3, 0, [1, 2])];
    expect(endsOf(custom(2, [nodes, [compute(1, 0)]]))).toEqual([3001, 1]);
  });

  test('dependencies of both lists count, with data only those of data', () => {
    const nodes = [compute(1, 3), { ...compute(2, 4), ctrl_deps: [1] }];
    const data = { queuesPerDimension: 1, deps: 'data' } as const;
    expect(endsOf(custom(2, [nodes, nodes]))).toEqual([7000, 7000]);
    expect(endsOf(custom(2, [nodes, nodes], { options: data }))).toEqual([4000, 4000]);
  });

  test('in a group positions are places in its list, and partners are positions', () => {
    // Group 3, 1: position 0 is rank 3. Rank 1 receives from position 0.
    const parts = custom(4, [[send(1, 1, B, 0)], [receive(1, 0, B, 0), compute(2, 1, [1])]], {
      groups: { '5': [3, 1] },
    });
    const member = collective(1, CollectiveType.allReduce, 1000, '5');
    const nodes = [[compute(1, 7)], [member], [compute(1, 7)], [member]];
    expect(endsOf({ ...parts, nodes })).toEqual([7000, 2500, 7000, 1500]);
  });

  test('tags are taken modulo 500,000,000, and are those of sends and receives of the workload too', () => {
    expect(endsOf(custom(2, [[send(1, 1, B, 500_000_003)], [receive(1, 0, B, 3)]]))).toEqual([1500, 1500]);
    // Rank 1 receives with node 2 what the collective of rank 0 sends, and the other way round.
    const parts = custom(2, [[send(1, 1, B, 7)], [receive(1, 0, B, 7)]]);
    const nodes = [
      [collective(1, CollectiveType.allReduce, 1000, ''), send(2, 1, B, 7, [1])],
      [receive(1, 0, B, 7), collective(2, CollectiveType.allReduce, 1000, '')],
    ];
    expect(endsOf({ ...parts, nodes })).toEqual([3000, 3000]);
  });

  test('one after another: the algorithm starts anew each time', () => {
    const algorithm = [[compute(1, 2), compute(2, 3, [1])], [compute(1, 1)]];
    const type = CollectiveType.allReduce;
    const parts = custom(2, algorithm, { nodes: everyRank(2, collective(1, type, 9, ''), collective(2, type, 9, '')) });
    expect(endsOf(parts)).toEqual([10_000, 2000]);
  });
});

describe('what cannot run', () => {
  const refused =
    (nodes: NodeObject[], options: RunParts['options'] = {}) =>
    () =>
      simulateSystem(systemRun(custom(2, [nodes, [compute(1, 1)]], { options })));

  test.each([
    ['another type', [collective(4, 0, 10, '')], 'node 4: COMM_COLL_NODE'],
    ['no bytes', [send(4, 1, 0, 0)], 'node 4: comm_size 0'],
    [
      'no tag',
      [{ ...send(4, 1, 8, 0), attr: { comm_dst: { int32_val: 1 }, comm_size: { int64_val: 8 } } }],
      'no comm_tag',
    ],
    ['itself as partner', [send(4, 0, 8, 0)], 'partner 0; expected another position of the 2'],
    ['a partner outside', [receive(4, 2, 8, 0)], 'partner 2; expected another position of the 2'],
    ['a dependency on nobody', [compute(4, 1, [9])], 'node 4'],
    ['no start', [compute(4, 1, [5]), compute(5, 1, [4])], 'test.0.et'],
    ['no nodes', [], 'test.0.et'],
  ])('%s', (_name, nodes, message) => {
    expect(refused(nodes)).toThrow(message);
  });

  test('a control dependency on nobody is one only where control dependencies count', () => {
    const nodes = [{ ...compute(4, 1), ctrl_deps: [9] }];
    expect(refused(nodes)).toThrow('node 4');
    expect(refused(nodes, { deps: 'data' })).not.toThrow();
  });
});
