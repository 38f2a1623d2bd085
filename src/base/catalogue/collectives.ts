import { entry, type CatalogueEntry } from './entry.js';

/** Collectives across ranks. */
export const COLLECTIVE_CODES = {
  COLLECTIVE_COUNT: entry(
    'error',
    'participants missing',
    'The members of a group have different numbers of collectives.',
    'find the rank that lost or repeated one',
  ),
  COLLECTIVE_TYPE: entry(
    'error',
    'types disagree',
    'Members run different collectives at the same place.',
    'check the order of the collectives on each rank',
  ),
  COLLECTIVE_SIZE: entry(
    'warning',
    'sizes disagree',
    'The largest size is used by all members.',
    'check comm_size on each rank',
  ),
  COLLECTIVE_ROOT: entry('error', 'roots disagree', 'Members name different root ranks.', 'make them agree'),
  ROOT_NOT_MEMBER: entry(
    'error',
    'root outside the group',
    'The root rank is not a member of the group.',
    'name a member',
  ),
  ROOT_ASSUMED: entry(
    'note',
    'root not named',
    "The root other members name is used, or the group's first rank.",
    'set root on every member',
  ),
  ALGORITHM_GROUP_SIZE: entry(
    'error',
    'algorithm does not fit the group',
    'halving and halving-doubling need a power of two.',
    'choose another algorithm or group',
  ),
  SPLITS_DISAGREE: entry(
    'error',
    'split lists disagree',
    'What one rank sends is not what the other expects.',
    'check both lists',
  ),
  SPLITS_MISSING: entry(
    'warning',
    'split list missing on some members',
    'These members send the same number of bytes to every position.',
    'state the list on every member',
  ),
} satisfies Record<string, CatalogueEntry>;
