import { counted, grouped } from '../base/counts.js';
import { requestError } from '../base/errors.js';
import { MOST_ROWS } from '../network/packet/interval-stats.js';
import type { ReplayOutcome } from '../replay/outcome.js';
import { chakraCdf } from './chakra-cdf.js';
import { ecnPfcStats } from './ecn-pfc-stats.js';
import { ndStats } from './nd-stats.js';
import type { RunFacts } from './run-facts.js';
import { transportStats } from './transport-stats.js';

/** What has a row for each of some devices at each multiple of an interval. */
interface IntervalRows {
  readonly name: string;
  readonly setting: string;
  readonly intervalPs: number;
  readonly devices: number;
  readonly lastingPs: number;
}

/**
 * That what is written at each multiple of an interval ends: intervals are as short as somebody likes, and runs that stall as
 * long as their stop. The most rows are some 20 GB of CSV.
 * @param profilingIntervalPs undefined for no profiles
 * @throws PrepError `RECORD_TOO_LARGE`
 */
export function demandMostRows(outcome: ReplayOutcome, facts: RunFacts, profilingIntervalPs?: number): void {
  for (const { name, setting, intervalPs, devices, lastingPs } of intervalRows(outcome, facts, profilingIntervalPs)) {
    const rows = Math.floor(lastingPs / intervalPs);
    if (rows * devices <= MOST_ROWS) continue;
    const each = `${counted(devices, 'row')} at each of ${grouped(rows)} multiples of ${setting}`;
    throw requestError(
      'RECORD_TOO_LARGE',
      `${name}: ${grouped(rows * devices)} rows, ${each}; expected at most ${grouped(MOST_ROWS)}`,
      `make ${setting} longer, or let the run stop earlier with --until`,
    );
  }
}

function intervalRows(outcome: ReplayOutcome, facts: RunFacts, profilingIntervalPs?: number): IntervalRows[] {
  const { simulationEndPs, startPs, ranks } = outcome;
  const { beaconIntervalPs, packet, scaleUp, placement } = facts;
  const rows: IntervalRows[] = [
    {
      ...{ name: chakraCdf.name, setting: 'BeaconReportInterval' },
      ...{ intervalPs: beaconIntervalPs, devices: 1, lastingPs: simulationEndPs },
    },
  ];
  const statsPs = packet?.stats.intervalPs ?? scaleUp?.stats?.intervalPs;
  if (statsPs !== undefined) {
    const of = { setting: 'NDStatsReportInterval', intervalPs: statsPs, lastingPs: simulationEndPs };
    const { nodes, links } = packet?.topology ?? { nodes: [], links: [] };
    const hosts = nodes.filter(({ kind }) => kind === 'host').length;
    const groupRanks = scaleUp?.stats === undefined ? 0 : placement.groupOf.filter((group) => group >= 0).length;
    const isSwitch = (node: number): number => (nodes[node].kind === 'host' ? 0 : 1);
    const switchPorts = links.reduce((sum, { a, b }) => sum + isSwitch(a) + isSwitch(b), 0);
    rows.push(
      { ...of, name: ndStats.name, devices: 2 * links.length + groupRanks },
      { ...of, name: transportStats.name, devices: hosts },
      { ...of, name: ecnPfcStats.name, devices: 2 * switchPorts },
    );
  }
  if (profilingIntervalPs !== undefined) {
    const ends = ranks.map(({ ended, endPs }) => (ended ? endPs : simulationEndPs) - startPs);
    const lastingPs = ends.reduce((sum, timePs) => sum + timePs, 0);
    rows.push({
      name: 'profiles',
      setting: 'ProfilingInterval',
      intervalPs: profilingIntervalPs,
      devices: 1,
      lastingPs,
    });
  }
  return rows;
}
