import type { ByteSource } from '../../base/byte-source.js';
import type { Finding } from '../../base/finding.js';

/**
 * A PyTorch host trace (chakra-format section 12, any schema version) as columns: a node is its place in the file, which is the
 * order in which ops ended. What has no column (inputs, outputs, attributes) stays in the source and is read again, by
 * offset, when the node is written.
 */
export interface HostTrace {
  readonly file: string;
  readonly source: ByteSource;
  /** As the file says; '' or NaN where it does not. */
  readonly schema: string;
  readonly pid: number;
  readonly time: string;
  readonly startMillis: number;
  readonly finishMillis: number;

  readonly length: number;
  readonly id: Float64Array; // [n] id of the node
  readonly parent: Float64Array; // [n] id of the caller (`ctrl_deps` or `parent`); NaN where none is stated
  readonly name: Int32Array; // [n] index in names
  readonly names: readonly string[];
  readonly recordId: Float64Array; // [n] rf_id, 0 for none
  readonly thread: Int32Array; // [n] tid of the observer, −1 where it is not stated
  readonly forwardThread: Int32Array; // [n] fw_tid, 0 for none
  readonly sequence: Float64Array; // [n] seq_id, −1 for none
  readonly offset: Float64Array; // [n] byte offset of the node's object in the source
  readonly objectLength: Uint32Array; // [n] bytes of that object

  /** What `record_param_comms` nodes record, by node. */
  readonly communications: ReadonlyMap<number, CommunicationRecord>;
  /** Groups that `process_group:init` nodes declare: name → ranks; an empty list means ranks 0 … size − 1 as it is written out here. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
  /** What is wrong with group declarations, as codes of findings, and the nodes that hold them. */
  readonly brokenGroups: readonly {
    readonly node: number;
    readonly code: 'GROUP_CUT' | 'GROUP_MALFORMED' | 'GROUP_CONFLICT';
    readonly reason: string;
  }[];
  /** What could not be used; nothing about groups. */
  readonly findings: readonly Finding[];
}

/** What a `record_param_comms` node records (chakra-format section 9); a fact that the record does not have is absent. */
export interface CommunicationRecord {
  /** Lower case, as recorded: `allreduce`, `broadcast`, `send`, `wait`, `init`, `all_to_allv`, … */
  readonly collective: string;
  readonly group?: string;
  readonly groupDescription?: string;
  /**
   * Address of the group in the process that recorded it, in recordings that have no names and whose `process_group:init` does
   * not tell the name either: one address is one group of that rank.
   */
  readonly groupHandle?: number;
  /** Members of the group. */
  readonly groupSize?: number;
  /** Rank in the group: the caller's for symmetric collectives, the root's for rooted ones, the peer's for sends and receives. */
  readonly groupRank?: number;
  readonly sequence?: number;
  readonly isPointToPoint?: boolean;
  /** Bytes of the input and output tensors (elements × element size). */
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** Bytes of one element of the first tensor; NaN without a tensor. */
  readonly elementBytes: number;
  /** Elements to and from each position; empty when even. */
  readonly inputSplits: readonly number[];
  readonly outputSplits: readonly number[];
  readonly globalRankStart?: number;
  readonly globalRankStride?: number;
}
