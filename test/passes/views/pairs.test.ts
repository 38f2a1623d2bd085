import fc from 'fast-check';
import { pairsView, type PairsView } from '../../../src/passes/views/pairs.js';
import type { NodeObject } from '../../support/traces.js';
import { collective, receive, send } from '../../support/validation.js';
import { viewSurveys } from '../../support/views.js';

function pairs(ranks: readonly (readonly NodeObject[])[], numbers?: readonly number[]): PairsView {
  return pairsView(viewSurveys(ranks, numbers).map(({ transfer }) => transfer!));
}

test('counts and bytes of both ends, by sender and receiver', () => {
  const found = pairs([
    [send(1, 1, 0, 100), send(2, 1, 1, 50), receive(3, 1, 0, 30)],
    [receive(1, 0, 0, 100), receive(2, 0, 1, 50), send(3, 0, 0, 30)],
  ]);
  expect(found.list).toEqual([
    { from: 0, to: 1, sends: 2, bytes: 150, receives: 2, receivedBytes: 150 },
    { from: 1, to: 0, sends: 1, bytes: 30, receives: 1, receivedBytes: 30 },
  ]);
  expect(found).toMatchObject({ ranks: [0, 1], sends: 3, receives: 3, bytes: 180 });
  expect(found.sums).toEqual([
    { rank: 0, sends: 2, bytesOut: 150, receives: 1, bytesIn: 30 },
    { rank: 1, sends: 1, bytesOut: 30, receives: 2, bytesIn: 150 },
  ]);
});

test('R-069: ends of equal size pair first; what is left pairs in ascending size, and then stands alone', () => {
  const { list } = pairs([
    [send(1, 1, 7, 8), send(2, 1, 7, 16), send(3, 1, 7, 32)],
    [receive(1, 0, 7, 16), receive(2, 0, 7, 9), receive(3, 0, 8, 5)],
  ]);
  expect(list).toEqual([
    {
      from: 0,
      to: 1,
      sends: 3,
      bytes: 56,
      receives: 3,
      receivedBytes: 30,
      sizesDiffer: { count: 1, sentBytes: 8, receivedBytes: 9 },
      unreceived: { count: 1, bytes: 32 },
      unsent: { count: 1, bytes: 5 },
    },
  ]);
});

test('a rank without a trace: what it does with a transfer is not known', () => {
  expect(pairs([[send(1, 4, 0, 3), receive(2, 3, 0, 5)]], [2]).list).toEqual([
    { from: 2, to: 4, sends: 1, bytes: 3, receives: 0, receivedBytes: 0, noTrace: true },
    { from: 3, to: 2, sends: 0, bytes: 0, receives: 1, receivedBytes: 5, noTrace: true },
  ]);
});

test('what is in no pair is counted: raw collectives, ends without a partner, and sizes that are not stated', () => {
  const found = pairs([
    [
      collective(1, 0, 64),
      send(2, 0, 0, 8, { comm_dst: undefined }),
      receive(3, 0, 0, 8, { comm_src: undefined }),
      send(4, 1, 0, 8, { comm_size: undefined }),
    ],
    [collective(1, 0, 64), receive(4, 0, 0, 8)],
  ]);
  expect(found).toMatchObject({
    sends: 1,
    receives: 1,
    bytes: 0,
    rawCollectives: 2,
    sendsWithoutPartner: 1,
    receivesWithoutPartner: 1,
    withoutSize: 1,
  });
  expect(found.list).toEqual([{ from: 0, to: 1, sends: 1, bytes: 0, receives: 1, receivedBytes: 8 }]);
});

test('the sums of the list are those of a count node by node', () => {
  const end = fc.record({ rank: fc.nat(3), peer: fc.nat(5), tag: fc.nat(2), size: fc.nat(3), sends: fc.boolean() });
  fc.assert(
    fc.property(fc.array(end, { maxLength: 40 }), (ends) => {
      const ranks = [0, 1, 2, 3].map((rank) =>
        ends
          .filter((one) => one.rank === rank)
          .map(({ peer, tag, size, sends }, id) => (sends ? send : receive)(id, peer, tag, size)),
      );
      const { list } = pairs(ranks);
      for (const from of [0, 1, 2, 3, 4, 5]) {
        for (const to of [0, 1, 2, 3, 4, 5]) {
          const sent = ends.filter((one) => one.sends && one.rank === from && one.peer === to);
          const received = ends.filter((one) => !one.sends && one.rank === to && one.peer === from);
          const pair = list.find((one) => one.from === from && one.to === to);
          expect(pair?.sends ?? 0).toBe(sent.length);
          expect(pair?.receives ?? 0).toBe(received.length);
          expect(pair?.bytes ?? 0).toBe(sent.reduce((sum, { size }) => sum + size, 0));
          if (pair === undefined || pair.noTrace) continue;
          // Of each tag as many stand alone as one end has more than the other.
          let alone = 0;
          for (const tag of [0, 1, 2]) {
            const has = (some: typeof ends) => some.filter((one) => one.tag === tag).length;
            alone += Math.abs(has(sent) - has(received));
          }
          expect((pair.unreceived?.count ?? 0) + (pair.unsent?.count ?? 0)).toBe(alone);
        }
      }
    }),
    { numRuns: 200 },
  );
});
