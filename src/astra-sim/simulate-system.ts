import type { SystemOutcome } from './outcome.js';
import { foldedNodes } from './folding.js';
import { PlanCatalogue } from './plan-catalogue.js';
import { planFindings } from './plan-notes.js';
import type { RanSystem } from './ran-system.js';
import { rankOutcomes } from './rank-outcomes.js';
import { runFindings } from './run-findings.js';
import { SystemGathering } from './gather-system-nodes.js';
import { SystemEngine } from './system-engine.js';
import { systemStall } from './system-stall.js';
import type { SystemNodes } from './system-nodes.js';
import type { SystemRun } from './system-run.js';

/**
 * Runs a traceset as ASTRA-sim's analytical simulators do, to the nanosecond (astra-sim-semantics).
 * @throws PrepError where the program would abort, exit, hang or compute nonsense, naming node and setting
 */
export function simulateSystem(run: SystemRun): SystemOutcome {
  const catalogue = new PlanCatalogue(run);
  const { nodes, roofline, notes } = new SystemGathering(run, catalogue);
  const ran = ranEngine(run, nodes, catalogue);
  const { engine, standsFor } = ran;
  addSent(engine);
  const ranks = rankOutcomes(nodes, engine, roofline);
  const isFinished = ranks.every(({ state }) => state === 'finished');
  const { transport, workload, rows, queue } = engine;
  const sum = (amounts: Float64Array): number => standsFor * amounts.reduce((total, amount) => total + amount, 0);
  return {
    status: isFinished ? 'finished' : engine.cutOff ? 'limit' : 'stalled',
    endNs: ranks.reduce((latest, { endNs }) => Math.max(latest, endNs), 0),
    network: run.backend,
    ranks,
    finishOrder: workload.finishOrder.flatMap((rank) => (standsFor === 1 ? [rank] : ranks.map((other) => other.rank))),
    collectives: rows.outcomes(standsFor),
    messages: sum(transport.messagesSent),
    bytes: sum(transport.bytesSent),
    events: queue.popped,
    ranksSimulated: run.rankCount / standsFor,
    ...(isFinished ? {} : { stall: systemStall(ran) }),
    findings: [...planFindings(run, catalogue), ...notes.findings(), ...runFindings(ran)],
  };
}

/** What collectives have sent that are still in flight. */
function addSent({ streams, transport }: SystemEngine): void {
  streams.forEachFlight((rank, row, messages, bytes) => {
    row.add(messages, bytes);
    transport.messagesSent[rank] += messages;
    transport.bytesSent[rank] += bytes;
  });
}

/** The engine after the run, in which each rank stands for so many. */
function ranEngine(run: SystemRun, nodes: SystemNodes, catalogue: PlanCatalogue): RanSystem {
  const first = foldedNodes(run, nodes, catalogue.plans);
  if (first !== undefined) {
    const engine = new SystemEngine(run, first, catalogue, true);
    engine.run(run.options.stopNs);
    const isStalled = !engine.cutOff && engine.workload.finishOrder.length === 0;
    if (!isStalled && !engine.queue.isAmbiguous)
      return { run, catalogue, engine, nodes: first, standsFor: run.rankCount };
  }
  const engine = new SystemEngine(run, nodes, catalogue, false);
  engine.run(run.options.stopNs);
  return { run, catalogue, engine, nodes, standsFor: 1 };
}
