import { pythonFloat, pythonString } from '../../base/python-json.js';
import { nodeTypeNumber } from '../../trace/node-type.js';
import type { AttributeLine, IoLine, MetadataLine, NodeLine } from '../jsonl/frame-line.js';
import type { ScalarJson } from '../jsonl/scalars.js';

/*
 * Lines as chakra_jsonizer prints what they say: protobuf's JSON mapping as Python's `MessageToJson` writes it, indented by
 * two, 64-bit integers as texts, defaults left out, only ASCII.
 */

/** The metadata's object. */
export function metadataText({ version = '', attr = [] }: MetadataLine): string {
  const members: string[] = [];
  if (version !== '') members.push(`"version": ${pythonString(version)}`);
  if (attr.length > 0) members.push(`"attr": ${list(attr.map(attributeText), '  ')}`);
  return object(members, '');
}

/** A node's object. */
export function nodeText(line: NodeLine): string {
  const { id = 0, name = '', type = 0, ctrlDeps = [], dataDeps = [], startTimeMicros, durationMicros } = line;
  const members: string[] = [];
  if (id !== 0) members.push(`"id": "${id}"`);
  if (name !== '') members.push(`"name": ${pythonString(name)}`);
  if (typeof type === 'number') members.push(`"type": ${type}`);
  else if (nodeTypeNumber(type) !== 0) members.push(`"type": "${type}"`);
  if (ctrlDeps.length > 0) members.push(`"ctrlDeps": ${list(ctrlDeps.map(quoted), '  ')}`);
  if (dataDeps.length > 0) members.push(`"dataDeps": ${list(dataDeps.map(quoted), '  ')}`);
  if (startTimeMicros !== undefined) members.push(`"startTimeMicros": "${startTimeMicros}"`);
  if (durationMicros !== undefined) members.push(`"durationMicros": "${durationMicros}"`);
  if (line.inputs !== undefined) members.push(`"inputs": ${ioText(line.inputs)}`);
  if (line.outputs !== undefined) members.push(`"outputs": ${ioText(line.outputs)}`);
  if (line.attr !== undefined) members.push(`"attr": ${list(line.attr.map(attributeText), '  ')}`);
  return object(members, '');
}

function ioText({ values = '', shapes = '', types = '' }: IoLine): string {
  const texts = Object.entries({ values, shapes, types }).filter(([, text]) => text !== '');
  return object(
    texts.map(([name, text]) => `"${name}": ${pythonString(text)}`),
    '  ',
  );
}

/** An attribute two levels inside. */
function attributeText({ name, doc, ...values }: AttributeLine): string {
  const members: string[] = [];
  if (name !== '') members.push(`"name": ${pythonString(name as string)}`);
  if (doc !== undefined && doc !== '') members.push(`"docString": ${pythonString(doc as string)}`);
  for (const [kind, value] of Object.entries(values)) {
    if (!Array.isArray(value)) members.push(`"${kind}Val": ${scalarText(kind, value)}`);
    else {
      const inside =
        value.length === 0
          ? []
          : [
              `"values": ${list(
                value.map((one) => scalarText(kind, one)),
                '        ',
              )}`,
            ];
      members.push(`"${kind}List": ${object(inside, '      ')}`);
    }
  }
  return object(members, '    ');
}

const WIDE = new Set(['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64']);

function scalarText(kind: string, value: ScalarJson): string {
  if (WIDE.has(kind)) return `"${value}"`;
  if (kind === 'double' || kind === 'float') {
    if (value === '-0') return '-0.0';
    return typeof value === 'number' ? pythonFloat(value) : `"${value}"`;
  }
  return typeof value === 'string' ? pythonString(value) : String(value);
}

function quoted(id: number | string): string {
  return `"${id}"`;
}

/** @param indent of the line on which it begins */
function object(members: readonly string[], indent: string): string {
  return members.length === 0 ? '{}' : `{\n${indent}  ${members.join(`,\n${indent}  `)}\n${indent}}`;
}

function list(values: readonly string[], indent: string): string {
  return `[\n${indent}  ${values.join(`,\n${indent}  `)}\n${indent}]`;
}
