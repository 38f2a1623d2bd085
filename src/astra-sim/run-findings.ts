import type { Finding } from '../base/finding.js';
import type { SystemEngine } from './system-engine.js';

/** What happened during a run that the program would have gone wrong about. */
export function runFindings(_engine: SystemEngine): Finding[] {
  return [];
}
