import fc from 'fast-check';
import { CheckedBuffer, CheckedTransfers } from '../../../../src/network/packet/checks/checked-run.js';
import { checkInvariants } from '../../../../src/network/packet/checks/invariants.js';
import { PORT_DOUBLES, PORT_INTEGERS, PAUSED, WAITING } from '../../../../src/network/packet/fabric/port-record.js';
import { LossyPools } from '../../../../src/network/packet/fabric/buffers/pool.js';
import { PortNumbers } from '../../../../src/network/packet/fabric/port-numbers.js';
import {
  framesSent,
  incast,
  leafSpine,
  packetSettings,
  peakQueueBytes,
  type PacketRun,
  runPackets,
  singleSwitch,
} from '../../../support/packet-runs.js';

const quiet = { sent: () => {}, received: () => {}, acknowledged: () => {} };

describe('section 9, during a run', () => {
  const checked = (): CheckedTransfers => {
    const transfers = new CheckedTransfers(quiet, 4096);
    transfers.post(7, 10_000);
    return transfers;
  };

  test('what is told is passed on, and counted', () => {
    const told: string[] = [];
    const note = (what: string) => (transfer: number, timePs: number) =>
      void told.push(`${what} ${transfer} ${timePs}`);
    const transfers = new CheckedTransfers(
      { sent: note('sent'), received: note('received'), acknowledged: note('acked') },
      4096,
    );
    transfers.post(7, 10_000);
    transfers.post(8, 0);
    expect([transfers.packetsPosted, transfers.openCount]).toEqual([4, 2]);
    transfers.sent(7, 5);
    transfers.received(7, 5);
    transfers.acknowledged(7, 6);
    expect(told).toEqual(['sent 7 5', 'received 7 5', 'acked 7 6']);
    expect(transfers.openCount).toBe(1);
    // The number is free again.
    transfers.post(7, 1);
  });

  test('each callback comes once', () => {
    const transfers = checked();
    transfers.sent(7, 5);
    expect(() => transfers.sent(7, 6)).toThrow('transfer 7: sentPs is 5 and again 6');
    expect(() => transfers.post(7, 1)).toThrow('posted while it is under way');
    expect(() => transfers.sent(9, 6)).toThrow('not under way');
  });

  test('sent ≤ received < acknowledged', () => {
    const early = checked();
    expect(() => early.received(7, 5)).toThrow('transfer 7 is received at 5 ps, sent at NaN ps');
    const same = checked();
    same.sent(7, 5);
    same.received(7, 9);
    expect(() => same.acknowledged(7, 9)).toThrow('transfer 7 is acknowledged at 9 ps, received at 9 ps');
  });

  test('charges are those of the packets and never below 0', () => {
    const buffer = new CheckedBuffer(new LossyPools(new PortNumbers(singleSwitch(2)), 1000));
    buffer.admit(2, 0, 100);
    expect(() => buffer.release(2, 0, 101)).toThrow('port 2: -1 bytes are charged to class 0');
  });

  test('these are faults of ours: no PrepError', () => {
    expect(() => checked().received(7, 5)).toThrow(expect.objectContaining({ name: 'Error' }));
  });
});

