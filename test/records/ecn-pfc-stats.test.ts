import { ecnPfcStats } from '../../src/records/ecn-pfc-stats.js';
import { recordedRun, rowsByName } from '../support/packet-records.js';
import { incast, packetSettings, singleSwitch, switchRing } from '../support/packet-runs.js';
import { defaultSettings } from '../support/slow-packet-network/default-settings.js';
import { factsOf, linesOf, runningExample } from '../support/records.js';

const MS = 1_000_000_000;

test('R-162: a row for each class of each switch port', () => {
  const ecn = { enabled: true, thresholds: [{ kminBytes: 0, kmaxBytes: 1, pmax: 1 }] };
  const posts = [{ source: 0, destination: 1, bytes: 40_960 }];
  const { outcome, facts } = recordedRun(singleSwitch(2), packetSettings({ switches: { ecn } }), posts, MS);
  expect(linesOf(ecnPfcStats, { ...outcome, simulationEndPs: 2 * MS - 1 }, facts)).toEqual([
    'time_utc,sim_time_sec,component_name,node_id,ifid,class,xoff_tx,xon_tx,xoff_rx,xon_rx,paused_us,ecn_marks',
    '1970-01-01T00:00:00Z,0.001000000000,s0,2,0,0,0,0,0,0,0.000000,0',
    '1970-01-01T00:00:00Z,0.001000000000,s0,2,0,1,0,0,0,0,0.000000,0',
    '1970-01-01T00:00:00Z,0.001000000000,s0,2,1,0,0,0,0,0,0.000000,10',
    '1970-01-01T00:00:00Z,0.001000000000,s0,2,1,1,0,0,0,0,0.000000,0',
  ]);
});

test('R-162: V-5: each of the 4 ingress ports sends XOFF once, for data', () => {
  const topology = singleSwitch(5);
  const settings = defaultSettings('roce', topology, { roce: { congestionControl: 'none' } });
  const { outcome, facts } = recordedRun(topology, settings, incast([1, 2, 3, 4], 0, 1_048_576), MS);
  const rows = rowsByName(linesOf(ecnPfcStats, outcome, facts));
  expect(rows).toHaveLength(10);
  const sends = rows.map((row) => [row.ifid, row.class, row.xoff_tx, row.xon_tx, row.xoff_rx].join(' '));
  expect(sends.filter((row) => !/ 0 0 0$/.test(row))).toEqual(['1 0 1 1 0', '2 0 1 1 0', '3 0 1 1 0', '4 0 1 1 0']);
});

test('R-162: a pause that lasts grows up to the end of the simulation, long after the last event', () => {
  const switches = {
    pfc: 'static',
    bufferBytes: 256e6,
    headroomBytes: 60_000,
    xoffBytes: 40_000,
    xonBytes: 20_000,
  } as const;
  const posts = [0, 1, 2, 3, 4].map((source) => ({ source, destination: (source + 2) % 5, bytes: 1 << 20 }));
  const { outcome, facts, network } = recordedRun(switchRing(5), packetSettings({ switches }), posts, MS);
  const rows = rowsByName(linesOf(ecnPfcStats, { ...outcome, simulationEndPs: 4 * MS }, facts));
  // The switches stand still within 20 µs. Of each one data is stopped at the port to the next switch.
  const { pausedSincePs } = network.fabric.counters;
  const begins = [...pausedSincePs].filter((sincePs, device) => sincePs > 0 && device >= 2 * 5);
  expect(begins).toHaveLength(5);
  expect(Math.max(...begins)).toBeLessThan(20e6);
  for (const row of [1, 2, 3, 4]) {
    const paused = rows.filter((each) => Number(each.sim_time_sec) === row / 1000 && each.paused_us !== '0.000000');
    expect(paused.map((each) => Math.round(Number(each.paused_us) * 1e6))).toEqual(
      begins.map((sincePs) => row * MS - sincePs),
    );
  }
});

test('R-162: only a run of the packet network has the record', () => {
  expect(ecnPfcStats.applies(runningExample(), factsOf())).toBe(false);
  expect([...ecnPfcStats.rows(runningExample(), factsOf())]).toEqual([]);
});
