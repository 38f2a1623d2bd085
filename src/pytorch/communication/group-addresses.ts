import { counted } from '../../base/counts.js';

/** How a communication names its group. */
export interface GroupUse {
  /** '' for none. */
  readonly group: string;
  /** Address of the group in the process, where the record has that in place of a name. */
  readonly handle: number | undefined;
  /** Members that are stated, NaN. */
  readonly size: number;
}

/**
 * Names for groups that are known by address. An address with as many members as the job has ranks, or a single one of which
 * nothing else is known, is all ranks: ''. Others are `unnamed-1`, `unnamed-2`, … in the order given.
 * @param uses in the order of issue
 * @returns the name of each use, and what was done about addresses where there are any
 */
export function groupsByAddress(
  uses: readonly GroupUse[],
  worldSize: number,
): { groups: string[]; message: string | undefined } {
  const sizes = new Map<number, number>();
  let count = 0;
  for (const { group, handle, size } of uses) {
    if (group !== '' || handle === undefined) continue;
    count++;
    if (Number.isNaN(sizes.get(handle) ?? NaN)) sizes.set(handle, size);
  }
  if (count === 0) return { groups: uses.map(({ group }) => group), message: undefined };
  const names = new Map<number, string>();
  let unnamed = 0;
  for (const [handle, size] of sizes) {
    const known = !Number.isNaN(size) && !Number.isNaN(worldSize);
    const all = known ? size === worldSize : sizes.size === 1;
    names.set(handle, all ? '' : `unnamed-${++unnamed}`);
  }
  const how =
    unnamed === 0
      ? 'taken as all ranks'
      : `named "unnamed-1"${unnamed === 1 ? '' : ` to "unnamed-${unnamed}"`} by first use` +
        (unnamed < sizes.size ? `, ${sizes.size - unnamed} taken as all ranks` : '');
  return {
    groups: uses.map(({ group, handle }) => (group === '' && handle !== undefined ? names.get(handle)! : group)),
    message: `${counted(count, 'communication')} ${count === 1 ? 'names its group' : 'name their groups'} by address: ${counted(sizes.size, 'address', 'addresses')}, ${how}`,
  };
}
