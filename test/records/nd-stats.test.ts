import { scaleUpRouted } from '../../src/network/scale-up/scale-up-routed.js';
import { ScaleUpStats } from '../../src/network/scale-up/scale-up-stats.js';
import { ndStats } from '../../src/records/nd-stats.js';
import { receive, run, send, traces, EXAMPLE_NETWORK } from '../support/jobs.js';
import { oneGroup } from '../support/fabric-run.js';
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
