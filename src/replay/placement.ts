import type { ScaleUpGroup } from '../network/scale-up/scale-up-spec.js';

export const NIC_KINDS = ['roce', 'uet', 'mrc'] as const;
export type NicKind = (typeof NIC_KINDS)[number];

/** A machine of the network that a rank can run on. */
export interface Server {
  readonly id: number;
  readonly name: string;
  /** Node ids of the server and its NIC in the topology; equal where the NIC is no node of its own. */
  readonly node: number;
  readonly nicNode: number;
  /** Absent on networks that model no NIC. */
  readonly nic?: NicKind;
}

/** Where every rank runs. */
export interface Placement {
  /** All servers with a NIC, ascending id; those no rank runs on among them. */
  readonly servers: readonly Server[];
  /** [ranks] */
  readonly serverOf: readonly Server[];
  /** Ascending id; empty without scale-up groups. */
  readonly groups: readonly ScaleUpGroup[];
  readonly groupOf: Int32Array; // [ranks] index in groups, −1 for a rank in none
  readonly subgroupOf: Uint32Array; // [ranks] subgroup id, 0 where there is no group
}
