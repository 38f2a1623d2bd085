import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute, receive, send } from '../support/jobs.js';
import { everyRank, networkOf, systemOf, systemRun, type RunParts } from '../support/system-runs.js';
import type { NodeObject } from '../support/traces.js';

/** What is said of nodes, settings, and of what happened in a run (astra-sim-semantics sections 2, 3, 11, 18, 19). */

const TWO = networkOf('Switch 2');
const { allReduce, allGather } = CollectiveType;
const SUM = collective(1, allReduce, 4096, '');

function said(parts: RunParts): string[] {
  return simulateSystem(systemRun(parts)).findings.map(
    ({ severity, code, message }) => `${severity} ${code}: ${message}`,
  );
}

function codes(parts: RunParts): string[] {
  return simulateSystem(systemRun(parts)).findings.map(({ code }) => code);
}

test('a plain run says nothing', () => {
  const nodes = everyRank(2, compute(1, 5), collective(2, allReduce, 4096, '', [1]));
  expect(said({ nodes, network: TWO })).toEqual([]);
});

describe('one finding for the nodes of all ranks of a kind, with the first and their number', () => {
  const attribute = (node: NodeObject, attr: NodeObject['attr']): NodeObject => ({
    ...node,
    attr: { ...node.attr, ...attr },
  });
  const host = compute(3, 5, [], true);

  test.each<[string, readonly NodeObject[], string]>([
    [
      'CPU nodes',
      [compute(1, 5), host, compute(4, 5, [], true)],
      'note ASTRA_STATISTICS: 4 CPU, memory and INVALID nodes, the first rank 0 node 3 "compute 3": ASTRA-sim loses the statistics of such a rank, which are complete here',
    ],
    [
      'durations',
      [compute(7, 0)],
      'note SYSTEM_DURATION_ABSENT: 2 nodes without a duration, the first rank 0 node 7 "compute 7": such a node takes 1 ns, as in ASTRA-sim',
    ],
    [
      'METADATA nodes',
      [{ id: 2, name: 'init', type: 'METADATA_NODE' }],
      'note ASTRA_METADATA_NODE: 2 METADATA nodes, the first rank 0 node 2 "init": ASTRA-sim aborts at such a node, which takes no time here',
    ],
    [
      'an involved_dim that is no list of flags',
      [attribute(SUM, { involved_dim: { int64_val: 1 } })],
      'warning ASTRA_DIMENSIONS: 2 collectives with an involved_dim that is no list of booleans, the first rank 0 node 1 "collective 1": ASTRA-sim exits there; here it counts as left out',
    ],
  ])('%s', (_, nodes, message) => {
    expect(said({ nodes: everyRank(2, ...nodes), network: TWO })).toEqual([message]);
  });

  test('tags from 500,000,000 count modulo that, and pair so', () => {
    const nodes = [[send(1, 1, 8, 500_000_007)], [receive(1, 0, 8, 7)]];
    expect(said({ nodes, network: TWO })).toEqual([
      'warning ASTRA_TAG: 1 send or receive with a tag outside 0 to 499,999,999, rank 0 node 1 "send 1": such a tag counts modulo 500,000,000, as in ASTRA-sim',
    ]);
  });

  test('the own end of a send: right, left out, or another rank', () => {
    const ends = (own: number): string[] =>
      codes({
        nodes: [[attribute(send(1, 1, 8, 7), { comm_src: { int32_val: own } })], [receive(1, 0, 8, 7)]],
        network: TWO,
      });
    expect(ends(0)).toEqual([]);
    expect(ends(1)).toEqual(['ASTRA_END']);
  });
});

describe('settings', () => {
  const nodes = everyRank(2, { ...SUM, duration_micros: 5 });

  test('replay-only', () => {
    expect(said({ nodes, network: TWO, system: systemOf('ring', { replayOnly: true }) })).toEqual([
      'note SYSTEM_REPLAY_ONLY: system.json: replay-only: every node takes its duration, communication too, and nothing is sent',
    ]);
  });

  test.each<[string, string[], string[]]>([
    ['one dimension', ['Switch 2'], []],
    ['a Ring of two', ['Ring 2'], ['SYSTEM_NETWORK_BEYOND']],
  ])('with congestion: %s', (_, dimensions, expected) => {
    expect(codes({ nodes, network: networkOf(...dimensions), backend: 'aware' })).toEqual(expected);
    expect(codes({ nodes, network: networkOf(...dimensions) })).toEqual([]);
  });

  test('several dimensions with congestion', () => {
    const parts = { nodes: everyRank(4, SUM), network: networkOf('Ring 2', 'Switch 2'), system: systemOf('ring ring') };
    expect(said({ ...parts, backend: 'aware' })).toEqual([
      'note SYSTEM_NETWORK_BEYOND: a network of 2 dimensions with congestion, which ASTRA-sim refuses; here each has its links',
    ]);
  });

  test('an endpoint delay of 0 matters where something is over at 0 ns', () => {
    const system = systemOf('ring', { endpointDelayNs: 0 });
    expect(said({ nodes, network: TWO, system })).toEqual([
      'note SYSTEM_START_ABORTS: system.json: endpoint-delay is 0, and something ends at 0 ns, where ASTRA-sim aborts',
    ]);
    const later = everyRank(2, compute(1, 5), collective(2, allReduce, 4096, '', [1]));
    expect(said({ nodes: later, network: TWO, system })).toEqual([]);
  });

  test('custom collectives: several splits, and a group that is not in order', () => {
    const custom = { 'star.0': [send(1, 1, 8, 5)], 'star.1': [receive(1, 0, 8, 5)] };
    const parts = (ranks: number[], datasetSplits: number): RunParts => ({
      nodes: [[collective(1, allReduce, 8, '1')], [compute(1, 5)], [collective(1, allReduce, 8, '1')]],
      network: networkOf('Switch 3'),
      groups: { '1': ranks },
      system: systemOf('ring', { datasetSplits, customImplementations: { allReduce: 'star' } }),
      custom,
    });
    expect(codes(parts([0, 2], 1))).toEqual([]);
    expect(codes(parts([0, 2], 2))).toEqual(['SYSTEM_CUSTOM_SPLITS']);
    expect(codes(parts([2, 0], 1))).toEqual(['SYSTEM_CUSTOM_UNSORTED']);
  });
});

