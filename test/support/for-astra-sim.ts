import { encodeChakraEt } from '../../src/formats/et/encode.js';
import { addAstraChanges, noAstraChanges, type AstraChanges } from '../../src/passes/for-astra-sim/changes.js';
import { mendForAstraSim } from '../../src/passes/for-astra-sim/mend-rank.js';
import { planForAstraSim, planForRanks, surveyForAstraSim } from '../../src/passes/for-astra-sim/plan.js';
import type { DependencyMode } from '../../src/passes/rank-skeleton.js';
import { groupUse, resolveGroups } from '../../src/trace/group-use.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { groupsOf } from './preparation.js';
import { readBytes } from './traces.js';

export interface MendedJob {
  readonly traces: RankTrace[];
  /** Groups of the group file. */
  readonly groups: Record<string, number[]>;
  readonly changes: AstraChanges;
}

/** Plans and mends all ranks, with surveys and plan cloned as between threads, and reads back what is written. */
export function mendAll(
  traces: readonly RankTrace[],
  groups: Record<string, number[]>,
  deps: DependencyMode = 'both',
): MendedJob {
  const ranks = traces.map(({ rank }) => rank);
  const resolved = resolveGroups(groupsOf(groups), traces.map(groupUse), { ranks, strict: false });
  const plan = planForAstraSim(
    traces.map((trace) => structuredClone(surveyForAstraSim(trace))),
    resolved.groups,
    { worldSize: traces.length, deps },
  );
  const changes = noAstraChanges();
  const mended = traces.map((trace) => {
    const rank = mendForAstraSim(trace, structuredClone(planForRanks(plan, [trace.rank])));
    addAstraChanges(changes, rank.changes);
    return readBytes(encodeChakraEt(rank.trace), trace.rank).trace;
  });
  return {
    traces: mended,
    groups: Object.fromEntries([...plan.groups.values()].map(({ name, ranks: members }) => [name, [...members]])),
    changes,
  };
}

/** The changes that were made, by name. */
export function made(changes: AstraChanges): Partial<AstraChanges> {
  return Object.fromEntries(Object.entries(changes).filter(([, count]) => count > 0));
}
