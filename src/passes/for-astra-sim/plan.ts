import { pairCollectives } from '../../collectives/build-plan.js';
import { surveyCollectives, type CollectiveSurvey } from '../../collectives/survey.js';
import { isTransfer } from '../../trace/node-type.js';
import type { ProcessGroup } from '../../trace/process-group.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import type { DependencyMode } from '../rank-skeleton.js';
import { transferColumns } from '../transfer-columns.js';
import { surveyTransfers, type TransferSurvey } from '../transfer-survey.js';
import { agreeCollectiveSizes, agreeTransferSizes, type SizeList } from './agreed-sizes.js';
import { numberGroups, type GroupNumbers } from './group-numbers.js';
import { numberTags, type TagList } from './tag-numbers.js';

/** What planning needs of one rank as it would be written. Plain data. */
export interface AstraSurvey {
  readonly rank: number;
  readonly transfers: TransferSurvey;
  readonly collectives: CollectiveSurvey;
}

/** What one rank takes over from the others. */
export interface RankAgreements {
  readonly sizes: SizeList;
  readonly tags: readonly TagList[];
}

/** How every rank is to be written for ASTRA-sim. Plain data: it crosses worker threads. */
export interface AstraPlan extends GroupNumbers {
  /** Which dependencies hold nodes back; the program waits for control always, so that `data` leaves it out. */
  readonly deps: DependencyMode;
  /** Groups of one rank, whose collectives move nothing: name → rank. */
  readonly lone: ReadonlyMap<string, number>;
  /** By rank. */
  readonly agreements: ReadonlyMap<number, RankAgreements>;
}

export function surveyForAstraSim(trace: RankTrace): AstraSurvey {
  return {
    rank: trace.rank,
    transfers: surveyTransfers(transferColumns(trace)),
    collectives: surveyCollectives(trace),
  };
}

/**
 * Plans what ranks have to do alike: numbers of groups, sizes and tags of messages, sizes of collectives.
 * @param surveys by ascending rank, of the traces as they would be written otherwise
 * @param groups every group that is declared or used
 */
export function planForAstraSim(
  surveys: readonly AstraSurvey[],
  groups: ReadonlyMap<string, ProcessGroup>,
  { worldSize, deps }: { readonly worldSize: number; readonly deps: DependencyMode },
): AstraPlan {
  const transfers = surveys.map((survey) => survey.transfers);
  const collectives = surveys.map((survey) => survey.collectives);
  const sizes = new Map(surveys.map(({ rank }) => [rank, { node: [], bytes: [] } as SizeList]));
  agreeTransferSizes(transfers, sizes);
  agreeCollectiveSizes(collectives, pairCollectives(collectives, groups, {}, worldSize), sizes);
  const tags = numberTags(transfers);
  return {
    ...numberGroups(groups, worldSize),
    deps,
    lone: new Map(
      [...groups.values()].filter(({ ranks }) => ranks.length === 1).map(({ name, ranks }) => [name, ranks[0]]),
    ),
    agreements: new Map(surveys.map(({ rank }) => [rank, { sizes: sizes.get(rank)!, tags: tags.get(rank) ?? [] }])),
  };
}

/** The plan as far as some ranks need it. */
export function planForRanks(plan: AstraPlan, ranks: readonly number[]): AstraPlan {
  return { ...plan, agreements: new Map(ranks.map((rank) => [rank, plan.agreements.get(rank)!])) };
}

/** Whether a node is a send or receive of the rank to itself, which the program refuses. */
export function isToItself({ type, peer, rank }: RankTrace, node: number): boolean {
  return isTransfer(type[node]) && peer[node] === rank;
}
