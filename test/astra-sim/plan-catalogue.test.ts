import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, send, receive } from '../support/jobs.js';
import {
  alone,
  endsOf,
  everyRank,
  MIB,
  networkOf,
  systemOf,
  systemRun,
  type RunParts,
} from '../support/system-runs.js';

/** Of each collective of a run: `group type instance algorithm chunks`. */
function collectivesOf(parts: RunParts): string[] {
  const { status, collectives } = simulateSystem(systemRun(parts));
  expect(status).toBe('finished');
  return collectives.map(
    ({ group, type, instance, algorithm, chunks }) => `${group} ${type} #${instance} ${algorithm}, ${chunks} chunks`,
  );
}

const RING_4 = networkOf('Ring 4');

describe('groups (astra-sim-semantics section 9)', () => {
  const nodes = (group: string) => everyRank(4, collective(1, CollectiveType.allReduce, MIB, group));
  // An endpoint delay of 20 ns tells a group, where it is always 10, from all ranks.
  const world = { network: RING_4, system: systemOf('ring', { endpointDelayNs: 20 }) };
  // 20 + 6 × (5382 + 20) + 3 × 489.
  const ends = Array<number>(4).fill(33_899);

  test.each(['', '0'])('no group and group 0 are all ranks: %p', (group) => {
    expect(endsOf({ ...world, nodes: nodes(group) })).toEqual(ends);
  });

  test('a group of all ranks, in whatever order, runs as without a group', () => {
    const parts = { ...world, nodes: nodes('2'), groups: { '2': [3, 1, 0, 2] } };
    expect(endsOf(parts)).toEqual(ends);
    expect(collectivesOf(parts)).toEqual(['2 0 #0 ring, 1 chunks']);
  });

  test('a part of all ranks is one dimension of its own', () => {
    const members = collective(1, CollectiveType.allReduce, MIB, '7');
    const parts = {
      ...world,
      nodes: [[members], [send(1, 3, 100, 0)], [members], [receive(1, 1, 100, 0)]],
      groups: { '7': [2, 0] },
    };
    // Two members, two hops apart: ⌊1000 + 9765.625⌋ = 10765; 10 + 2 × (10765 + 10) + 3 × ⌊327.68⌋.
    // The other two: ⌊1000 + 1.86⌋.
    expect(endsOf(parts)).toEqual([22_541, 1001, 22_541, 1001]);
  });

  test('a list of several entries is plain ring in a group, so that the entries may be anything', () => {
    for (const type of [CollectiveType.allReduce, CollectiveType.allToAll]) {
      const member = collective(1, type, 6000, '7');
      const nodes = [0, 1, 2, 3, 4, 5].map((rank) => [rank < 3 ? member : { id: 1, type: 'COMP_NODE' }]);
      expect(
        collectivesOf({
          nodes,
          network: networkOf('Ring 3', 'Switch 2'),
          system: systemOf('halvingDoubling doubleBinaryTree'),
          groups: { '7': [0, 1, 2] },
        }),
      ).toEqual([`7 ${type} #0 ring, 1 chunks`]);
    }
  });
});

describe('custom implementations (section 10)', () => {
  const custom = { '0': [receive(1, 1, 8, 0)], '1': [send(1, 0, 8, 0)] };
  const all = Object.fromEntries(
    ['all', 'nine'].flatMap((prefix) => Object.entries(custom).map(([at, nodes]) => [`${prefix}.${at}`, nodes])),
  );

  function algorithms(datasetSplits: number, ...ids: (readonly [id: number, type: number])[]): string[] {
    const nodes = ids.map(([id, type], at) => collective(id, type, 100, '', at === 0 ? [] : [ids[at - 1][0]]));
    return collectivesOf({
      nodes: everyRank(2, ...nodes),
      network: networkOf('Ring 2'),
      system: systemOf('ring', {
        datasetSplits,
        customImplementations: { allReduce: 'all' },
        customByNode: new Map([[9n, 'nine']]),
      }),
      custom: all,
    });
  }

  test('that of the node, then that of the collective, then the native ones', () => {
    const { allReduce, allGather } = CollectiveType;
    expect(algorithms(1, [7, allReduce], [8, allGather], [9, allReduce])).toEqual([
      'world 0 #0 all, 1 chunks',
      'world 2 #1 ring, 1 chunks',
      'world 0 #2 nine, 1 chunks',
    ]);
    expect(algorithms(1, [9, allGather])).toEqual(['world 2 #0 nine, 1 chunks']);
  });

  test('one chunk, whatever the splits', () => {
    expect(algorithms(4, [7, CollectiveType.allReduce])).toEqual(['world 0 #0 all, 1 chunks']);
  });
});

