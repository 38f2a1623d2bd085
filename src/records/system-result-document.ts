import type { RankStatistics, SystemOutcome } from '../astra-sim/outcome.js';
import type { Finding } from '../base/finding.js';
import {
  RESULT_SCHEMA,
  type CollectiveResult,
  type RankResult,
  type ResultDocument,
} from '../replay/result-document.js';
import type { StallReport } from '../replay/stall-report.js';
import { collectiveName } from '../trace/collective-type.js';

export interface SystemRankResult extends RankResult {
  /** What ASTRA-sim's statistics say of the rank, ns. */
  statistics: RankStatistics;
}

export interface SystemCollectiveResult extends CollectiveResult {
  chunks: number;
}

/** What `simulate --system --json` prints: the result document, with the statistics of ASTRA-sim. Times are whole ns. */
export interface SystemResultDocument extends ResultDocument {
  ranks: SystemRankResult[];
  collectives: SystemCollectiveResult[];
  /** 1 where all ranks are alike and one stood for all. */
  ranksSimulated: number;
}

/**
 * The result document of a run on ASTRA-sim's system layer: compute is GPU time, communication the time of sends, receives
 * and collectives, exposed communication what the program calls so (astra-sim-semantics section 16), transfers are messages.
 * @param findings all that are to be listed, those of reading among them; by default those of the run
 */
export function systemResultDocument(
  outcome: SystemOutcome,
  findings: readonly Finding[] = outcome.findings,
): SystemResultDocument {
  return {
    schema: RESULT_SCHEMA,
    status: outcome.status,
    endNs: outcome.endNs,
    ranks: outcome.ranks.map((rank) => ({
      rank: rank.rank,
      state: rank.state,
      endNs: rank.endNs,
      nodes: rank.nodes,
      nodesFinished: rank.nodesFinished,
      computeNs: rank.statistics.gpuNs ?? 0,
      communicationNs: rank.statistics.communicationNs ?? 0,
      exposedCommunicationNs: rank.exposedCommunicationNs,
      bytesSent: rank.bytesSent,
      bytesReceived: rank.bytesReceived,
      transfersSent: rank.messagesSent,
      transfersReceived: rank.messagesReceived,
      statistics: rank.statistics,
    })),
    collectives: outcome.collectives.map((collective) => ({
      group: collective.group,
      type: collectiveName(collective.type),
      instance: collective.instance,
      algorithm: collective.algorithm,
      size: collective.size,
      groupSize: collective.groupSize,
      startNs: nullWhereNaN(collective.startNs),
      endNs: nullWhereNaN(collective.endNs),
      transfers: collective.messages,
      bytes: collective.bytes,
      chunks: collective.chunks,
    })),
    transfers: outcome.messages,
    bytes: outcome.bytes,
    events: outcome.events,
    ranksSimulated: outcome.ranksSimulated,
    stall: stallOf(outcome),
    findings: [...findings],
  };
}

function stallOf({ ranks, stall }: SystemOutcome): StallReport | null {
  if (stall === undefined) return null;
  const left = ranks.filter(({ state }) => state !== 'finished');
  return {
    reasons: stall.reasons,
    unfinished: left.reduce((sum, { nodes, nodesFinished }) => sum + nodes - nodesFinished, 0),
    stalledRanks: left.length,
    ranks: stall.ranks,
    cycle: null,
    lines: stall.lines,
  };
}

function nullWhereNaN(timeNs: number): number | null {
  return Number.isNaN(timeNs) ? null : timeNs;
}
