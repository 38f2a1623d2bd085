import { type Attribute, type CurrentNode, integerAttribute, type LegacyConversion } from './legacy-conversion.js';
import type { ReadMessage, Wide } from './schema-messages.js';

/** A node of schemas 0.0.2 and 0.0.3: texts for inputs and outputs, the rest as attributes with a type. */
interface AttributeNode extends ReadMessage {
  readonly id: Wide;
  readonly name: string;
  readonly type: number;
  readonly parent: readonly Wide[];
  readonly attribute: readonly TypedAttribute[];
}

interface TypedAttribute extends ReadMessage {
  readonly name: string;
  readonly doc_string: string;
}

interface OldMetadata extends ReadMessage {
  readonly attribute: readonly TypedAttribute[];
}

/** Value fields and their arms. No schema has all of them. */
const ARM_OF_FIELD: Readonly<Record<string, string>> = {
  b: 'bool_val',
  f: 'float_val',
  u: 'uint64_val',
  i: 'int64_val',
  s: 'string_val',
  bools: 'bool_list',
  floats: 'float_list',
  uints: 'uint64_list',
  ints: 'int64_list',
  strings: 'string_list',
};
const FIELDS = Object.keys(ARM_OF_FIELD);

const INPUTS = { values: 'inputs', shapes: 'input_shapes', types: 'input_types' };
const OUTPUTS = { values: 'outputs', shapes: 'output_shapes', types: 'output_types' };

/** A node of 0.0.2 or 0.0.3 as one of 0.0.4. Throws MalformedWire. */
export function convertAttributeNode(
  conversion: LegacyConversion,
  bytes: Uint8Array,
  start: number,
  end: number,
): CurrentNode {
  const old = conversion.old.read<AttributeNode>('Node', bytes, start, end);
  conversion.countUnknown(old);
  const { id, name, parent } = old;
  const node: CurrentNode = { id, name, type: conversion.nodeType(old.type), data_deps: parent, attr: [] };
  const inputs = textsOf(old, INPUTS);
  const outputs = textsOf(old, OUTPUTS);
  if (inputs !== undefined) node.inputs = inputs;
  if (outputs !== undefined) node.outputs = outputs;
  for (const attribute of old.attribute) {
    const { name } = attribute;
    const value = valueOf(conversion, attribute);
    if (name === 'runtime' && value.integer !== undefined) node.duration_micros = value.integer;
    else if (name === 'comm_type' && value.integer !== undefined) node.attr.push(conversion.commType(value.integer));
    else node.attr.push(convertAttribute(attribute, value));
  }
  return node;
}

/** Attributes of the metadata of August 2023, which are nothing else. Throws MalformedWire. */
export function convertMetadata(
  conversion: LegacyConversion,
  bytes: Uint8Array,
  start: number,
  end: number,
): Attribute[] {
  const metadata = conversion.old.read<OldMetadata>('GlobalMetadata', bytes, start, end);
  conversion.countUnknown(metadata);
  return metadata.attribute.map((attribute) => convertAttribute(attribute, valueOf(conversion, attribute)));
}

/** A text of inputs or outputs with those of its parts that are there. */
function textsOf(node: AttributeNode, fields: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const texts = Object.entries(fields)
    .filter(([, field]) => Object.hasOwn(node, field))
    .map(([part, field]) => [part, valuesOf<string>(node)[field]]);
  return texts.length === 0 ? undefined : (Object.fromEntries(texts) as Record<string, string>);
}

interface Value {
  /** Field of the value; `undefined` when there is none. */
  readonly field: string | undefined;
  readonly content: unknown;
  /** The content where it is one integer. */
  readonly integer: Wide | undefined;
}

/** The value of an attribute; it has one, and of several the first counts. */
function valueOf(conversion: LegacyConversion, attribute: TypedAttribute): Value {
  conversion.countUnknown(attribute);
  const contents = valuesOf<unknown>(attribute);
  const [field, ...others] = FIELDS.filter((name) => {
    const content = contents[name];
    return Array.isArray(content) ? content.length > 0 : Object.hasOwn(attribute, name);
  });
  conversion.dropped += others.length;
  const content = field === undefined ? undefined : contents[field];
  return { field, content, integer: field === 'i' || field === 'u' ? (content as Wide) : undefined };
}

function convertAttribute(old: TypedAttribute, { field, content, integer }: Value): Attribute {
  const { name } = old;
  let attribute: Attribute = { name };
  if (field !== undefined) {
    const arm = ARM_OF_FIELD[field];
    if (integer !== undefined) attribute = integerAttribute(name, arm, integer);
    else if (!Array.isArray(content)) attribute[arm] = content;
    else if (name === 'involved_dim' && (field === 'ints' || field === 'uints')) {
      // A list of integers until July 2023.
      attribute.bool_list = { values: (content as Wide[]).map(({ low, high }) => (low | high) !== 0) };
    } else attribute[arm] = { values: content };
  }
  if (Object.hasOwn(old, 'doc_string')) attribute.doc_string = old.doc_string;
  return attribute;
}

function valuesOf<T>(message: ReadMessage): Readonly<Record<string, T>> {
  return message as unknown as Readonly<Record<string, T>>;
}
