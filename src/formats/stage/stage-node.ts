import { COLLECTIVE_NAMES } from '../../trace/collective-type.js';
import { isCommunication } from '../../trace/node-type.js';
import { LineProblem } from '../jsonl/scalars.js';
import { JsonNumber, shownValue, type JsonObject, type JsonValue } from '../json-value.js';
import { kindFor, STAGE_TYPES, usualTensorSize } from './stage-types.js';

type Attribute = Record<string, unknown>;

/** A node of STAGE JSON as a line of Chakra JSON lines, and what of it was not taken as it is. */
export interface StageNode {
  readonly line: Record<string, unknown>;
  /** Keys that are not read. */
  readonly unread: readonly string[];
  /** Keys whose size was rounded up to whole bytes or operations. */
  readonly rounded: readonly string[];
}

/** Keys that are read; everything else is counted. */
const KEYS = new Set([
  ...['id', 'name', 'node_type', 'y_tensor_size', 'inputs', 'outputs', 'data_deps', 'ctrl_deps', 'num_ops'],
  ...['tensor_size', 'op_type', 'comm_size', 'comm_type', 'comm_group', 'comm_tag', 'comm_src', 'comm_dst'],
]);

/**
 * Reads a node's object by the rules of docs/converters.md: the attributes, their arms and their order are those of STAGE's
 * protobuf form.
 * @throws LineProblem
 */
export function stageNode(object: JsonObject): StageNode {
  const get = (key: string): JsonValue | undefined => object.get(key) ?? undefined;
  const rounded: string[] = [];
  const size = (key: string): string | undefined => wholeSize(get(key), key, rounded);
  const type = typeOf(get('node_type'));
  const attributes: Attribute[] = [];
  const add = (name: string, kind: string, value: unknown): void => {
    if (value !== undefined) attributes.push({ name, [kind]: value });
  };
  const addInteger = (name: string, usual: 'int32' | 'int64' | 'uint64', digits: string | undefined): void => {
    if (digits === undefined) return;
    const kind = kindFor(usual, digits);
    if (kind === undefined) throw new LineProblem(name, `${digits} does not fit into 64 bits`);
    add(name, kind, digits);
  };
  for (const key of ['inputs', 'outputs']) {
    const tensors = get(key);
    if (tensors !== undefined) attributes.push(tensorList(key, tensors));
  }
  const tensorSize = size('tensor_size');
  const commSize = size('comm_size');
  addInteger('num_ops', 'int64', size('num_ops'));
  addInteger('tensor_size', 'uint64', tensorSize);
  add('op_type', 'string', optional(text, get('op_type'), 'op_type'));
  addInteger('comm_size', 'int64', commSize);
  add('comm_type', 'int64', optional(collectiveType, get('comm_type'), 'comm_type'));
  add('pg_name', 'string', optional(group, get('comm_group'), 'comm_group'));
  for (const key of ['comm_tag', 'comm_src', 'comm_dst']) addInteger(key, 'int32', optional(integer, get(key), key));
  if (isCommunication(type)) add('is_cpu_op', 'bool', false);
  const ySize = optional(numberText, get('y_tensor_size'), 'y_tensor_size');
  if (ySize !== undefined && Number(ySize) !== Number(usualTensorSize(type, tensorSize, commSize) ?? NaN)) {
    add('y_tensor_size', ...unusualSize(ySize));
  }
  return {
    line: {
      id: integer(get('id') ?? missing('id'), 'id'),
      name: optional(text, get('name'), 'name') ?? '',
      type,
      ctrlDeps: optional(ids, get('ctrl_deps'), 'ctrl_deps') ?? [],
      dataDeps: optional(ids, get('data_deps'), 'data_deps') ?? [],
      attr: attributes,
    },
    unread: [...object.keys()].filter((key) => !KEYS.has(key)),
    rounded,
  };
}

function typeOf(value: JsonValue | undefined): number {
  const name = value ?? missing('node_type');
  const type = typeof name === 'string' ? STAGE_TYPES.get(name) : undefined;
  if (type !== undefined) return type;
  throw new LineProblem('node_type', `expected one of ${[...STAGE_TYPES.keys()].join(', ')}, got ${shownValue(name)}`);
}

function missing(key: string, path = ''): never {
  throw new LineProblem(path, path === '' ? `the node has no ${key}` : `the tensor has no ${key}`);
}

function optional<T>(
  read: (value: JsonValue, key: string) => T,
  value: JsonValue | undefined,
  key: string,
): T | undefined {
  return value === undefined ? undefined : read(value, key);
}

function text(value: JsonValue, key: string): string {
  if (typeof value === 'string') return value;
  throw new LineProblem(key, `expected a text, got ${shownValue(value)}`);
}

/** Digits; whoever writes them checks the range. */
function integer(value: JsonValue, key: string): string {
  if (value instanceof JsonNumber && value.isInteger) return value.text;
  throw new LineProblem(key, `expected an integer, got ${shownValue(value)}`);
}

function numberText(value: JsonValue, key: string): string {
  if (value instanceof JsonNumber) return value.text;
  throw new LineProblem(key, `expected a number, got ${shownValue(value)}`);
}

function ids(value: JsonValue, key: string): string[] {
  if (Array.isArray(value)) return value.map((id, place) => integer(id, `${key}[${place}]`));
  throw new LineProblem(key, `expected a list of ids, got ${shownValue(value)}`);
}

/** STAGE counts some sizes in floats; a part of a byte takes a byte. */
function wholeSize(value: JsonValue | undefined, key: string, rounded: string[]): string | undefined {
  if (value === undefined) return undefined;
  const written = numberText(value, key);
  if (/^-?[0-9]+$/.test(written)) return written;
  const size = Number(written);
  if (!Number.isFinite(size)) throw new LineProblem(key, `${written} is too large for a size`);
  const whole = Math.ceil(size);
  if (whole !== size) rounded.push(key);
  return String(BigInt(whole));
}

function collectiveType(value: JsonValue, key: string): number {
  const type = COLLECTIVE_NAMES.findIndex(({ schema }) => schema === value);
  if (type >= 0) return type;
  const names = COLLECTIVE_NAMES.map(({ schema }) => schema).join(', ');
  throw new LineProblem(key, `expected one of ${names}, got ${shownValue(value)}`);
}

function group(value: JsonValue, key: string): string {
  return typeof value === 'string' ? value : integer(value, key);
}

/** Kind and value of a `y_tensor_size` that does not follow from the node. */
function unusualSize(written: string): [kind: string, value: unknown] {
  const isCount = /^[0-9]+$/.test(written) && BigInt(written) < 1n << 64n;
  return isCount ? ['uint64', written] : ['double', Number(written)];
}

/** Names and sizes in turn, as texts; an attribute without a value for an empty list. */
function tensorList(name: string, value: JsonValue): Attribute {
  if (!Array.isArray(value)) throw new LineProblem(name, `expected a list, got ${shownValue(value)}`);
  if (value.length === 0) return { name };
  const texts = value.flatMap((tensor, place) => {
    const path = `${name}[${place}]`;
    if (!(tensor instanceof Map)) throw new LineProblem(path, `expected an object, got ${shownValue(tensor)}`);
    const other = [...tensor.keys()].find((key) => key !== 'name' && key !== 'size');
    if (other !== undefined) throw new LineProblem(`${path}.${other}`, 'a tensor has name and size only');
    return [
      text(tensor.get('name') ?? missing('name', path), `${path}.name`),
      numberText(tensor.get('size') ?? missing('size', path), `${path}.size`),
    ];
  });
  return { name, string: texts };
}
