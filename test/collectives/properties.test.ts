import { Share } from '../../src/collectives/algorithm.js';
import { ALGORITHMS } from '../../src/collectives/catalogue.js';
import { movePosition } from '../../src/collectives/lockstep.js';
import { COLLECTIVE_NAMES, CollectiveType } from '../../src/trace/collective-type.js';
import { wireBytes } from '../support/closed-forms.js';
import { allShares, type ShareEntry } from '../support/transfers.js';

const sizes = [0, 7, 1001];

const cases = ALGORITHMS.flatMap((algorithms, type) =>
  algorithms.map((algorithm) => ({ title: `${COLLECTIVE_NAMES[type].record} ${algorithm.name}`, type, algorithm })),
);

describe.each(cases)('$title, N = 1 … 17, every root', ({ type, algorithm }) => {
  const groups = Array.from({ length: 17 }, (_, index) => index + 1).filter(
    (n) => !algorithm.powerOfTwo || (n & (n - 1)) === 0,
  );
  const rooted = (
    [CollectiveType.reduce, CollectiveType.broadcast, CollectiveType.gather, CollectiveType.scatter] as number[]
  ).includes(type);

  function forEachShape(visit: (shares: ShareEntry[][], n: number, s: number) => void): void {
    for (const groupSize of groups) {
      for (let root = 0; root < (rooted ? groupSize : 1); root++) {
        for (const bytes of sizes) visit(allShares(algorithm, { groupSize, bytes, root }), groupSize, bytes);
      }
    }
  }

  test('bytes agree with the closed form', () => {
    forEachShape((shares, n, s) => {
      const bytes = shares.flat().reduce((sum, entry) => sum + (entry.kind === 'send' ? entry.bytes : 0), 0);
      expect({ n, s, bytes }).toEqual({ n, s, bytes: wireBytes(type, algorithm.name, n, s) });
    });
  });

  test('every send has one receive of equal index and bytes; indices stay below indexCount', () => {
    forEachShape((shares, n) => {
      const sends = shares.flatMap((share, position) => transfers(share, 'send', (peer) => `${position}→${peer}`));
      const receives = shares.flatMap((share, position) =>
        transfers(share, 'receive', (peer) => `${peer}→${position}`),
      );
      const keys = sends.map(({ key }) => key);
      if (new Set(keys).size < keys.length)
        throw new Error(`N = ${n}: two transfers have one index: ${keys.join(' ')}`);
      if (sends.some(({ index }) => index < 0 || index >= algorithm.indexCount(n))) throw new Error(`N = ${n}: index`);
      const text = (list: typeof sends): string =>
        list
          .map(({ key, bytes }) => `${key} ${bytes}`)
          .sort()
          .join('\n');
      if (text(sends) !== text(receives)) expect(text(sends)).toBe(text(receives));
    });
  });

  test('the family is what the share does', () => {
    forEachShape((shares) => {
      for (const share of shares) {
        const sends = [...share.keys()].filter((place) => share[place].kind === 'send');
        const fits = share.every(({ kind, after }, place) => {
          if (algorithm.family === 'lockstep') return after.every((before) => share[before].kind === 'receive');
          if (algorithm.family === 'chained') return true;
          if (kind === 'receive') return after.length === 0;
          return after.every((before) => before === sends[sends.indexOf(place) - 1]);
        });
        if (!fits || (algorithm.family === 'lockstep') !== (algorithm.lockstep !== undefined)) {
          throw new Error(`${algorithm.family}: ${JSON.stringify(share)}`);
        }
      }
    });
  });

  test('a share waits only for what stands before it, and all positions together always finish', () => {
    forEachShape((shares) => {
      const early = shares.every((share) => share.every(({ after }, place) => after.every((before) => before < place)));
      expect([early, finished(shares)]).toEqual([true, shares.flat().length]);
    });
  });
});

test.each(cases.filter(({ algorithm }) => algorithm.lockstep))(
  '$title: a share moves to another position',
  ({ algorithm }) => {
    const groups = algorithm.powerOfTwo ? [2, 4, 8, 16] : [2, 3, 5, 8, 17];
    for (const groupSize of groups) {
      const moved = new Share();
      const written = new Share();
      const shape = { groupSize, bytes: 1000, root: 0 };
      algorithm.share(0, shape, moved);
      for (let position = 1; position < groupSize; position++) {
        movePosition(algorithm.lockstep!, position, groupSize, moved);
        algorithm.share(position, shape, written);
        expect(moved.peer.subarray(0, moved.length)).toEqual(written.peer.subarray(0, written.length));
      }
    }
  },
);

function transfers(
  share: readonly ShareEntry[],
  kind: ShareEntry['kind'],
  ends: (peer: number) => string,
): { key: string; index: number; bytes: number }[] {
  return share
    .filter((entry) => entry.kind === kind)
    .map(({ peer, index, bytes }) => ({ key: `${ends(peer)} #${index}`, index, bytes }));
}

/** How many entries finish when sends finish at once and receives wait for their send. */
function finished(shares: ShareEntry[][]): number {
  const done = shares.map((share) => share.map(() => false));
  const sent = new Set<string>();
  let count = 0;
  for (let before = -1; before !== count;) {
    before = count;
    shares.forEach((share, position) => {
      share.forEach(({ kind, peer, index, after }, place) => {
        if (done[position][place] || !after.every((at) => done[position][at])) return;
        if (kind === 'receive' && !sent.has(`${peer} ${position} ${index}`)) return;
        if (kind === 'send') sent.add(`${position} ${peer} ${index}`);
        done[position][place] = true;
        count++;
      });
    });
  }
  return count;
}
