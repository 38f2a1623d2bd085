import { EXIT } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import type { AlgorithmChoices } from '../collectives/catalogue.js';
import {
  conventionsInUse,
  observationsOf,
  type ConventionInUse,
  type Observation,
} from '../passes/validate/conventions-in-use.js';
import type { Target } from '../passes/validate/target.js';
import { validateTraceset as runRules } from '../passes/validate/validate.js';
import { assumptionsInForce, foldAssumptions } from '../trace/assumption-findings.js';
import { assumed } from './assume.js';
import { failureFindings } from './failure-findings.js';
import { openTraceset, threadsFor, worldSizeOf, type OpenTraceset, type Reading } from './open-traceset.js';
import type { RankReading } from './survey-rank.js';
import { surveyTraceset } from './survey-traceset.js';
import { declaredGroupsOrFindings } from './traceset-groups.js';
import { Workers } from './workers.js';

export interface ValidationRequest extends Reading {
  readonly algorithms: AlgorithmChoices;
  /** Program that is to read the traces; its demands are rules too. */
  readonly target?: Target;
}

export interface Validation {
  /** Ranks that could be read. */
  readonly ranks: number;
  readonly nodes: number;
  readonly findings: readonly Finding[];
  /** Every file that stands for a rank, ascending. */
  readonly files: readonly { readonly rank: number; readonly path: string }[];
  /** How the traces were read: the conventions that matter to what is in them. */
  readonly conventions: readonly ConventionInUse[];
  /** What is legal, and was silently given a meaning. */
  readonly observations: readonly Observation[];
  /** Whether not one file could be read; a file that is refused for a number in it was read. */
  readonly unreadable: boolean;
}

/**
 * Everything that can be found wrong with a traceset without replaying it.
 * @throws PrepError when no files are found or the request is wrong
 */
export async function validateTraceset(request: ValidationRequest): Promise<Validation> {
  return validateOpened(await openTraceset(request), request);
}

/**
 * The same of files that were found before.
 * @throws PrepError when the request is wrong
 */
export async function validateOpened(found: OpenTraceset, request: ValidationRequest): Promise<Validation> {
  const opened = await assumed(found, request);
  const workers = new Workers(threadsFor(opened, request.threads));
  let readings: RankReading[];
  try {
    const { deps, target } = request;
    const job = { deps, validate: true, prepare: false, keepGoing: true, ...(target === undefined ? {} : { target }) };
    readings = await surveyTraceset(opened, workers, job, request.onProgress);
  } finally {
    await workers.close();
  }
  const read = readings.filter(({ failure }) => failure === undefined);
  const failures = readings.flatMap(unreadable);
  const files = opened.files.map(({ rank, path }) => ({ rank, path }));
  // What ranks are missing, or assumed, says nothing where not one of the files is a trace.
  if (read.length === 0) {
    const unread = readings.every(({ failure }) => failure?.exitStatus === EXIT.inputUnreadable);
    const nothing = { ranks: 0, nodes: 0, conventions: [], observations: [] };
    return { ...nothing, findings: failures, files, unreadable: unread };
  }
  const worldSize = worldSizeOf(opened);
  const declared = declaredGroupsOrFindings(
    opened.groupFile,
    read.flatMap(({ declarations }) => declarations),
    worldSize,
  );
  const surveys = read.map(({ validation }) => validation!);
  const findings = runRules(surveys, {
    worldSize,
    declared,
    algorithms: request.algorithms,
    ...(request.target === undefined ? {} : { target: request.target }),
    findings: [...opened.findings, ...failures],
  });
  const folded = foldAssumptions(findings, opened.assumptions);
  const observed = surveys.map((survey) => survey.observed);
  return {
    ranks: read.length,
    nodes: read.reduce((sum, { nodes }) => sum + nodes, 0),
    findings: folded,
    files,
    unreadable: false,
    conventions: conventionsInUse(observed, assumptionsInForce(opened.assumptions, folded), request.deps),
    observations: observationsOf(observed, surveys.filter(({ stored }) => stored.gzip).length),
  };
}

function unreadable({ rank, path, failure }: RankReading): Finding[] {
  return failure === undefined ? [] : failureFindings(failure, { rank, file: path });
}
