import { scaleUpRouted } from '../../src/network/scale-up/scale-up-routed.js';
import { ScaleUpStats } from '../../src/network/scale-up/scale-up-stats.js';
import { ndStats } from '../../src/records/nd-stats.js';
import { receive, run, send, traces, EXAMPLE_NETWORK } from '../support/jobs.js';
import { oneGroup } from '../support/fabric-run.js';
import { recordedRun, rowsByName } from '../support/packet-records.js';
import { leafSpine, packetSettings, packetTopology, singleSwitch, type PacketPost } from '../support/packet-runs.js';
import { factsOf, inOrder, linesOf, mappedExample, runningExample } from '../support/records.js';

const MS = 1_000_000_000;

/** The transfer of R-090, 256 packets of 4,120 B from rank 0 to rank 1; only the interval of each event counts here. */
function statsOfR090(): ScaleUpStats {
  const stats = new ScaleUpStats(8, MS);
  for (let packet = 1; packet <= 256; packet++) {
    stats.sent(0, 4120, packet * 41_200);
    stats.received(1, 4120, packet * 41_200 + 341_200);
  }
  return stats;
}

function rows(stats: ScaleUpStats, simulationEndPs: number): string[] {
  const facts = factsOf({ placement: mappedExample(), scaleUp: { stats } });
  return linesOf(ndStats, { ...runningExample(), simulationEndPs }, facts).slice(1);
}

test('R-158 1 MiB of R-090: the first row of sender and receiver', () => {
  const [sender, receiver] = rows(statsOfR090(), MS);
  expect(sender).toBe(
    '1970-01-01T00:00:00Z,0.001000000000,h0,ChakraScaleUpNetDevice,ChakraScaleUpNic,0,ul,0,3,0,256,0,0.001055,0.000000,1.054720,0.000000,8.437760,0.000000,1.054720,0.000000,0,0',
  );
  expect(receiver).toBe(
    '1970-01-01T00:00:00Z,0.001000000000,h1,ChakraScaleUpNetDevice,ChakraScaleUpNic,0,ul,1,3,0,0,256,0.000000,0.001055,0.000000,1.054720,0.000000,8.437760,0.000000,1.054720,0,0',
  );
});

test('R-158 the same row from a replay over the fabric', () => {
  const stats = new ScaleUpStats(2, MS);
  const spec = oneGroup(2);
  const job = traces([send(1, 1, 1_048_576, 5)], [receive(1, 0, 1_048_576, 5)]);
  const outcome = run(job, { network: scaleUpRouted(EXAMPLE_NETWORK, spec, stats) });
  // The run ends at 11.1472 µs and lasts for 1 ms more: one interval.
  const facts = factsOf({ placement: { ...inOrder(2), ...spec }, scaleUp: { stats } });
  const [sender, receiver, ...more] = linesOf(ndStats, outcome, facts).slice(1);
  expect(sender.split(',').slice(10).join()).toBe(
    '256,0,0.001055,0.000000,1.054720,0.000000,8.437760,0.000000,1.054720,0.000000,0,0',
  );
  expect(receiver.split(',').slice(10).join()).toBe(
    '0,256,0.000000,0.001055,0.000000,1.054720,0.000000,8.437760,0.000000,1.054720,0,0',
  );
  expect(more).toEqual([]);
});

test('R-158 the columns', () => {
  const facts = factsOf({ placement: mappedExample(), scaleUp: { stats: new ScaleUpStats(8, MS) } });
  expect(linesOf(ndStats, { ...runningExample(), simulationEndPs: MS - 1 }, facts)).toEqual([
    'time_utc,sim_time_sec,component_name,nd_name,component_type,ifid,uldl,node_id,tier,subtier,total_packets_tx,total_packets_rx,total_bytes_tx_GB,total_bytes_rx_GB,interval_bytes_tx_MB,interval_bytes_rx_MB,tx_rate_Gbps,rx_rate_Gbps,tx_link_percent_util,rx_link_percent_util,tx_drops,rx_drops',
  ]);
});

