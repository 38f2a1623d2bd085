import type { SystemOutcome, SystemRankOutcome } from './outcome.js';
import { PlanCatalogue } from './plan-catalogue.js';
import { planFindings } from './plan-notes.js';
import type { RooflineMeans } from './roofline.js';
import { runFindings } from './run-findings.js';
import { SystemGathering } from './gather-system-nodes.js';
import { systemStall } from './system-stall.js';
import { SystemEngine } from './system-engine.js';
import { OperatorKind, type SystemNodes } from './system-nodes.js';
import type { SystemRun } from './system-run.js';

/**
 * Runs a traceset as ASTRA-sim's analytical simulators do, to the nanosecond (astra-sim-semantics).
 * @throws PrepError where the program would abort, exit, hang or compute nonsense, naming node and setting
 */
export function simulateSystem(run: SystemRun): SystemOutcome {
  const catalogue = new PlanCatalogue(run);
  const { nodes, roofline, notes } = new SystemGathering(run, catalogue);
  const engine = new SystemEngine(run, nodes, catalogue);
  engine.run(run.options.stopNs);
  const ranks = rankOutcomes(run, nodes, engine, roofline);
  const isFinished = ranks.every(({ state }) => state === 'finished');
  const { transport, workload, rows, queue } = engine;
  const sum = (amounts: Float64Array): number => amounts.reduce((total, amount) => total + amount, 0);
  return {
    status: isFinished ? 'finished' : engine.cutOff ? 'limit' : 'stalled',
    endNs: ranks.reduce((latest, { endNs }) => Math.max(latest, endNs), 0),
    network: run.backend,
    ranks,
    finishOrder: workload.finishOrder,
    collectives: rows.outcomes(),
    messages: sum(transport.messagesSent),
    bytes: sum(transport.bytesSent),
    events: queue.popped,
    ...(isFinished ? {} : { stall: systemStall(run, nodes, catalogue, engine) }),
    findings: [...planFindings(run, catalogue), ...notes.findings(), ...runFindings(run, nodes, catalogue, engine)],
  };
}

function rankOutcomes(
  run: SystemRun,
  nodes: SystemNodes,
  { workload, transport, cutOff, queue }: SystemEngine,
  roofline: readonly RooflineMeans[],
): SystemRankOutcome[] {
  const { activity, endNs, nodesFinished, computeNs } = workload;
  const outcomes: SystemRankOutcome[] = [];
  for (let rank = 0; rank < run.rankCount; rank++) {
    const all = nodes.offset[rank + 1] - nodes.offset[rank];
    const finished = nodesFinished[rank] === all;
    const now = finished ? endNs[rank] : queue.time;
    const time = (kind: number): number | undefined => activity.time(rank, kind, now);
    const times = {
      cpuNs: time(OperatorKind.cpu),
      gpuNs: time(OperatorKind.gpu),
      communicationNs: time(OperatorKind.communication),
      remoteMemoryNs: time(OperatorKind.memory),
      invalidNs: time(OperatorKind.invalid),
    };
    outcomes.push({
      rank,
      state: finished ? 'finished' : cutOff ? 'running' : 'stalled',
      endNs: endNs[rank],
      nodes: all,
      nodesFinished: nodesFinished[rank],
      exposedCommunicationNs: endNs[rank] - computeNs[rank],
      statistics: {
        wallNs: endNs[rank],
        ...(Object.fromEntries(Object.entries(times).filter(([, ns]) => ns !== undefined)) as Partial<
          Record<keyof typeof times, number>
        >),
        overlapNs: (times.gpuNs ?? 0) + (times.communicationNs ?? 0) - endNs[rank],
        ...(roofline.length === 0 ? {} : { roofline: roofline[rank].statistics() }),
      },
      bytesSent: transport.bytesSent[rank],
      bytesReceived: transport.bytesReceived[rank],
      messagesSent: transport.messagesSent[rank],
      messagesReceived: transport.messagesReceived[rank],
    });
  }
  return outcomes;
}
