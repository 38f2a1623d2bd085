import type { SystemExtensions } from '../../astra-sim/system-configuration.js';
import type { Settings } from './settings.js';

export const INTER_DIMENSION_KEY = 'inter-dimension-scheduling';

type Scheduling = SystemExtensions['interDimensionScheduling'];

/** Names that versions with the key had, in small letters; Themis is the paper's name of the greedy one. */
const SCHEDULINGS: ReadonlyMap<string, Scheduling> = new Map([
  ['ascending', 'ascending'],
  ['baseline', 'ascending'],
  ['roundrobin', 'roundRobin'],
  ['offlinegreedy', 'offlineGreedy'],
  ['themis', 'offlineGreedy'],
]);

/** The scheduling of a value, whatever its case, with or without hyphens; undefined where it is none. */
export function interDimensionScheduling(value: unknown): Scheduling | undefined {
  return typeof value === 'string' ? SCHEDULINGS.get(value.toLowerCase().replaceAll(/[-_ ]/g, '')) : undefined;
}

/**
 * The scheduling that the file asks for, `ascending` where it asks for none.
 * @throws PrepError `SYSTEM_MALFORMED`
 */
export function appliedScheduling(settings: Settings): Scheduling {
  if (!settings.has(INTER_DIMENSION_KEY)) return 'ascending';
  const value = settings.get(INTER_DIMENSION_KEY);
  const scheduling = interDimensionScheduling(value);
  if (scheduling === undefined) {
    throw settings.error(
      [INTER_DIMENSION_KEY],
      'one of ascending (or baseline), roundRobin, offlineGreedy (or themis)',
    );
  }
  const spelt = value === scheduling ? '' : `${String(value)} is `;
  const told = `${INTER_DIMENSION_KEY}: ${spelt}${scheduling}, applied here and not by ASTRA-sim`;
  settings.find('SYSTEM_EXTENSION', INTER_DIMENSION_KEY, told);
  return scheduling;
}
