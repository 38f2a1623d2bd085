import { CollectiveType } from './collective-type.js';
import { defaultOf, parseAssumptions, SIZE_CONVENTION, unitPs, type ConventionName } from './conventions.js';

/** What a size of a collective type is to be multiplied with or divided by. */
export const SizeChange = { none: 0, timesGroup: 1, byGroup: 2 } as const;

/**
 * The conventions that differ from the usual ones, ready to be applied to a rank. Plain data: it crosses worker
 * threads.
 */
export interface Assumptions {
  /** Convention → value; none that is the default. */
  readonly chosen: ReadonlyMap<ConventionName, string>;
  /** Bytes of what sizes count. */
  readonly elementBytes: number;
  /** Length of what durations count, ps. */
  readonly durationUnitPs: number;
  /** [type] one of {@link SizeChange}. */
  readonly sizeChange: readonly number[];
  readonly rootIsPosition: boolean;
  readonly peerIsPosition: boolean;
  /** Members by group name, in order; empty where {@link needGroups} says that none is needed. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
}

/**
 * Reads texts such as `allgather-size=total`; `undefined` when they say nothing but the defaults.
 * @throws PrepError `ASSUMPTION_UNKNOWN`
 */
export function assumptionsOf(texts: readonly string[]): Assumptions | undefined {
  const chosen = parseAssumptions(texts);
  return chosen.size === 0 ? undefined : resolved(chosen, new Map());
}

/** Assumptions without some of them. */
export function withoutAssumptions({ chosen, groups }: Assumptions, names: ReadonlySet<string>): Assumptions {
  return resolved(new Map([...chosen].filter(([name]) => !names.has(name))), groups);
}

function resolved(chosen: Assumptions['chosen'], groups: Assumptions['groups']): Assumptions {
  return {
    chosen,
    elementBytes: Number(chosen.get('element-bytes') ?? defaultOf('element-bytes')),
    durationUnitPs: unitPs(chosen.get('duration-unit') ?? defaultOf('duration-unit'))!,
    sizeChange: Object.values(CollectiveType).map((type) => {
      const name = SIZE_CONVENTION[type];
      const value = name === undefined ? undefined : chosen.get(name);
      if (value === undefined) return SizeChange.none;
      return value === 'total' ? SizeChange.byGroup : SizeChange.timesGroup;
    }),
    rootIsPosition: chosen.get('root') === 'position',
    peerIsPosition: chosen.get('peer') === 'position',
    groups,
  };
}

/** Whether who is in the groups has to be known before they can be applied. */
export function needGroups({ sizeChange, rootIsPosition, peerIsPosition }: Assumptions): boolean {
  return rootIsPosition || peerIsPosition || sizeChange.some((change) => change !== SizeChange.none);
}
