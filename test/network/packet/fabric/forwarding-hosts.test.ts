import {
  framesSent,
  packetSettings,
  packetTopology,
  type PacketPost,
  runPackets,
} from '../../../support/packet-runs.js';

/** Hosts that pass packets of others on (RT-1). */

const FORWARD = { hostsForward: true };

describe.each([true, false])('with the fold %s', (fold) => {
  test('NIC-3: RxLatency is for what comes to the host itself, not for what passes through', () => {
    const topology = packetTopology(3, 0, [
      [0, 1],
      [1, 2],
    ]);
    const settings = packetSettings({ fold, routing: FORWARD, hosts: { rxLatencyPs: 100_000 } });
    const [times] = runPackets(topology, settings, [{ source: 0, destination: 2, bytes: 4096 }]).times;
    // Two links of 500 ns, a full frame of 83,080 ps on each, an ACK of 2,520.
    const received = 2 * (83_080 + 500_000) + 100_000;
    expect(times).toEqual({ sent: 83_080, received, acked: received + 2 * (2_520 + 500_000) + 100_000 });
  });

  test('NIC-3: what passes through overtakes what waits for RxLatency', () => {
    const topology = packetTopology(3, 0, [
      [0, 1],
      [1, 2],
    ]);
    const settings = packetSettings({ fold, routing: FORWARD, hosts: { rxLatencyPs: 10_000_000 } });
    const posts: PacketPost[] = [1, 2].map((destination) => ({ source: 0, destination, bytes: 4096 }));
    const { times } = runPackets(topology, settings, posts);
    expect(times[0].received).toBe(83_080 + 500_000 + 10_000_000);
    // The second one is at host 2 before that, and waits there.
    expect(times[1].received).toBe(3 * 83_080 + 2 * 500_000 + 10_000_000);
  });

  test('NIC-5: entropy values choose the port at a host on the way too', () => {
    const topology = packetTopology(3, 0, [
      [0, 1],
      [1, 2],
      [1, 2],
    ]);
    const settings = packetSettings({
      nic: 'uet',
      fold,
      routing: FORWARD,
      frames: { dataHeaderBytes: 106, ackBytes: 78 },
    });
    const posts = [{ source: 0, destination: 2, bytes: 3 * 4096 }];
    const { fabric } = runPackets(topology, settings, posts).network;
    // Values 256, 257, 258; the first port of host 1 leads to host 0.
    const first = fabric.numbers.first[1];
    expect([first + 1, first + 2].map((port) => framesSent(fabric, port))).toEqual([2, 1]);
  });
});
