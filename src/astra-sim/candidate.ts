import type { LogicalDimension } from './logical-dimension.js';
import type { Implementation } from './system-configuration.js';

/** A dimension that a collective could use, with its algorithm. */
export interface Candidate {
  readonly members: LogicalDimension;
  readonly implementation: Implementation;
  /** Place in the list of implementations. */
  readonly dimension: number;
}
