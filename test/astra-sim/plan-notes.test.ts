import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute } from '../support/jobs.js';
import { everyRank, networkOf, systemOf, systemRun, type RunParts } from '../support/system-runs.js';

/** What is said of collectives that run otherwise than one may think (astra-sim-semantics sections 5, 8 to 10, 18). */

/** `severity CODE xcount: message` of each finding, without its node. */
function said(parts: RunParts): string[] {
  return simulateSystem(systemRun(parts)).findings.map(
    ({ severity, code, count = 1, message }) =>
      `${severity} ${code} x${count}: ${message.replace(/^.*?rank \d+ node \d+ "[^"]*": /, '')}`,
  );
}

const { allReduce, allGather, allToAll } = CollectiveType;

describe('dimensions (5.3, section 3)', () => {
  const nodes = everyRank(4, collective(1, allReduce, 4096, ''));
  const network = networkOf('Ring 2', 'Ring 2');

  test('as many implementations as dimensions, or one over all ranks, say nothing', () => {
    expect(said({ nodes, network, system: systemOf('ring ring') })).toEqual([]);
    expect(said({ nodes, network, system: systemOf('oneRing') })).toEqual([]);
  });

  test('fewer implementations', () => {
    expect(said({ nodes, network })).toEqual([
      'warning SYSTEM_DIMENSIONS_LEFT_OUT x4: all-reduce-implementation has 1 entry for 2 dimensions: the others take no part, as in ASTRA-sim',
    ]);
  });

  test('what involved_dim leaves out is meant, and nothing at all ends at once', () => {
    const involved = (...values: boolean[]) => {
      const node = collective(1, allReduce, 4096, '');
      return everyRank(4, { ...node, attr: { ...node.attr, involved_dim: { bool_list: values } } });
    };
    const system = systemOf('ring ring');
    expect(said({ nodes: involved(true, false), network, system })).toEqual([]);
    expect(said({ nodes: involved(false, false), network, system })).toEqual([
      'warning SYSTEM_COLLECTIVE_EMPTY x4: no dimension with an implementation is involved: it ends at once here, and never in ASTRA-sim',
    ]);
  });

  test('more than four', () => {
    const five = networkOf(...Array.from({ length: 5 }, () => 'Ring 2'));
    const all = everyRank(32, collective(1, allReduce, 4096, ''));
    expect(said({ nodes: all, network: five, system: systemOf('ring ring ring ring ring') })).toEqual([
      'warning SYSTEM_DIMENSIONS_LEFT_OUT x32: without involved_dim only the first 4 of 5 dimensions take part, as in ASTRA-sim',
    ]);
  });
});

describe('sizes (5.1)', () => {
  const sizes = (type: number, bytes: number, datasetSplits: number): string[] =>
    said({
      nodes: everyRank(4, collective(1, type, bytes, '')),
      network: networkOf('Ring 4'),
      system: systemOf('ring', { datasetSplits }),
    });

  test('what the splits divide says nothing', () => {
    expect(sizes(allReduce, 4096, 4)).toEqual([]);
    expect(sizes(allGather, 4, 4)).toEqual([]);
  });

  test.each([
    // ⌊10 / 4⌋ = 2 < 4 ranks: 4 chunks of 4.
    [
      allReduce,
      10,
      4,
      'AllReduce of 10 bytes runs as 4 chunks of 4 bytes, 16 in all: a chunk has a byte for each of 4 NPUs',
    ],
    // ⌊18 / 4⌋ = 4: ⌈18 / 4⌉ = 5 chunks.
    [
      allToAll,
      18,
      4,
      'AllToAll of 18 bytes runs as 5 chunks of 4 bytes, 20 in all: the last is as large as the others',
    ],
    [allGather, 7, 2, 'AllGather of 7 bytes runs as 3 chunks of 3 bytes, 9 in all: the last is as large as the others'],
  ])('type %d of %d bytes in %d', (type, bytes, splits, message) => {
    expect(sizes(type, bytes, splits)).toEqual([`warning SYSTEM_SIZE_RAISED x4: ${message}, as in ASTRA-sim`]);
  });

  test('an all-gather below the splits has chunks of a byte', () => {
    expect(sizes(allGather, 3, 4)).toEqual([
      'note ASTRA_GATHER_SMALL x4: 3 bytes for preferred-dataset-splits 4, where ASTRA-sim never ends; here its chunks have 1 byte',
    ]);
  });
});

describe('groups (section 9)', () => {
  const parts = (names: string): RunParts => ({
    nodes: [
      [collective(1, allReduce, 4096, '1')],
      [collective(1, allReduce, 4096, '1')],
      [compute(1, 5)],
      [compute(1, 5)],
    ],
    network: networkOf('Ring 2', 'Ring 2'),
    groups: { '1': [0, 1] },
    system: systemOf(names),
  });

  test('a list of several entries is ring, which is said where it names another algorithm', () => {
    expect(said(parts('ring ring'))).toEqual([]);
    expect(said(parts('direct ring'))).toEqual([
      'warning SYSTEM_GROUP_RING x2: all-reduce-implementation has 2 entries, which stand for ring in a group, as in ASTRA-sim',
    ]);
  });

  test('one entry counts', () => {
    expect(said(parts('direct'))).toEqual([]);
  });
});

test('the phases of an all-reduce by trees: those that are no all-reduce are said once', () => {
  const system = systemOf('doubleBinaryTree doubleBinaryTree');
  const nodes = everyRank(4, collective(1, allReduce, 4096, ''));
  expect(said({ nodes, network: networkOf('Ring 2', 'Ring 2'), system })).toEqual([
    'warning SYSTEM_TREE_STANDS_IN x4: doubleBinaryTree does a whole AllReduce in place of the ReduceScatter, as in ASTRA-sim',
  ]);
});

test('plans of one kind are one finding, with the first node and the nodes of all', () => {
  const nodes = everyRank(2, collective(1, allReduce, 5, ''), collective(2, allReduce, 7, '', [1]));
  const { findings } = simulateSystem(
    systemRun({ nodes, network: networkOf('Switch 2'), system: systemOf('ring', { datasetSplits: 2 }) }),
  );
  expect(findings).toEqual([expect.objectContaining({ code: 'SYSTEM_SIZE_RAISED', rank: 0, nodes: [1], count: 4 })]);
});
