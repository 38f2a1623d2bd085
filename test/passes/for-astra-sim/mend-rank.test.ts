import { CollectiveType } from '../../../src/trace/collective-type.js';
import { NodeFlag, type RankTrace } from '../../../src/trace/rank-trace.js';
import { made, mendAll } from '../../support/for-astra-sim.js';
import { groupsOf, nodeTexts, prepareAll } from '../../support/preparation.js';
import { traceOf, type NodeObject } from '../../support/traces.js';
import { collective, compute, receive, send } from '../../support/validation.js';

const GROUPS = { 1: [0, 1] };
const named = { pg_name: { string_val: '1' } };
const DEVICE = { is_cpu_op: { bool_val: false } };

/** Every node with its side, so that only what a test is about changes. */
function sided(nodes: readonly NodeObject[]): NodeObject[] {
  return nodes.map((node) => ({ ...node, attr: { ...DEVICE, ...node.attr } }));
}

function mend(
  ranks: readonly NodeObject[][],
  groups: Record<string, number[]> = GROUPS,
  deps: 'both' | 'data' = 'both',
) {
  return mendAll(
    ranks.map((nodes, rank) => traceOf(sided(nodes), rank)),
    groups,
    deps,
  );
}

/** `is_cpu_op bool_val 0` of every attribute of a node. */
function attributesOf({ kept, frameOffset, frameLength }: RankTrace, node: number): string[] {
  const found: string[] = [];
  kept!.forEachAttribute(frameOffset[node], frameLength[node], (name, arm, integer) => {
    found.push(`${name} ${arm} ${integer}`);
  });
  return found;
}

