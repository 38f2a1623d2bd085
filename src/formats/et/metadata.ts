import { OwnMetadata } from '../../trace/attribute-names.js';
import type { TraceMetadata } from '../../trace/rank-trace.js';
import { Arm, ARM_READING, ARM_WIRE, integerOf } from './attribute-arms.js';
import { FieldWalk, halves, Wire } from './wire.js';

/** Field numbers of GlobalMetadata. */
const VERSION = 1;
const ATTRIBUTE = 2;

/** Reads a metadata message. Throws MalformedWire. */
export function decodeMetadata(message: Uint8Array): TraceMetadata {
  const kept = message.slice();
  const metadata: TraceMetadata = { version: '', kept, passes: [] };
  const fields = new FieldWalk(kept);
  while (fields.next()) {
    if (fields.wire !== Wire.delimited) continue;
    if (fields.number === VERSION) metadata.version = fields.text();
    else if (fields.number === ATTRIBUTE) takeAttribute(metadata, kept, fields.start, fields.end);
  }
  return metadata;
}

function takeAttribute(metadata: TraceMetadata, bytes: Uint8Array, start: number, end: number): void {
  let name = '';
  let texts: string[] = [];
  let value: number | undefined;
  const fields = new FieldWalk(bytes, start, end);
  while (fields.next()) {
    if (fields.number === 1) name = fields.text();
    else if (fields.number === Arm.string) texts = [fields.text()];
    else if (fields.number === Arm.stringList) texts = listedTexts(bytes, fields.start, fields.end);
    else if (ARM_WIRE[fields.number] === fields.wire && ARM_READING[fields.number] !== 0) {
      fields.number64();
      value = integerOf(ARM_READING[fields.number], halves[0], halves[1]);
    }
  }
  if (name === OwnMetadata.passes) metadata.passes = texts;
  else if (name === OwnMetadata.groups) metadata.groups = JSON.parse(texts[0]) as Record<string, number[]>;
  else if (name === OwnMetadata.rank && value !== undefined) metadata.rank = value;
  else if (name === OwnMetadata.worldSize && value !== undefined) metadata.worldSize = value;
}

function listedTexts(bytes: Uint8Array, start: number, end: number): string[] {
  const texts: string[] = [];
  const fields = new FieldWalk(bytes, start, end);
  while (fields.next()) if (fields.number === 1 && fields.wire === Wire.delimited) texts.push(fields.text());
  return texts;
}
