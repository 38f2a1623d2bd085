import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { OFFICIAL_DEFAULTS, type OfficialCaseParameters } from './official-cases.js';

/** Parameters of official cases as the command line says them. */
export const OFFICIAL_FLAGS: Readonly<Record<keyof OfficialCaseParameters, string>> = {
  ranks: 'ranks',
  runtimeMicros: 'runtime-us',
  tensorBytes: 'tensor-size',
  commBytes: 'comm-size',
};

/** What was not stated of a case that uses it: `WORKLOAD_DEFAULTS`. */
export function officialDefaults(name: string, stated: Partial<OfficialCaseParameters>): Finding[] {
  const used = parametersOf(name).filter((parameter) => stated[parameter] === undefined);
  if (used.length === 0) return [];
  const list = used.map((parameter) => `${OFFICIAL_FLAGS[parameter]} ${OFFICIAL_DEFAULTS[parameter]}`).join(', ');
  const message = `${name}: not given, so by default: ${list}`;
  return [finding('WORKLOAD_DEFAULTS', message, { count: used.length })];
}

/** Parameters that change what a case is. */
function parametersOf(name: string): (keyof OfficialCaseParameters)[] {
  if (name.includes('metadata') || name === 'BARRIER') return ['ranks'];
  if (name.includes('comp_node')) return ['ranks', 'runtimeMicros'];
  return ['ranks', name.startsWith('one_') ? 'tensorBytes' : 'commBytes'];
}
