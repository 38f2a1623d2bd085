import { EventClass } from '../../../../src/kernel/event-queue.js';
import { Kernel } from '../../../../src/kernel/kernel.js';
import { PacketNetwork } from '../../../../src/network/packet/packet-network.js';
import {
  packetSettings,
  packetTopology,
  type PacketPost,
  runPackets,
  singleSwitch,
} from '../../../support/packet-runs.js';

/** A full frame of 4,154 B at 400 Gbit/s, ps. */
const FULL = 83_080;
/** An ACK of 126 B. */
const ACK = 2_520;

describe.each([true, false])('with the fold %s', (fold) => {
  test('R-004: a post comes before the kick of its instant, whoever keeps the events', () => {
    // The frame of host 0 ends at 83,080 ps, when a second transfer is posted to another host: its packet is the third.
    const posts: PacketPost[] = [
      { source: 0, destination: 1, bytes: 3 * 4096 },
      { source: 0, destination: 2, bytes: 4096, at: FULL },
    ];
    const settings = packetSettings({ fold });
    expect(runPackets(singleSwitch(3), settings, posts).times.map(({ sent }) => sent)).toEqual([4 * FULL, 3 * FULL]);
  });

  test('R-004: near and far events of an instant in the order of their ports', () => {
    // Frames of all four hosts arrive at one instant, some of which were far away when they were sent.
    for (const delays of [
      [FULL, 101 * FULL, 51 * FULL, 101 * FULL],
      [101 * FULL, FULL, 101 * FULL, 76 * FULL],
    ]) {
      const topology = packetTopology(
        5,
        1,
        [...delays, FULL].map((delayPs, host) => [host, 5, { delayPs }]),
      );
      const posts = delays.map((delayPs, source) => ({
        ...{ source, destination: 4, bytes: 4096 },
        at: 200 * FULL - delayPs,
      }));
      const { times } = runPackets(topology, packetSettings({ fold }), posts);
      const first = 201 * FULL + FULL + FULL;
      expect(times.map(({ received }) => received)).toEqual([0, 1, 2, 3].map((place) => first + place * FULL));
    }
  });

  test('NET-2: frames far apart on a long link come between those that are on their way beyond it', () => {
    // After one that finds the way: the last frame comes in 36 µs after its two predecessors were posted, which are on their third
    // link then.
    const posted = [0, 100_000_000, 100_000_000 + FULL, 105_000_000];
    const delays = [31, 3, 3, 3, 3].map((delayUs) => ({ delayPs: delayUs * 1_000_000 }));
    const nodes = [0, 2, 3, 4, 5, 1];
    const topology = packetTopology(
      2,
      4,
      delays.map((delay, hop) => [nodes[hop], nodes[hop + 1], delay]),
    );
    const posts: PacketPost[] = posted.map((at) => ({ source: 0, destination: 1, bytes: 4096, at }));
    const settings = packetSettings({ fold, roce: { qpMessagesInFlight: 0 } });
    const received = runPackets(topology, settings, posts).times.map((times) => times.received);
    expect(received).toEqual(posted.map((at) => at + 5 * FULL + 43_000_000));
  });

  test('R-004: nothing after the stop is handled, and something is left', () => {
    const kernel = new Kernel();
    const told: number[] = [];
    const note = (_: number, timePs: number) => void told.push(timePs);
    const spec = { topology: singleSwitch(2), settings: packetSettings({ fold }) };
    const listener = { sent: note, received: note, acknowledged: note };
    const network = new PacketNetwork(spec, Int32Array.of(0, 1), kernel, listener);
    network.post(0, 0, 1, 4096, 0);
    expect(kernel.run(2 * FULL + 1_000_000)).toBe(true);
    expect(told).toEqual([FULL, 2 * FULL + 1_000_000]);
  });

  test('R-007: what waits for the end of an instant may start frames that end before the next event', () => {
    // Host 1's transfer to host 2 is acknowledged; at the end of that instant host 0 posts. The next event otherwise is a
    // frame of host 2, which arrives at the switch 1.08 µs later.
    const acknowledgedPs = 2 * FULL + 2 * ACK + 12_000_000;
    const kernel = new Kernel();
    const sent: number[] = [];
    const listener = {
      sent: (transfer: number, timePs: number) => void (sent[transfer] = timePs),
      received: () => {},
      acknowledged: (transfer: number) => {
        if (transfer === 0) kernel.settlePending = true;
      },
    };
    const spec = { topology: singleSwitch(3, { delayPs: 3_000_000 }), settings: packetSettings({ fold }) };
    const network = new PacketNetwork(spec, Int32Array.of(0, 1, 2), kernel, listener);
    kernel.onSettle(() => network.post(1, 0, 2, 4096, kernel.now));
    network.post(0, 1, 2, 4096, 0);
    const post = kernel.addHandler(() => network.post(2, 2, 1, 4096, kernel.now));
    kernel.schedule(acknowledgedPs - 2_000_000, EventClass.rank, 2, post, 0);
    kernel.run();
    expect(sent).toEqual([FULL, acknowledgedPs + FULL, acknowledgedPs - 2_000_000 + FULL]);
  });
});
