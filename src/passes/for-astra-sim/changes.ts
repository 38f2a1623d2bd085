import { counted, grouped } from '../../base/counts.js';

/** What writing for ASTRA-sim changed, in the order in which it is told. */
export const ASTRA_CHANGES = [
  'exits',
  'declarations',
  'invalidNodes',
  'selfTransfers',
  'loneCollectives',
  'hostCopies',
  'joins',
  'idleRanks',
  'barrierBytes',
  'emptyTransfers',
  'emptyGathers',
  'transferSizes',
  'collectiveSizes',
  'controlDropped',
  'repeatedDropped',
  'sides',
  'hostCommunication',
  'arms',
  'groupAttributes',
  'tagsAbsent',
  'tags',
  'moved',
  'ids',
] as const;

export type AstraChange = (typeof ASTRA_CHANGES)[number];

/** How often each change was made; nodes, unless its line says otherwise. Plain data. */
export type AstraChanges = Record<AstraChange, number>;

export function noAstraChanges(): AstraChanges {
  return Object.fromEntries(ASTRA_CHANGES.map((change) => [change, 0])) as AstraChanges;
}

/** Adds `part` to `sum`. */
export function addAstraChanges(sum: AstraChanges, part: AstraChanges): void {
  for (const change of ASTRA_CHANGES) sum[change] += part[change];
}

const LINES: Readonly<Record<AstraChange, (count: number) => string>> = {
  exits: (count) =>
    `${counted(count, 'exit')} of expanded collectives left out; who waited for one waits for its transfers`,
  declarations: (count) =>
    `${counted(count, 'METADATA node')} left out; groups that they declare are in comm_group.json`,
  invalidNodes: (count) => `${counted(count, 'INVALID node')} left out`,
  selfTransfers: (count) => `${counted(count, 'send or receive', 'sends and receives')} of a rank to itself left out`,
  loneCollectives: (count) => `${counted(count, 'collective')} of groups of one rank left out`,
  hostCopies: (count) => `${counted(count, 'collective node')} of the CPU without type and size left out`,
  joins: (count) =>
    `${counted(count, 'node')} between many others became ${count === 1 ? 'a compute node' : 'compute nodes'} of 1 ns`,
  idleRanks: (count) => `${counted(count, 'rank')} with nothing to run got one compute node of 1 ns`,
  barrierBytes: (count) => `${counted(count, 'node')} of barriers carry 1 B each instead of 0`,
  emptyTransfers: (count) =>
    `${counted(count, 'other send or receive', 'other sends and receives')} of 0 B carry 1 B each`,
  emptyGathers: (count) =>
    `${counted(count, 'all-gather')} of 0 B carry 64 B each, for up to 64 preferred-dataset-splits`,
  transferSizes: (count) => `${counted(count, 'send or receive', 'sends and receives')} took the size of the other end`,
  collectiveSizes: (count) => `${counted(count, 'collective node')} took the largest size of the group`,
  controlDropped: (count) => `${counted(count, 'control dependency', 'control dependencies')} dropped`,
  repeatedDropped: (count) => `${counted(count, 'repeated dependency', 'repeated dependencies')} dropped`,
  sides: (count) => `is_cpu_op false written on ${counted(count, 'node')} without it`,
  hostCommunication: (count) => `is_cpu_op false on ${counted(count, 'communication node')} of the CPU`,
  arms: (count) => `${counted(count, 'attribute')} moved to the usual type`,
  groupAttributes: (count) => `pg_name written beside comm_group on ${counted(count, 'collective')}`,
  tagsAbsent: (count) => `comm_tag written on ${counted(count, 'send or receive', 'sends and receives')} without it`,
  tags: (count) =>
    `${counted(count, 'send or receive', 'sends and receives')} got smaller tags, in the order of the old ones of the two ranks`,
  moved: (count) =>
    `${counted(count, 'node')} moved forward in the file, before what waits for ${count === 1 ? 'it' : 'them'}`,
  ids: (count) => `${counted(count, 'node')} numbered anew, the transfers of a collective in its place`,
};

const SHOWN = 8;

/**
 * The changes as lines of text.
 * @param numbers groups that got a number: old name → number
 */
export function astraChangeLines(changes: AstraChanges, numbers: Readonly<Record<string, string>>): string[] {
  const lines = ASTRA_CHANGES.filter((change) => changes[change] > 0).map((change) => LINES[change](changes[change]));
  const groups = Object.entries(numbers);
  if (groups.length > 0) {
    const shown = groups.slice(0, SHOWN).map(([name, number]) => `${JSON.stringify(name)} is ${number}`);
    const more = groups.length > SHOWN ? ` and ${grouped(groups.length - SHOWN)} more` : '';
    lines.push(
      `${counted(groups.length, 'process group')} got ${groups.length === 1 ? 'a number' : 'numbers'}: ${shown.join(', ')}${more}`,
    );
  }
  if (lines.length === 0) lines.push('nothing to change');
  return lines.map((line) => `for ASTRA-sim: ${line}`);
}
