import type { Finding } from '../base/finding.js';

/** What the program prints about roofline (section 16); fractions, not percentages. */
export interface RooflineStatistics {
  readonly computeBound: number;
  readonly computeUtilization: number;
  readonly memoryUtilization: number;
  /** Operations a byte. */
  readonly operationIntensity: number;
}

/** Statistics of one rank, ns (section 16). A time is the length of the union of the nodes' intervals from issue to completion. */
export interface RankStatistics {
  /** Latest completion of a node. */
  readonly wallNs: number;
  /** Undefined where no node of the kind ran: the program prints no line then. */
  readonly cpuNs?: number;
  readonly gpuNs?: number;
  readonly communicationNs?: number;
  readonly remoteMemoryNs?: number;
  readonly invalidNs?: number;
  /** GPU + communication − wall; below 0 where the rank idled, which the program prints as a number near 2^64. */
  readonly overlapNs: number;
  readonly roofline?: RooflineStatistics;
}

export interface SystemRankOutcome {
  readonly rank: number;
  readonly state: 'finished' | 'stalled' | 'running';
  /** When the last node completed; of a rank that did not finish, when the last thing happened on it. */
  readonly endNs: number;
  readonly nodes: number;
  readonly nodesFinished: number;
  /** End minus the durations of the compute nodes issued; below 0 where CPU nodes hid some. */
  readonly exposedCommunicationNs: number;
  readonly statistics: RankStatistics;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly messagesSent: number;
  readonly messagesReceived: number;
}

export interface SystemCollectiveOutcome {
  /** `world`, or the name of the group. */
  readonly group: string;
  /** A CollectiveType number. */
  readonly type: number;
  /** Place among the collectives of the group, from 0. */
  readonly instance: number;
  /** Names of the implementations over the dimensions it ran on: `ring`, `ring+direct`; the prefix of a custom one. */
  readonly algorithm: string;
  /** `comm_size`. */
  readonly size: number;
  readonly groupSize: number;
  readonly chunks: number;
  /** Earliest issue, latest completion over the members; NaN when there is none. */
  readonly startNs: number;
  readonly endNs: number;
  readonly messages: number;
  readonly bytes: number;
}

/** A node that cannot go on, and why. */
export interface SystemStalledNode {
  readonly node: number | string;
  readonly name: string;
  /** Of the schema: `COMM_RECV_NODE`. */
  readonly type: string;
  readonly state: 'running' | 'waiting';
  readonly waitsFor: 'dependency' | 'transfer' | 'collective' | 'time';
  readonly transfer?: { readonly tag: number; readonly sender: number; readonly receiver: number };
  readonly collective?: {
    readonly group: string;
    readonly type: string;
    readonly instance: number;
    /** Members that have not begun it. */
    readonly missing: readonly number[];
  };
  /** One line for a person. */
  readonly text: string;
}

export interface SystemStallReason {
  readonly code: 'crossed-collectives' | 'missing-participant' | 'unmatched-receive' | 'size-mismatch' | 'stop-reached';
  /** Nodes it is true of. */
  readonly count: number;
  readonly text: string;
}

export interface SystemStalledRank {
  readonly rank: number;
  readonly unfinished: number;
  /** A few of them: those that run. */
  readonly nodes: readonly SystemStalledNode[];
}

/** Why ranks did not finish. */
export interface SystemStall {
  readonly reasons: readonly SystemStallReason[];
  /** The first of them. */
  readonly ranks: readonly SystemStalledRank[];
  /** The same for a person: who waits for what, a line each with an indented continuation. */
  readonly lines: readonly string[];
}

/** What a run on ASTRA-sim's system layer gives. Times are whole ns. */
export interface SystemOutcome {
  /** `limit`: stopped at `--until`. */
  readonly status: 'finished' | 'stalled' | 'limit';
  /** Latest end over the ranks. */
  readonly endNs: number;
  readonly network: 'analytical-unaware' | 'analytical-aware';
  readonly ranks: readonly SystemRankOutcome[];
  /** Ranks in the order in which they finished: the program prints its blocks in it. */
  readonly finishOrder: readonly number[];
  readonly collectives: readonly SystemCollectiveOutcome[];
  readonly messages: number;
  readonly bytes: number;
  readonly events: number;
  /** 1 where all ranks are alike and one stood for all. */
  readonly ranksSimulated: number;
  /** Why ranks did not finish, where some did not. */
  readonly stall?: SystemStall;
  readonly findings: readonly Finding[];
}
