import { join } from 'node:path';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import type { AstraPlan } from '../passes/for-astra-sim/plan.js';
import type { ValidationSurvey } from '../passes/validate/survey.js';
import { validateTraceset as runRules } from '../passes/validate/validate.js';
import { joinDeclarations } from '../trace/group-declarations.js';
import { worldSizeOf, type OpenTraceset } from './open-traceset.js';
import type { Output } from './preparation-request.js';
import { GROUP_FILE } from './group-file.js';

const TARGET = 'astra-sim';

/**
 * That a request can be written for ASTRA-sim at all.
 * @throws PrepError `TARGET_REQUEST`
 */
export function demandFitsTarget({ files }: OpenTraceset, { format }: Pick<Output, 'format'>): void {
  if (format !== 'et') {
    throw requestError(
      'TARGET_REQUEST',
      `--for ${TARGET} with the form ${format}: the program reads plain .et files`,
      'leave --format out, or write --to et',
    );
  }
  if (files.some(({ bytes }) => bytes !== undefined)) {
    throw requestError(
      'TARGET_REQUEST',
      `--for ${TARGET} with one rank on stdin: numbers of tags and groups are those of all ranks`,
      'name the whole traceset',
    );
  }
}

/**
 * Runs the rules of `validate --for astra-sim` over what was written: every error, and the warnings that are about the
 * program. Without a folder there is no group file; the groups are those of the metadata.
 */
export function checkForAstraSim(
  surveys: readonly ValidationSurvey[],
  opened: OpenTraceset,
  { groups }: AstraPlan,
  { folder }: Pick<Output, 'folder'>,
): Finding[] {
  const origin = folder === undefined ? 'metadata' : join(folder, GROUP_FILE);
  const worldSize = worldSizeOf(opened);
  const declared = joinDeclarations(
    [...groups.values()].map(({ name, ranks }) => ({ name, ranks, origin })),
    worldSize,
  );
  const found = runRules(surveys, { worldSize, declared, target: TARGET });
  return found.filter(
    ({ severity, code }) => severity === 'error' || (severity === 'warning' && code.startsWith('ASTRA_')),
  );
}