describe('section 9, at the end', () => {
  const ended = (): PacketRun =>
    runPackets(
      singleSwitch(5),
      packetSettings({ check: true, switches: { pfc: 'static', bufferBytes: 256e6 } }),
      incast([1, 2, 3, 4], 0, 1 << 20),
    );

  test('a run that is complete leaves nothing', () => {
    const { network } = ended();
    expect(network.transfers?.packetsPosted).toBe(1024);
    expect(() => checkInvariants(network)).not.toThrow();
  });

  test.each<[string, (run: PacketRun) => void, string]>([
    ['a packet', ({ network }) => void network.fabric.packets.take(), '1 packets are nowhere'],
    [
      'bytes that wait',
      ({ network }) => void (network.fabric.doubles[3 * PORT_DOUBLES + WAITING + 1] = -1),
      'port 3: packets are left, 0, -1, 0 bytes wait',
    ],
    [
      'a pause',
      ({ network }) => void (network.fabric.integers[PORT_INTEGERS + PAUSED] = 1),
      'port 1 is paused for ever',
    ],
    [
      'a charge',
      ({ network }) => void network.fabric.buffer!.admit(6, 0, 10),
      'port 6: 10 bytes are charged to class 0',
    ],
    ['a transfer', ({ network }) => network.transfers!.post(9, 1), '1 transfers are under way'],
    [
      'a packet that was delivered twice',
      ({ network }) => void network.hostCounters.packetsReceived[0]++,
      '1025 data packets arrived, and 1024 are accounted for',
    ],
    [
      'a drop in spite of enough headroom',
      ({ network }) => void network.fabric.counters.ingressDrops[12]++,
      'port 6: 1 packets of a lossless class dropped, though the headroom is enough',
    ],
  ])('%s is found', (_, spoil, message) => {
    const run = ended();
    spoil(run);
    expect(() => checkInvariants(run.network)).toThrow(message);
  });
});

const SWITCHES = [
  {},
  { pfc: 'static', bufferBytes: 64e6, xoffBytes: 60_000, xonBytes: 30_000 },
  { pfc: 'static', bufferBytes: 64e6, xoffBytes: 60_000, xonBytes: 30_000, lossless: [true, false] },
  { pfc: 'dynamic', bufferBytes: 1 << 21 },
  { egressLimitBytes: 60_000, controlLimitBytes: 5_000 },
  { lossyAlpha: 0.5, bufferBytes: 200_000, controlLimitBytes: 5_000 },
] as const;

test('section 9: whatever is posted, with whatever switches, nothing is left; and the fold changes no time', () => {
  const post = fc.record({
    source: fc.nat(7),
    other: fc.integer({ min: 1, max: 7 }),
    bytes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 300_000 })),
    at: fc.nat(20_000_000),
  });
  const network = fc.record({
    switches: fc.constantFrom(...SWITCHES),
    mode: fc.constantFrom('flow' as const, 'spray-rr' as const, 'spray-random' as const, 'adaptive' as const),
    marks: fc.boolean(),
    messages: fc.constantFrom(0, 1, 2),
    loss: fc.constantFrom(0, 0, 0.01),
  });
  fc.assert(
    fc.property(fc.array(post, { minLength: 1, maxLength: 12 }), network, (drawn, facts) => {
      const posts = drawn.map(({ source, other, bytes, at }) => ({
        ...{ source, destination: (source + other) % 8, bytes, at },
      }));
      const { nodes, links } = leafSpine(2, 2, 4);
      const topology = { nodes, links: links.map((link) => ({ ...link, loss: facts.loss })) };
      const ecn = { enabled: facts.marks, thresholds: [{ kminBytes: 10_000, kmaxBytes: 80_000, pmax: 0.5 }] };
      const roce = {
        ...{ qpMessagesInFlight: facts.messages, retransmitTimeoutPs: 50e6, cnpIntervalPs: 10e6 },
        congestionControl: 'dcqcn' as const,
      };
      const [folded, plain] = [true, false].map((fold) => {
        const switches = { ...facts.switches, ecn };
        const settings = packetSettings({ fold, check: true, switches, roce, routing: { mode: facts.mode } });
        const run = runPackets(topology, settings, posts);
        checkInvariants(run.network);
        return run;
      });
      expect(folded.times).toEqual(plain.times);
      const [counted, recounted] = [folded, plain].map(({ network: { fabric } }) => [
        fabric.counters,
        ...fabric.numbers.nodeOf.map((_, port) => framesSent(fabric, port)),
        ...fabric.numbers.nodeOf.map((_, port) => peakQueueBytes(fabric, port)),
      ]);
      expect(counted).toEqual(recounted);
      expect(folded.network.hostCounters).toEqual(plain.network.hostCounters);
    }),
    { numRuns: 60 },
  );
});