test('R-158 every rank in a group has a row at every interval, busy or idle, and totals add up', () => {
  const stats = statsOfR090();
  stats.sent(0, 4120, 2 * MS); // its end belongs to the second interval
  stats.sent(0, 24, 3 * MS + 1);
  const all = rows(stats, 4 * MS + 5).map((row) => row.split(','));
  // Six ranks are in a group; four intervals have ended.
  expect(all.map((row) => row[2])).toEqual(
    Array.from({ length: 4 }, () => ['h0', 'h1', 'h2', 'h3', 'h4', 'h5']).flat(),
  );
  const sender = all.filter((row) => row[2] === 'h0');
  // time, packets, GB, MB, Gbit/s, percent
  expect(sender.map((row) => [1, 10, 12, 14, 16, 18].map((column) => row[column]).join(' '))).toEqual([
    '0.001000000000 256 0.001055 1.054720 8.437760 1.054720',
    '0.002000000000 257 0.001059 0.004120 0.032960 0.004120',
    '0.003000000000 257 0.001059 0.000000 0.000000 0.000000',
    '0.004000000000 258 0.001059 0.000024 0.000192 0.000024',
  ]);
  const idle = all.filter((row) => row[2] === 'h5');
  expect(new Set(idle.map((row) => row.slice(10).join()))).toEqual(
    new Set(['0,0,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0,0']),
  );
});

test('R-158 the rate is of the interval, the percentage of the group bandwidth', () => {
  const placement = mappedExample();
  const groups = placement.groups.map((group) => ({ ...group, bandwidthGbps: 0.3 }));
  const stats = new ScaleUpStats(8, 3_000_000);
  stats.sent(0, 100, 1);
  const facts = factsOf({ placement: { ...placement, groups }, scaleUp: { stats } });
  const [row] = linesOf(ndStats, { ...runningExample(), simulationEndPs: 3_000_000 }, facts).slice(1);
  // 800 bit in 3 µs are 0.2666… Gbit/s, 88.888… % of 0.3.
  expect([16, 18].map((column) => row.split(',')[column])).toEqual(['0.266667', '88.888889']);
});

test('R-158 only a run that counted its packets has the record', () => {
  const outcome = runningExample();
  expect(ndStats.applies(outcome, factsOf({ placement: mappedExample() }))).toBe(false);
  expect(ndStats.applies(outcome, factsOf({ scaleUp: {} }))).toBe(false);
  expect(ndStats.applies(outcome, factsOf({ scaleUp: { stats: new ScaleUpStats(2, MS) } }))).toBe(true);
});

const MIB: readonly PacketPost[] = [{ source: 0, destination: 1, bytes: 1_048_576 }];

test('R-158 1 MiB of R-063: 256 frames of 4,154 B, 16 ACKs of 126 B, at both ends of both links', () => {
  const { outcome, facts } = recordedRun(singleSwitch(2), packetSettings(), MIB, MS);
  // 1,063,424 B in 1 ms are 8.507392 Gbit/s, 2.126848 % of 400; 2,016 B are 0.016128 and 0.004032 %.
  const data = ['256', '0.001063', '1.063424', '8.507392', '2.126848'];
  const acks = ['16', '0.000002', '0.002016', '0.016128', '0.004032'];
  const counts = (sent: string[], received: string[]): string =>
    [...sent.flatMap((cell, at) => [cell, received[at]]), 0, 0].join();
  const time = '1970-01-01T00:00:00Z,0.001000000000';
  expect(linesOf(ndStats, outcome, facts).slice(1)).toEqual([
    `${time},h0,RoceNetDevice,Nic,0,ul,0,3,0,${counts(data, acks)}`,
    `${time},h1,RoceNetDevice,Nic,0,ul,1,3,0,${counts(acks, data)}`,
    `${time},s0,SwitchNetDevice,Switch,0,dl,2,2,0,${counts(acks, data)}`,
    `${time},s0,SwitchNetDevice,Switch,1,dl,2,2,0,${counts(data, acks)}`,
  ]);
});

