import { OwnAttribute } from '../../trace/attribute-names.js';
import { Arm, ARM_READING, ARM_WIRE, integerOf, Reading } from './attribute-arms.js';
import { Wire } from './wire.js';

/** The attributes that have a column or an arm of their own, by key. Keys are bit numbers: at most 30. */
export const Key = {
  none: 0,
  isCpuOp: 1,
  commType: 2,
  commSize: 3,
  commTag: 4,
  commSource: 5,
  commDestination: 6,
  groupName: 7,
  commGroup: 8,
  root: 9,
  rootRank: 10,
  issueOrder: 11,
  instance: 12,
  collectiveSize: 13,
  step: 14,
  algorithm: 15,
  addedSync: 16,
  splits: 17,
  operations: 18,
  tensorSize: 19,
  partner: 20,
  dependents: 21,
  receiveSplits: 22,
} as const;

interface KnownAttribute {
  readonly name: string;
  /** The arm that official readers expect (chakra-format section 21), or that we write. */
  readonly arm: number;
  /** Whether another integer arm is as good, because no official reader knows the attribute. */
  readonly free?: true;
  /** Whether a number above 2^53 is refused. */
  readonly exact?: true;
  /** Whether a number below 0 cannot be meant. Partner ranks and tags matter on sends and receives only: see the decoder. */
  readonly notNegative?: true;
}

const KNOWN: Record<Exclude<keyof typeof Key, 'none'>, KnownAttribute> = {
  isCpuOp: { name: 'is_cpu_op', arm: Arm.bool },
  commType: { name: 'comm_type', arm: Arm.int64 },
  commSize: { name: 'comm_size', arm: Arm.int64, exact: true, notNegative: true },
  commTag: { name: 'comm_tag', arm: Arm.int32, exact: true },
  commSource: { name: 'comm_src', arm: Arm.int32 },
  commDestination: { name: 'comm_dst', arm: Arm.int32 },
  groupName: { name: 'pg_name', arm: Arm.string },
  commGroup: { name: 'comm_group', arm: Arm.int32, free: true, exact: true },
  root: { name: OwnAttribute.root, arm: Arm.int64, free: true, exact: true, notNegative: true },
  rootRank: { name: 'root_rank', arm: Arm.int64, free: true, exact: true, notNegative: true },
  issueOrder: { name: OwnAttribute.issueOrder, arm: Arm.int64, free: true, exact: true, notNegative: true },
  instance: { name: OwnAttribute.instance, arm: Arm.int64, free: true, exact: true, notNegative: true },
  collectiveSize: { name: OwnAttribute.size, arm: Arm.int64, free: true, exact: true, notNegative: true },
  step: { name: OwnAttribute.step, arm: Arm.int32, free: true, exact: true, notNegative: true },
  algorithm: { name: OwnAttribute.algorithm, arm: Arm.string },
  addedSync: { name: OwnAttribute.addedSync, arm: Arm.bool, free: true },
  splits: { name: OwnAttribute.splits, arm: Arm.int64List, exact: true },
  operations: { name: 'num_ops', arm: Arm.int64, notNegative: true },
  tensorSize: { name: 'tensor_size', arm: Arm.uint64, notNegative: true },
  partner: { name: OwnAttribute.partner, arm: Arm.int32, free: true },
  dependents: { name: OwnAttribute.dependents, arm: Arm.uint64List },
  receiveSplits: { name: OwnAttribute.receiveSplits, arm: Arm.int64List, exact: true },
};

const rows = Object.entries(KNOWN).map(([key, row]) => ({ key: Key[key as keyof typeof KNOWN], ...row }));
const KEYS = rows.length + 1;

