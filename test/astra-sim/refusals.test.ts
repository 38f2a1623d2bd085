import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import { PrepError } from '../../src/base/errors.js';
import { collective, compute, receive, send } from '../support/jobs.js';
import { everyRank, networkOf, systemOf, systemRun, type RunParts } from '../support/system-runs.js';
import type { NodeObject } from '../support/traces.js';

/** What simulateSystem refuses before anything runs (astra-sim-semantics sections 3, 5, 8 to 11, 18). */

const TWO = networkOf('Switch 2');

/** Code, exit status and message of the error; the first rank has the nodes, the second a compute node. */
function refused(nodes: readonly NodeObject[], parts: Partial<RunParts> = {}): [string, number, string] {
  try {
    simulateSystem(systemRun({ nodes: [nodes, [compute(1, 5)]], network: TWO, ...parts }));
  } catch (error) {
    if (error instanceof PrepError) return [error.code, error.exitStatus, error.message];
    throw error;
  }
  throw new Error('nothing was refused');
}

const changed = (node: NodeObject, attr: NodeObject['attr']): NodeObject => ({
  ...node,
  attr: { ...node.attr, ...attr },
});
const without = (node: NodeObject, name: string): NodeObject => {
  const attr = Object.fromEntries(Object.entries(node.attr ?? {}).filter(([other]) => other !== name));
  return { ...node, attr };
};
const allReduce = collective(1, 0, 8, '');
const memory: NodeObject = { id: 1, name: 'load', type: 'MEM_LOAD_NODE', attr: { tensor_size: { uint64_val: 8 } } };

test.each<[string, readonly NodeObject[], string]>([
  ['NO_NODES', [], 'rank 0: test.0.et has no nodes; expected one or more, ASTRA-sim refuses it'],
  [
    'DANGLING_DATA',
    [compute(1, 5, [7, 8])],
    'rank 0 node 1 "compute 1": data dependency on 7, which no node has; 1 more such dependency on this rank',
  ],
  [
    'DANGLING_CONTROL',
    [{ ...compute(1, 5), ctrl_deps: [7] }],
    'rank 0 node 1 "compute 1": control dependency on 7, which no node has',
  ],
  [
    'CYCLE',
    [compute(1, 5, [3]), compute(2, 5), compute(3, 5, [1]), compute(4, 5, [3])],
    'rank 0: cycle of 2 nodes: 1 "compute 1" waits for 3 "compute 3" waits for 1 "compute 1"; 3 nodes of 4 can never start',
  ],
  [
    'CYCLE',
    [compute(1, 5, [2]), compute(2, 5, [1])],
    'rank 0: cycle of 2 nodes: 1 "compute 1" waits for 2 "compute 2" waits for 1 "compute 1"; no node of the rank can start',
  ],
  [
    'SELF_DATA',
    [compute(1, 5, [1])],
    'rank 0 node 1 "compute 1" has a data dependency on itself; no node of the rank can start',
  ],
  ['NODE_TYPE_UNKNOWN', [{ id: 1, type: 12 }], 'rank 0 node 1: type NODE_TYPE_12; expected one of the schema'],
  [
    'ASTRA_COMM_ON_CPU',
    [changed(allReduce, { is_cpu_op: { bool_val: true } })],
    'rank 0 node 1 "collective 1": is_cpu_op is true; expected communication on the device',
  ],
  [
    'ASTRA_COLLECTIVE_TYPE',
    [collective(1, 9, 8, '')],
    'rank 0 node 1 "collective 1": Barrier; expected AllReduce, AllGather, ReduceScatter, AllToAll or Broadcast, ASTRA-sim runs no other',
  ],
  ['ASTRA_COLLECTIVE_TYPE', [collective(1, 42, 8, '')], 'rank 0 node 1 "collective 1": comm_type is none of 0 to 9'],
  [
    'ASTRA_ATTRIBUTE_MISSING',
    [without(allReduce, 'comm_type')],
    'rank 0 node 1 "collective 1": no comm_type; expected a whole number',
  ],
  [
    'ASTRA_ATTRIBUTE_MISSING',
    [without(allReduce, 'comm_size')],
    'rank 0 node 1 "collective 1": no comm_size; expected a whole number',
  ],
  [
    'ASTRA_ATTRIBUTE_MISSING',
    [without(send(1, 1, 8, 5), 'comm_tag')],
    'rank 0 node 1 "send 1": no comm_tag; expected a whole number',
  ],
  ['PEER_MISSING', [without(send(1, 1, 8, 5), 'comm_dst')], 'rank 0 node 1 "send 1": no comm_dst; expected a rank'],
  [
    'ASTRA_PEER_SELF',
    [receive(1, 0, 8, 5)],
    'rank 0 node 1 "receive 1": comm_src is the rank itself; expected another one',
  ],
  ['PEER_OUT_OF_RANGE', [send(1, 2, 8, 5)], 'rank 0 node 1 "send 1": comm_dst 2; expected a rank below 2'],
  ['ASTRA_SIZE_ZERO', [send(1, 1, 0, 5)], 'rank 0 node 1 "send 1": comm_size 0; expected 1 byte or more'],
  [
    'ASTRA_SIZE_ZERO',
    [collective(1, 2, 0, '')],
    'rank 0 node 1 "collective 1": AllGather of 0 bytes; expected 1 byte or more',
  ],
  [
    'ASTRA_REMOTE_MEMORY',
    [memory],
    'rank 0 node 1 "load": an access to remote memory; expected none, no --memory file says NO_MEMORY_EXPANSION',
  ],
  ['GROUP_UNDECLARED', [collective(1, 0, 8, '7')], 'group "7" is declared nowhere'],
])('traces: %s, exit status 1', (code, nodes, message) => {
  expect(refused(nodes)).toEqual([code, 1, message]);
});

