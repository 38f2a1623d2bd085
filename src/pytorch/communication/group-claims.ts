import { rankList } from '../../base/rank-runs.js';
import type { Links } from '../links.js';
import type { Notes } from './notes.js';

/** Who says it, in a message. */
const SOURCES = {
  kernel: 'the kernel arguments',
  init: 'process_group:init',
  distributed: 'distributedInfo',
  record: 'global rank start, stride and size of record_param_comms',
} as const;

/** What one rank's traces say of the members of groups. */
export interface GroupClaims {
  /** By name; where sources differ, the first of them counts. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
  /** Numbers of members that are stated, by name. */
  readonly sizes: ReadonlyMap<string, number>;
}

/**
 * Gathers the groups that one rank declares: "Process Group Ranks" of kernels, then process_group:init, then distributedInfo, then
 * start, stride and size in records.
 */
export function groupClaims({ host, device }: Links, notes: Notes): GroupClaims {
  const groups = new Map<string, readonly number[]>();
  const origins = new Map<string, string>();
  const sizes = new Map<string, number>();
  const claim = (name: string, ranks: readonly number[], origin: string): void => {
    const known = groups.get(name);
    if (known === undefined) {
      groups.set(name, ranks);
      origins.set(name, origin);
      if (!sizes.has(name)) sizes.set(name, ranks.length);
    } else if (!sameRanks(known, ranks)) {
      notes.add(
        'COMMUNICATION_GROUP_DIFFERS',
        () =>
          `group ${JSON.stringify(name)} is ${rankList(known)} by ${origins.get(name)} and ${rankList(ranks)} by ${origin}`,
      );
    }
  };
  for (const { group, groupRanks, groupSize } of device?.collectives.values() ?? []) {
    if (group === undefined || group === '') continue;
    if (groupRanks !== undefined && groupRanks.length > 0) claim(group, groupRanks, SOURCES.kernel);
    if (groupSize !== undefined && !sizes.has(group)) sizes.set(group, groupSize);
  }
  for (const [name, ranks] of host.groups) claim(name, ranks, SOURCES.init);
  for (const [name, ranks] of device?.distributed?.groups ?? [])
    if (ranks.length > 0) claim(name, ranks, SOURCES.distributed);
  const seen = new Set<string>();
  for (const { group, groupSize, globalRankStart, globalRankStride } of host.communications.values()) {
    if (group === undefined || group === '' || groupSize === undefined) continue;
    const key = `${group} ${globalRankStart} ${globalRankStride} ${groupSize}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const ranks = stridedRanks(globalRankStart, globalRankStride, groupSize);
    if (ranks !== undefined) claim(group, ranks, SOURCES.record);
    else if (!sizes.has(group)) sizes.set(group, groupSize);
  }
  return { groups, sizes };
}

/** Ranks at one distance; `undefined` where none is stated, as for groups whose ranks are not at one distance. */
function stridedRanks(start: number | undefined, stride: number | undefined, size: number): number[] | undefined {
  if (start === undefined || stride === undefined || !(start >= 0) || !(size >= 1) || size > MOST_RANKS)
    return undefined;
  const last = start + stride * (size - 1);
  if (size > 1 && !(stride >= 1 && last <= MOST_RANKS)) return undefined;
  return Array.from({ length: size }, (_, place) => start + stride * place);
}

/** A stride of −1 is written as a huge number where the field has no sign. */
const MOST_RANKS = 2 ** 31;

function sameRanks(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((rank, place) => rank === other[place]);
}
