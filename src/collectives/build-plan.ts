import type { ProcessGroup } from '../trace/process-group.js';
import { agree, type AgreedCollective } from './agreement.js';
import type { Algorithm } from './algorithm.js';
import type { AlgorithmChoice } from './algorithm-choice.js';
import { ALGORITHMS, chooseAlgorithms, SYNC_BARRIER, type AlgorithmChoices } from './catalogue.js';
import { countsAgree } from './count-difference.js';
import { FoldedFindings } from './folded-findings.js';
import { groupMembers, type GroupMembers } from './group-members.js';
import { demandFit } from './algorithm-fit.js';
import type { CollectiveInstance, CollectivePlan, RankCollectives } from './plan.js';
import { SurveyState, type CollectiveSurvey } from './survey.js';

/** A plan that also holds the collectives that were expanded already, and what ordering needs to know of the groups. */
export interface CollectivePairing extends CollectivePlan {
  readonly ranks: readonly PairedRank[];
  /** Groups with collectives → whether all of these carry their place in the order of issue. */
  readonly recorded: ReadonlyMap<string, boolean>;
}

/** The collectives of one rank: those to be expanded, and the exits of those that were. */
export interface PairedRank extends RankCollectives {
  readonly expanded: Uint8Array; // [m] 1 where the node is an exit
}

const TAG_FIELD = 2 ** 16;

/**
 * Plans the collectives of a traceset that are still to be expanded (R-080 … … R-129). The order of the
 * surveys does not matter; problems are findings of the plan.
 *
 * @param algorithms names by collective option
 * @param rankCount ranks of the traceset
 * @throws PrepError `COLLECTIVE_UNKNOWN`, `ALGORITHM_UNKNOWN`
 */
export function planCollectives(
  surveys: readonly CollectiveSurvey[],
  groups: ReadonlyMap<string, ProcessGroup>,
  algorithms: AlgorithmChoices,
  rankCount = surveys.length,
): CollectivePlan {
  return plan(surveys, groups, algorithms, rankCount, false);
}

/**
 * As {@link planCollectives}, with the collectives that were expanded already.
 * @param choice of algorithms for those that were not, before that of `algorithms`
 */
export function pairCollectives(
  surveys: readonly CollectiveSurvey[],
  groups: ReadonlyMap<string, ProcessGroup>,
  algorithms: AlgorithmChoices,
  rankCount = surveys.length,
  choice?: AlgorithmChoice,
): CollectivePairing {
  return plan(surveys, groups, algorithms, rankCount, true, choice);
}

function plan(
  surveys: readonly CollectiveSurvey[],
  groups: ReadonlyMap<string, ProcessGroup>,
  algorithms: AlgorithmChoices,
  rankCount: number,
  withExpanded: boolean,
  choice?: AlgorithmChoice,
): CollectivePairing {
  const chosen = chooseAlgorithms(algorithms);
  const byRank = [...surveys].sort((a, b) => a.rank - b.rank);
  const findings = new FoldedFindings();
  checkRanks(byRank, rankCount, findings);
  const uses = groupMembers(byRank, groups, rankCount, findings);
  const slots = new Map(byRank.map((survey) => [survey.rank, new RankSlots(survey)]));
  const agreed: PlannedCollective[] = [];
  for (const use of uses) {
    if (!countsAgree(use, findings)) continue;
    const count = use.members[0].places.length;
    for (let instance = 0; instance < count; instance++) {
      const collective = agree(use, instance, findings);
      if (!collective || (collective.expanded && !withExpanded)) continue;
      const algorithm = algorithmFor(collective, use, chosen, findings);
      use.members.forEach(({ survey, places }, position) => {
        slots.get(survey.rank)?.set(places[instance], agreed.length, position);
      });
      agreed.push({ ...collective, algorithm });
    }
  }
  const { instances: numberedInstances, placeOf } = numbered(agreed, [...slots.values()]);
  const ranks = Array.from({ length: rankCount }, (_, rank) => rankCollectives(slots.get(rank), placeOf));
  const expanded = new Uint8Array(agreed.length);
  for (const [index, place] of placeOf.entries()) if (agreed[index].expanded) expanded[place] = 1;
  const chosenBy = choice?.choose({ instances: numberedInstances, ranks, surveys: byRank, expanded });
  const instances = numberedInstances.map((instance, place) => ({
    ...instance,
    algorithm: chosenBy?.algorithms[place] ?? instance.algorithm,
  }));
  return {
    rankCount,
    instances,
    ranks,
    ...tagLayout(byRank, instances),
    recorded: new Map(uses.map((use) => [use.group.name, use.recorded])),
    findings: [...findings.list(), ...(chosenBy?.findings ?? [])],
  };
}