describe('what cannot run (section 18)', () => {
  const run = (parts: Partial<RunParts>) => () =>
    simulateSystem(
      systemRun({ nodes: alone(6, CollectiveType.allReduce, MIB), network: networkOf('Ring 6'), ...parts }),
    );

  test.each(['reduce', 'gather', 'scatter', 'reduceScatterBlock', 'barrier'] as const)('%s', (kind) => {
    const nodes = alone(6, CollectiveType[kind], MIB);
    expect(run({ nodes })).toThrow('rank 0 node 1 "collective 1"');
  });

  test('a list longer than the dimensions', () => {
    expect(run({ system: systemOf('ring ring') })).toThrow(/2 entries, the network (has )?1 dimension/);
  });

  test('a collective without implementation', () => {
    const system = systemOf('ring', { implementations: {} });
    expect(run({ system })).toThrow('all-reduce-implementation');
  });

  test('an all-gather of nothing', () => {
    expect(run({ nodes: alone(6, CollectiveType.allGather, 0) })).toThrow('AllGather of 0 bytes');
  });

  test('a group that is declared nowhere, and a rank outside of its group', () => {
    const nodes = everyRank(6, collective(1, CollectiveType.allReduce, MIB, '77'));
    expect(run({ nodes })).toThrow('"77"');
    expect(run({ nodes, groups: { '77': [0, 1, 2] } })).toThrow('rank 3 is no member');
  });

  test.each([
    ['halvingDoubling', 'allReduce'],
    ['halvingDoubling', 'reduceScatter'],
    ['oneHalvingDoubling', 'allReduce'],
    ['doubleBinaryTree', 'allReduce'],
    ['doubleBinaryTree', 'allGather'],
  ] as const)('%s over 6 ranks: %s', (names, kind) => {
    const system = systemOf(names);
    expect(run({ system, nodes: alone(6, CollectiveType[kind], MIB) })).toThrow(
      /(halvingDoubling|HalvingDoubling|doubleBinaryTree) over 6 ranks/,
    );
    const nodes = alone(8, CollectiveType[kind], MIB);
    expect(run({ system, nodes, network: networkOf('Ring 8') })).not.toThrow();
  });

  test('halving-doubling over one dimension of 3', () => {
    const network = networkOf('Ring 2', 'Switch 3');
    expect(run({ network, system: systemOf('ring halvingDoubling') })).toThrow('halvingDoubling over 3 ranks');
    expect(run({ network, system: systemOf('halvingDoubling ring') })).not.toThrow();
  });

  test('halving-doubling has no all-to-all', () => {
    const nodes = alone(4, CollectiveType.allToAll, MIB);
    expect(run({ nodes, network: RING_4, system: systemOf('halvingDoubling') })).toThrow('AllToAll');
  });

  test('a group counts its members', () => {
    const system = systemOf('halvingDoubling');
    const nodes = everyRank(6, collective(1, CollectiveType.allReduce, MIB, '7'));
    expect(run({ system, nodes, groups: { '7': [0, 1, 2] } })).toThrow('over 3 ranks');
    const idle = { id: 1, type: 'COMP_NODE' };
    const four = nodes.map((ofRank, rank) => (rank < 4 ? ofRank : [idle]));
    expect(run({ system, nodes: four, groups: { '7': [0, 1, 2, 3] } })).not.toThrow();
  });

  test.each([3, 5, 7, 9, 10])('a halving-doubling all-gather of %i ranks, of which some have no partner', (ranks) => {
    const nodes = alone(ranks, CollectiveType.allGather, MIB);
    const network = networkOf(`Ring ${ranks}`);
    expect(run({ nodes, network, system: systemOf('halvingDoubling') })).toThrow(`over ${ranks} ranks`);
  });

  test('… but one of 6, where all have partners, runs as in the program', () => {
    // Two messages of 1 and 2 MiB, 3 hops and 1: ⌊1500 + 19531.25⌋ + ⌊500 + 39062.5⌋, and three times 10 ns.
    const nodes = alone(6, CollectiveType.allGather, MIB);
    const system = systemOf('halvingDoubling');
    expect(endsOf({ nodes, network: networkOf('Ring 6'), system })).toEqual(Array(6).fill(21_031 + 39_562 + 30));
  });
});
