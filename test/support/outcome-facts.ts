import type { ReplayOutcome } from '../../src/replay/outcome.js';

/** Times of every node of every rank, by index in the rank's trace. */
export function allNodeTimes(outcome: ReplayOutcome): { start: number[]; finish: number[]; acknowledged: number[] }[] {
  return outcome.ranks.map(({ rank }) => {
    const { start, finish, acknowledged } = outcome.nodeTimes(rank);
    return { start: [...start], finish: [...finish], acknowledged: [...acknowledged] };
  });
}

/** The transfers that were acknowledged in the run, in the order of chakra-perf. */
export function acknowledgedTransfers(outcome: ReplayOutcome): Record<string, unknown>[] {
  const nameOf = (number: number): string => {
    if (number < 0) return '';
    const { group, type, instance } = outcome.collectives[number];
    return `${group} ${type} ${instance}`;
  };
  const log = outcome.transferLog!;
  return Array.from(log.acknowledgedRows(outcome.stopPs), (row) => ({
    sender: log.sender[row],
    receiver: log.receiver[row],
    node: outcome.idOfPlace(log.sender[row], log.sendPlace[row]),
    bytes: log.bytes[row],
    tag: log.tag[row],
    start: log.start[row],
    sent: log.sent[row],
    received: log.received[row],
    acknowledged: log.acknowledged[row],
    collective: nameOf(log.collective[row]),
    addedSync: log.addedSync[row],
  }));
}

/** Everything that a run says but how many events it took and on what network. */
export function everythingOf(outcome: ReplayOutcome): Record<string, unknown> {
  const { status, startPs, endPs, stopPs, simulationEndPs, ranks, collectives, transfers, bytes } = outcome;
  return {
    ...{ status, startPs, endPs, stopPs, simulationEndPs, ranks, collectives, transfers, bytes },
    findings: outcome.findings,
    stall: outcome.stall,
    nodes: allNodeTimes(outcome),
    log: acknowledgedTransfers(outcome),
  };
}
