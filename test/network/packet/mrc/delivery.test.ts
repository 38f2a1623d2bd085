import { RandomStream } from '../../../../src/kernel/random.js';
import { peakQueueBytes, portBetween } from '../../../support/packet-runs.js';
import { runMrc, sentOf, sumOf, timesNs } from '../../../support/mrc-runs.js';
import { leafSpine, range, singleSwitch } from '../../../support/slow-packet-network/small-topologies.js';

/** MRC: queue pairs, losses, windows (network-models section 8). A full packet takes s = 83.4 ns, a SACK 1.56 ns. */

const MIB = 2 ** 20;
const FOLDS = [false, true];
const MICROSECOND = 1e6; // ps

describe.each(FOLDS)('fold %s', (fold) => {
  test('a message of no bytes is a packet of 74 B', () => {
    const run = runMrc(singleSwitch(2), [{ source: 0, destination: 1, bytes: 0 }], { fold });
    // 1.48; + 1.48 + 1,000; + 2 × 501.56.
    expect(timesNs(run)).toEqual([[1.48, 1002.96, 2006.08]]);
  });

  test.each([4, 7])('MR-2: %i→1 is trimmed, never marked at the port of a host, and keeps the link busy', (senders) => {
    const posts = range(senders).map((at) => ({ source: at + 1, destination: 0, bytes: MIB }));
    const { network, times } = runMrc(singleSwitch(senders + 1), posts, { fold });
    const { counters } = network.fabric;
    const bound = senders * 256 * 83.4 + 83.4 + 1000 + 1003.12;
    const last = Math.max(...times.map(({ acked }) => acked)) / 1000;
    expect(last).toBeGreaterThanOrEqual(bound);
    expect(last).toBeLessThanOrEqual(1.05 * bound);
    expect(sumOf(counters.trims)).toBeGreaterThan(0);
    expect(sumOf(counters.marks)).toBe(0);
    expect(sumOf(counters.xoffsSent)).toBe(0);
    // MR-5 (a): what was trimmed is sent again, and nothing else; nobody waited for a timer.
    expect(sumOf(network.hostCounters.retransmissions)).toBe(sumOf(counters.trims));
    expect(sumOf(network.hostCounters.timeouts)).toBe(0);
    // SW-3: the limit, one and a half times for what is sent again.
    expect(peakQueueBytes(network.fabric, portBetween(network.fabric, senders + 1, 0))).toBeLessThanOrEqual(450_000);
  });
});

test('MR-1: transfers between two hosts have a queue pair each and take turns packet by packet', () => {
  const posts = [0, 1].map(() => ({ source: 0, destination: 1, bytes: MIB }));
  // 511 s and 512 s; + s + 1 µs; + 1,003.12 ns.
  expect(timesNs(runMrc(singleSwitch(2), posts))).toEqual([
    [42_617.4, 43_700.8, 44_703.92],
    [42_700.8, 43_784.2, 44_787.32],
  ]);
});

test('MR-1: one transfer after another takes the time of a transfer alone, whatever was before', () => {
  const posts = range(20).map((at) => ({ source: at % 2, destination: 1 - (at % 2), bytes: MIB, at: 30e6 * at }));
  for (const [at, { sent, received, acked }] of runMrc(singleSwitch(2), posts).times.entries()) {
    expect([sent, received, acked].map((ps) => ps - 30e6 * at)).toEqual([21_350_400, 22_433_800, 23_436_920]);
  }
});

test('MR-5 (a): a retransmission goes before new data, on another value', () => {
  const posts = range(4).map((at) => ({ source: at + 1, destination: 0, bytes: MIB }));
  const { started } = runMrc(singleSwitch(5), posts);
  const again = started.filter(({ attempt }) => attempt > 0);
  expect(again.length).toBeGreaterThan(0);
  for (const { source, psn, attempt, entropy } of again) {
    const before = started.find((each) => each.source === source && each.psn === psn && each.attempt === attempt - 1)!;
    expect(entropy).not.toBe(before.entropy);
  }
  // Of each sender some new data still came behind its first retransmission.
  const [first] = again;
  const later = started.slice(started.indexOf(first)).filter(({ source }) => source === first.source);
  expect(later.some(({ attempt }) => attempt === 0)).toBe(true);
});

/** A seed with which the first frames that come in by the link of host 0 are lost, at the switch (node 2) and at the host, as told. */
function seedFor(atSwitch: readonly boolean[], atHost: readonly boolean[]): number {
  const fits = (seed: number, node: number, wanted: readonly boolean[]): boolean => {
    const stream = new RandomStream(seed, node, 'loss/0');
    return wanted.every((isLost) => stream.uniform() < 0.5 === isLost);
  };
  return range(10_000).find((seed) => fits(seed, 2, atSwitch) && fits(seed, 0, atHost))!;
}

function lossyFirstLink(): ReturnType<typeof singleSwitch> {
  const { nodes, links } = singleSwitch(2);
  return { nodes, links: links.map((link) => (link.a === 0 ? { ...link, loss: 0.5 } : link)) };
}

/** Probes would be lost in place of packets. */
const UNPROBED = { probeIntervalPs: 1e12 };

