import type { SystemOutcome } from '../astra-sim/outcome.js';
import type { SummarizedRun } from './summary-table.js';

const PS_PER_NS = 1000;

/** A run on ASTRA-sim's system layer as the summary table shows it; compute is GPU time. */
export function systemSummary(outcome: SystemOutcome): SummarizedRun {
  return {
    status: outcome.status,
    startPs: 0,
    endPs: outcome.endNs * PS_PER_NS,
    network: outcome.network,
    transfers: outcome.messages,
    bytes: outcome.bytes,
    events: outcome.events,
    ranksSimulated: outcome.ranksSimulated,
    ranks: outcome.ranks.map((rank) => ({
      rank: rank.rank,
      state: rank.state,
      endPs: rank.endNs * PS_PER_NS,
      computePs: (rank.statistics.gpuNs ?? 0) * PS_PER_NS,
      communicationPs: (rank.statistics.communicationNs ?? 0) * PS_PER_NS,
      exposedCommunicationPs: rank.exposedCommunicationNs * PS_PER_NS,
      bytesSent: rank.bytesSent,
      bytesReceived: rank.bytesReceived,
      nodes: rank.nodes,
      nodesFinished: rank.nodesFinished,
    })),
    collectives: outcome.collectives.map((collective) => ({
      group: collective.group,
      type: collective.type,
      algorithm: collective.algorithm,
      groupSize: collective.groupSize,
      startPs: collective.startNs * PS_PER_NS,
      endPs: collective.endNs * PS_PER_NS,
      transfers: collective.messages,
      bytes: collective.bytes,
    })),
  };
}
