import type { Finding } from '../../base/finding.js';
import type { Topology } from './topology.js';

/** A topology that was read, and what is to be said of its description. */
export interface TopologyReading {
  readonly topology: Topology;
  /** What was defaulted, ignored or left out. */
  readonly findings: readonly Finding[];
}
