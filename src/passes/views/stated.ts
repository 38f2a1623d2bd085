import type { Member } from '../../collectives/group-members.js';
import { collectiveId, type CollectiveSurvey } from '../../collectives/survey.js';
import { collectiveName, COMM_TYPE_ABSENT, COMM_TYPE_UNKNOWN } from '../../trace/collective-type.js';

/** What one rank states of a collective. */
export interface StatedCollective {
  /** Node id. */
  readonly node: number | string;
  readonly type: string;
  /** `null` where it has no `comm_size`. */
  readonly bytes: number | null;
  /** `null` where it names none. */
  readonly root: number | null;
}

export function statedCollective(survey: CollectiveSurvey, place: number): StatedCollective {
  return {
    node: collectiveId(survey, place),
    type: collectiveTypeText(survey.type[place]),
    bytes: Number.isNaN(survey.size[place]) ? null : survey.size[place],
    root: survey.root[place] < 0 ? null : survey.root[place],
  };
}

/** `AllReduce`; `no comm_type` or `unknown comm_type` where it is none of the ten. */
export function collectiveTypeText(type: number): string {
  if (type === COMM_TYPE_ABSENT) return 'no comm_type';
  return type === COMM_TYPE_UNKNOWN ? 'unknown comm_type' : collectiveName(type);
}

/** The largest size stated of the collective of this index, bytes; `undefined` where nobody states one. */
export function largestSize(members: readonly Member[], index: number): number | undefined {
  let largest: number | undefined;
  for (const { survey, places } of members) {
    const size = survey.size[places[index]];
    if (size > (largest ?? -1)) largest = size;
  }
  return largest;
}
