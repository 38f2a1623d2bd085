import { chunksOf, nameOf, planCollective, type CollectivePlan } from '../../src/astra-sim/collective-plan.js';
import { groupDimension } from '../../src/astra-sim/logical-dimension.js';
import type { SystemCollective, SystemConfiguration } from '../../src/astra-sim/system-configuration.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { implementation, networkOf, systemOf, systemRun } from '../support/system-runs.js';

describe('chunks and their size (astra-sim-semantics 5.1)', () => {
  test.each([
    ['as many as splits', 'allReduce', 1_048_576, 4, 4, 4, 262_144],
    ['one more where the size does not divide (example F)', 'allReduce', 1_000_003, 4, 4, 5, 250_000],
    // ⌊1000 ÷ 300⌋ = 3; ⌈1000 ÷ 3⌉ = 334.
    ['many more of a small size', 'allGather', 1000, 300, 8, 334, 3],
    ['smaller than the ranks of the network: inflated to one byte a rank', 'allReduce', 1, 4, 4, 4, 4],
    ['… also where the size would be enough for one chunk', 'allToAll', 31, 4, 8, 4, 8],
    ['just not inflated', 'reduceScatter', 32, 4, 8, 4, 8],
    ['0 bytes are inflated too', 'allReduce', 0, 3, 8, 3, 8],
    ['an all-gather is not', 'allGather', 31, 4, 8, 5, 7],
    ['an all-gather with less bytes than splits: one byte a chunk', 'allGather', 3, 4, 8, 3, 1],
  ] as const)('%s', (_name, collective, bytes, splits, ranks, chunks, chunkBytes) => {
    expect(chunksOf(collective, bytes, splits, ranks)).toEqual({ chunks, chunkBytes });
  });
});

interface Asked {
  readonly network: readonly string[];
  readonly names: string;
  readonly collective: SystemCollective;
  readonly bytes?: number;
  readonly ranks?: readonly number[];
  readonly involved?: readonly boolean[];
  readonly system?: Partial<SystemConfiguration>;
}

function plan({ network, names, collective, bytes = 4096, ranks, involved, system = {} }: Asked): CollectivePlan {
  const count = network.reduce((product, dimension) => product * Number(dimension.split(' ')[1]), 1);
  const run = systemRun({
    nodes: Array(count).fill([]),
    network: networkOf(...network),
    system: systemOf(names, system),
  });
  const implementations = names.split(' ').map(implementation);
  return planCollective(run, collective, {
    type: CollectiveType[collective],
    bytes,
    group: ranks === undefined ? -1 : 0,
    part: ranks && groupDimension(ranks),
    involved,
    implementations,
  });
}

/** `kind dimension count bytes turn` of each phase: the bytes are those of its messages. */
function phases({ orders: [list] }: CollectivePlan): string[] {
  return list.map(
    ({ shape, dimension, turn }) => `${shape.kind} ${dimension} of ${shape.count}, ${shape.bytes[0]} B, ${turn}`,
  );
}

const THREE = { network: ['Ring 4', 'Switch 2', 'FullyConnected 8'], names: 'ring ring ring' };

describe('order of dimensions (5.3) and queues (section 6)', () => {
  test('localBWAware: reduce-scatter up, all-reduce in the last, all-gather down', () => {
    // 4096 → 1024 → 512; all-reduce of 512 over 8; 512 → 1024 → 4096.
    expect(phases(plan({ ...THREE, collective: 'allReduce' }))).toEqual([
      'reduceScatter 0 of 4, 1024 B, first',
      'reduceScatter 1 of 2, 512 B, first',
      'allReduce 2 of 8, 64 B, first',
      'allGather 1 of 2, 512 B, last',
      'allGather 0 of 4, 1024 B, last',
    ]);
  });

  test('baseline: a whole all-reduce in every dimension', () => {
    expect(phases(plan({ ...THREE, collective: 'allReduce', system: { collectiveOptimization: 'baseline' } }))).toEqual(
      ['allReduce 0 of 4, 1024 B, any', 'allReduce 1 of 2, 2048 B, any', 'allReduce 2 of 8, 512 B, any'],
    );
  });

  test('reduce-scatter and all-to-all go up, all-gather goes down', () => {
    expect(phases(plan({ ...THREE, collective: 'reduceScatter' }))).toEqual([
      'reduceScatter 0 of 4, 1024 B, any',
      'reduceScatter 1 of 2, 512 B, any',
      'reduceScatter 2 of 8, 64 B, any',
    ]);
    expect(phases(plan({ ...THREE, collective: 'allToAll' }))).toEqual([
      'allToAll 0 of 4, 1024 B, any',
      'allToAll 1 of 2, 2048 B, any',
      'allToAll 2 of 8, 512 B, any',
    ]);
    expect(phases(plan({ ...THREE, collective: 'allGather' }))).toEqual([
      'allGather 2 of 8, 4096 B, any',
      'allGather 1 of 2, 32768 B, any',
      'allGather 0 of 4, 65536 B, any',
    ]);
  });

  test('one dimension: an all-reduce, in the queues of the first half', () => {
    expect(phases(plan({ network: ['Ring 4'], names: 'ring', collective: 'allReduce' }))).toEqual([
      'allReduce 0 of 4, 1024 B, first',
    ]);
  });

  test('a tree leaves all the data, and so more for those behind it', () => {
    expect(phases(plan({ ...THREE, names: 'doubleBinaryTree ring ring', collective: 'allReduce' }))).toEqual([
      'reduceScatter 0 of 4, 4096 B, first',
      'reduceScatter 1 of 2, 2048 B, first',
      'allReduce 2 of 8, 256 B, first',
      'allGather 1 of 2, 2048 B, last',
      'allGather 0 of 4, 4096 B, last',
    ]);
  });
});