/** Surveys come from ranks 0 … R−1, each once; a rank without one has no collectives. */
function checkRanks(byRank: readonly CollectiveSurvey[], rankCount: number, findings: FoldedFindings): void {
  byRank.forEach(({ rank }, at) => {
    if (at > 0 && byRank[at - 1].rank === rank) findings.addTraceset('RANK_DOUBLED', `rank ${rank} is there twice`);
    if (rank >= rankCount) {
      findings.addTraceset(
        'RANK_MISSING',
        `there is a rank ${rank}; ${rankCount} ranks are numbered from 0 without gaps`,
      );
    }
  });
}

type PlannedCollective = AgreedCollective & { readonly algorithm: Algorithm };

/** Which agreed collective each of a rank's collectives is. */
class RankSlots {
  readonly agreed: Int32Array; // [m] −1 for a collective that is not planned
  readonly position: Int32Array; // [m]

  constructor(readonly survey: CollectiveSurvey) {
    this.agreed = new Int32Array(survey.node.length).fill(-1);
    this.position = new Int32Array(survey.node.length);
  }

  set(place: number, agreed: number, position: number): void {
    this.agreed[place] = agreed;
    this.position[place] = position;
  }
}

function algorithmFor(
  collective: AgreedCollective,
  use: GroupMembers,
  chosen: readonly Algorithm[],
  findings: FoldedFindings,
): Algorithm {
  const { type, expanded, expandedBy } = collective;
  const algorithm = chosen[type];
  if (expanded) return ALGORITHMS[type].find(({ name }) => name === expandedBy) ?? algorithm;
  demandFit(algorithm, collective, use, findings);
  return algorithm;
}

/** Gives the collectives their places: rank 0's in ascending id, then rank 1's that rank 0 is not in, … */
function numbered(
  agreed: readonly PlannedCollective[],
  slots: readonly RankSlots[],
): { instances: CollectiveInstance[]; placeOf: Int32Array } {
  const placeOf = new Int32Array(agreed.length).fill(-1);
  const instances: CollectiveInstance[] = [];
  for (const slot of slots) {
    for (const index of slot.agreed) {
      if (index < 0 || placeOf[index] >= 0) continue;
      const { group, type, instance, size, root, algorithm, splits } = agreed[index];
      const place = instances.length;
      placeOf[index] = place;
      instances.push({ group, type, instance, place, size, root, algorithm, ...(splits && { splits }) });
    }
  }
  return { instances, placeOf };
}

function rankCollectives(slots: RankSlots | undefined, placeOf: Int32Array): PairedRank {
  const length = slots === undefined ? 0 : slots.agreed.length;
  const node = new Int32Array(length);
  const instance = new Int32Array(length);
  const position = new Int32Array(length);
  const expanded = new Uint8Array(length);
  let count = 0;
  for (let place = 0; place < length; place++) {
    const agreed = slots!.agreed[place];
    if (agreed < 0) continue;
    node[count] = slots!.survey.node[place];
    instance[count] = placeOf[agreed];
    position[count] = slots!.position[place];
    expanded[count] = slots!.survey.state[place] & SurveyState.expanded;
    count++;
  }
  return {
    node: node.slice(0, count),
    instance: instance.slice(0, count),
    position: position.slice(0, count),
    expanded: expanded.slice(0, count),
  };
}

function tagLayout(
  surveys: readonly CollectiveSurvey[],
  instances: readonly CollectiveInstance[],
): { tagBase: number; tagStride: number } {
  let largestTag = -1;
  for (const survey of surveys) largestTag = Math.max(largestTag, survey.largestTag);
  let tagStride = TAG_FIELD;
  for (const { algorithm, group } of instances) {
    const { length } = group.ranks;
    const needed = Math.max(algorithm.indexCount(length), SYNC_BARRIER.indexCount(length));
    while (tagStride < needed) tagStride *= 2;
  }
  return { tagBase: Math.floor(largestTag / TAG_FIELD) * TAG_FIELD + TAG_FIELD, tagStride };
}
