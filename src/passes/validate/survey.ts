import type { Finding } from '../../base/finding.js';
import type { AlgorithmChoices } from '../../collectives/catalogue.js';
import type { CollectiveSurvey } from '../../collectives/survey.js';
import type { DeclaredGroups } from '../../trace/group-declarations.js';
import type { GroupUse } from '../../trace/group-use.js';
import type { WaitSurvey } from '../waits/wait-survey.js';
import type { RankObservations } from './observations.js';
import type { StoredForm } from './stored-form.js';
import type { Target } from './target.js';

/** One rank after its own checks: what was found, and what the checks across ranks need of it. */
export interface ValidationSurvey {
  readonly rank: number;
  readonly file: string;
  readonly version: string;
  readonly stored: StoredForm;
  readonly findings: readonly Finding[];
  readonly groups: GroupUse;
  readonly collectives: CollectiveSurvey;
  readonly waits: WaitSurvey;
  /** Passes that ran on it before. */
  readonly passes: readonly string[];
  /** Counts, for the comparison of ranks and for what is printed of conventions. */
  readonly observed: RankObservations;
}

/** What is known of the traceset beside its traces. */
export interface ValidationContext {
  /** Ranks of the job: 0 … worldSize − 1. */
  readonly worldSize: number;
  /** Declarations of group files and traces, joined. */
  readonly declared: DeclaredGroups;
  /** Whether a group that can only be guessed is an error, default `true`. */
  readonly strict?: boolean;
  /** Algorithms by collective option, for what they demand of a group. */
  readonly algorithms?: AlgorithmChoices;
  /**
   * Whether the collectives will be chained in their order of issue and get barriers before they are
   * replayed. Default: as `simulate` does without being asked, what no rank says it has.
   */
  readonly addedOrder?: { readonly serialize: boolean; readonly sync: boolean };
  /** Program that is to read the traces; its demands are rules too. */
  readonly target?: Target;
  /** What was found when the files were looked for and read, and belongs to no survey. */
  readonly findings?: readonly Finding[];
}
