import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { OwnMetadata } from '../../trace/attribute-names.js';
import type { TraceMetadata } from '../../trace/rank-trace.js';
import { Arm, ARM_READING, ARM_WIRE, integerOf, Reading } from './attribute-arms.js';
import { FieldWalk, halves, Wire } from './wire.js';
import { MessageWriter } from './wire-write.js';

/** Field numbers of GlobalMetadata. */
const VERSION = 1;
const ATTRIBUTE = 2;

const CURRENT_VERSION = '0.0.4';

/** Metadata of a trace that was built, not read. @param texts further attributes, by name */
export function newMetadata(
  facts: Partial<Omit<TraceMetadata, 'kept'>> = {},
  texts: Readonly<Record<string, string>> = {},
): TraceMetadata {
  const kept = new MessageWriter();
  for (const [name, text] of Object.entries(texts)) {
    kept.delimited(ATTRIBUTE, new MessageWriter().delimited(1, name).delimited(Arm.string, text));
  }
  return { version: CURRENT_VERSION, passes: [], ...facts, kept: kept.finish() };
}

/** A text attribute of metadata that was read; `undefined` where there is none of that name. */
export function metadataText({ kept }: TraceMetadata, name: string): string | undefined {
  const fields = new FieldWalk(kept);
  while (fields.next()) {
    if (fields.number !== ATTRIBUTE || fields.wire !== Wire.delimited) continue;
    const attribute = readAttribute(kept, fields.start, fields.end);
    if (attribute.name === name && attribute.texts.length === 1) return attribute.texts[0];
  }
  return undefined;
}

/**
 * Reads a metadata message; a declaration of groups that cannot be read is a finding.
 * @throws MalformedWire
 */
export function decodeMetadata(message: Uint8Array, findings: Finding[] = []): TraceMetadata {
  const kept = message.slice();
  const metadata: TraceMetadata = { version: '', kept, passes: [] };
  const fields = new FieldWalk(kept);
  while (fields.next()) {
    if (fields.wire !== Wire.delimited) continue;
    if (fields.number === VERSION) metadata.version = fields.text();
    else if (fields.number === ATTRIBUTE)
      takeAttribute(metadata, readAttribute(kept, fields.start, fields.end), findings);
  }
  return metadata;
}

/** The metadata message to write: `kept` itself where it says all this already, else with our attributes replaced. */
export function encodeMetadata(metadata: TraceMetadata): Uint8Array {
  if (saysTheSame(metadata, decodeMetadata(metadata.kept))) return metadata.kept;
  const own = ownAttributes(metadata);
  const message = new MessageWriter();
  if (metadata.version !== '') message.delimited(VERSION, metadata.version);
  const fields = new FieldWalk(metadata.kept);
  while (fields.next()) {
    if (fields.number === VERSION && fields.wire === Wire.delimited) continue;
    if (fields.number === ATTRIBUTE && fields.wire === Wire.delimited) {
      const { name } = readAttribute(metadata.kept, fields.start, fields.end);
      if (own.has(name) || name === OwnMetadata.passes) continue;
    }
    message.raw(metadata.kept.subarray(fields.fieldStart, fields.end));
  }
  for (const attribute of own.values()) message.delimited(ATTRIBUTE, attribute);
  return message.finish();
}

function ownAttributes({ passes, groups, rank, worldSize }: TraceMetadata): Map<string, MessageWriter> {
  const own = new Map<string, MessageWriter>();
  const add = (name: string): MessageWriter => {
    const attribute = new MessageWriter().delimited(1, name);
    own.set(name, attribute);
    return attribute;
  };
  if (rank !== undefined) add(OwnMetadata.rank).integer(Arm.int64, rank);
  if (worldSize !== undefined) add(OwnMetadata.worldSize).integer(Arm.int64, worldSize);
  if (groups !== undefined) add(OwnMetadata.groups).delimited(Arm.string, JSON.stringify(groups));
  if (passes.length > 0) {
    const list = new MessageWriter();
    for (const pass of passes) list.delimited(1, pass);
    add(OwnMetadata.passes).delimited(Arm.stringList, list);
  }
  return own;
}

function saysTheSame(one: TraceMetadata, other: TraceMetadata): boolean {
  return (
    one.version === other.version &&
    one.rank === other.rank &&
    one.worldSize === other.worldSize &&
    JSON.stringify(one.passes) === JSON.stringify(other.passes) &&
    JSON.stringify(one.groups) === JSON.stringify(other.groups)
  );
}

interface MetadataAttribute {
  name: string;
  /** The texts of a text or a list of texts. */
  texts: string[];
  number: number | undefined;
}

function readAttribute(bytes: Uint8Array, start: number, end: number): MetadataAttribute {
  const attribute: MetadataAttribute = { name: '', texts: [], number: undefined };
  const fields = new FieldWalk(bytes, start, end);
  while (fields.next()) {
    const { number } = fields;
    if (number === 1 && fields.wire === Wire.delimited) attribute.name = fields.text();
    else if (number > 255 || ARM_WIRE[number] !== fields.wire) continue;
    else if (number === Arm.string) attribute.texts = [fields.text()];
    else if (number === Arm.stringList) attribute.texts = listedTexts(bytes, fields.start, fields.end);
    else if (ARM_READING[number] !== Reading.none) {
      fields.number64();
      attribute.number = integerOf(ARM_READING[number], halves[0], halves[1]);
    }
  }
  return attribute;
}

function listedTexts(bytes: Uint8Array, start: number, end: number): string[] {
  const texts: string[] = [];
  const fields = new FieldWalk(bytes, start, end);
  while (fields.next()) if (fields.number === 1 && fields.wire === Wire.delimited) texts.push(fields.text());
  return texts;
}

function takeAttribute(metadata: TraceMetadata, attribute: MetadataAttribute, findings: Finding[]): void {
  const { name, texts, number } = attribute;
  if (name === OwnMetadata.passes) metadata.passes = texts;
  else if (name === OwnMetadata.rank && number !== undefined) metadata.rank = number;
  else if (name === OwnMetadata.worldSize && number !== undefined) metadata.worldSize = number;
  else if (name === OwnMetadata.groups) {
    const groups = groupsOf(texts[0] ?? '');
    if (groups !== undefined) metadata.groups = groups;
    else {
      const message = `metadata attribute ${name} is not a JSON object of rank lists; the groups it declares are unknown`;
      findings.push(finding('GROUP_MALFORMED', message));
    }
  }
}

function groupsOf(text: string): Record<string, number[]> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const isRankList = (list: unknown): boolean => Array.isArray(list) && list.every(Number.isSafeInteger);
  return Object.values(value).every(isRankList) ? (value as Record<string, number[]>) : undefined;
}