describe('nodes that ASTRA-sim cannot run (astra-sim-semantics sections 3, 18)', () => {
  test('METADATA and INVALID nodes go, also one behind another, and who waited keeps waiting', () => {
    const { traces, changes } = mend([
      [
        compute(1),
        { id: 2, name: 'init', type: 'METADATA_NODE', data_deps: [1] },
        { id: 3, name: 'blank', type: 'INVALID_NODE', ctrl_deps: [2] },
        compute(4, [3]),
        compute(5, [2]),
      ],
    ]);
    expect(nodeTexts(traces[0])).toEqual(['COMP_NODE 1', 'COMP_NODE 4, control 1', 'COMP_NODE 5, data 1']);
    expect(made(changes)).toEqual({ declarations: 1, invalidNodes: 1 });
  });

  test('exits of an expanded collective go; its transfers take the turn and the ids of its node', () => {
    const raw = [0, 1].map((rank) =>
      traceOf(
        sided([
          compute(5),
          collective(7, CollectiveType.allReduce, 8, { ...named, data_deps: undefined }),
          compute(9, [7]),
        ]),
        rank,
      ),
    );
    const { traces: expanded } = prepareAll(raw, { expand: true, groups: groupsOf(GROUPS) });
    const { traces, changes } = mendAll(expanded, GROUPS);
    // Ring of two: two steps of 4 B, the second behind the receive of the first; nobody waits for the first send.
    expect(nodeTexts(traces[0])).toEqual([
      'COMP_NODE 0',
      'send 1 to 1, 4 B, tag 0',
      'receive 2 from 1, 4 B, tag 0',
      'send 3 to 1, 4 B, tag 1, data 2',
      'receive 4 from 1, 4 B, tag 1, data 2',
      'COMP_NODE 5, data 1 3 4',
    ]);
    expect(made(changes)).toEqual({ exits: 2, ids: 12 });
    const [identity] = traces[0].collectives;
    expect(identity).toEqual({ group: '1', type: 0, instance: 0, size: 8, algorithm: 'ring' });
    expect(traces[0].metadata.passes).toEqual(['expand', 'astra-sim']);
  });

  test('a rank with nothing left gets one compute node', () => {
    const { traces, changes } = mend([[{ id: 2, name: 'init', type: 'METADATA_NODE' }], []]);
    expect(traces.map(nodeTexts)).toEqual([['COMP_NODE 0'], ['COMP_NODE 0']]);
    expect(attributesOf(traces[0], 0)).toEqual([
      'is_cpu_op bool_val 0',
      'num_ops int64_val 65536',
      'tensor_size uint64_val 65536',
    ]);
    expect(made(changes)).toEqual({ declarations: 1, idleRanks: 2 });
  });

  test('an exit between many on both sides becomes a join: a device compute node that any mode of the program runs', () => {
    const many = Array.from({ length: 40 }, (_, at) => at);
    const nodes = [
      ...many.map((id) => compute(id)),
      { id: 40, name: 'join', type: 'METADATA_NODE', duration_micros: 9, data_deps: many },
      ...many.map((id) => compute(41 + id, [40])),
    ];
    const { traces, changes } = mend([nodes]);
    // 40 × 40 is more than 16 × (40 + 40).
    expect(nodeTexts(traces[0])[40]).toBe(`COMP_NODE 40, data ${many.join(' ')}`);
    expect(traces[0].durationMicros[40]).toBe(0);
    expect(attributesOf(traces[0], 40)).toEqual([
      'is_cpu_op bool_val 0',
      'num_ops int64_val 1',
      'tensor_size uint64_val 1',
    ]);
    expect(made(changes)).toEqual({ joins: 1 });
  });

  test('a message to the own rank goes, and its receive passes on what the send waited for', () => {
    const { traces, changes } = mend([
      [
        compute(1),
        compute(2),
        { ...send(3, 0, 7), data_deps: [1] },
        { ...receive(4, 0, 7), data_deps: [2] },
        compute(5, [4]),
      ],
    ]);
    expect(nodeTexts(traces[0])).toEqual(['COMP_NODE 1', 'COMP_NODE 2', 'COMP_NODE 5, data 2 1']);
    expect(made(changes)).toEqual({ selfTransfers: 2 });
  });

  test('a message to the own rank that nobody receives ends at once', () => {
    const { traces, changes } = mend([[compute(1), { ...send(2, 0, 7), data_deps: [1] }, compute(3, [2])]]);
    expect(nodeTexts(traces[0])).toEqual(['COMP_NODE 1', 'COMP_NODE 3, data 1']);
    expect(made(changes)).toEqual({ selfTransfers: 1 });
  });

  test('two messages to the own rank with one tag stay: which is which is a matter of order', () => {
    const { changes } = mend([[send(1, 0, 7), send(2, 0, 7), receive(3, 0, 7), receive(4, 0, 7)]]);
    expect(made(changes)).toEqual({});
  });

  test('a collective of a group of one rank, and the host side of a collective', () => {
    const host = collective(2, 0, 0, { comm_type: undefined, comm_size: undefined, is_cpu_op: { bool_val: true } });
    const { traces, changes } = mend(
      [[collective(1, 0, 64, { pg_name: { string_val: '5' } }), host, compute(3, [1, 2])], []],
      {
        ...GROUPS,
        5: [0],
        pg: [0, 1],
      },
    );
    expect(nodeTexts(traces[0])).toEqual(['COMP_NODE 3']);
    expect(made(changes)).toEqual({ loneCollectives: 1, hostCopies: 1, idleRanks: 1 });
  });

  test('what is in a cycle stays, for the error to name it', () => {
    const { traces } = mend([
      [compute(1), { id: 2, name: 'm', type: 'METADATA_NODE', data_deps: [3] }, compute(3, [2])],
    ]);
    expect(nodeTexts(traces[0])).toEqual(['COMP_NODE 1', 'METADATA_NODE 2, data 3', 'COMP_NODE 3, data 2']);
  });
});

