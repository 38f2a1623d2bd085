import { PacketFlag, PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import { incast, oneSwitch, runUet, sumOf } from '../../../support/uet-runs.js';
import { watchArrivals, watchDepartures, type SeenPacket } from '../../../support/uet-watch.js';

const DATA_PS = 84_040;

test('UE-5: a trimmed packet draws a NACK at once, and is sent again when the NACK comes', () => {
  // Two packets come to the switch at 584,040, there is room for one. The other is trimmed, leaves behind the first from 668,080
  // to 669,320 and arrives at 1,169,320. The NACK waits for the ACK of the first, which leaves until 1,168,080 + 1,560 = 1,169,640;
  // it arrives at 1,169,640 + 2 × (1,240 + 500,000) = 2,172,120.
  const arrivals: SeenPacket[] = [];
  const { times, network } = runUet(oneSwitch(3), { switches: { egressLimitBytes: 4_202 } }, incast(2, 4096), (run) =>
    watchArrivals(run, arrivals),
  );
  const [nack] = arrivals.filter(({ kind }) => kind === PacketKind.nack);
  expect([nack.timePs, nack.node, nack.bytes]).toEqual([2_172_120, 2, 62]);
  expect(nack.flags & PacketFlag.lastHop).toBe(PacketFlag.lastHop);
  const received = 2_172_120 + 2 * (DATA_PS + 500_000);
  expect(times[1]).toEqual({ sent: DATA_PS, received, acknowledged: received + 2 * (1_560 + 500_000) });
  expect(network.hostCounters.retransmissions[2]).toBe(1);
  expect(sumOf(network.hostCounters.timeouts)).toBe(0);
});

test('UE-5: packets that were trimmed go before new data, in the order of their NACKs', () => {
  const arrivals: SeenPacket[] = [];
  const departures: SeenPacket[] = [];
  runUet(oneSwitch(8), {}, incast(7), (run) => {
    watchArrivals(run, arrivals);
    watchDepartures(run, departures);
  });
  const nacks = arrivals.filter(({ kind }) => kind === PacketKind.nack);
  expect(nacks.length).toBeGreaterThan(100);
  for (let host = 1; host <= 7; host++) {
    const waiting = nacks.filter(({ node }) => node === host);
    for (const packet of departures.filter(({ node }) => node === host)) {
      const start = packet.timePs - DATA_PS;
      if (packet.attempt === 0) {
        expect(waiting.length === 0 || waiting[0].timePs > start).toBe(true);
      } else {
        const { psn, attempt, timePs } = waiting.shift()!;
        expect([psn, attempt, timePs <= start]).toEqual([packet.psn, packet.attempt - 1, true]);
      }
    }
    expect(waiting).toEqual([]);
  }
});

function departuresUntil(arriving: number, fixedTimeout: boolean): number[] {
  const departures: SeenPacket[] = [];
  const { network } = runUet(
    oneSwitch(2),
    { uet: { fixedTimeout } },
    [{ source: 0, destination: 1, bytes: 4096 }],
    (run) => {
      watchDepartures(run, departures);
      watchArrivals(run, [], ({ kind, attempt }) => kind === PacketKind.data && attempt < arriving);
    },
  );
  expect(network.hostCounters.timeouts[0]).toBe(arriving);
  expect(network.hostCounters.retransmissions[0]).toBe(arriving);
  // No RTT of a second retransmission.
  expect(network.hostCounters.rtt.count[0]).toBe(arriving <= 1 ? 1 : 0);
  return departures.map(({ timePs }) => timePs);
}

test('UE-6: the timeout is 150 µs × 2^min(k, 5) from the end of serialisation', () => {
  const timeouts = [150, 300, 600, 1200, 2400, 4800, 4800];
  let end = DATA_PS;
  const expected = [end, ...timeouts.map((us) => (end += us * 1e6 + DATA_PS))];
  expect(departuresUntil(7, false)).toEqual(expected);
});

test('UE-6: with FixedRto the timeout stays', () => {
  const expected = Array.from({ length: 5 }, (_, k) => DATA_PS + k * (150_000_000 + DATA_PS));
  expect(departuresUntil(4, true)).toEqual(expected);
});

test('UE-6: the first retransmission gives an RTT, from the end of its own serialisation', () => {
  const { network } = runUet(oneSwitch(2), {}, [{ source: 0, destination: 1, bytes: 4096 }], (run) =>
    watchArrivals(run, [], ({ kind, attempt }) => kind === PacketKind.data && attempt === 0),
  );
  expect(network.hostCounters.rtt.least[0]).toBe(2_087_160);
});

test('UE-6: a packet that is acknowledged while it is sent again has no timer any more', () => {
  // The ACK comes 10 ns after the timer, while the retransmission leaves.
  const late = 150_000_000 + DATA_PS + 10_000;
  const { times, network } = runUet(oneSwitch(2), { hosts: { ackTurnaroundPs: late - 84_040 - 2_087_160 } }, [
    { source: 0, destination: 1, bytes: 4096 },
  ]);
  expect(times[0].acknowledged).toBe(late);
  expect(network.hostCounters.timeouts[0]).toBe(1);
  expect(network.hostCounters.duplicates[1]).toBe(1);
  expect(network.fabric.packets.count).toBe(0);
});
