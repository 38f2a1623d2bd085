import { finding } from '../base/catalogue.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { LONGEST_TIME_PS, parseTimePs, timeText } from '../base/units.js';

/** A time as the configuration (ps) or the command line (text with a unit) gives it. */
export type TimeSetting = number | string;

/** Times of a run as flags and configuration give them; all may be left out. */
export interface TimeSettings {
  readonly until?: TimeSetting;
  readonly startTime?: TimeSetting;
  readonly warmUp?: TimeSetting;
  readonly runTime?: TimeSetting;
  readonly coolDown?: TimeSetting;
  readonly beaconReportInterval?: TimeSetting;
  readonly ndStatsReportInterval?: TimeSetting;
  /** Turns profiling on with this interval. */
  readonly profiling?: TimeSetting;
  readonly profilingEnabled?: boolean;
  readonly profilingInterval?: TimeSetting;
}

/** Times of a run, ps. */
export interface RunTimes {
  /** When every rank starts. Default 0. */
  readonly startPs: number;
  /** Last instant that may be simulated. Default 10 s. */
  readonly stopPs: number;
  /** Between rows of chakra-cdf, and how long the run lasts after its last rank. Default 1 ms. */
  readonly beaconIntervalPs: number;
  /** Between rows of nd-stats. Default 1 ms. */
  readonly ndStatsIntervalPs: number;
  /** Between blocks of the profile; absent where profiling is off, which is the default. */
  readonly profilingIntervalPs?: number;
}

export interface DerivedTimes {
  readonly times: RunTimes;
  /** What the stop comes from: `--until 5ms`, `RunTime 10 s`. */
  readonly stoppedBy: string;
  /** Settings that count for nothing. */
  readonly findings: readonly Finding[];
}

const DEFAULT_RUN_TIME_PS = 10e12;
const DEFAULT_INTERVAL_PS = 1e9;

/**
 * The times of a run: the stop is StartTime + WarmUp + RunTime + CoolDown, or `until`, which wins.
 * @throws PrepError `TIME_MALFORMED`, also for an interval of 0; `TIME_TOO_LARGE` for a stop above 2^53 ps;
 *   `STOP_BEFORE_START`
 */
export function runTimes(settings: TimeSettings): DerivedTimes {
  const startPs = picoseconds('--start-time', settings.startTime, 0);
  const parts: (readonly [name: string, ps: number])[] = [
    ['StartTime', startPs],
    ['WarmUp', picoseconds('WarmUp', settings.warmUp, 0)],
    ['RunTime', picoseconds('RunTime', settings.runTime, DEFAULT_RUN_TIME_PS)],
    ['CoolDown', picoseconds('CoolDown', settings.coolDown, 0)],
  ];
  const profilingIntervalPs = profilingInterval(settings);
  const intervals = {
    beaconIntervalPs: interval('BeaconReportInterval', settings.beaconReportInterval),
    ndStatsIntervalPs: interval('NDStatsReportInterval', settings.ndStatsReportInterval),
    ...(profilingIntervalPs === undefined ? {} : { profilingIntervalPs }),
  };
  if (settings.until === undefined) {
    const { stopPs, stoppedBy } = sumOf(parts);
    return { times: { startPs, stopPs, ...intervals }, stoppedBy, findings: [] };
  }
  const stopPs = picoseconds('--until', settings.until, 0);
  const stoppedBy = `--until ${typeof settings.until === 'number' ? timeText(stopPs) : settings.until}`;
  if (stopPs < startPs) {
    throw requestError('STOP_BEFORE_START', `${stoppedBy} is before StartTime ${timeText(startPs)}`);
  }
  return { times: { startPs, stopPs, ...intervals }, stoppedBy, findings: unusedBecauseOfUntil(settings, stoppedBy) };
}

function sumOf(parts: readonly (readonly [name: string, ps: number])[]): { stopPs: number; stoppedBy: string } {
  // RunTime is named even where it is 0: it is the one that is meant to be set.
  const named = parts.filter(([name, ps]) => ps > 0 || name === 'RunTime');
  const stoppedBy = named.map(([name, ps]) => `${name} ${timeText(ps)}`).join(' + ');
  const stopPs = parts.reduce((sum, [, ps]) => sum + BigInt(ps), 0n);
  if (stopPs > BigInt(LONGEST_TIME_PS)) {
    throw requestError('TIME_TOO_LARGE', `stop time ${stoppedBy} exceeds 2^53 ps (9007 s)`);
  }
  return { stopPs: Number(stopPs), stoppedBy };
}

function unusedBecauseOfUntil({ warmUp, runTime, coolDown }: TimeSettings, stoppedBy: string): Finding[] {
  return Object.entries({ WarmUp: warmUp, RunTime: runTime, CoolDown: coolDown })
    .filter(([, setting]) => setting !== undefined)
    .map(([name, setting]) => {
      const time = timeText(picoseconds(name, setting, 0));
      return finding('SETTING_UNUSED', `${name} ${time} is not used: ${stoppedBy} says when the run stops`);
    });
}

function profilingInterval({ profiling, profilingEnabled, profilingInterval }: TimeSettings): number | undefined {
  if (profiling !== undefined) return interval('--profiling', profiling);
  return profilingEnabled === true ? interval('ProfilingInterval', profilingInterval) : undefined;
}

function interval(name: string, setting: TimeSetting | undefined): number {
  const ps = picoseconds(name, setting, DEFAULT_INTERVAL_PS);
  if (ps > 0) return ps;
  throw requestError('TIME_MALFORMED', `${name} ${setting}: expected more than 0`);
}

/** @param name of the flag or attribute, for messages */
function picoseconds(name: string, setting: TimeSetting | undefined, otherwise: number): number {
  if (setting === undefined) return otherwise;
  return typeof setting === 'number' ? setting : parseTimePs(setting, name);
}
