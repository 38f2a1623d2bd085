import { nearestName } from '../base/nearest-name.js';
import { requestError } from '../base/errors.js';
import { parseTimePs } from '../base/units.js';
import { CollectiveType } from './collective-type.js';

/** A question that traces leave open, and the answers to it. */
export interface Convention {
  readonly name: string;
  /** What it speaks of: `AllGather sizes`. */
  readonly subject: string;
  /** The nodes it speaks of, one of them: `AllGather with a comm_size`. */
  readonly node: string;
  /** The answers in words, the default first; what each means. */
  readonly values: Readonly<Record<string, string>>;
  /** Answers beside the words: what one looks like, and how it is checked and told. */
  readonly open?: OpenValues;
}

interface OpenValues {
  /** `a whole number from 1`. */
  readonly expected: string;
  /** What the value means; `undefined` for one that cannot be read. */
  meaning(value: string): string | undefined;
}

/** Longest `duration-unit`, ps: one second. */
const LONGEST_UNIT_PS = 1e12;

/**
 * Every convention, in the order they are printed. The first value is the one this program's rules are written in
 * (chakra-format sections 4, 6, 7 and 10; replay-semantics 8.1), and the one every trace is written in.
 */
export const CONVENTIONS = [
  {
    name: 'element-bytes',
    subject: 'sizes',
    node: 'collective, send or receive with a size',
    values: { 1: 'bytes' },
    open: {
      expected: 'a whole number from 1',
      meaning: (value) => (isCount(value) ? `elements of ${Number(value)} bytes` : undefined),
    },
  },
  {
    name: 'allgather-size',
    subject: 'AllGather sizes',
    node: 'AllGather with a comm_size',
    values: { shard: 'the own shard of each rank', total: 'the gathered result, group size × shard' },
  },
  {
    name: 'gather-size',
    subject: 'Gather sizes',
    node: 'Gather with a comm_size',
    values: { shard: 'the own shard of each rank', total: 'the gathered result, group size × shard' },
  },
  {
    name: 'reducescatter-size',
    subject: 'ReduceScatter and ReduceScatterBlock sizes',
    node: 'ReduceScatter with a comm_size',
    values: { total: 'the full input of each rank', shard: 'the result of each rank, full input ÷ group size' },
  },
  {
    name: 'scatter-size',
    subject: 'Scatter sizes',
    node: 'Scatter with a comm_size',
    values: { total: 'all that the root hands out', shard: 'what each rank gets, total ÷ group size' },
  },
  {
    name: 'alltoall-size',
    subject: 'AllToAll sizes',
    node: 'AllToAll with a comm_size',
    values: { total: 'the whole send buffer of each rank', pair: 'what each peer gets, send buffer ÷ group size' },
  },
  {
    name: 'root',
    subject: 'roots',
    node: 'collective with a root',
    values: { rank: 'a rank of the job', position: 'a position in the group, from 0' },
  },
  {
    name: 'peer',
    subject: 'peers of sends and receives that name a group',
    node: 'send or receive that names a group and a peer',
    values: { rank: 'a rank of the job', position: 'a position in the group, from 0' },
  },
  {
    name: 'duration-unit',
    subject: 'durations',
    node: 'node with a duration',
    values: { us: 'µs', ps: 'ps', ns: 'ns', ms: 'ms', s: 's' },
    open: {
      expected: 'a time such as 10ns or 667ps, the length of a cycle',
      meaning: (value) => (unitPs(value) === undefined ? undefined : `units of ${value}`),
    },
  },
] as const satisfies readonly Convention[];

export type ConventionName = (typeof CONVENTIONS)[number]['name'];

const BY_NAME: ReadonlyMap<string, Convention> = new Map(
  CONVENTIONS.map((convention) => [convention.name, convention]),
);

/** A convention by its name. */
export function conventionOf(name: ConventionName): Convention {
  return BY_NAME.get(name)!;
}