test('R-158 rows of ports: totals since the start, bytes of the interval, idle rows too', () => {
  const { outcome, facts } = recordedRun(singleSwitch(2), packetSettings(), MIB, 10_000_000);
  const rows = rowsByName(linesOf(ndStats, { ...outcome, simulationEndPs: 40_000_000 }, facts));
  expect(rows).toHaveLength(4 * 4);
  // A frame has been sent every 83.08 ns: 120 by 10 µs, 240 by 20 µs.
  const sender = rows.filter((row) => row.component_name === 'h0');
  const cells = ['total_packets_tx', 'total_bytes_tx_GB', 'interval_bytes_tx_MB', 'tx_rate_Gbps'];
  expect(sender.map((row) => cells.map((name) => row[name]).join(' '))).toEqual([
    '120 0.000498 0.498480 398.784000',
    '240 0.000997 0.498480 398.784000',
    '256 0.001063 0.066464 53.171200',
    '256 0.001063 0.000000 0.000000',
  ]);
});

test('R-158 ports towards the spine are ul, those of a switch towards hosts dl', () => {
  const plain = leafSpine(2, 1, 1);
  const nodes = plain.nodes.map((node, id) => (id === 4 ? { ...node, name: 'spine', tier: 1 } : node));
  const { outcome, facts } = recordedRun({ ...plain, nodes }, packetSettings(), MIB, MS);
  const rows = rowsByName(linesOf(ndStats, outcome, facts));
  expect(rows.map((row) => [row.component_name, row.ifid, row.uldl, row.tier].join(' '))).toEqual([
    ...['h0 0 ul 3', 'h1 0 ul 3', 's0 0 dl 2', 's0 1 ul 2', 's1 0 dl 2', 's1 1 ul 2', 'spine 0 dl 1', 'spine 1 dl 1'],
  ]);
});

test('R-158 drops: what found no room at the egress was to be sent, what was lost on the link to be received', () => {
  const line = packetTopology(3, 1, [
    [0, 3],
    [1, 3, { loss: 0.05 }],
    [2, 3, { gbps: 100 }],
  ]);
  const settings = packetSettings({ switches: { egressLimitBytes: 100_000 }, roce: { retransmitTimeoutPs: 20e6 } });
  const posts = [0, 1].map((source) => ({ source, destination: 2, bytes: 1_048_576 }));
  const { outcome, facts, network } = recordedRun(line, settings, posts, MS);
  const { egressDrops, losses } = network.fabric.counters;
  // Ports: 0, 1 and 2 of the hosts, 3, 4 and 5 of the switch towards them. Device of data is 2 × port.
  expect(egressDrops[2 * 5]).toBeGreaterThan(100);
  expect(losses[4]).toBeGreaterThan(10);
  const last = rowsByName(linesOf(ndStats, { ...outcome, simulationEndPs: 100 * MS }, facts)).slice(-6);
  expect(last.map((row) => [Number(row.tx_drops), Number(row.rx_drops)])).toEqual([
    [0, 0],
    [0, losses[1]],
    [0, 0],
    [0, 0],
    [0, losses[4]],
    [egressDrops[2 * 5], 0],
  ]);
});

test('R-158 ports of the packet network come before the devices of ranks, at each time', () => {
  const { outcome, facts } = recordedRun(singleSwitch(2), packetSettings(), MIB, MS);
  const mapped = factsOf({ placement: mappedExample(), scaleUp: { stats: statsOfR090() }, packet: facts.packet! });
  const rows = rowsByName(linesOf(ndStats, { ...outcome, simulationEndPs: 2 * MS }, mapped));
  const types = [...['Nic', 'Nic', 'Switch', 'Switch'], ...new Array<string>(6).fill('ChakraScaleUpNic')];
  expect(rows.map((row) => row.component_type)).toEqual([...types, ...types]);
});
