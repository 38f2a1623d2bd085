import { Kernel } from '../../../../src/kernel/kernel.js';
import { Fabric } from '../../../../src/network/packet/fabric/fabric.js';
import { HostLink, hostLinkBytes } from '../../../../src/network/packet/nic/host-link.js';
import { BYTES, PACKET_INTEGERS } from '../../../../src/network/packet/fabric/packet-record.js';
import type { NicKind } from '../../../../src/network/packet/settings/packet-settings.js';
import { runSelective, sumOf, timesNs } from '../../../support/mrc-runs.js';
import { defaultSettings } from '../../../support/slow-packet-network/default-settings.js';
import { range, singleSwitch } from '../../../support/slow-packet-network/small-topologies.js';

/** NIC-4. A full packet's payload crosses in 69.29 ns. */

const MIB = 2 ** 20;
const HOST_LINK = { gbps: 504.32, overheadBytes: 34, pieceBytes: 512, ingressPoolBytes: 3_600_000 };
const UNCONTROLLED = { congestionControl: 'none' } as const;

function hosts(changes: Partial<typeof HOST_LINK> = {}): { hosts: { hostLink: typeof HOST_LINK } } {
  return { hosts: { hostLink: { ...HOST_LINK, ...changes } } };
}

test.each([
  [4096, 4368],
  [0, 0],
  [1, 35],
  [512, 546],
  [513, 581],
])('NIC-4: %i B of payload are %i B on the host link', (payload, bytes) => {
  expect(hostLinkBytes(HOST_LINK, payload)).toBe(bytes);
});

describe.each([false, true])('fold %s', (fold) => {
  test.each([
    // 69.29 + s; + s + 1,000 + 69.29; + 2 × 501.56, for a RoCEv2 ACK 2 × 502.52.
    ['mrc', [152.69, 1305.38, 2308.5]],
    ['uet', [153.33, 1306.66, 2309.78]],
    ['roce', [152.37, 1304.74, 2309.78]],
  ] as const)('NIC-4: a packet of %s is fetched before it starts, and received when it is written', (nic, expected) => {
    const posts = [{ source: 0, destination: 1, bytes: 4096 }];
    expect(timesNs(runSelective(nic, singleSwitch(2), posts, { fold, ...hosts() }))).toEqual([expected]);
  });

  test('NIC-4: packets are fetched ahead, so that the line does not wait for more than the first', () => {
    const run = runSelective('mrc', singleSwitch(2), [{ source: 0, destination: 1, bytes: MIB }], { fold, ...hosts() });
    // 69.29 + 256 s; + s + 1,000 + 69.29; + 2 × 501.56.
    expect(timesNs(run)).toEqual([[21_419.69, 22_572.38, 23_575.5]]);
  });

  test('NIC-4: two transfers take turns as without the host link', () => {
    const posts = [1, 2].map((destination) => ({ source: 0, destination, bytes: MIB }));
    const run = runSelective('roce', singleSwitch(3), posts, { fold, roce: UNCONTROLLED, ...hosts() });
    // V-7 and 2 × 69.29 ns more: 43,536.96 and 43,620.04.
    expect(run.times.map(({ received }) => received)).toEqual([43_675_540, 43_758_620]);
  });

  test('NIC-4: a slow host link is what a transfer takes', () => {
    const posts = [{ source: 0, destination: 1, bytes: MIB }];
    const run = runSelective('mrc', singleSwitch(2), posts, { fold, ...hosts({ gbps: 100 }) });
    // 4,368 B at 100 Gbit/s are 349.44 ns: 256 of them, s; + s + 1,000 + 349.44.
    expect(timesNs(run)[0].slice(0, 2)).toEqual([89_540.04, 90_972.88]);
  });

  test('NIC-4: the NIC stops its switch at Xoff of the receive pool, and loses nothing', () => {
    const posts = range(2).map((source) => ({ source, destination: 2, bytes: 8 * MIB }));
    const overrides = { fold, roce: UNCONTROLLED, ...hosts({ gbps: 300 }) };
    const { network } = runSelective('roce', singleSwitch(3), posts, overrides);
    const { counters, numbers } = network.fabric;
    const port = numbers.first[2];
    expect(counters.xoffsSent[2 * port]).toBeGreaterThan(0);
    expect(counters.xonsSent[2 * port]).toBe(counters.xoffsSent[2 * port]);
    expect(sumOf(network.hostCounters.poolDrops)).toBe(0);
    // The packet that passes Xoff, and what comes until the pause acts: 2 × 500 ns, a PFC frame and a packet, 54,238 B.
    const { peakPoolBytes } = network.nic.hostLink!;
    expect(peakPoolBytes[2]).toBeGreaterThan(700_000);
    expect(peakPoolBytes[2]).toBeLessThanOrEqual(700_000 + 4096 + 54_238);
  });

  test('NIC-4: without PFC the pool drops what it has no room for, and it is sent again', () => {
    const posts = range(2).map((source) => ({ source, destination: 2, bytes: MIB }));
    const overrides = { fold, nscc: { enabled: false }, ...hosts({ gbps: 100, ingressPoolBytes: 200_000 }) };
    const { network } = runSelective('mrc', singleSwitch(3), posts, overrides);
    expect(sumOf(network.hostCounters.poolDrops)).toBeGreaterThan(0);
    expect(sumOf(network.hostCounters.messagesCompleted)).toBe(2);
    expect(network.nic.hostLink!.peakPoolBytes[2]).toBeLessThanOrEqual(200_000);
  });
});

