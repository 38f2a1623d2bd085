import type { Finding } from '../base/finding.js';
import { planForAstraSim, type AstraPlan } from '../passes/for-astra-sim/plan.js';
import { resolveGroups } from '../trace/group-use.js';
import type { Making } from './made-trace.js';
import { worldSizeOf, type OpenTraceset, type Reading } from './open-traceset.js';
import { dealFiles } from './survey-traceset.js';
import { declaredGroups } from './traceset-groups.js';
import type { Workers } from './workers.js';

export interface PlannedForAstraSim {
  readonly plan: AstraPlan;
  /** What was found about files and groups. */
  readonly findings: readonly Finding[];
}

/**
 * Reads every rank for what the ranks have to write alike for ASTRA-sim.
 * @param making what is done to each rank before
 * @throws PrepError when a file cannot be read
 */
export async function planTracesetForAstraSim(
  { deps }: Pick<Reading, 'deps'>,
  opened: OpenTraceset,
  making: Making,
  workers: Workers,
  progress: () => void,
): Promise<PlannedForAstraSim> {
  const jobs = dealFiles(opened.files, workers).map((files) => ({ files, making }));
  const readings = (await workers.run('surveyForAstraSim', jobs, progress)).flat();
  const worldSize = worldSizeOf(opened);
  const declared = declaredGroups(
    opened.groupFile,
    readings.flatMap(({ declarations }) => declarations),
    worldSize,
  );
  const resolved = resolveGroups(
    declared.groups,
    readings.map(({ groups }) => groups),
    { ranks: Array.from({ length: worldSize }, (_, rank) => rank), strict: false },
  );
  return {
    plan: planForAstraSim(
      readings.map(({ survey }) => survey),
      resolved.groups,
      { worldSize, deps },
    ),
    findings: [...readings.flatMap(({ findings }) => findings), ...declared.findings, ...resolved.findings],
  };
}