test('RANK_OUTSIDE_GROUP', () => {
  expect(refused([collective(1, 0, 8, '7')], { groups: { '7': [1] } })).toEqual([
    'RANK_OUTSIDE_GROUP',
    1,
    'rank 0 node 1 "collective 1": rank 0 is no member of group "7" (rank 1)',
  ]);
});

test('dependencies that do not count are no cycle', () => {
  const nodes = [[{ ...compute(1, 5), ctrl_deps: [1] }], [compute(1, 5)]];
  const { status } = simulateSystem(systemRun({ nodes, network: TWO, options: { deps: 'data' } }));
  expect(status).toBe('finished');
});

describe('implementations: SYSTEM_IMPLEMENTATION, exit status 2', () => {
  function reason(type: number, ranks: number, names: string): string {
    const nodes = everyRank(ranks, collective(1, type, 4096, ''));
    const [code, status, message] = refused([], {
      nodes,
      network: networkOf(`Switch ${ranks}`),
      system: systemOf(names),
    });
    expect([code, status]).toEqual(['SYSTEM_IMPLEMENTATION', 2]);
    return message;
  }

  test.each([
    [0, 'halvingDoubling', 'all-reduce-implementation halvingDoubling over 6 ranks; expected a power of two'],
    [7, 'oneHalvingDoubling', 'reduce-scatter-implementation oneHalvingDoubling over 6 ranks; expected a power of two'],
    [0, 'doubleBinaryTree', 'all-reduce-implementation doubleBinaryTree over 6 ranks; expected a power of two'],
    [
      6,
      'halvingDoubling',
      'all-to-all-implementation halvingDoubling: halving-doubling has no AllToAll; expected ring or direct',
    ],
  ])('type %d by %s over 6 ranks', (type, names, message) => {
    expect(reason(type, 6, names)).toBe(`rank 0 node 1 "collective 1": ${message}`);
  });

  // Distances ⌊N / 2⌋, ⌊N / 4⌋ …: of 5 ranks the last, of 10 the last two have no partner at distance 2.
  test.each([3, 5, 7, 10])(
    'an all-gather by halving-doubling over %d ranks, in which some have no partner',
    (ranks) => {
      expect(reason(2, ranks, 'halvingDoubling')).toContain(`over ${ranks} ranks; expected a power of two`);
    },
  );

  test('more entries than dimensions, and none', () => {
    expect(reason(0, 2, 'ring ring')).toBe(
      'system.json: all-reduce-implementation has 2 entries, the network 1 dimension; expected as many or fewer',
    );
    const none = refused([allReduce], { system: systemOf('ring', { implementations: {} }) });
    expect(none).toEqual([
      'SYSTEM_IMPLEMENTATION',
      2,
      'rank 0 node 1 "collective 1": system.json has no all-reduce-implementation',
    ]);
  });
});

test.each([
  ['peak-perf', { peakTflops: 0 }],
  ['local-mem-bw', { peakTflops: 1, localMemoryGBps: 0 }],
])('a roofline with %s 0: SYSTEM_MALFORMED, exit status 2', (key, told) => {
  const system = systemOf('ring', { roofline: true, ...told });
  const nodes = [changed(compute(1, 5), { num_ops: { int64_val: 8 }, tensor_size: { uint64_val: 8 } })];
  expect(refused(nodes, { system })).toEqual([
    'SYSTEM_MALFORMED',
    2,
    `system.json: ${key} is 0 and roofline-enabled is on; expected a number above 0`,
  ]);
});

test.each<[string, NodeObject, string]>([
  ['a node of another type', { id: 1, type: 'METADATA_NODE' }, 'METADATA_NODE in a custom collective; expected'],
  ['no size', without(send(1, 1, 8, 5), 'comm_size'), 'comm_size NaN; expected 1 byte or more'],
  ['no tag', without(send(1, 1, 8, 5), 'comm_tag'), 'no comm_tag'],
  ['a partner that is no position', send(1, 2, 8, 5), 'partner 2; expected another position of the 2'],
  ['a missing dependency', compute(1, 5, [9]), 'a dependency on an id that no node has'],
])('a custom collective with %s: SYSTEM_CUSTOM', (_, node, message) => {
  const system = systemOf('ring', { customImplementations: { allReduce: 'star' } });
  const found = refused([allReduce], { system, custom: { 'star.0': [node] } });
  expect(found).toEqual(['SYSTEM_CUSTOM', 1, expect.stringContaining(message)]);
});
