import fc from 'fast-check';
import { INTEGERS, NEXT_READY, PEER } from '../../../src/network/scale-up/lane-record.js';
import { inPeerOrder } from '../../../src/network/scale-up/peer-order.js';

test('SU-9 a list of lanes comes out in ascending peer rank, whatever its order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 80 }), (peers) => {
      const integers = new Int32Array(peers.length * INTEGERS);
      for (const [lane, peer] of peers.entries()) {
        integers[lane * INTEGERS + PEER] = peer;
        integers[lane * INTEGERS + NEXT_READY] = lane + 1 < peers.length ? lane + 1 : -1;
      }
      const sorted: number[] = [];
      for (let lane = inPeerOrder(integers, 0); lane >= 0; lane = integers[lane * INTEGERS + NEXT_READY]) {
        sorted.push(integers[lane * INTEGERS + PEER]);
      }
      expect(sorted).toEqual([...peers].sort((a, b) => a - b));
    }),
  );
});
