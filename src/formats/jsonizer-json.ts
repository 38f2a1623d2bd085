import type { ByteSource } from '../base/byte-source.js';
import { inputError } from '../base/errors.js';
import { JsonSyntaxError } from './json-scan.js';
import { jsonScanner, readMembers } from './json-value.js';
import { metadataLineOf, nodeLineOf } from './jsonizer/jsonizer-line.js';
import { ByteWriter } from './jsonl/byte-writer.js';
import { LINE_SCHEMA } from './jsonl/frame-line.js';
import { writeMetadataFrame, writeNodeFrame } from './jsonl/line-frame.js';
import { ATTRIBUTE_KINDS, LineProblem } from './jsonl/scalars.js';

const ADVICE = 'see docs/converters.md for this form, protobuf JSON as chakra_jsonizer prints it';

/**
 * The `.et` bytes that protobuf JSON says: objects one behind the other, the metadata first, with or without blanks or line
 * ends between them (chakra-format section 11).
 *
 * @param file name for messages
 * @throws PrepError `JSON_MALFORMED` (exit status 3) with object, byte and field
 */
export function jsonizerToEt(source: ByteSource, file: string): Uint8Array {
  const writer = new ByteWriter(Math.max(256, source.length >> 2));
  const scan = jsonScanner(source);
  let objects = 0;
  let offset = 0;
  try {
    for (let token = scan.next(); token !== 'end'; token = scan.next()) {
      offset = scan.offset;
      if (token !== 'beginObject') throw new JsonSyntaxError(offset, 'expected an object');
      objects++;
      const object = readMembers(scan);
      if (objects === 1) writeMetadataFrame(writer, { schema: LINE_SCHEMA, ...metadataLineOf(object) });
      else writeNodeFrame(writer, nodeLineOf(object));
    }
  } catch (error) {
    const place = objects === 0 ? '' : `${objects === 1 ? 'metadata' : `node ${objects - 2}`}, `;
    if (error instanceof JsonSyntaxError) throw malformed(`${file}: ${place}byte ${error.offset}: ${error.message}`);
    if (!(error instanceof LineProblem)) throw error;
    const field = error.field === '' ? '' : `, ${inWordsOfTheMapping(error.field)}`;
    throw malformed(`${file}: ${place}byte ${offset}${field}: ${error.message}`);
  }
  if (objects === 0) throw malformed(`${file}: has no object, not even the metadata`);
  return writer.bytes;
}

const SHORTER = new RegExp(
  `^(attr\\[\\d+\\]\\.)(doc|${ATTRIBUTE_KINDS.map(({ name }) => name).join('|')})(\\[\\d+\\])?$`,
);

/** Frames are made from lines, whose members have shorter names. */
function inWordsOfTheMapping(field: string): string {
  return field.replace(SHORTER, (_, path: string, member: string, place: string | undefined) => {
    if (member === 'doc') return `${path}docString`;
    return place === undefined ? `${path}${member}Val` : `${path}${member}List.values${place}`;
  });
}

function malformed(message: string): Error {
  return inputError('JSON_MALFORMED', message, ADVICE);
}
