import type { SystemCollectiveOutcome, SystemOutcome, SystemRankOutcome } from '../../src/astra-sim/outcome.js';

/** A rank that finished at `endNs` with one node, nothing but what is told of it. */
export function systemRank(rank: number, endNs: number, told: Partial<SystemRankOutcome> = {}): SystemRankOutcome {
  return {
    rank,
    state: 'finished',
    endNs,
    nodes: 1,
    nodesFinished: 1,
    exposedCommunicationNs: endNs,
    statistics: { wallNs: endNs, overlapNs: -endNs },
    bytesSent: 0,
    bytesReceived: 0,
    messagesSent: 0,
    messagesReceived: 0,
    ...told,
  };
}

/** An all-reduce of 1 MiB over four ranks of the world. */
export function systemCollective(told: Partial<SystemCollectiveOutcome> = {}): SystemCollectiveOutcome {
  return {
    group: 'world',
    type: 0,
    instance: 0,
    algorithm: 'ring',
    size: 1_048_576,
    groupSize: 4,
    chunks: 1,
    startNs: 0,
    endNs: 33_829,
    messages: 24,
    bytes: 24 * 262_144,
    ...told,
  };
}

/** A run of these ranks, which finished in their order. */
export function systemOutcome(ranks: readonly SystemRankOutcome[], told: Partial<SystemOutcome> = {}): SystemOutcome {
  return {
    status: 'finished',
    endNs: Math.max(...ranks.map(({ endNs }) => endNs)),
    network: 'analytical-unaware',
    ranks,
    finishOrder: ranks.filter(({ state }) => state === 'finished').map(({ rank }) => rank),
    collectives: [],
    messages: 0,
    bytes: 0,
    events: 7,
    ranksSimulated: 4,
    findings: [],
    ...told,
  };
}

/**
 * Example H of astra-sim-semantics section 17: computes of 100 and 30 µs beside a ring all-reduce of 1 MiB over four ranks; the
 * 24 messages of 256 KiB are section 8.1's.
 */
export function exampleH(): SystemOutcome {
  const ranks = [0, 1, 2, 3].map((rank) =>
    systemRank(rank, 130_000, {
      nodes: 3,
      nodesFinished: 3,
      exposedCommunicationNs: 0,
      statistics: { wallNs: 130_000, gpuNs: 130_000, communicationNs: 33_829, overlapNs: 33_829 },
      bytesSent: 6 * 262_144,
      bytesReceived: 6 * 262_144,
      messagesSent: 6,
      messagesReceived: 6,
    }),
  );
  return systemOutcome(ranks, { collectives: [systemCollective()], messages: 24, bytes: 24 * 262_144 });
}
