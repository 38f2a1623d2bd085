import type { Finding } from '../../base/finding.js';

/**
 * A Kineto device trace (chakra-format section 13) as columns. Times are whole ns after `baseMicros`, so that they are exact
 * whatever the epoch; ids that an event does not have are NaN. Events of a kind are in the order of the file.
 */
export interface DeviceTrace {
  readonly file: string;
  /** Whole µs of the earliest event; times count from here. */
  readonly baseMicros: number;
  /** Texts of the `name` columns. */
  readonly names: readonly string[];
  /** cpu_op and user_annotation events with a duration. */
  readonly hostEvents: EventColumns & {
    readonly annotation: Uint8Array; // [n] 1 for user_annotation
    readonly recordId: Float64Array; // [n] "Record function id"
  };
  /** cuda_runtime and cuda_driver calls. */
  readonly calls: EventColumns & {
    readonly correlation: Float64Array; // [n]
  };
  /** kernel, gpu_memcpy, gpu_memset and gpu_user_annotation events. */
  readonly deviceEvents: EventColumns & {
    readonly kind: Uint8Array; // [n] a DeviceKind
    readonly stream: Int32Array; // [n] −1 where it is not stated
    readonly device: Int32Array; // [n]
    readonly correlation: Float64Array; // [n]
    readonly bytes: Float64Array; // [n] "bytes" of a copy or memset, NaN where it is not stated
  };
  /** cuda_sync events: a host thread or a stream waits (`name` says for what). */
  readonly synchronizations: EventColumns & {
    readonly stream: Int32Array; // [n] stream that waits, or the one waited for by a stream synchronisation; −1 for none
    readonly correlation: Float64Array; // [n] of the call that made it
    readonly waitsOnStream: Int32Array; // [n] "wait_on_stream", −1
    readonly waitsOnCorrelation: Float64Array; // [n] "wait_on_cuda_event_record_corr_id", NaN
    readonly waitsOnEvent: Float64Array; // [n] "wait_on_cuda_event_id", NaN
  };
  /** What kernels of a collective library say of their collective, by place in deviceEvents. */
  readonly collectives: ReadonlyMap<number, KernelCollective>;
  readonly distributed: DistributedInfo | undefined;
  /** Events of other categories and phases, by category: what nobody linked. */
  readonly otherEvents: ReadonlyMap<string, number>;
  /** What was left out, mended or could not be used. */
  readonly findings: readonly Finding[];
}

export const DeviceKind = { kernel: 0, copy: 1, set: 2, annotation: 3 } as const;

export interface EventColumns {
  readonly length: number;
  readonly name: Int32Array; // [n] index in names
  readonly startNs: Float64Array; // [n] after baseMicros
  readonly durationNs: Float64Array; // [n]
  readonly thread: Float64Array; // [n] tid of the event: OS thread of host events, NaN where it is no number
  readonly externalId: Float64Array; // [n]
}

/** Arguments of a kernel (chakra-format section 13); what is not stated is absent. */
export interface KernelCollective {
  readonly collective?: string;
  readonly inputElements?: number;
  readonly outputElements?: number;
  readonly groupSize?: number;
  /** `Float`, `BFloat16`, …; bytes of an element follow from it. */
  readonly elementType?: string;
  readonly inputSplits?: readonly number[];
  readonly outputSplits?: readonly number[];
  readonly group?: string;
  readonly groupDescription?: string;
  readonly groupRanks?: readonly number[];
  /** "Rank": rank in the group, with the meaning it has in CommunicationRecord. */
  readonly groupRank?: number;
  /** "Src Rank" of a receive and "Dst Rank" of a send: rank of the job at the other end. */
  readonly sourceRank?: number;
  readonly destinationRank?: number;
}

/** `distributedInfo`: the only sure source of rank and ranks of the job. */
export interface DistributedInfo {
  readonly rank?: number;
  readonly worldSize?: number;
  readonly groups: ReadonlyMap<string, readonly number[]>;
}
