import { demandMostRows } from '../../src/records/most-rows.js';
import { recordedRun } from '../support/packet-records.js';
import { packetSettings, singleSwitch } from '../support/packet-runs.js';
import { factsOf, runningExample } from '../support/records.js';

const MS = 1_000_000_000;

test('R-158: rows of all ports at each interval: 4 ports and 25,000,000 rows are allowed, one more row is not', () => {
  const posts = [{ source: 0, destination: 1, bytes: 4096 }];
  const { outcome, facts } = recordedRun(singleSwitch(2), packetSettings(), posts, MS);
  const demand = (rows: number) => () => demandMostRows({ ...outcome, simulationEndPs: rows * MS }, facts);
  expect(demand(25_000_000)).not.toThrow();
  expect(demand(25_000_001)).toThrow(
    'nd-stats: 100,000,004 rows, 4 rows at each of 25,000,001 multiples of NDStatsReportInterval; expected at most 100,000,000',
  );
});

test('R-154: rows of progress', () => {
  const outcome = { ...runningExample(), simulationEndPs: 100_000_001 };
  expect(() => demandMostRows(outcome, factsOf({ beaconIntervalPs: 1 }))).toThrow(
    'chakra-cdf: 100,000,001 rows, 1 row at each of 100,000,001 multiples of BeaconReportInterval',
  );
});

test('R-161: blocks of the profiles of all ranks', () => {
  const outcome = runningExample();
  const ranks = outcome.ranks.map((rank) => ({ ...rank, ended: false }));
  const running = { ...outcome, ranks, startPs: 0, simulationEndPs: 100_000_001 / ranks.length };
  expect(() => demandMostRows(running, factsOf(), 1)).toThrow('profiles: 100,000,001 rows');
});
