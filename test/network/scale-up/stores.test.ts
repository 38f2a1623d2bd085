import { PacketBatches } from '../../../src/network/scale-up/packet-batches.js';
import { PairLanes } from '../../../src/network/scale-up/pair-lanes.js';
import { PostedTransfers } from '../../../src/network/scale-up/posted-transfers.js';
import { oneGroup, runTransfers } from '../../support/fabric-run.js';

/** What the fabric keeps does not grow with what has passed, only with what is under way. */

function lanesOf(batches: PacketBatches, batch: number): number[] {
  const lanes: number[] = [];
  for (let entry = batches.first[batch]; entry >= 0; entry = batches.next[entry]) lanes.push(batches.lane[entry]);
  return lanes;
}

describe('packet batches', () => {
  test('a batch lists its lanes in the order they joined', () => {
    const batches = new PacketBatches();
    const first = batches.add(4120, 7);
    const second = batches.add(1832, 1);
    batches.join(first, 9);
    batches.join(second, 2);
    batches.join(first, 8);
    expect([lanesOf(batches, first), lanesOf(batches, second)]).toEqual([
      [7, 9, 8],
      [1, 2],
    ]);
    expect([batches.bytes[first], batches.bytes[second]]).toEqual([4120, 1832]);
  });

  test('a million packets one after another take the place of a few', () => {
    const batches = new PacketBatches();
    for (let packet = 0; packet < 1_000_000; packet += 2) {
      const batch = batches.add(4120, packet);
      batches.join(batch, packet + 1);
      batches.remove(batch);
    }
    expect(batches.lane.length).toBeLessThanOrEqual(256);
    expect(batches.bytes.length).toBeLessThanOrEqual(64);
  });

  test('a packet under way takes at most 150 bytes, a batch of its own included', () => {
    const batches = new PacketBatches();
    const packets = 100_000;
    const held = Array.from({ length: packets }, (_, lane) => batches.add(lane, lane));
    const columns = [batches.bytes, batches.first, batches.last, batches.lane, batches.next];
    expect(columns.reduce((sum, column) => sum + column.byteLength, 0) / packets).toBeLessThan(150);
    expect(held.map((batch) => lanesOf(batches, batch)[0])).toEqual([...held.keys()]);
  });
});

describe('lanes of pairs', () => {
  test('every pair has its own lane until it is closed; the number is used again', () => {
    const pairs = new PairLanes(oneGroup(3));
    expect(pairs.laneOf(0, 1)).toBe(-1);
    const lane = pairs.open(0, 1);
    const back = pairs.open(1, 0);
    expect(back).not.toBe(lane);
    expect([pairs.laneOf(0, 1), pairs.laneOf(1, 0), pairs.laneOf(0, 2)]).toEqual([lane, back, -1]);
    pairs.close(lane, 0, 1);
    expect(pairs.laneOf(0, 1)).toBe(-1);
    expect(pairs.open(2, 1)).toBe(lane);
  });

  test('every lane that a run opens is closed when its transfers are done', () => {
    const { open, close } = PairLanes.prototype;
    const counts = { open: 0, close: 0 };
    PairLanes.prototype.open = function (...pair) {
      counts.open++;
      return open.apply(this, pair);
    };
    PairLanes.prototype.close = function (...pair) {
      counts.close++;
      close.apply(this, pair);
    };
    try {
      // 0→1 twice at once, again much later, and 1→0.
      const posts = [0, 0, 10_000_000].map((at) => ({ source: 0, destination: 1, bytes: 10_000, at }));
      runTransfers(oneGroup(2), [...posts, { source: 1, destination: 0, bytes: 0, at: 0 }]);
    } finally {
      Object.assign(PairLanes.prototype, { open, close });
    }
    expect(counts).toEqual({ open: 3, close: 3 });
  });

  test('ranks of a group need not follow each other', () => {
    const spec = { ...oneGroup(6), groupOf: Int32Array.of(0, -1, 0, -1, -1, 0) };
    const pairs = new PairLanes(spec);
    const lanes = [pairs.open(0, 2), pairs.open(0, 5), pairs.open(5, 2)];
    expect(new Set(lanes).size).toBe(3);
    expect([pairs.laneOf(0, 2), pairs.laneOf(0, 5), pairs.laneOf(5, 2)]).toEqual(lanes);
  });
});

describe('posted transfers', () => {
  test.each([
    // bytes, packets, size of the last
    [0, 1, 24],
    [1, 1, 25],
    [4096, 1, 4120],
    [4097, 2, 25],
    [10_000, 3, 1832],
    [12_288, 3, 4120],
  ])('SU-1 %i B are %i packets, the last of %i B', (bytes, packets, lastBytes) => {
    const transfers = new PostedTransfers(4096, 24);
    const slot = transfers.add(77, bytes);
    expect([transfers.transfer[slot], transfers.packets[slot], transfers.lastBytes[slot]]).toEqual([
      77,
      packets,
      lastBytes,
    ]);
    expect(transfers.fullBytes).toBe(4120);
  });

  test('a slot that was left is used again', () => {
    const transfers = new PostedTransfers(4096, 24);
    for (let transfer = 0; transfer < 100_000; transfer++) transfers.remove(transfers.add(transfer, 5));
    expect(transfers.transfer.length).toBeLessThanOrEqual(64);
  });
});