test('MR-5 (b), UE-6: the timer runs from the end of the serialisation and doubles with each retransmission', () => {
  const seed = seedFor([true, true, false], [false]);
  const run = runMrc(lossyFirstLink(), [{ source: 0, destination: 1, bytes: 4096 }], { seed, mrc: UNPROBED });
  // 83.4 + 150,000 + 83.4 + 300,000 + 83.4; + 83.4 + 1,000; + 1,003.12.
  expect(timesNs(run)).toEqual([[83.4, 451_333.6, 452_336.72]]);
  expect(run.started.map(({ timePs }) => timePs / 1000)).toEqual([0, 150_083.4, 450_166.8]);
  expect(run.network.hostCounters.timeouts[0]).toBe(2);
});

test('UE-6: FixedRto does not double', () => {
  const seed = seedFor([true, true, false], [false]);
  const post = { source: 0, destination: 1, bytes: 4096 };
  const run = runMrc(lossyFirstLink(), [post], { seed, mrc: UNPROBED, uet: { fixedTimeout: true } });
  expect(run.started.map(({ timePs }) => timePs / 1000)).toEqual([0, 150_083.4, 300_166.8]);
});

test('MR-5 (b), UE-2: a lost SACK costs a timeout, and the copy is a duplicate that is acknowledged', () => {
  const seed = seedFor([false, false], [true, false]);
  const run = runMrc(lossyFirstLink(), [{ source: 0, destination: 1, bytes: 4096 }], { seed });
  expect(timesNs(run)).toEqual([[83.4, 1166.8, 152_253.32]]);
  expect(run.network.hostCounters.duplicates[1]).toBe(1);
});

test('MR-5 (c): a packet that a later one on its value has overtaken is lost', () => {
  const seed = seedFor([true, false, false], [false, false]);
  const posts = [{ source: 0, destination: 1, bytes: 8192 }];
  const run = runMrc(lossyFirstLink(), posts, { seed, mrc: { evCount: 1 } });
  // The SACK of packet 1: 2 s + s + 1,000 + 1,003.12 = 2,253.32; then s + s + 1,000 and 1,003.12 more.
  expect(run.started.map(({ psn, timePs }) => [psn, timePs / 1000])).toEqual([
    [0, 0],
    [1, 83.4],
    [0, 2253.32],
  ]);
  expect(timesNs(run)).toEqual([[166.8, 3420.12, 4423.24]]);
  expect(run.network.hostCounters.timeouts[0]).toBe(0);
});

test.each([
  ['another value', { evCount: 128 }],
  ['GapDetect off', { evCount: 1, gapDetect: false }],
])('MR-5 (c): %s leaves it to the timer', (_, mrc) => {
  const seed = seedFor([true, false, false], [false, false]);
  const run = runMrc(lossyFirstLink(), [{ source: 0, destination: 1, bytes: 8192 }], { seed, mrc });
  expect(run.started.at(-1)).toMatchObject({ psn: 0, attempt: 1, timePs: 150_083_400 });
});

test('MR-6: each queue pair has its window, 107 packets at first', () => {
  // Wmax 450,000 B, 4,184 B a packet. The first SACK is back after 120 µs.
  const far = singleSwitch(2, { delayPs: 30 * MICROSECOND });
  const sentBy = (transfers: number): number => {
    const posts = range(transfers).map(() => ({ source: 0, destination: 1, bytes: 200 * 4096 }));
    return runMrc(far, posts).started.filter(({ timePs }) => timePs < 100 * MICROSECOND).length;
  };
  expect(sentBy(1)).toBe(107);
  expect(sentBy(2)).toBe(214);
});

test('MR-7: packets count in any order, and duplicates change no time', () => {
  const posts = range(8).map((source) => ({ source, destination: (source + 4) % 8, bytes: MIB }));
  const { network } = runMrc(leafSpine(2, 4, 4), posts);
  expect(sumOf(network.hostCounters.outOfOrder)).toBeGreaterThan(0);
  expect(sumOf(network.hostCounters.messagesCompleted)).toBe(8);
});

test('UE-3: with AckEvery 4 packets 0, 4, 8 and the last draw a SACK', () => {
  const posts = [{ source: 0, destination: 1, bytes: 11 * 4096 }];
  const { network } = runMrc(singleSwitch(2), posts, { uet: { ackEvery: 4 } });
  expect(sentOf(network, 1, 'ack')).toBe(4);
});

test('NIC-3: a new queue pair starts TxStartLatency late, a SACK leaves AckTurnaround late', () => {
  const hosts = { txStartLatencyPs: 15_000, ackTurnaroundPs: 20_000, rxLatencyPs: 7000 };
  const run = runMrc(singleSwitch(2), [{ source: 0, destination: 1, bytes: 4096 }], { hosts });
  // 15 + s; + s + 1,000 + 7; + 20 + 2 × 501.56 + 7.
  expect(timesNs(run)).toEqual([[98.4, 1188.8, 2218.92]]);
});

test.each([false, true])(
  'R-004: a SACK that is due when the port ends a packet goes before the next one, fold %s',
  (fold) => {
    const posts = [
      { source: 0, destination: 1, bytes: MIB },
      { source: 1, destination: 0, bytes: 4096 },
    ];
    const run = runMrc(singleSwitch(2), posts, { fold, hosts: { ackTurnaroundPs: 800 } });
    // Received at 1,166.8; the SACK leaves at 1,167.6 = 14 s, when packet 13 ends. At the switch it waits until that packet has
    // left, at 1,751; then 1.56 + 500.
    expect(timesNs(run)[1]).toEqual([83.4, 1166.8, 2252.56]);
  },
);
