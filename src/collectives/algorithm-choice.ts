import type { Finding } from '../base/finding.js';
import type { Algorithm } from './algorithm.js';
import type { CollectiveInstance, RankCollectives } from './plan.js';
import type { CollectiveSurvey } from './survey.js';

/** The collectives of a traceset, with the algorithms that their types have. */
export interface PlannedCollectives {
  readonly instances: readonly CollectiveInstance[];
  /** By rank; what a rank runs, in ascending node id. */
  readonly ranks: readonly RankCollectives[];
  /** In ascending rank; a rank without collectives may be missing. */
  readonly surveys: readonly CollectiveSurvey[];
  /** [instances] 1 where the collective was expanded before. */
  readonly expanded: Uint8Array;
}

export interface ChosenAlgorithms {
  /** By instance; where it is undefined the algorithm of the type stays. */
  readonly algorithms: readonly (Algorithm | undefined)[];
  readonly findings: readonly Finding[];
}

/** Chooses algorithms where they follow from more than the type of a collective: with all collectives of a traceset at hand. */
export interface AlgorithmChoice {
  choose(planned: PlannedCollectives): ChosenAlgorithms;
}
