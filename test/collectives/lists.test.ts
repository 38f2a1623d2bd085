import type { Algorithm } from '../../src/collectives/algorithm.js';
import { algorithmOf } from '../../src/collectives/catalogue.js';
import { treePlace } from '../../src/collectives/tree.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { allShares, shareOf, shareText, totals } from '../support/transfers.js';

const {
  allReduce,
  reduce,
  allGather,
  reduceScatter,
  reduceScatterBlock,
  broadcast,
  gather,
  scatter,
  allToAll,
  barrier,
} = CollectiveType;

const shape = (groupSize: number, bytes = 1000, root = 0) => ({ groupSize, bytes, root });

function text(type: number, name: string, position: number, of: ReturnType<typeof shape>): string[] {
  return shareText(shareOf(algorithmOf(type, name), position, of));
}

describe('section 8.2: transfers / bytes for S = 1,000', () => {
  const sizes = [1, 2, 3, 4, 5, 8];
  test.each<[number, string, (string | null)[]]>([
    [allReduce, 'ring', ['0/0', '4/2000', '12/4008', '24/6000', '40/8000', '112/14000']],
    [allReduce, 'tree', ['0/0', '2/2000', '4/4000', '6/6000', '8/8000', '14/14000']],
    [allReduce, 'double-tree', ['0/0', '4/2000', '8/4000', '12/6000', '16/8000', '28/14000']],
    [allReduce, 'halving-doubling', ['0/0', '4/2000', null, '16/6000', null, '48/14000']],
    [reduce, 'ring', ['0/0', '1/1000', '2/2000', '3/3000', '4/4000', '7/7000']],
    [reduce, 'tree', ['0/0', '1/1000', '2/2000', '3/3000', '4/4000', '7/7000']],
    [allGather, 'ring', ['0/0', '2/2000', '6/6000', '12/12000', '20/20000', '56/56000']],
    [reduceScatter, 'ring', ['0/0', '2/1000', '6/2004', '12/3000', '20/4000', '56/7000']],
    [reduceScatterBlock, 'ring', ['0/0', '2/1000', '6/2004', '12/3000', '20/4000', '56/7000']],
    [reduceScatter, 'halving', ['0/0', '2/1000', null, '8/3000', null, '24/7000']],
    [broadcast, 'sequential', ['0/0', '1/1000', '2/2000', '3/3000', '4/4000', '7/7000']],
    [broadcast, 'interleaved', ['0/0', '1/1000', '2/2000', '3/3000', '4/4000', '7/7000']],
    [gather, 'direct', ['0/0', '1/1000', '2/2000', '3/3000', '4/4000', '7/7000']],
    [scatter, 'direct', ['0/0', '1/500', '2/668', '3/750', '4/800', '7/875']],
    [allToAll, 'sequential', ['0/0', '2/1000', '6/2004', '12/3000', '20/4000', '56/7000']],
    [allToAll, 'interleaved', ['0/0', '2/1000', '6/2004', '12/3000', '20/4000', '56/7000']],
    [barrier, 'ring', ['0/0', '4/0', '12/0', '24/0', '40/0', '112/0']],
    [barrier, 'tree', ['0/0', '2/0', '4/0', '6/0', '8/0', '14/0']],
    [barrier, 'double-tree', ['0/0', '4/0', '8/0', '12/0', '16/0', '28/0']],
    [barrier, 'halving-doubling', ['0/0', '4/0', null, '16/0', null, '48/0']],
  ])('type %i %s', (type, name, expected) => {
    const algorithm = algorithmOf(type, name);
    const found = sizes.map((size, at) => (expected[at] === null ? null : totals(algorithm, shape(size))));
    expect(found).toEqual(expected);
    expect(algorithm.powerOfTwo).toBe(expected.includes(null));
  });
});

