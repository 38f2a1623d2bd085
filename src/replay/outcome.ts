import type { Finding } from '../base/finding.js';
import type { StallReport } from './stall-report.js';
import type { TransferLog } from './transfer-log.js';

/** `stalled`: nothing is left to do and nodes wait. `limit`: the run reached `stopPs` before it was done. */
export type RunStatus = 'finished' | 'stalled' | 'limit';

/** What one rank did. Added barriers count in no number but `endPs`. */
export interface RankOutcome {
  readonly rank: number;
  /** `running`: the limit came first. */
  readonly state: 'finished' | 'stalled' | 'running';
  /** Whether it has ended; one that stalled without a node that could ever start ended at the start. */
  readonly ended: boolean;
  /** When the rank ended; for one that did not, when the last thing happened on it, or the limit. */
  readonly endPs: number;
  readonly nodes: number;
  readonly nodesFinished: number;
  /** Time with at least one compute or memory node running. */
  readonly computePs: number;
  /** Time with at least one send, receive or collective running. */
  readonly communicationPs: number;
  /** The part of it with no compute or memory node running. */
  readonly exposedCommunicationPs: number;
  readonly sends: number;
  readonly receives: number;
  readonly acknowledged: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly computations: number;
  /** Sum of trace durations of finished compute nodes. */
  readonly computationMicros: number;
}

/** One collective over its group; a group of one gives none. */
export interface CollectiveOutcome {
  readonly group: string;
  /** A CollectiveType number. */
  readonly type: number;
  readonly instance: number;
  /** '' when the traces do not say. */
  readonly algorithm: string;
  readonly size: number;
  readonly groupSize: number;
  /** First transfer start over the members, latest or earliest as asked; NaN when none started. */
  readonly startPs: number;
  /** Latest acknowledgment or finished receive; NaN when there is none. */
  readonly endPs: number;
  readonly transfers: number;
  readonly bytes: number;
  /** Members whose share has finished. */
  readonly membersFinished: number;
}

/** Times of one rank's nodes by index in its trace, ps; NaN where the run did not get there. */
export interface NodeTimes {
  readonly start: Float64Array;
  readonly finish: Float64Array;
  /** Of sends. */
  readonly acknowledged: Float64Array;
}

/** What carries the work of nodes that are no communication. */
export type Processor = 'npu' | 'cpu' | 'memory';

/** Nodes of one kind on one rank that started, in ascending id, ps; the finish is NaN where the run did not get there. */
export interface WorkIntervals {
  readonly start: Float64Array;
  readonly finish: Float64Array;
}

/**
 * How much of a run was done at each multiple k × interval, k = 1 … rows: counts up to and with that instant. Added
 * barriers do not count.
 */
export interface Progress {
  readonly rows: number;
  readonly sendBytes: Float64Array; // [rows] bytes of finished sends
  readonly sends: Float64Array; // [rows] sends finished
  readonly receives: Float64Array; // [rows] receives finished
  readonly acknowledged: Float64Array; // [rows] transfers acknowledged
  readonly computations: Float64Array; // [rows] compute nodes finished
  /** Of the whole traceset, whether they were reached or not. */
  readonly totals: {
    readonly sendBytes: number;
    readonly sends: number;
    readonly receives: number;
    readonly computations: number;
  };
}

/** What a replay gives. */
export interface ReplayOutcome {
  readonly status: RunStatus;
  /** Start of every rank. */
  readonly startPs: number;
  /** When the last rank ended; the stop for a run that reached it. */
  readonly endPs: number;
  /** Last instant that may be simulated; Infinity for a run without a stop. */
  readonly stopPs: number;
  /** Last instant that was simulated: one beacon interval after the last rank ended, at most the stop. */
  readonly simulationEndPs: number;
  readonly network: string;
  /** Rate of a rank's link into the network, for ideal times; undefined where the network names none. */
  readonly linkBytesPerNs: number | undefined;
  readonly useMaxAsStart: boolean;
  readonly ranks: readonly RankOutcome[];
  /** By earliest start, then group, then instance; those that did not start last. */
  readonly collectives: readonly CollectiveOutcome[];
  /** Transfers sent by all ranks, and their bytes. */
  readonly transfers: number;
  readonly bytes: number;
  /** Node starts, and what else took an event. */
  readonly events: number;
  readonly stall: StallReport | null;
  readonly findings: readonly Finding[];
  /** Only where it was asked for; `collective` in it numbers `collectives`. */
  readonly transferLog: TransferLog | undefined;
  nodeTimes(rank: number): NodeTimes;
  workIntervals(rank: number, processor: Processor): WorkIntervals;
  /** Rows up to `simulationEndPs`; needs a run whose collectives were expanded. */
  progress(intervalPs: number): Progress;
  /** Id of the node at a place of the transfer log; of an expanded node it is the id that expansion gives. */
  idOfPlace(rank: number, place: number): number | string;
}
