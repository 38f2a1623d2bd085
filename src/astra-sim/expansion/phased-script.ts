import { traceError } from '../../base/errors.js';
import type { CollectivePlan, Phase } from '../collective-plan.js';
import { Pattern } from '../phase-shape.js';
import { isAnticlockwise, queueInTurn } from '../queue-turns.js';
import { UnawareTimes } from '../unaware-times.js';
import type { CollectiveSetting } from '../system-run.js';
import type { PhasedScript } from './collective-script.js';
import { phaseDurationNs } from './phase-duration.js';
import { runOrder } from './run-order.js';
import type { Turns } from './turn-counters.js';

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
  const { system, network, rankCount, queuesPerDimension: queues } = setting;
  const { phases, chunks } = plan;
  const runs = chunks * phases.length;
  const queue = new Int32Array(runs);
  const anticlockwise = new Uint8Array(runs);
  const rootMax = new Uint8Array(runs);
  const order = placesAmongTrees(phases);
  for (let run = 0; run < runs; run++) {
    const place = run % phases.length;
    const chunk = Math.floor(run / phases.length);
    const { turn, dimension } = phases[place];
    const own = queueInTurn(turn, given[place] + chunk, queues);
    queue[run] = dimension * queues + own;
    anticlockwise[run] = Number(isAnticlockwise(turn, own, queues));
    const built = trees[place] + chunk * order[place].trees + order[place].place;
    rootMax[run] = Number(built % 2 === 0);
  }
  const times = new UnawareTimes(network);
  const { localMemoryGBps, activeChunksPerDimension } = system;
  const durationNs = phases.map((phase) =>
    // One phase alone: its chunks come in the order of their numbers, however long each takes.
    phases.length === 1 ? 1 : phaseDurationNs(phase, times, plan.endpointDelayNs, localMemoryGBps),
  );
  const { starts, after } = runOrder({ chunks, durationNs, queue, most: Math.ceil(activeChunksPerDimension / queues) });
  return {
    kind: 'phased',
    name: `astra-sim:${plan.algorithm}`,
    ranks: Int32Array.from(ranks),
    rankCount,
    phases,
    chunks,
    chunkBytes: plan.chunkBytes,
    starts,
    after,
    anticlockwise,
    rootMax,
  };
}

/**
 * Of a halving-doubling over a number of ranks that is no power of two some have no partner.
 * @param label of a node, for messages
 * @throws PrepError `SYSTEM_IMPLEMENTATION`
 */
export function demandPartners({ phases }: CollectivePlan, label: string): void {
  for (const { shape } of phases) {
    if (shape.pattern !== Pattern.halvingDoubling) continue;
    const { count, sends } = shape;
    for (const distance of shape.distances.subarray(0, sends)) {
      if (count % (2 * distance) === 0) continue;
      throw traceError(
        'SYSTEM_IMPLEMENTATION',
        `${label}: halvingDoubling over ${count} ranks leaves some without a partner at distance ${distance}; expected a power of two`,
        undefined,
        'use ring or direct there',
      );
    }
  }
}

/** For each phase the trees of a chunk on its dimension, and which of them it is. */
function placesAmongTrees(phases: readonly Phase[]): { trees: number; place: number }[] {
  return phases.map(({ dimension }, at) => {
    const isTree = (phase: Phase): boolean =>
      phase.dimension === dimension && phase.shape.pattern === Pattern.doubleBinaryTree;
    return { trees: phases.filter(isTree).length, place: phases.slice(0, at).filter(isTree).length };
  });
}