describe('section 8.1: who waits for what', () => {
  test('R-100 AllReduce ring: a step waits for the receive of the step before, not for the send', () => {
    expect(text(allReduce, 'ring', 0, shape(3))).toEqual([
      'send 1: 334 B #0',
      'receive 2: 334 B #0',
      'send 1: 334 B #1 after 1',
      'receive 2: 334 B #1 after 1',
      'send 1: 334 B #2 after 3',
      'receive 2: 334 B #2 after 3',
      'send 1: 334 B #3 after 5',
      'receive 2: 334 B #3 after 5',
    ]);
  });

  test('R-101 AllReduce tree, N = 8: leaf, inner position, root', () => {
    expect(text(allReduce, 'tree', 1, shape(8))).toEqual(['send 2: 1000 B #0', 'receive 2: 1000 B #7 after 0']);
    expect(text(allReduce, 'tree', 2, shape(8))).toEqual([
      'receive 1: 1000 B #0',
      'receive 3: 1000 B #2',
      'send 4: 1000 B #1 after 0,1',
      'receive 4: 1000 B #8 after 2',
      'send 1: 1000 B #7 after 3',
      'send 3: 1000 B #9 after 3',
    ]);
    expect(text(allReduce, 'tree', 0, shape(8))).toEqual(['receive 4: 1000 B #3', 'send 4: 1000 B #10 after 0']);
  });

  test('R-102 AllReduce double-tree, N = 3: the trees do not wait for each other', () => {
    // Tree A: 1→2, 2→0. Tree B: 1→0, 0→2. Edges: A up 0–1, A down 2–3, B up 4–5, B down 6–7.
    expect(text(allReduce, 'double-tree', 0, shape(3, 1001))).toEqual([
      'receive 2: 501 B #1',
      'send 2: 501 B #3 after 0',
      'receive 1: 501 B #4',
      'send 2: 501 B #5 after 2',
      'receive 2: 501 B #7 after 3',
      'send 1: 501 B #6 after 4',
    ]);
  });

  test('R-103 AllReduce halving-doubling, N = 8, position 5: partners and sizes of 8.2', () => {
    expect(text(allReduce, 'halving-doubling', 5, shape(8))).toEqual([
      'send 4: 500 B #0',
      'receive 4: 500 B #0',
      'send 7: 250 B #1 after 1',
      'receive 7: 250 B #1 after 1',
      'send 1: 125 B #2 after 3',
      'receive 1: 125 B #2 after 3',
      'send 1: 125 B #3 after 5',
      'receive 1: 125 B #3 after 5',
      'send 7: 250 B #4 after 7',
      'receive 7: 250 B #4 after 7',
      'send 4: 500 B #5 after 9',
      'receive 4: 500 B #5 after 9',
    ]);
  });

  test('R-104 Reduce ring: from the position after the root around to it', () => {
    expect(text(reduce, 'ring', 3, shape(4, 1000, 2))).toEqual(['send 0: 1000 B #0']);
    expect(text(reduce, 'ring', 0, shape(4, 1000, 2))).toEqual(['receive 3: 1000 B #0', 'send 1: 1000 B #1 after 0']);
    expect(text(reduce, 'ring', 1, shape(4, 1000, 2))).toEqual(['receive 0: 1000 B #1', 'send 2: 1000 B #2 after 0']);
    expect(text(reduce, 'ring', 2, shape(4, 1000, 2))).toEqual(['receive 1: 1000 B #2']);
  });

  test('R-105 Reduce tree: the phase up, rotated to the root', () => {
    // N = 4, root 1: places 0 1 2 3 of the tree are positions 1 2 3 0; edges 1→2, 3→2, 2→0 are 2→3, 0→3, 3→1.
    expect(text(reduce, 'tree', 2, shape(4, 1000, 1))).toEqual(['send 3: 1000 B #0']);
    expect(text(reduce, 'tree', 0, shape(4, 1000, 1))).toEqual(['send 3: 1000 B #2']);
    expect(text(reduce, 'tree', 3, shape(4, 1000, 1))).toEqual([
      'receive 2: 1000 B #0',
      'receive 0: 1000 B #2',
      'send 1: 1000 B #1 after 0,1',
    ]);
    expect(text(reduce, 'tree', 1, shape(4, 1000, 1))).toEqual(['receive 3: 1000 B #1']);
  });

  test('R-106 AllGather ring sends S from every position', () => {
    expect(text(allGather, 'ring', 2, shape(3))).toEqual([
      'send 0: 1000 B #0',
      'receive 1: 1000 B #0',
      'send 0: 1000 B #1 after 1',
      'receive 1: 1000 B #1 after 1',
    ]);
  });

  test.each([
    ['R-107', reduceScatter],
    ['R-109', reduceScatterBlock],
  ])('%s ReduceScatter ring sends C', (_rule, type) => {
    expect(text(type, 'ring', 1, shape(3))).toEqual([
      'send 2: 334 B #0',
      'receive 0: 334 B #0',
      'send 2: 334 B #1 after 1',
      'receive 0: 334 B #1 after 1',
    ]);
  });

  test('R-108 ReduceScatter halving, N = 8, position 5: 500, 250, 125 to i xor 4, 2, 1', () => {
    expect(text(reduceScatter, 'halving', 5, shape(8))).toEqual([
      'send 1: 500 B #0',
      'receive 1: 500 B #0',
      'send 7: 250 B #1 after 1',
      'receive 7: 250 B #1 after 1',
      'send 4: 125 B #2 after 3',
      'receive 4: 125 B #2 after 3',
    ]);
  });

  test('R-110a Broadcast sequential: each send after the finish of the send before', () => {
    expect(text(broadcast, 'sequential', 2, shape(4, 1000, 2))).toEqual([
      'send 3: 1000 B #1',
      'send 0: 1000 B #2 after 0',
      'send 1: 1000 B #3 after 1',
    ]);
    expect(text(broadcast, 'sequential', 1, shape(4, 1000, 2))).toEqual(['receive 2: 1000 B #3']);
  });

  test('R-110b Broadcast interleaved: all at once', () => {
    expect(text(broadcast, 'interleaved', 2, shape(4, 1000, 2))).toEqual([
      'send 3: 1000 B #1',
      'send 0: 1000 B #2',
      'send 1: 1000 B #3',
    ]);
  });

  test('R-111 Gather direct: S to the root, all at once', () => {
    expect(text(gather, 'direct', 1, shape(3, 1000, 1))).toEqual(['receive 2: 1000 B #1', 'receive 0: 1000 B #2']);
    expect(text(gather, 'direct', 0, shape(3, 1000, 1))).toEqual(['send 1: 1000 B #2']);
  });

  test('R-112 Scatter direct: C from the root, all at once', () => {
    expect(text(scatter, 'direct', 1, shape(3, 1000, 1))).toEqual(['send 2: 334 B #1', 'send 0: 334 B #2']);
    expect(text(scatter, 'direct', 0, shape(3, 1000, 1))).toEqual(['receive 1: 334 B #2']);
  });

  test('R-113 AllToAll sequential: sends one after another, receives not ordered', () => {
    expect(text(allToAll, 'sequential', 1, shape(4))).toEqual([
      'send 2: 250 B #1',
      'receive 0: 250 B #1',
      'send 3: 250 B #2 after 0',
      'receive 3: 250 B #2',
      'send 0: 250 B #3 after 2',
      'receive 2: 250 B #3',
    ]);
  });

  test('R-114 AllToAll interleaved: all at once', () => {
    expect(text(allToAll, 'interleaved', 1, shape(3))).toEqual([
      'send 2: 334 B #1',
      'receive 0: 334 B #1',
      'send 0: 334 B #2',
      'receive 2: 334 B #2',
    ]);
  });

  test('R-115 Barrier: as AllReduce, zero bytes whatever the size', () => {
    for (const name of ['ring', 'tree', 'double-tree', 'halving-doubling']) {
      const emptied = text(allReduce, name, 3, shape(8)).map((line) => line.replace(/[0-9]+ B/, '0 B'));
      expect(text(barrier, name, 3, shape(8))).toEqual(emptied);
    }
    expect(algorithmOf(barrier, 'ring').lockstep?.stepBytes(0, shape(8))).toBe(0);
  });
});

