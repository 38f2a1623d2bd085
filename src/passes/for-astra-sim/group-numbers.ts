import { WORLD, type ProcessGroup } from '../../trace/process-group.js';

/** Names that ASTRA-sim reads as numbers, for every group of a traceset. Plain data. */
export interface GroupNumbers {
  /** Names that change, old and new; '' for a name of the world, which needs none. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Every group under its number, for the group file. */
  readonly groups: ReadonlyMap<string, ProcessGroup>;
}

/** Largest number that the program reads. */
const LARGEST = 2 ** 31 - 1;
const IS_NUMBER = /^(0|[1-9][0-9]{0,9})$/;

/**
 * Numbers the groups (chakra-format sections 8, 15; astra-sim-semantics section 9): a decimal name stays, but "0" of a
 * part of the ranks, which would run over all of them; other names get the smallest numbers that are free, from 1, in
 * the order of declaration. Collectives that name the world as a group of all ranks lose the name.
 */
export function numberGroups(groups: ReadonlyMap<string, ProcessGroup>, worldSize: number): GroupNumbers {
  const renamed = new Map<string, string>();
  const numbered = new Map<string, ProcessGroup>();
  const isWhole = ({ ranks }: ProcessGroup): boolean => new Set(ranks).size === worldSize;
  const stays = (group: ProcessGroup): boolean =>
    IS_NUMBER.test(group.name) && Number(group.name) <= LARGEST && (group.name !== '0' || isWhole(group));
  const taken = new Set([...groups.values()].filter(stays).map(({ name }) => name));
  let next = 1;
  for (const group of groups.values()) {
    const { name } = group;
    if (name === WORLD && isWhole(group)) {
      renamed.set(name, '');
      continue;
    }
    if (stays(group)) {
      numbered.set(name, group);
      continue;
    }
    while (taken.has(String(next))) next++;
    const number = String(next++);
    renamed.set(name, number);
    numbered.set(number, { ...group, name: number });
  }
  return { renamed, groups: numbered };
}

/** The groups that got a number: old name → number. */
export function groupNumbers({ renamed }: GroupNumbers): Record<string, string> {
  return Object.fromEntries([...renamed].filter(([, number]) => number !== ''));
}
