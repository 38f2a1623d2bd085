import type { Finding } from '../base/finding.js';

/** What a communication node of the Chakra trace says (chakra-format sections 7 to 10). */
export interface Communication {
  readonly kind: 'collective' | 'send' | 'receive';
  /** A CollectiveType number; −1 for sends and receives, and for a collective whose type nothing tells. */
  readonly type: number;
  /** comm_size by chakra-format section 7: input bytes of this rank; NaN where nothing tells. */
  readonly bytes: number;
  /** '' for none. */
  readonly group: string;
  /** Rank of the job; −1 for none, and while it is not known. */
  readonly root: number;
  /** Position of that rank in the group, −1. */
  readonly rootPosition: number;
  /** Bytes to and from each position of an uneven all-to-all; empty when even. */
  readonly sendSplits: readonly number[];
  readonly receiveSplits: readonly number[];
  /** Rank of the job at the other end of a send or receive, −1 while it is not known. */
  readonly peer: number;
  /** Position of that rank in the group, −1. */
  readonly peerPosition: number;
  /** Place among what the rank issues in this group, from 0: `issue_order`. */
  readonly order: number;
  /** Host node that recorded it (record_param_comms), −1. */
  readonly record: number;
}

/** Where a fact about a communication comes from: arguments of its kernel, its record, ops around its launch, its kernel's name. */
export type FactSource = 'kernel' | 'record' | 'launcher' | 'kernel-name' | 'none';

/** How often a fact comes from where. */
export type SourceCounts = Readonly<Record<FactSource, number>>;

/** The communication of one kind, type and group, counted for the summary. */
export interface CommunicationTally {
  readonly kind: Communication['kind'];
  readonly type: number;
  readonly group: string;
  readonly count: number;
  /** Sum of the sizes that are known. */
  readonly bytes: number;
  readonly typeFrom: SourceCounts;
  readonly bytesFrom: SourceCounts;
  readonly groupFrom: SourceCounts;
}

/** The communication of one rank, before ranks are looked at together. Plain data: it crosses worker threads. */
export interface RankCommunications {
  readonly rank: number;
  /** By place in deviceEvents, ascending; a kernel of coalesced sends and receives has several. */
  readonly onDevice: ReadonlyMap<number, readonly Communication[]>;
  /** By host node, ascending, for collectives that have no kernel (gloo and others on the host). */
  readonly onHost: ReadonlyMap<number, readonly Communication[]>;
  /** Groups declared by this rank, from every source. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
  /** Numbers of members that this rank states, of declared groups and others. */
  readonly groupSizes: ReadonlyMap<string, number>;
  /** Ranks of the job; NaN where this rank's traces do not say. */
  readonly worldSize: number;
  readonly tallies: readonly CommunicationTally[];
  readonly findings: readonly Finding[];
}

/** What looking at all ranks together adds. */
export interface SettledCommunications {
  /** All groups that are used and known: name → ranks. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
  /** By rank, then by the place of a communication in the order onDevice (ascending place, list order), onHost likewise. */
  readonly peers: ReadonlyMap<number, Int32Array>;
  /** Roots likewise, −1 for none. */
  readonly roots: ReadonlyMap<number, Int32Array>;
  /** Tags of sends and receives likewise: place in the pair (sender, receiver), so that both ends carry the same; −1 for others. */
  readonly tags: ReadonlyMap<number, Int32Array>;
  readonly findings: readonly Finding[];
}

/** The communications of a rank in the order in which {@link SettledCommunications} numbers them. */
export function inOrder({ onDevice, onHost }: RankCommunications): Communication[] {
  return [...onDevice.values(), ...onHost.values()].flat();
}