describe('R-116 tree shape', () => {
  test.each([
    [2, [-1, 0]],
    [3, [-1, 2, 0]],
    [4, [-1, 2, 0, 2]],
    [5, [-1, 2, 3, 0, 3]],
    [8, [-1, 2, 4, 2, 0, 6, 4, 6]],
  ])('N = %i', (groupSize, parents) => {
    expect(parents.map((_, position) => treePlace(position, groupSize).parent)).toEqual(parents);
  });

  test.each([
    [2, '0→1'],
    [3, '0→2 1→0'],
    [4, '0→1 1→3 2→1'],
    [5, '0→1 1→4 2→1 3→2'],
    [8, '0→1 1→3 2→1 3→7 4→5 5→3 6→5'],
  ])('tree B of double-tree, N = %i', (groupSize, expected) => {
    const upB = allShares(algorithmOf(allReduce, 'double-tree'), shape(groupSize)).flatMap((share, position) =>
      share
        .filter(({ kind, index }) => kind === 'send' && index >= 2 * (groupSize - 1) && index < 3 * (groupSize - 1))
        .map(({ peer }) => `${position}→${peer}`),
    );
    expect(upB.join(' ')).toBe(expected);
  });

  test('sends per position, N = 8', () => {
    const sends = (algorithm: Algorithm): number[] =>
      allShares(algorithm, shape(8)).map((share) => share.filter((entry) => entry.kind === 'send').length);
    expect(sends(algorithmOf(allReduce, 'tree'))).toEqual([1, 1, 3, 1, 3, 1, 3, 1]);
    expect(sends(algorithmOf(allReduce, 'double-tree'))).toEqual([2, 4, 4, 4, 4, 4, 4, 2]);
  });
});