describe('dependencies (chakra-format section 18)', () => {
  const nodes = [compute(1), compute(2, [1, 1], [2, 77]), compute(3, [1], [2, 1])];

  test('control dependencies on missing ids and on the node itself, and repeated ones', () => {
    const { traces, changes } = mend([nodes]);
    expect(nodeTexts(traces[0])).toEqual(['COMP_NODE 1', 'COMP_NODE 2, data 1', 'COMP_NODE 3, data 1, control 2']);
    expect(made(changes)).toEqual({ controlDropped: 2, repeatedDropped: 2 });
  });

  test('with --deps data no control dependency is left, since the program waits for all', () => {
    const { traces, changes } = mend([nodes], GROUPS, 'data');
    expect(nodeTexts(traces[0])).toEqual(['COMP_NODE 1', 'COMP_NODE 2, data 1', 'COMP_NODE 3, data 1']);
    expect(made(changes)).toEqual({ controlDropped: 4, repeatedDropped: 1 });
  });

  test('a dangling data dependency stays, for the error to name it', () => {
    expect(nodeTexts(mend([[compute(1), compute(2, [77])]]).traces[0])[1]).toBe('COMP_NODE 2, data ?77');
  });

  test('parents come first in the file; ids that are in the order of the places stay', () => {
    const { traces, changes } = mend([[compute(3, [5]), compute(5), compute(4)]]);
    expect(nodeTexts(traces[0])).toEqual(['COMP_NODE 5', 'COMP_NODE 3, data 5', 'COMP_NODE 4']);
    expect(made(changes)).toEqual({ moved: 1 });
  });
});

describe('sizes (astra-sim-semantics sections 5.1, 11)', () => {
  test('messages of 0 bytes carry one, all-gathers of 0 bytes 64; other collectives stay', () => {
    const gather = collective(3, CollectiveType.allGather, 0, named);
    const reduce = collective(4, CollectiveType.allReduce, 0, named);
    const { traces, changes } = mend([
      [send(1, 1, 7, 0), gather, reduce],
      [receive(1, 0, 7, 0), gather, reduce],
    ]);
    expect(traces.map(({ commSize }) => [...commSize])).toEqual([
      [1, 64, 0],
      [1, 64, 0],
    ]);
    expect(made(changes)).toEqual({ emptyTransfers: 2, emptyGathers: 2 });
  });

  test('one send and one receive of a key agree on the size of the send, or on the one that is stated', () => {
    const { traces, changes } = mend([
      [send(1, 1, 7, 1000), send(2, 1, 8, 5, { comm_size: undefined }), send(3, 1, 9, 6)],
      [receive(1, 0, 7, 900), receive(2, 0, 8, 500), receive(3, 0, 9, 6, { comm_size: undefined })],
    ]);
    expect(traces.map(({ commSize }) => [...commSize])).toEqual([
      [1000, 500, 6],
      [1000, 500, 6],
    ]);
    expect(made(changes)).toEqual({ transferSizes: 3 });
  });

  test('where several share a key, sizes stay', () => {
    const { changes } = mend([
      [send(1, 1, 7, 5), send(2, 1, 7, 6)],
      [receive(1, 0, 7, 5), receive(2, 0, 7, 8)],
    ]);
    expect(made(changes)).toEqual({});
  });

  test('a collective has the largest size that a member states, on all of them', () => {
    const { traces, changes } = mend([
      [collective(1, 0, 512, named), collective(2, 0, 8, { ...named, comm_size: undefined })],
      [collective(1, 0, 1024, named), collective(2, 0, 8, named)],
    ]);
    expect(traces.map(({ commSize }) => [...commSize])).toEqual([
      [1024, 8],
      [1024, 8],
    ]);
    expect(made(changes)).toEqual({ collectiveSizes: 2 });
  });
});

