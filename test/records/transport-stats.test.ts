import { HostCount } from '../../src/network/packet/counts/interval-counts.js';
import { transportStats } from '../../src/records/transport-stats.js';
import { rowsByName, recordedRun } from '../support/packet-records.js';
import { packetSettings, singleSwitch, type PacketPost } from '../support/packet-runs.js';
import { defaultSettings } from '../support/slow-packet-network/default-settings.js';
import { factsOf, linesOf, runningExample } from '../support/records.js';

const MS = 1_000_000_000;
const MIB: readonly PacketPost[] = [{ source: 0, destination: 1, bytes: 1_048_576 }];
const PAIR = singleSwitch(2);

test('R-162: R-063: 256 data sent, 16 ACKs received, 0 retransmissions, 1 message completed', () => {
  const { outcome, facts } = recordedRun(PAIR, packetSettings(), MIB, MS);
  expect(linesOf(transportStats, outcome, facts)).toEqual([
    'time_utc,sim_time_sec,component_name,node_id,' +
      'data_packets_tx,ack_packets_tx,nack_packets_tx,cnp_packets_tx,probe_packets_tx,credit_packets_tx,' +
      'data_packets_rx,ack_packets_rx,nack_packets_rx,cnp_packets_rx,probe_packets_rx,credit_packets_rx,trimmed_packets_rx,' +
      'retransmissions,timeouts,out_of_order_arrivals,duplicates,pool_drops,messages_posted,messages_completed,' +
      'rtt_min_us,rtt_mean_us,rtt_max_us,rate_min_Gbps,rate_mean_Gbps,rate_max_Gbps',
    '1970-01-01T00:00:00Z,0.001000000000,h0,0,256,0,0,0,0,0,0,16,0,0,0,0,0,0,0,0,0,0,1,1,2.088120,2.088120,2.088120,,,',
    '1970-01-01T00:00:00Z,0.001000000000,h1,1,0,16,0,0,0,0,256,0,0,0,0,0,0,0,0,0,0,0,0,0,,,,,,',
  ]);
});

test('R-162: counts are since the start, times and windows are of the interval', () => {
  // 17 packets and an ACK until 3.500 µs, 256 until 23.4 µs; rows at 5, 10, …, 50 µs.
  const { outcome, facts } = recordedRun(PAIR, packetSettings(), MIB, 5_000_000);
  const sender = rowsByName(linesOf(transportStats, { ...outcome, simulationEndPs: 30_000_000 }, facts)).filter(
    (row) => row.component_name === 'h0',
  );
  // A packet leaves every 83.08 ns; the ACK of the 17th is back at 17 × 83.08 + 2,088.12 = 3,500.48 ns, then one every 1,412.36.
  expect(sender.map((row) => [row.data_packets_tx, row.ack_packets_rx, row.rtt_mean_us].join(' '))).toEqual([
    '60 2 2.088120',
    '120 5 2.088120',
    '180 9 2.088120',
    '240 12 2.088120',
    '256 16 2.088120',
    '256 16 ',
  ]);
});

test('R-162: means are of the samples, rounded once, halves up; idle and unsampled rows have none', () => {
  const { outcome, facts } = recordedRun(PAIR, packetSettings({ nic: 'uet' }), [], MS);
  const { hosts } = facts.packet!.stats;
  hosts.row.set([3, 5, 1, 2], HostCount.rtt); // 1, 2 and 2 ps
  hosts.row.set([2, 20_001, 10_000, 10_001], HostCount.pace);
  hosts.note(1, 0, true);
  hosts.row.set([0, 0, Infinity, -Infinity], HostCount.rtt);
  hosts.row.set([0, 0, Infinity, -Infinity], HostCount.pace);
  hosts.row[HostCount.timeouts] = 1;
  hosts.note(3, 0);
  const rows = rowsByName(linesOf(transportStats, { ...outcome, simulationEndPs: 3 * MS }, facts));
  const cells = rows.filter((row) => row.node_id === '0').map((row) => Object.values(row).slice(-6).join());
  expect(cells).toEqual(['0.000001,0.000002,0.000002,10000,10001,10001', ',,,,,', ',,,,,']);
  expect(rows.filter((row) => row.node_id === '0').map((row) => row.timeouts)).toEqual(['0', '0', '1']);
});

test('R-162: a packet that waits at a switch has a longer round trip', () => {
  const posts = [0, 1].map((source) => ({ source, destination: 2, bytes: 4096 }));
  const { outcome, facts } = recordedRun(singleSwitch(3), packetSettings(), posts, MS);
  const rows = rowsByName(linesOf(transportStats, outcome, facts));
  // The frame of host 1 waits for that of host 0, 83.08 ns.
  expect(rows.map((row) => row.rtt_max_us)).toEqual(['2.088120', '2.171200', '']);
});

test('R-162: UET has a window: 156,537 B once the base RTT is 2.08716 µs', () => {
  const { outcome, facts } = recordedRun(PAIR, defaultSettings('uet', PAIR), MIB, MS);
  const [sender, receiver] = rowsByName(linesOf(transportStats, outcome, facts));
  expect(sender).toMatchObject({
    data_packets_tx: '256',
    ack_packets_rx: '256',
    messages_completed: '1',
    ...{ rtt_min_us: '2.087160', rtt_mean_us: '2.087160', rtt_max_us: '2.087160' },
    ...{ window_min_bytes: '156537', window_mean_bytes: '156537', window_max_bytes: '156537' },
  });
  expect(receiver).toMatchObject({ ack_packets_tx: '256', data_packets_rx: '256', window_max_bytes: '' });
});

test('R-162: RoCEv2 has a rate: 200 Gbit/s after a CNP', () => {
  const ecn = { enabled: true, thresholds: [{ kminBytes: 0, kmaxBytes: 1, pmax: 1 }] };
  const settings = packetSettings({ switches: { ecn }, roce: { congestionControl: 'dcqcn' } });
  const { outcome, facts } = recordedRun(PAIR, settings, MIB, MS);
  const [sender, receiver] = rowsByName(linesOf(transportStats, outcome, facts));
  // One CNP in 50 µs, and the message is gone before the rate rises 55 µs after it.
  expect(sender).toMatchObject({ cnp_packets_rx: '1', rate_min_Gbps: '200.000000', rate_max_Gbps: '200.000000' });
  expect(receiver).toMatchObject({ cnp_packets_tx: '1', rate_mean_Gbps: '' });
});

test('R-162: only a run of the packet network has the record', () => {
  expect(transportStats.applies(runningExample(), factsOf())).toBe(false);
  const { outcome, facts } = recordedRun(PAIR, packetSettings(), MIB, MS);
  expect(transportStats.applies(outcome, facts)).toBe(true);
  expect([...transportStats.rows(outcome, factsOf())]).toEqual([]);
});
