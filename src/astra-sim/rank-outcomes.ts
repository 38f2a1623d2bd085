import type { RankStatistics, SystemRankOutcome } from './outcome.js';
import type { RooflineMeans } from './roofline.js';
import type { SystemEngine } from './system-engine.js';
import { OperatorKind, type SystemNodes } from './system-nodes.js';

type KindTimes = Pick<RankStatistics, 'cpuNs' | 'gpuNs' | 'communicationNs' | 'remoteMemoryNs' | 'invalidNs'>;

const KINDS: readonly (readonly [member: keyof KindTimes, kind: number])[] = [
  ['cpuNs', OperatorKind.cpu],
  ['gpuNs', OperatorKind.gpu],
  ['communicationNs', OperatorKind.communication],
  ['remoteMemoryNs', OperatorKind.memory],
  ['invalidNs', OperatorKind.invalid],
];

/**
 * What a run gives for each rank.
 * @param nodes of all ranks
 * @param engine after the run, of all ranks or of rank 0 for all
 * @param roofline [ranks]; empty without roofline
 */
export function rankOutcomes(
  nodes: SystemNodes,
  engine: SystemEngine,
  roofline: readonly RooflineMeans[],
): SystemRankOutcome[] {
  return Array.from({ length: nodes.rankCount }, (_, rank) => rankOutcome(nodes, engine, roofline, rank));
}

function rankOutcome(
  { offset }: SystemNodes,
  { workload, transport, cutOff, queue }: SystemEngine,
  roofline: readonly RooflineMeans[],
  rank: number,
): SystemRankOutcome {
  const { activity, nodesFinished, computeNs } = workload;
  const place = nodesFinished.length === 1 ? 0 : rank;
  const nodes = offset[rank + 1] - offset[rank];
  const finished = nodesFinished[place] === nodes;
  const endNs = workload.endNs[place];
  const times: { -readonly [Member in keyof KindTimes]: number } = {};
  for (const [member, kind] of KINDS) {
    const time = activity.time(place, kind, finished ? endNs : queue.time);
    if (time !== undefined) times[member] = time;
  }
  return {
    rank,
    state: finished ? 'finished' : cutOff ? 'running' : 'stalled',
    endNs,
    nodes,
    nodesFinished: nodesFinished[place],
    exposedCommunicationNs: endNs - computeNs[place],
    statistics: {
      wallNs: endNs,
      ...times,
      overlapNs: (times.gpuNs ?? 0) + (times.communicationNs ?? 0) - endNs,
      ...(roofline.length === 0 ? {} : { roofline: roofline[rank].statistics() }),
    },
    bytesSent: transport.bytesSent[place],
    bytesReceived: transport.bytesReceived[place],
    messagesSent: transport.messagesSent[place],
    messagesReceived: transport.messagesReceived[place],
  };
}