/** [key] name as in the trace. */
export const ATTRIBUTE_NAME: readonly string[] = rows.reduce<string[]>(
  (names, { key, name }) => ((names[key] = name), names),
  [''],
);
/** [key] usual arm. */
export const USUAL_ARM = new Uint8Array(KEYS);
/** [key] 1 where another integer arm is as good. */
export const FREE_ARM = new Uint8Array(KEYS);
/** [key] 1 where a number above 2^53 is refused. */
export const EXACT = new Uint8Array(KEYS);
/** [key] 1 where a number below 0 cannot be meant. */
export const NOT_NEGATIVE = new Uint8Array(KEYS);
for (const { key, arm, free, exact, notNegative } of rows) {
  USUAL_ARM[key] = arm;
  FREE_ARM[key] = free ? 1 : 0;
  EXACT[key] = exact ? 1 : 0;
  NOT_NEGATIVE[key] = notNegative ? 1 : 0;
}

// Names are compared as little-endian words, the last of them overlapping the one before: no text is built.
const LONGEST = 31;
const shape = (length: number, lastButOne: number): number => (length << 5) | (lastButOne & 31);
const KEY_BY_SHAPE = new Uint8Array((LONGEST + 1) << 5);
const FIRST_WORD = new Uint16Array(KEYS);
const WORDS = new Int32Array(rows.reduce((sum, { name }) => sum + Math.ceil(name.length / 4), 0));

let words = 0;
for (const { key, name } of rows) {
  const bytes = new TextEncoder().encode(name);
  const view = new DataView(bytes.buffer);
  const place = shape(bytes.length, bytes[bytes.length - 2]);
  if (bytes.length < 4 || bytes.length > LONGEST || KEY_BY_SHAPE[place] !== 0) {
    throw new Error(`attribute name ${name}: length and last but one letter must tell it from the others`);
  }
  KEY_BY_SHAPE[place] = key;
  FIRST_WORD[key] = words;
  for (let at = 0; at < bytes.length - 4; at += 4) WORDS[words++] = view.getInt32(at, true);
  WORDS[words++] = view.getInt32(bytes.length - 4, true);
}

/** Key of the attribute name at [start, start + length), 0 when it is none of ours. `view` is over the same bytes. */
export function attributeKey(bytes: Uint8Array, view: DataView, start: number, length: number): number {
  if (length > LONGEST) return 0;
  const key = KEY_BY_SHAPE[(length << 5) | (bytes[start + length - 2] & 31)];
  if (key === 0) return 0;
  const last = start + length - 4;
  let word = FIRST_WORD[key];
  for (let at = start; at < last; at += 4) if (view.getInt32(at, true) !== WORDS[word++]) return 0;
  return view.getInt32(last, true) === WORDS[word] ? key : 0;
}

/** The arm for a value: the usual one, or int64 for a number that int32 cannot hold (design 2.3: tags). */
export function armFor(key: number, value: number): number {
  const usual = USUAL_ARM[key];
  return usual === Arm.int32 && value !== (value | 0) ? Arm.int64 : usual;
}

/** Whether a number stands in {@link armFor} it as the same number: one below 0 is another one as uint64. */
export function armHolds(key: number, value: number): boolean {
  return Number.isSafeInteger(value) && (value >= 0 || USUAL_ARM[key] !== Arm.uint64);
}

/** Whether a value in this arm can be used for an attribute that is a number: any integer, or a bool for a flag. */
export function holdsNumber(key: number, arm: number): boolean {
  const usual = USUAL_ARM[key];
  const reading = ARM_READING[arm];
  return (
    ARM_WIRE[usual] !== Wire.delimited && reading !== Reading.none && (usual === Arm.bool || reading !== Reading.bool)
  );
}

/**
 * The arm to which an attribute can be moved as it is: the one for its value, where that stands in another; 0 where
 * it need not, or cannot, because it is no integer or none that can be read exactly.
 */
export function armToMoveTo(key: number, arm: number, low: number, high: number): number {
  const reading = ARM_READING[arm];
  if (FREE_ARM[key] !== 0 || reading === Reading.none) return 0;
  const usual = USUAL_ARM[key];
  // A group named by a number.
  if (key === Key.groupName) return reading === Reading.bool ? 0 : usual;
  if (!holdsNumber(key, arm)) return 0;
  const value = integerOf(reading, low, high);
  if (usual !== Arm.bool && !armHolds(key, value)) return 0;
  if (key === Key.commSize && value < 0) return 0;
  const wanted = armFor(key, value);
  return wanted === arm ? 0 : wanted;
}