describe('dimensions that take part', () => {
  test('those that involved_dim names; the last of them turns', () => {
    expect(phases(plan({ ...THREE, collective: 'allReduce', involved: [true, false, true] }))).toEqual([
      'reduceScatter 0 of 4, 1024 B, first',
      'allReduce 2 of 8, 128 B, first',
      'allGather 0 of 4, 1024 B, last',
    ]);
    expect(phases(plan({ ...THREE, collective: 'allReduce', involved: [false, true] }))).toEqual([
      'allReduce 1 of 2, 2048 B, first',
    ]);
    expect(phases(plan({ ...THREE, collective: 'allReduce', involved: [false, false, false] }))).toEqual([]);
  });

  test('the first four where it names none', () => {
    const five = { network: Array<string>(5).fill('Ring 2'), names: 'ring ring ring ring ring' };
    expect(plan({ ...five, collective: 'reduceScatter' }).orders[0].map(({ dimension }) => dimension)).toEqual([
      0, 1, 2, 3,
    ]);
    const all = plan({ ...five, collective: 'reduceScatter', involved: Array<boolean>(5).fill(true) });
    expect(all.orders[0].map(({ dimension }) => dimension)).toEqual([0, 1, 2, 3, 4]);
  });

  test('the leading ones where fewer implementations are listed', () => {
    expect(phases(plan({ ...THREE, names: 'ring direct', collective: 'allReduce' }))).toEqual([
      'reduceScatter 0 of 4, 1024 B, first',
      'allReduce 1 of 2, 512 B, first',
      'allGather 0 of 4, 1024 B, last',
    ]);
  });

  test('one…: all ranks are one dimension, and the list ends there (5.5)', () => {
    const whole = plan({ ...THREE, names: 'oneDirect3 ring ring', collective: 'allReduce' });
    expect(phases(whole)).toEqual(['allReduce 0 of 64, 64 B, first']);
    expect([whole.orders[0][0].shape.parallelism, whole.algorithm]).toEqual([3, 'oneDirect3']);
    const second = plan({ ...THREE, names: 'ring oneRing ring', collective: 'reduceScatter' });
    expect(phases(second)).toEqual(['reduceScatter 0 of 4, 1024 B, any', 'reduceScatter 1 of 64, 16 B, any']);
    expect(second.algorithm).toBe('ring+oneRing');
  });
});

describe('groups (section 9)', () => {
  const group = { ranks: [5, 0, 3], collective: 'allToAll' } as const;

  test('one entry: its algorithm over the members, in the order of the list', () => {
    const {
      orders: [list],
      ...facts
    } = plan({ network: ['Ring 8'], names: 'direct2', ...group });
    expect(list).toHaveLength(1);
    const [{ shape, members, dimension }] = list;
    expect([shape.pattern, shape.count, shape.parallelism, shape.relays, dimension]).toEqual([1, 3, 2, 4, 0]);
    expect([...members.members!]).toEqual([5, 0, 3]);
    expect(facts).toMatchObject({ isInGroup: true, groupSize: 3, algorithm: 'direct2' });
  });

  test('several entries: plain ring, whatever they are', () => {
    const inGroup = plan({ ...THREE, names: 'direct halvingDoubling direct', ...group });
    expect([inGroup.orders[0][0].shape.pattern, inGroup.orders[0][0].shape.sends, inGroup.algorithm]).toEqual([
      0,
      3,
      'ring',
    ]);
  });

  test('involved_dim counts for nothing, and localBWAware has one dimension to turn in', () => {
    const asked = { network: ['Ring 8'], names: 'ring', involved: [false], ranks: [5, 0, 3] };
    expect(phases(plan({ ...asked, collective: 'allReduce' }))).toEqual(['allReduce 0 of 3, 1365 B, first']);
  });

  test('the smallest chunk has a byte for every rank of the network, not of the group (5.1)', () => {
    const { chunks, chunkBytes } = plan({ network: ['Ring 8'], names: 'ring', bytes: 4, ...group });
    expect([chunks, chunkBytes]).toEqual([1, 8]);
  });

  test('messages of a group take the constant endpoint delay of 10 ns (section 7)', () => {
    const system = { endpointDelayNs: 77 };
    expect(plan({ network: ['Ring 8'], names: 'ring', ...group, system }).endpointDelayNs).toBe(10);
    expect(plan({ network: ['Ring 8'], names: 'ring', collective: 'allToAll', system }).endpointDelayNs).toBe(77);
  });

  test('a group of one has nothing to do', () => {
    expect(plan({ network: ['Ring 8'], names: 'ring', ranks: [4], collective: 'allReduce' }).orders).toEqual([[]]);
  });
});

test.each(['ring', 'direct', 'direct4', 'oneRing', 'oneDirect4', 'oneHalvingDoubling', 'doubleBinaryTree'])(
  'an implementation is called what the system file calls it: %s',
  (name) => {
    expect(nameOf(implementation(name))).toBe(name);
  },
);
