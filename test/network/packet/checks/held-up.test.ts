import { heldUp } from '../../../../src/network/packet/checks/held-up.js';
import {
  incast,
  packetSettings,
  runPackets,
  singleSwitch,
  switchRing,
  type PacketRun,
} from '../../../support/packet-runs.js';

const PFC = { pfc: 'static', bufferBytes: 256e6 } as const;

test('SW-6: a deadlock is said port by port, the hosts behind it apart', () => {
  const posts = [0, 1, 2, 3, 4].map((source) => ({ source, destination: (source + 2) % 5, bytes: 1 << 20 }));
  const settings = packetSettings({ switches: { ...PFC, xoffBytes: 40_000, xonBytes: 20_000 } });
  const { network, kernel } = runPackets(switchRing(5), settings, posts);
  const [cycle, hosts, ...more] = heldUp(network.fabric, kernel.now);
  expect(cycle).toMatchObject({
    code: 'pause-cycle',
    count: 5,
    text: '5 ports that have paused each other in a circle',
  });
  expect(cycle.lines).toEqual([
    '5 ports have paused each other in a circle; each waits for the buffer behind the next one:',
    expect.stringMatching(/^ {2}switch s0 port 1 → s1, paused since \d\.\d{3} µs, \d\d,\d{3} bytes waiting$/),
    expect.stringMatching(/^ {2}switch s1 port 2 → s2, /),
    expect.stringMatching(/^ {2}switch s2 port 2 → s3, /),
    expect.stringMatching(/^ {2}switch s3 port 2 → s4, /),
    expect.stringMatching(/^ {2}switch s4 port 2 → s0, /),
  ]);
  expect(hosts).toMatchObject({ code: 'paused-ports', count: 5 });
  expect(hosts.lines[0]).toBe('5 more paused ports:');
  expect(hosts.lines[1]).toMatch(/^ {2}host h0 port 0 → s0, paused since \d\.\d{3} µs$/);
  expect(more).toEqual([]);
});

/** Two send 1 MiB to one over a switch. */
function twoToOne(stopPs: number, fold = true): PacketRun {
  return runPackets(singleSwitch(3), packetSettings({ fold }), incast([1, 2], 0, 1 << 20), () => {}, stopPs);
}

test.each([true, false])(
  'packets that wait are those whose serialisation has not begun at the stop: fold %p',
  (fold) => {
    // Frames of 4,154 bytes take 83,080 ps. Pair k of them reaches the switch at k × 83,080 + 500,000, and from the first on one
    // is sent every 83,080 ps. At 2,900,000 ps pairs 1 … 28 are there (28 × 83,080 + 500,000 = 2,826,240), the 28th frame is
    // being sent since 27 × 83,080 + 583,080, so 56 − 28 wait.
    const { network } = twoToOne(2_900_000, fold);
    expect(heldUp(network.fabric, 2_900_000)).toEqual([
      {
        code: 'packets-waiting',
        count: 28,
        text: '28 packets waiting in the queues of 1 port',
        lines: [
          '28 packets waiting in the queues of 1 port, most bytes first:',
          '  switch s0 port 0 → h0, 28 packets with 116,312 bytes waiting',
        ],
      },
    ]);
  },
);

test('nothing is held up in a run that is done', () => {
  const { network, kernel } = twoToOne(Infinity);
  expect(heldUp(network.fabric, kernel.now)).toEqual([]);
});

test('of many ports the first eight are named', () => {
  const senders = Array.from({ length: 10 }, (_, rank) => rank + 1);
  const settings = packetSettings({ switches: PFC });
  const { network } = runPackets(singleSwitch(11), settings, incast(senders, 0, 1 << 21), () => {}, 30e6);
  const [paused, waiting] = heldUp(network.fabric, 30e6);
  expect(paused).toMatchObject({ code: 'paused-ports', count: 10 });
  expect(paused.lines).toHaveLength(10);
  expect(paused.lines[9]).toBe('  … and 2 more ports');
  expect(waiting).toMatchObject({ code: 'packets-waiting' });
});
