import { PrepError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { withInvolvedDimensions } from '../collectives/survey.js';
import { groupsDeclaredIn } from '../formats/process-group-init.js';
import type { DependencyMode } from '../passes/rank-skeleton.js';
import { surveyRank, type RankSurvey } from '../passes/preparation-plan.js';
import { surveyForValidation } from '../passes/validate/validate.js';
import type { ValidationSurvey } from '../passes/validate/survey.js';
import type { Target } from '../passes/validate/target.js';
import type { GroupDeclaration } from '../trace/group-declarations.js';
import { groupUse, type GroupUse } from '../trace/group-use.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { carry, type CarriedError } from './carried-error.js';
import type { RankFile } from './open-traceset.js';
import { isGzip, withRank } from './read-rank.js';

export interface SurveyJob {
  readonly files: readonly RankFile[];
  readonly deps: DependencyMode;
  /** Run the rules of `validate`. */
  readonly validate: boolean;
  /** With `validate`: program that is to read the traces. */
  readonly target?: Target;
  /** Survey for the preparation passes. */
  readonly prepare: boolean;
  /** With `prepare`: read the dimensions that collectives name. */
  readonly dimensions?: boolean;
  /** Take who uses which groups, which `prepare` does as well. */
  readonly groups?: boolean;
  /** Report a file that cannot be read instead of stopping at it. */
  readonly keepGoing: boolean;
}

/** What is kept of one rank after it was read. */
export interface RankReading {
  readonly rank: number;
  readonly path: string;
  readonly nodes: number;
  readonly findings: readonly Finding[];
  readonly declarations: readonly GroupDeclaration[];
  readonly validation?: ValidationSurvey;
  readonly survey?: RankSurvey;
  readonly groups?: GroupUse;
  /** Why there is nothing. */
  readonly failure?: CarriedError;
}

/** Reads ranks one at a time and keeps what planning and validation need of them. */
export function surveyRanks({ files, keepGoing, ...job }: SurveyJob): RankReading[] {
  return files.map((file) => {
    try {
      return surveyFile(file, job);
    } catch (error) {
      if (!keepGoing || !(error instanceof PrepError)) throw error;
      return { rank: file.rank, path: file.path, nodes: 0, findings: [], declarations: [], failure: carry(error) };
    }
  });
}

function surveyFile(file: RankFile, job: Omit<SurveyJob, 'files' | 'keepGoing'>): RankReading {
  return withRank(file, ({ trace, findings: found, format, schema }, source) => {
    const declared = groupsDeclaredIn(trace);
    const findings = [...found, ...declared.findings];
    const { deps, target } = job;
    return {
      rank: file.rank,
      path: file.path,
      nodes: trace.length,
      findings,
      declarations: declared.declarations,
      ...(job.validate
        ? {
            validation: surveyForValidation(
              trace,
              { deps, found: findings, stored: { gzip: isGzip(file), format, schema, bytes: source.length } },
              target,
            ),
          }
        : {}),
      ...(job.prepare ? { survey: rankSurvey(trace, job.dimensions) } : {}),
      ...(job.prepare || job.groups === true ? { groups: groupUse(trace) } : {}),
    };
  });
}

function rankSurvey(trace: RankTrace, withDimensions = false): RankSurvey {
  const survey = surveyRank(trace);
  return withDimensions ? withInvolvedDimensions(survey, trace) : survey;
}