describe('collectives that are paired across', () => {
  test('other sizes: both are named', () => {
    const nodes = [
      [SUM, collective(2, allGather, 8, '', [1])],
      [collective(1, allGather, 8, ''), collective(2, allReduce, 4096, '', [1])],
    ];
    expect(said({ nodes, network: TWO })).toContain(
      'warning SYSTEM_COLLECTIVES_CROSSED: collective 0 over all ranks: rank 0 begins AllReduce of 4,096 bytes (ring), rank 1 AllGather of 8 bytes (ring)',
    );
  });

  test('equal ones, by the order of their ids; an order that all members share is none', () => {
    const first = [compute(1, 9), collective(2, allReduce, 4096, '', [1]), collective(3, allReduce, 4096, '')];
    const second = [collective(2, allReduce, 4096, ''), collective(3, allReduce, 4096, '', [2])];
    expect(said({ nodes: [first, second], network: TWO })).toEqual([
      'warning SYSTEM_COLLECTIVES_CROSSED: collective 0 over all ranks: rank 0 begins AllReduce of 4,096 bytes (ring), number 1 by id, rank 1 AllReduce of 4,096 bytes (ring), number 0 by id',
    ]);
    expect(said({ nodes: [first, first], network: TWO })).toEqual([]);
  });

  test('one finding a group, with how many it is true of', () => {
    const sizes = (...bytes: number[]) =>
      bytes.map((size, at) => collective(at + 1, allReduce, size, '', at === 0 ? [] : [at]));
    const { findings } = simulateSystem(systemRun({ nodes: [sizes(8, 9, 10), sizes(9, 8, 10)], network: TWO }));
    const crossed = findings.filter(({ code }) => code === 'SYSTEM_COLLECTIVES_CROSSED');
    // Messages of ⌊8 / 2⌋ and ⌊9 / 2⌋ bytes are equal, and so nothing stalls.
    expect(crossed).toEqual([expect.objectContaining({ group: 'world', count: 2 })]);
  });
});

describe('a collective of a few ranks before one of all (section 19)', () => {
  const grouped = [collective(1, allReduce, 8, '1'), collective(2, allReduce, 8, '', [1])];
  const other = [collective(1, allReduce, 8, '2'), collective(2, allReduce, 8, '', [1])];
  const alone = [collective(2, allReduce, 8, '')];
  const parts = { network: networkOf('Switch 4'), groups: { '1': [0, 1], '2': [2, 3] } };

  test('where the others run none', () => {
    expect(said({ ...parts, nodes: [grouped, grouped, alone, alone] })).toEqual([
      'note ASTRA_WORLD_AFTER_GROUP: collective 0 over all ranks comes behind other collectives of groups on rank 0 than on rank 2: ASTRA-sim never ends it',
    ]);
  });

  test('groups that cover all ranks are no matter', () => {
    expect(said({ ...parts, nodes: [grouped, grouped, other, other] })).toEqual([]);
  });
});

describe('nodes that complete without a look at what is ready (section 3)', () => {
  const invalid: NodeObject = { id: 1, name: 'blank', type: 'INVALID_NODE' };
  const behind = compute(2, 5, [1]);

  test('nothing else is to complete: the program forgets what is behind', () => {
    expect(said({ nodes: everyRank(2, invalid, behind), network: TWO })).toContain(
      'note ASTRA_NODE_SKIPPED: rank 0 node 2 "compute 2" waits for an INVALID, METADATA or skipped node (2 ranks alike): ASTRA-sim forgets it and the rank never finishes; here it starts',
    );
  });

  test('something else is: what is behind starts late', () => {
    const { findings, endNs } = simulateSystem(
      systemRun({ nodes: [[invalid, behind, compute(3, 7, [], true)], [compute(1, 1)]], network: TWO }),
    );
    expect(endNs).toBe(12_000); // behind the CPU node
    expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toContain(
      'warning: 1 node behind an INVALID, METADATA or skipped node, rank 0 node 2 "compute 2": such a node starts when another one of the rank completes, as in ASTRA-sim',
    );
  });

  test('nobody waits for it', () => {
    expect(codes({ nodes: everyRank(2, invalid, compute(2, 5)), network: TWO })).toEqual(['ASTRA_STATISTICS']);
  });
});

describe('messages that nobody received', () => {
  test('are counted, the first with ends, tag and size', () => {
    const nodes = [[send(1, 1, 8, 7), send(2, 1, 9, 7)], [receive(1, 0, 8, 7)]];
    expect(said({ nodes, network: TWO })).toEqual([
      'warning SEND_UNMATCHED: 1 message was never received, from rank 0 to rank 1, tag 7, 9 bytes',
    ]);
  });

  test('are none at a stop, where they may still be', () => {
    const nodes = [[send(1, 1, 8, 7)], [compute(1, 9), receive(2, 0, 8, 7, [1])]];
    expect(codes({ nodes, network: TWO, options: { stopNs: 5000 } })).toEqual([]);
  });
});
