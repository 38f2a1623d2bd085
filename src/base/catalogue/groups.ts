import { entry, type CatalogueEntry } from './entry.js';

/** Process groups. */
export const GROUP_CODES = {
  GROUP_UNDECLARED: entry(
    'error',
    'process group is not declared',
    'Who takes part in the collective is unknown.',
    'declare it with --groups comm_group.json',
  ),
  GROUP_INFERRED: entry(
    'warning',
    'process group taken from its use',
    'The members are the ranks that use the name.',
    'declare it with --groups comm_group.json',
  ),
  GROUP_WORLD: entry(
    'note',
    'no process group named',
    'The collective runs over all ranks.',
    'set pg_name where that is not meant',
  ),
  GROUP_EMPTY: entry('error', 'process group without members', 'A collective of it can never run.', 'list its ranks'),
  GROUP_MEMBER_TWICE: entry(
    'error',
    'rank twice in a group',
    'Positions in the group are ambiguous.',
    'list each rank once',
  ),
  GROUP_MEMBER_OUT_OF_RANGE: entry(
    'error',
    'group member outside the job',
    'There is no trace for that rank.',
    'check the group file against the traceset',
  ),
  GROUP_CONFLICT: entry(
    'error',
    'group declared differently',
    'One name stands for two lists of ranks.',
    'make the declarations agree',
  ),
  GROUP_MALFORMED: entry(
    'error',
    'group declaration cannot be read',
    'The declaration is not the JSON or Python text expected.',
    'correct the declaration',
  ),
  GROUP_CUT: entry(
    'warning',
    'group declaration cut off',
    'The recorder cut the text off; the groups after the cut are not known.',
    'declare the groups with --groups comm_group.json',
  ),
  GROUP_SINGLE: entry(
    'note',
    'group of one member',
    'Its collectives move no bytes.',
    'nothing to do where that is meant',
  ),
  RANK_OUTSIDE_GROUP: entry(
    'warning',
    'collective on a rank outside its group',
    'It is not expanded on that rank and takes no time.',
    'check pg_name and the group',
  ),
} satisfies Record<string, CatalogueEntry>;
