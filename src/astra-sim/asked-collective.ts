import type { NodePlace } from './node-place.js';

/** A collective as a node asks for it. */
export interface AskedCollective {
  readonly type: number;
  readonly bytes: number;
  /** Name of the process group, '' for none. */
  readonly group: string;
  /** `involved_dim`. */
  readonly involved: readonly boolean[] | undefined;
  /** Node id. */
  readonly id: bigint;
  /** The node, for messages. */
  readonly place: () => NodePlace;
}
