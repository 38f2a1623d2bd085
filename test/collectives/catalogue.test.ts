import { ALGORITHMS, algorithmNames, chooseAlgorithms } from '../../src/collectives/catalogue.js';
import { COLLECTIVE_NAMES } from '../../src/trace/collective-type.js';

test('R-010 algorithms and defaults', () => {
  const table = Object.fromEntries(
    COLLECTIVE_NAMES.map(({ option }, type) => [option, [ALGORITHMS[type][0].name, ...algorithmNames(type)].join(' ')]),
  );
  expect(table).toEqual({
    allreduce: 'ring double-tree halving-doubling ring tree',
    reduce: 'ring ring tree',
    allgather: 'ring ring',
    gather: 'direct direct',
    scatter: 'direct direct',
    broadcast: 'interleaved interleaved sequential',
    alltoall: 'interleaved interleaved sequential',
    reducescatter: 'ring halving ring',
    reducescatterblock: 'ring ring',
    barrier: 'ring double-tree halving-doubling ring tree',
  });
});

test('a choice replaces one default and leaves the others', () => {
  const chosen = chooseAlgorithms({ allreduce: 'tree', alltoall: 'sequential' });
  expect(chosen.map((algorithm) => algorithm.name)).toEqual([
    'tree',
    'ring',
    'ring',
    'direct',
    'direct',
    'interleaved',
    'sequential',
    'ring',
    'ring',
    'ring',
  ]);
});

test('an unknown algorithm is refused with the known ones in alphabetical order', () => {
  expect(() => chooseAlgorithms({ allreduce: 'rign' })).toThrow(
    expect.objectContaining({
      code: 'ALGORITHM_UNKNOWN',
      exitStatus: 2,
      message:
        'unknown allreduce algorithm: rign (known: double-tree, halving-doubling, ring, tree, or file:PATH for one of your own)',
    }),
  );
});

test('an unknown collective is refused with the known ones in alphabetical order', () => {
  expect(() => chooseAlgorithms({ allredce: 'ring' })).toThrow(
    expect.objectContaining({
      code: 'COLLECTIVE_UNKNOWN',
      exitStatus: 2,
      message:
        'unknown collective: allredce (known: allgather, allreduce, alltoall, barrier, broadcast, gather, reduce, reducescatter, reducescatterblock, scatter)',
    }),
  );
});
