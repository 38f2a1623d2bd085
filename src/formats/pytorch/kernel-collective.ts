import type { JsonValue } from '../json/json-value.js';
import { integersOf } from './integer-texts.js';
import type { KernelCollective } from './device-trace.js';

/** Arguments of a kernel of a collective library, by key. */
export const COLLECTIVE_ARGUMENTS = [
  'Collective name',
  'In msg nelems',
  'Out msg nelems',
  'Group size',
  'dtype',
  'In split size',
  'Out split size',
  'Process Group Name',
  'Process Group Description',
  'Process Group Ranks',
  'Rank',
  'Src Rank',
  'Dst Rank',
] as const;

export type CollectiveArguments = Partial<Record<(typeof COLLECTIVE_ARGUMENTS)[number], JsonValue>>;

/** Tells an argument that cannot be used: its key and its value. */
export type UnusableArgument = (key: string, value: JsonValue) => void;

/** What the arguments say; those that cannot be used are told and left out. */
export function kernelCollective(given: CollectiveArguments, unusable: UnusableArgument): KernelCollective {
  return {
    ...one('collective', text(given, 'Collective name', unusable)),
    ...one('inputElements', number(given, 'In msg nelems', unusable)),
    ...one('outputElements', number(given, 'Out msg nelems', unusable)),
    ...one('groupSize', number(given, 'Group size', unusable)),
    ...one('elementType', text(given, 'dtype', unusable)),
    ...one('inputSplits', integers(given, 'In split size', unusable)),
    ...one('outputSplits', integers(given, 'Out split size', unusable)),
    ...one('group', text(given, 'Process Group Name', unusable)),
    ...one('groupDescription', text(given, 'Process Group Description', unusable)),
    ...one('groupRanks', integers(given, 'Process Group Ranks', unusable)),
    ...one('groupRank', rank(given, 'Rank', unusable)),
    ...one('sourceRank', rank(given, 'Src Rank', unusable)),
    ...one('destinationRank', rank(given, 'Dst Rank', unusable)),
  };
}

type Key = keyof CollectiveArguments;

function one<K extends keyof KernelCollective>(
  field: K,
  value: KernelCollective[K],
): Pick<KernelCollective, K> | object {
  return value === undefined ? {} : { [field]: value };
}

/** An empty text says nothing. */
function text(given: CollectiveArguments, key: Key, unusable: UnusableArgument): string | undefined {
  const value = given[key];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  unusable(key, value);
  return undefined;
}

function number(given: CollectiveArguments, key: Key, unusable: UnusableArgument): number | undefined {
  const value = given[key];
  if (value === undefined || value === null) return undefined;
  const count = typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  unusable(key, value);
  return undefined;
}

/** −1 stands for none. */
function rank(given: CollectiveArguments, key: Key, unusable: UnusableArgument): number | undefined {
  return given[key] === -1 || given[key] === '-1' ? undefined : number(given, key, unusable);
}

/** A list, or its text; long texts are cut with "..." by the recorder, and what is left of them is no list. */
function integers(given: CollectiveArguments, key: Key, unusable: UnusableArgument): readonly number[] | undefined {
  const value = given[key];
  if (value === undefined || value === null || value === '') return undefined;
  const list = integersOf(value);
  if (list === undefined) unusable(key, value);
  return list;
}
