import { algorithmOf } from '../../src/collectives/catalogue.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { allShares, type ShareEntry } from '../support/transfers.js';

/** R-070 with α = 1 µs and 1 B/ns: sent = start + S/β, received = start + α + S/β; times in ns. Finish per position. */
function finishTimes(shares: ShareEntry[][]): number[] {
  const times = new Map<string, number>();
  const finish = (position: number, place: number): number => {
    const key = `${position}/${place}`;
    let time = times.get(key);
    if (time === undefined) {
      const { kind, peer, index, bytes, after } = shares[position][place];
      const start = Math.max(0, ...after.map((before) => finish(position, before)));
      if (kind === 'send') time = start + bytes;
      else {
        const send = shares[peer].findIndex((e) => e.kind === 'send' && e.peer === position && e.index === index);
        time = Math.max(start, finish(peer, send) + 1000);
      }
      times.set(key, time);
    }
    return time;
  };
  return shares.map((share, position) => Math.max(0, ...share.map((_, place) => finish(position, place))));
}

const finishes = (type: number, name: string, groupSize: number, bytes: number): number[] =>
  finishTimes(allShares(algorithmOf(type, name), { groupSize, bytes, root: 0 }));

describe('R-117 closed forms', () => {
  test.each([
    ['ring', 4, 4000, 12000],
    ['ring', 8, 1000, 15750],
    ['tree', 8, 1000, 12000],
    ['halving-doubling', 8, 1000, 7750],
  ])('AllReduce %s N=%i S=%i: %i ns', (name, groupSize, bytes, expected) => {
    expect(Math.max(...finishes(CollectiveType.allReduce, name, groupSize, bytes))).toBe(expected);
  });

  test("tree N=8: the root's exit at 7 µs", () => {
    expect(finishes(CollectiveType.allReduce, 'tree', 8, 1000)[0]).toBe(7000);
  });

  test('Reduce ring N=5, S=1,000: 4 (α + S/β) at the root', () => {
    expect(finishes(CollectiveType.reduce, 'ring', 5, 1000)[0]).toBe(8000);
  });
});

describe('R-093 when the tree barrier is passed, α = 1 µs', () => {
  test.each([
    [2, [1, 2]],
    [3, [2, 4, 3]],
    [4, [2, 4, 3, 4]],
    [5, [3, 6, 5, 4, 5]],
    [8, [3, 6, 5, 6, 4, 6, 5, 6]],
  ])('N = %i', (groupSize, micros) => {
    expect(finishes(CollectiveType.barrier, 'tree', groupSize, 0)).toEqual(micros.map((time) => time * 1000));
  });
});
