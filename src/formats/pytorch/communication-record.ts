import type { JsonValue } from '../json/json-value.js';
import { elementBytes } from './element-types.js';
import type { CommunicationRecord } from './host-trace.js';
import { integersOf } from './integer-texts.js';

/** Inputs or outputs of a node: values, and a type text for each. */
export interface RecordedValues {
  readonly values: readonly JsonValue[];
  readonly types: readonly string[];
}

/** Attributes that state a communication from schema 1.1.0 on; where they are there they win over the inputs. */
export const COMMUNICATION_ATTRIBUTES = [
  'collective_name',
  'dtype',
  'in_msg_nelems',
  'out_msg_nelems',
  'in_split_size',
  'out_split_size',
  'global_rank_start',
  'global_rank_stride',
  'pg_name',
  'pg_desc',
  'pg_size',
] as const;

export type CommunicationAttributes = Partial<Record<(typeof COMMUNICATION_ATTRIBUTES)[number], JsonValue>>;

/**
 * What a `record_param_comms` node records, whichever layout of chakra-format section 9 its inputs have:
 * [tensors,] sequence, group, rank, name, splits to, splits from[, start, stride][, size]. The name is found first, as the
 * text before two lists; the rest is counted from there.
 * @returns `undefined` where the inputs have no such form and no attribute names the collective
 */
export function communicationRecord(
  inputs: RecordedValues,
  outputs: RecordedValues,
  attributes: CommunicationAttributes,
): CommunicationRecord | undefined {
  const { values } = inputs;
  const named = values.findIndex(
    (value, place) =>
      typeof value === 'string' &&
      (inputs.types[place] ?? 'String') === 'String' &&
      Array.isArray(values[place + 1]) &&
      Array.isArray(values[place + 2]),
  );
  const collective = textOf(attributes.collective_name) ?? (named < 0 ? undefined : (values[named] as string));
  if (collective === undefined) return undefined;
  const before = named < 0 ? values : values.slice(0, Math.max(0, named - 3));
  const size = sizes(before, outputs.values, attributes);
  return {
    collective: collective.toLowerCase(),
    ...(named < 0 ? {} : layoutFacts(values, named)),
    ...attributeFacts(attributes),
    ...size,
    inputSplits: integersOf(attributes.in_split_size) ?? integersOf(values[named + 1]) ?? [],
    outputSplits: integersOf(attributes.out_split_size) ?? integersOf(values[named + 2]) ?? [],
  };
}

type Facts = { -readonly [K in keyof CommunicationRecord]?: CommunicationRecord[K] };

/** Facts that stand around the name. */
function layoutFacts(values: readonly JsonValue[], named: number): Facts {
  const facts: Facts = {};
  const sequence = values[named - 3];
  if (Array.isArray(sequence)) {
    if (typeof sequence[0] === 'number') facts.sequence = sequence[0];
    if (typeof sequence[1] === 'boolean') facts.isPointToPoint = sequence[1];
  } else if (typeof sequence === 'number') facts.sequence = sequence;

  const group = values[named - 2];
  if (Array.isArray(group)) putGroup(facts, group[0], group[1]);
  else if (typeof group === 'string') putGroup(facts, group, undefined);
  // Recordings before names have the address of the group; 0 for none.
  else if (typeof group === 'number' && group !== 0) facts.groupHandle = group;

  const rank = values[named - 1];
  if (typeof rank === 'number' && rank >= 0) facts.groupRank = rank;
  const behind = values.slice(named + 3);
  if (behind.length >= 3) {
    putRank(facts, 'globalRankStart', behind[0]);
    putRank(facts, 'globalRankStride', behind[1]);
    putRank(facts, 'groupSize', behind[2]);
  } else putRank(facts, 'groupSize', behind[0]);
  return facts;
}

function attributeFacts(attributes: CommunicationAttributes): Facts {
  const facts: Facts = {};
  putGroup(facts, attributes.pg_name, attributes.pg_desc);
  putRank(facts, 'globalRankStart', attributes.global_rank_start);
  putRank(facts, 'globalRankStride', attributes.global_rank_stride);
  putRank(facts, 'groupSize', attributes.pg_size);
  return facts;
}

/** A wait has an empty name: it says nothing of its group. */
function putGroup(facts: Facts, name: JsonValue | undefined, description: JsonValue | undefined): void {
  const text = textOf(name);
  if (text !== undefined && text !== '') facts.group = text;
  if (typeof description === 'string' && description !== '') facts.groupDescription = description;
}

/** −1, which a wait has, is none. */
function putRank(
  facts: Facts,
  field: 'globalRankStart' | 'globalRankStride' | 'groupSize',
  value: JsonValue | undefined,
): void {
  if (typeof value === 'number' && value >= 0) facts[field] = value;
}

function sizes(
  inputs: readonly JsonValue[],
  outputs: readonly JsonValue[],
  { dtype, in_msg_nelems, out_msg_nelems }: CommunicationAttributes,
): Pick<CommunicationRecord, 'inputBytes' | 'outputBytes' | 'elementBytes'> {
  const inputTensors = { bytes: 0, elementBytes: NaN };
  const outputTensors = { bytes: 0, elementBytes: NaN };
  addTensors(inputs, inputTensors);
  addTensors(outputs, outputTensors);
  let element = Number.isNaN(inputTensors.elementBytes) ? outputTensors.elementBytes : inputTensors.elementBytes;
  const stated = typeof dtype === 'string' ? elementBytes(dtype) : NaN;
  // A record without a tensor has the type of an empty one, which says nothing.
  const hasElements = !Number.isNaN(element) || in_msg_nelems !== 0 || out_msg_nelems !== 0;
  if (!Number.isNaN(stated) && hasElements) element = stated;
  return {
    inputBytes: statedBytes(in_msg_nelems, element, inputTensors.bytes),
    outputBytes: statedBytes(out_msg_nelems, element, outputTensors.bytes),
    elementBytes: element,
  };
}

function statedBytes(elements: JsonValue | undefined, element: number, otherwise: number): number {
  if (typeof elements !== 'number') return otherwise;
  if (elements === 0) return 0;
  return Number.isNaN(element) ? otherwise : elements * element;
}

/** Adds the tensors of a value: [id, storage, offset, elements, bytes of an element, device], alone or in lists. */
function addTensors(value: JsonValue | readonly JsonValue[], sum: { bytes: number; elementBytes: number }): void {
  if (!Array.isArray(value)) return;
  if (isTensor(value)) {
    const [, , , elements, bytes] = value as number[];
    sum.bytes += elements * bytes;
    if (Number.isNaN(sum.elementBytes)) sum.elementBytes = bytes;
  } else for (const entry of value) addTensors(entry as JsonValue, sum);
}

function isTensor(list: readonly JsonValue[]): boolean {
  return (
    list.length >= 6 && list.slice(0, 5).every((entry) => typeof entry === 'number') && typeof list[5] === 'string'
  );
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
}