test('rounding, S = 1,001 and N = 8: C = 126, first halving step 504, double-tree 501', () => {
  expect(text(allReduce, 'ring', 0, shape(8, 1001))[0]).toBe('send 1: 126 B #0');
  expect(text(allReduce, 'halving-doubling', 0, shape(8, 1001))[0]).toBe('send 1: 504 B #0');
  expect(text(allReduce, 'double-tree', 1, shape(8, 1001))[0]).toBe('send 2: 501 B #0');
});

test('R-120 a group of one has no transfers', () => {
  for (const [type, name] of [
    [allReduce, 'ring'],
    [allReduce, 'tree'],
    [allReduce, 'double-tree'],
    [reduce, 'ring'],
    [reduce, 'tree'],
    [broadcast, 'sequential'],
    [gather, 'direct'],
    [allToAll, 'interleaved'],
    [allReduce, 'halving-doubling'],
  ] as const) {
    expect(shareOf(algorithmOf(type, name), 0, shape(1))).toEqual([]);
  }
});

test('R-121 size 0: all transfers happen with 0 bytes', () => {
  expect(totals(algorithmOf(allReduce, 'ring'), shape(4, 0))).toBe('24/0');
  expect(totals(algorithmOf(allReduce, 'halving-doubling'), shape(4, 0))).toBe('16/0');
  expect(totals(algorithmOf(allToAll, 'interleaved'), shape(4, 0))).toBe('12/0');
});

test('uneven all-to-all: the bytes of each pair, the own block never sent', () => {
  const matrix = [
    [9, 1, 2],
    [3, 9, 4],
    [5, 0, 9],
  ];
  const uneven = { ...shape(3), sendBytes: (from: number, to: number) => matrix[from][to] };
  expect(shareText(shareOf(algorithmOf(allToAll, 'interleaved'), 0, uneven))).toEqual([
    'send 1: 1 B #1',
    'receive 2: 5 B #1',
    'send 2: 2 B #2',
    'receive 1: 3 B #2',
  ]);
  expect(totals(algorithmOf(allToAll, 'sequential'), uneven)).toBe('6/15');
});
