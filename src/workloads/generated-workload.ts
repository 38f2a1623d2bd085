import { requestError } from '../base/errors.js';
import { nearestName } from '../base/nearest-name.js';
import type { GeneratedJob } from './generated-job.js';
import { OFFICIAL_CASES, officialCase, type OfficialCaseParameters } from './official-cases.js';
import { officialSummary } from './official-summary.js';
import { OFFICIAL_FLAGS, officialDefaults } from './official-parameters.js';
import { FLAG_OF_PARAMETER, type StatedTransformer } from './transformer/parameters.js';
import { transformerJob } from './transformer/transformer-job.js';

/** The case that is no official one. */
export const TRANSFORMER = 'transformer';

/** A workload as it was asked for: plain data, so that a worker thread can make it again. */
export type WorkloadRequest =
  | { readonly name: typeof TRANSFORMER; readonly parameters: StatedTransformer }
  | { readonly name: string; readonly parameters: Partial<OfficialCaseParameters> };

/** Every case that `generate` knows. */
export const WORKLOAD_CASES: readonly string[] = [...OFFICIAL_CASES, TRANSFORMER];

/** Options of a case, by the name of the flag. */
export function flagsOfCase(name: string): readonly string[] {
  return Object.values(name === TRANSFORMER ? FLAG_OF_PARAMETER : OFFICIAL_FLAGS);
}

/**
 * The job of a case.
 * @throws PrepError `CASE_UNKNOWN`, `CASE_PARAMETER`, `OPTION_MISSING`
 */
export function generatedWorkload({ name, parameters }: WorkloadRequest): GeneratedJob {
  if (name === TRANSFORMER) return transformerJob(parameters as StatedTransformer);
  demandCase(name);
  const stated = parameters as Partial<OfficialCaseParameters>;
  const job = officialCase(name, stated);
  return { ...job, findings: [...job.findings, ...officialDefaults(name, stated)], summary: officialSummary(job) };
}

/** @throws PrepError `CASE_UNKNOWN` */
export function demandCase(name: string): void {
  if (WORKLOAD_CASES.includes(name)) return;
  const meant = nearestName(name, WORKLOAD_CASES);
  throw requestError(
    'CASE_UNKNOWN',
    `no case is called ${name} (known: ${WORKLOAD_CASES.join(', ')}, and official for all but the last)`,
    meant === undefined ? undefined : `did you mean ${meant}?`,
  );
}