test.each<NicKind>(['roce', 'uet', 'mrc'])('NIC-4: fold on and off are alike for %s', (nic) => {
  const posts = range(3).map((at) => ({ source: at + 1, destination: 0, bytes: MIB + at, at: 1000 * at }));
  const times = (fold: boolean) => runSelective(nic, singleSwitch(4), posts, { fold, ...hosts({ gbps: 200 }) }).times;
  expect(times(true)).toEqual(times(false));
});

test('NIC-4: the penalty rises from 25 to 75 % of the pool', () => {
  const topology = singleSwitch(2);
  const settings = defaultSettings('uet', topology);
  const kernel = new Kernel();
  const fabric = new Fabric({ topology, settings }, kernel, false);
  const pool = { ...HOST_LINK, gbps: 1, ingressPoolBytes: 10 * 4096 };
  const link = new HostLink(fabric, kernel, pool, (slot) => {
    fabric.packets.release(slot);
  });
  const penalties = range(10).map(() => {
    const slot = fabric.packets.take();
    fabric.packets.integers[slot * PACKET_INTEGERS + BYTES] = 4096 + settings.frames.dataHeaderBytes;
    expect(link.hasRoom(1, slot)).toBe(true);
    link.receive(slot, fabric.numbers.first[1]);
    return link.penaltyOf(1);
  });
  // 10, 20, … 100 %; at 30 % a tenth of 127, at 50 % a half, whole steps.
  expect(penalties).toEqual([0, 0, 12, 38, 63, 88, 114, 127, 127, 127]);
  const slot = fabric.packets.take();
  fabric.packets.integers[slot * PACKET_INTEGERS + BYTES] = 1 + settings.frames.dataHeaderBytes;
  expect(link.hasRoom(1, slot)).toBe(false);
});

test.each(['uet', 'mrc'] as const)('NIC-4: the penalty keeps senders of %s from flooding the pool', (nic) => {
  const posts = range(4).map((at) => ({ source: at + 1, destination: 0, bytes: 4 * MIB }));
  const dropsWith = (enabled: boolean): number => {
    const overrides = { nscc: { enabled }, ...hosts({ gbps: 100, ingressPoolBytes: 1_000_000 }) };
    return sumOf(runSelective(nic, singleSwitch(5), posts, overrides).network.hostCounters.poolDrops);
  };
  expect(dropsWith(true)).toBe(0);
  expect(dropsWith(false)).toBeGreaterThan(0);
});