/** The convention that sizes of a collective type follow, where types differ. */
export const SIZE_CONVENTION: Readonly<Record<number, ConventionName>> = {
  [CollectiveType.allGather]: 'allgather-size',
  [CollectiveType.gather]: 'gather-size',
  [CollectiveType.reduceScatter]: 'reducescatter-size',
  [CollectiveType.reduceScatterBlock]: 'reducescatter-size',
  [CollectiveType.scatter]: 'scatter-size',
  [CollectiveType.allToAll]: 'alltoall-size',
};

/** The value that is used where nothing is assumed. */
export function defaultOf(name: ConventionName): string {
  return Object.keys(conventionOf(name).values)[0];
}

/** What a value of a convention means: `the own shard of each rank`. */
export function meaningOf(name: ConventionName, value: string): string {
  const { values, open } = conventionOf(name);
  return values[value] ?? open?.meaning(value) ?? value;
}

/**
 * The conventions that texts such as `allgather-size=total` choose, each text one or several with commas between. Of
 * equal names the last counts. What is the default anyway is left out; the rest is in the order of the table.
 * @throws PrepError `ASSUMPTION_UNKNOWN` for an unknown name or value, with those that are known
 */
export function parseAssumptions(texts: readonly string[]): Map<ConventionName, string> {
  const chosen = new Map<ConventionName, string>();
  for (const text of texts.flatMap((several) => several.split(','))) {
    if (text.trim() === '') continue;
    const [name, value] = text.split(/=(.*)/s).map((part) => part.trim());
    const convention = BY_NAME.get(name);
    if (convention === undefined) throw unknownName(text.trim(), name);
    chosen.set(name as ConventionName, knownValue(convention, value));
  }
  const ordered = CONVENTIONS.flatMap(({ name }) => {
    const value = chosen.get(name);
    return value === undefined || value === defaultOf(name) ? [] : [[name, value] as const];
  });
  return new Map(ordered);
}

function knownValue({ name, values, open }: Convention, value: string | undefined): string {
  if (value !== undefined && Object.hasOwn(values, value)) return value;
  if (value !== undefined && open?.meaning(value) !== undefined) return normal(name, value);
  const known = Object.keys(values);
  const all = open === undefined ? known : [...known, open.expected];
  const nearest = value === undefined ? undefined : nearestName(value, known);
  throw requestError(
    'ASSUMPTION_UNKNOWN',
    value === undefined
      ? `--assume ${name}: no value, expected ${name}= and one of ${all.join(', ')}`
      : `--assume ${name}=${value}: unknown value, expected one of ${all.join(', ')}`,
    nearest === undefined ? undefined : `did you mean ${name}=${nearest}?`,
  );
}

/** One spelling a value: a time of one µs is `us`. */
function normal(name: string, value: string): string {
  if (name === 'element-bytes') return String(Number(value));
  return unitPs(value) === unitPs('us') ? 'us' : value;
}

function unknownName(text: string, name: string): Error {
  const known = CONVENTIONS.map((convention) => convention.name);
  const nearest = nearestName(name, known) ?? known.find((one) => name !== '' && one.startsWith(name));
  return requestError(
    'ASSUMPTION_UNKNOWN',
    `--assume ${text}: unknown convention, expected one of ${known.join(', ')}`,
    nearest === undefined ? undefined : `did you mean ${nearest}?`,
  );
}

function isCount(value: string): boolean {
  return /^[0-9]+$/.test(value) && Number(value) >= 1 && Number(value) <= 2 ** 31;
}

/** Length of a `duration-unit`, ps: of a unit's name, or of a time with a unit; `undefined` for another text. */
export function unitPs(value: string): number | undefined {
  if (!/^([0-9]+(\.[0-9]*)?|\.[0-9]+)?\s*(ps|ns|us|µs|ms|s)$/.test(value)) return undefined;
  let ps: number;
  try {
    ps = parseTimePs(/^[0-9.]/.test(value) ? value : `1${value}`);
  } catch {
    return undefined; // below a picosecond, or longer than any run
  }
  return ps >= 1 && ps <= LONGEST_UNIT_PS ? ps : undefined;
}