describe('tags (astra-sim-semantics section 11)', () => {
  test('the tags of two ranks with one above 499,999,999 are numbered in their order, alike at both ends', () => {
    const { traces, changes } = mend([
      [send(1, 1, 500_000_007), send(2, 1, 7), send(3, 1, 600_000_000), receive(4, 1, 9)],
      [receive(1, 0, 7), receive(2, 0, 600_000_000), receive(3, 0, 500_000_007), send(4, 0, 9)],
    ]);
    // From 0 to 1: 7, 500,000,007 and 600,000,000. From 1 to 0 nothing is above.
    expect(traces.map(({ commTag }) => [...commTag])).toEqual([
      [1, 0, 2, 9],
      [0, 2, 1, 9],
    ]);
    expect(made(changes)).toEqual({ tags: 6 });
  });

  test('a tag of one end alone counts at both, and an absent one is 0', () => {
    const { traces, changes } = mend([
      [send(1, 1, 8), send(2, 1, 500_000_000)],
      [receive(1, 0, 0, 8, { comm_tag: undefined }), receive(2, 0, 8)],
    ]);
    expect(traces.map(({ commTag }) => [...commTag])).toEqual([
      [1, 2],
      [0, 1],
    ]);
    expect(made(changes)).toEqual({ tagsAbsent: 1, tags: 3 });
  });

  test('the largest that fits stays', () => {
    expect(made(mend([[send(1, 1, 499_999_999)], [receive(1, 0, 499_999_999)]]).changes)).toEqual({});
  });
});

describe('attributes (chakra-format sections 18, 19, 21)', () => {
  test('is_cpu_op is on every node, and false on communication', () => {
    const traces = [
      traceOf([compute(1), { ...collective(2, 0, 8, { ...named, is_cpu_op: { bool_val: true } }) }], 0),
      traceOf([collective(2, 0, 8, named)], 1),
    ];
    const mended = mendAll(traces, GROUPS);
    expect(
      mended.traces.map(({ flags }) => [...flags].map((bits) => bits & (NodeFlag.cpu | NodeFlag.cpuGiven))),
    ).toEqual([[NodeFlag.cpuGiven, NodeFlag.cpuGiven], [NodeFlag.cpuGiven]]);
    expect(made(mended.changes)).toEqual({ sides: 2, hostCommunication: 1 });
  });

  test('integers move to the usual arms', () => {
    const { changes } = mend([
      [collective(1, 0, 8, { ...named, comm_size: { uint64_val: 8 } })],
      [collective(1, 0, 8, named)],
    ]);
    expect(made(changes)).toEqual({ arms: 1 });
  });

  test('a group in comm_group alone is written as pg_name', () => {
    const legacy = collective(1, 0, 8, { pg_name: undefined, comm_group: { int32_val: 4 } });
    const { traces, changes, groups } = mend([[legacy], [legacy]], { 4: [0, 1] });
    expect(attributesOf(traces[0], 0)).toContain('pg_name string_val undefined');
    expect(made(changes)).toEqual({ groupAttributes: 2 });
    expect(groups).toEqual({ 4: [0, 1] });
  });

  test('names of groups become numbers on nodes, in identities and in the metadata', () => {
    const raw = [0, 1].map((rank) =>
      traceOf(
        sided([collective(1, 0, 8, { pg_name: { string_val: 'tp' } }), collective(2, 0, 8, { pg_name: undefined })]),
        rank,
        {
          version: '0.0.4',
          attr: { process_groups: { string_val: '{"tp":[0,1]}' } },
        },
      ),
    );
    const synced = prepareAll(raw, { sync: true, groups: groupsOf({ tp: [0, 1], world: [0, 1] }) }).traces;
    const { traces, groups } = mendAll(synced, { tp: [0, 1] });
    expect(groups).toEqual({ 1: [0, 1] });
    expect(traces[0].groupNames).toEqual(['1']);
    expect(traces[0].collectives.map(({ group }) => group)).toEqual(['1', 'world']);
    expect(traces[0].metadata.groups).toEqual({ 1: [0, 1] });
  });
});
