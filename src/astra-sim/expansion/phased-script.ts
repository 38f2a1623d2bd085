import type { CollectivePlan } from '../collective-plan.js';
import { isAnticlockwise, queueInTurn } from '../queue-turns.js';
import { placeAmongTrees, type Turns } from '../turn-counters.js';
import { UnawareTimes } from '../unaware-times.js';
import type { CollectiveSetting } from '../system-run.js';
import { orderNumber, type PhasedScript } from './collective-script.js';
import { phaseDurationNs } from './phase-duration.js';
import { runOrder } from './run-order.js';

/**
 * The script of a collective.
 * @param ranks of its members, by position in its group
 */
export function phasedScript(
  setting: CollectiveSetting & { readonly queuesPerDimension: number },
  plan: CollectivePlan,
  { given, trees }: Turns,
  ranks: readonly number[],
): PhasedScript {
  const { system, network, queuesPerDimension: queues } = setting;
  const { orders, chunks, chunkBytes } = plan;
  const [{ length: phases }] = orders;
  const runs = chunks * phases;
  const queue = new Int32Array(runs);
  const durationNs = new Float64Array(runs);
  const anticlockwise = new Uint8Array(runs);
  const rootMax = new Uint8Array(runs);
  const times = new UnawareTimes(network);
  const { localMemoryGBps, activeChunksPerDimension } = system;
  const facts = orders.map((order) =>
    order.map((phase, place) => ({
      ...phase,
      ...placeAmongTrees(order, place),
      // One phase alone: its chunks come in the order of their numbers, however long each takes.
      durationNs: phases === 1 ? 1 : phaseDurationNs(phase, times, plan.endpointDelayNs, localMemoryGBps),
    })),
  );
  for (let run = 0; run < runs; run++) {
    const place = run % phases;
    const chunk = Math.floor(run / phases);
    const phase = facts[orderNumber(plan, chunk)][place];
    const own = queueInTurn(phase.turn, given[place] + chunk, queues);
    queue[run] = phase.dimension * queues + own;
    durationNs[run] = phase.durationNs;
    anticlockwise[run] = Number(isAnticlockwise(phase.turn, own, queues));
    rootMax[run] = Number((trees[place] + chunk * phase.trees + phase.tree) % 2 === 0);
  }
  const most = Math.ceil(activeChunksPerDimension / queues);
  const { starts, after } = runOrder({ chunks, phases, durationNs, queue, most });
  return {
    ...{ kind: 'phased', name: `astra-sim:${plan.algorithm}` },
    ...{ ranks: Int32Array.from(ranks), orders, chunks, chunkBytes },
    ...(plan.orderOf && { orderOf: plan.orderOf }),
    ...{ starts, after, anticlockwise, rootMax },
  };
}
