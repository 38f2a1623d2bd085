import type { ByteSource } from '../base/byte-source.js';

/** Bits of the `flags` column. */
export const NodeFlag = {
  /** `is_cpu_op` is there and true. */
  cpu: 1,
  /** `is_cpu_op` is there. */
  cpuGiven: 2,
  /** The node was changed since it was read: writing it overlays its columns on the kept frame. */
  touched: 4,
  /** A transfer of a barrier that `sync` added (`is_added_synchronization_flow`, R-094). */
  addedSync: 8,
  /** `start_time_micros` is there and not 0. */
  startTime: 16,
  /** `inputs` is there. */
  inputs: 32,
  /** Some attribute has a value in another oneof arm than the one writers use, and it was converted. */
  otherArm: 64,
  /** Some attribute holds nothing, or nothing that can be used for it; its column is as if absent. */
  notNumber: 128,
  /** `num_ops` or `tensor_size` is there and above 0. */
  work: 256,
  /** The group is to be written as `pg_name`, also beside a `comm_group`. */
  groupNamed: 512,
  /** A transfer that carries `collective_algorithm`, because the exit of its collective was left out. */
  algorithmCarried: 1024,
  /** A compute node that a pass made for a program that asks for `num_ops` and `tensor_size`: both are to be written. */
  workMade: 2048,
} as const;

/** Which collective a node belongs to: the same on every transfer of it, on its barrier and on its exit. */
export interface CollectiveIdentity {
  /** Process group name. */
  readonly group: string;
  /** A {@link CollectiveType} number. */
  readonly type: number;
  /** Place among the collectives of the group, from 0. */
  readonly instance: number;
  /** `comm_size` of the collective, bytes. */
  readonly size: number;
  /** Algorithm that expanded it; known on the exit node. */
  algorithm?: string;
}

/** What a rank's trace says about itself. */
export interface TraceMetadata {
  /** Schema version text, '' when the file names none. */
  version: string;
  /** The metadata message as read, without our own attributes being interpreted; written back unchanged. */
  kept: Uint8Array;
  /** Passes that ran, in order (`chakra_prep_passes`). */
  passes: string[];
  /** Groups declared in the metadata (`process_groups`), name → ranks in order; `undefined` when it declares none. */
  groups?: Record<string, number[]>;
  /** Rank and ranks of the traceset as the metadata states them (`rank`, `world_size`); `undefined` when it does not. */
  rank?: number;
  worldSize?: number;
}

/** The parts of a node that have no column: read from the kept frame when asked for. */
export interface KeptNodes {
  readonly source: ByteSource;
  /** Name of the node whose frame is at `offset`. */
  name(offset: number, length: number): string;
  /** Whether that node states its duration, be it 0. */
  givesDuration(offset: number, length: number): boolean;
  /**
   * Every attribute of that node in order, with the name of its oneof arm (`UNSET` where it has no value) and, for
   * integers, the number, which is exact up to 2^53.
   */
  forEachAttribute(
    offset: number,
    length: number,
    visit: (name: string, arm: string, integer: number | undefined) => void,
  ): void;
  /**
   * The attributes of that node whose number stands in another oneof arm than the one writers use and can be moved
   * there as it is, with the names of both arms. Of equal names the first counts.
   */
  forEachOtherArm(
    offset: number,
    length: number,
    visit: (attribute: string, arm: string, usualArm: string) => void,
  ): void;
  /** The values of a `bool_list` attribute of that node; `undefined` when it is absent or another list. */
  flagList(offset: number, length: number, name: string): boolean[] | undefined;
  /** `inputs.values` text of that node, '' when absent. */
  inputValues(offset: number, length: number): string;
}

/**
 * One rank's trace as columns: a node is its index, in file order. Written only by the builder of the format that
 * reads it and by the passes, which give a new trace and leave their input alone.
 *
 * Column memory is about 80 bytes a node plus 4 bytes a dependency; frames stay in the source and are read back by
 * window when they are written or looked at.
 */
export interface RankTrace {
  readonly rank: number;
  /** Name of the file it came from, for messages. */
  readonly file: string;
  /** Number of nodes. */
  readonly length: number;
  readonly metadata: TraceMetadata;

  readonly idLow: Uint32Array; // [n] lower 32 bits of the id
  readonly idHigh: Uint32Array; // [n] upper 32 bits of the id
  readonly type: Uint8Array; // [n] NodeType; 255 for a number above 254
  readonly flags: Uint16Array; // [n] NodeFlag bits
  readonly durationMicros: Float64Array; // [n] whole µs, 0 when absent

  readonly dataStart: Uint32Array; // [n + 1] first edge of each node in dataTarget
  readonly dataTarget: Int32Array; // [edges] node index; −1 − k for the dangling id k
  readonly controlStart: Uint32Array; // [n + 1]
  readonly controlTarget: Int32Array; // [edges]
  /** Ids that dependencies name and no node has, each once. */
  readonly danglingLow: Uint32Array;
  readonly danglingHigh: Uint32Array;

  readonly commType: Int8Array; // [n] CollectiveType, or COMM_TYPE_ABSENT / COMM_TYPE_UNKNOWN
  readonly commSize: Float64Array; // [n] bytes, NaN when absent
  readonly commTag: Float64Array; // [n] NaN when absent
  readonly peer: Int32Array; // [n] partner rank of a send (comm_dst) or receive (comm_src), −1 when absent
  readonly group: Int32Array; // [n] index in groupNames, −1 when the node names none
  readonly groupNames: readonly string[];

  readonly collective: Int32Array; // [n] index in collectives, −1 for a node of none
  readonly step: Int32Array; // [n] tag index within the collective, −1 for none
  readonly collectives: readonly CollectiveIdentity[];

  /** Rare attributes, by node index. */
  readonly root: ReadonlyMap<number, number>; // rank of the job
  readonly issueOrder: ReadonlyMap<number, number>;
  readonly splits: ReadonlyMap<number, readonly number[]>; // bytes this rank sends to each position, all-to-all only
  readonly receiveSplits: ReadonlyMap<number, readonly number[]>; // bytes it expects from each position

  readonly frameOffset: Float64Array; // [n] byte offset of the node's message in the source, −1 when it has none
  readonly frameLength: Uint32Array; // [n] bytes of that message
  readonly kept: KeptNodes | undefined;
}
