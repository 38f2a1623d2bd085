import type { Finding } from '../base/finding.js';
import type { PacketTotals } from '../network/packet/counts/packet-totals.js';
import { collectiveName } from '../trace/collective-type.js';
import type { ReplayOutcome, RunStatus } from './outcome.js';
import type { StallReport } from './stall-report.js';

export const RESULT_SCHEMA = 'chakra-prep/simulate-result/1';

export interface RankResult {
  rank: number;
  state: 'finished' | 'stalled' | 'running';
  endNs: number;
  nodes: number;
  nodesFinished: number;
  computeNs: number;
  communicationNs: number;
  exposedCommunicationNs: number;
  bytesSent: number;
  bytesReceived: number;
  transfersSent: number;
  transfersReceived: number;
}

export interface CollectiveResult {
  group: string;
  type: string;
  instance: number;
  algorithm: string;
  size: number;
  groupSize: number;
  /** Null when no member started. */
  startNs: number | null;
  /** Null when nothing of it was received or acknowledged. */
  endNs: number | null;
  transfers: number;
  bytes: number;
}

/** What the packets of a run went through; a packet network only. */
export interface PacketsResult extends Omit<PacketTotals, 'pausedPs'> {
  pausedNs: number;
}

/** What `simulate --json` prints; described by `schemas/simulate-result.schema.json`. Times are ns with ps decimals. */
export interface ResultDocument {
  schema: typeof RESULT_SCHEMA;
  status: RunStatus;
  endNs: number;
  ranks: RankResult[];
  collectives: CollectiveResult[];
  transfers: number;
  bytes: number;
  events: number;
  packets?: PacketsResult;
  stall: StallReport | null;
  findings: Finding[];
}

/**
 * The result document of a run.
 * @param findings all that are to be listed, those of reading and planning among them; by default those of the run
 * @param packets of a packet network
 */
export function resultDocument(
  outcome: ReplayOutcome,
  findings = outcome.findings,
  packets?: PacketTotals,
): ResultDocument {
  return {
    schema: RESULT_SCHEMA,
    status: outcome.status,
    endNs: outcome.endPs / 1000,
    ranks: outcome.ranks.map((rank) => ({
      rank: rank.rank,
      state: rank.state,
      endNs: rank.endPs / 1000,
      nodes: rank.nodes,
      nodesFinished: rank.nodesFinished,
      computeNs: rank.computePs / 1000,
      communicationNs: rank.communicationPs / 1000,
      exposedCommunicationNs: rank.exposedCommunicationPs / 1000,
      bytesSent: rank.bytesSent,
      bytesReceived: rank.bytesReceived,
      transfersSent: rank.sends,
      transfersReceived: rank.receives,
    })),
    collectives: outcome.collectives.map((collective) => ({
      group: collective.group,
      type: collectiveName(collective.type),
      instance: collective.instance,
      algorithm: collective.algorithm,
      size: collective.size,
      groupSize: collective.groupSize,
      startNs: nsOrNull(collective.startPs),
      endNs: nsOrNull(collective.endPs),
      transfers: collective.transfers,
      bytes: collective.bytes,
    })),
    transfers: outcome.transfers,
    bytes: outcome.bytes,
    events: outcome.events,
    ...(packets === undefined ? {} : { packets: packetsResult(packets) }),
    stall: outcome.stall,
    findings: [...findings],
  };
}

function packetsResult({ pausedPs, ...counts }: PacketTotals): PacketsResult {
  return { ...counts, pausedNs: pausedPs / 1000 };
}

function nsOrNull(timePs: number): number | null {
  return Number.isNaN(timePs) ? null : timePs / 1000;
}
