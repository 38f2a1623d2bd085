import { MappingBuilder, type MappingFile } from './mapping-builder.js';

/** Bytes a line may have, and before its comment. */
const LINE_BYTES = 4096;
const BYTES_BEFORE_COMMENT = 127;

/** Characters of one byte each that stand for the byte order mark of UTF-8. */
const BYTE_ORDER_MARK = 'ï»¿';

/**
 * Parses the text form of a mapping (R-034 … R-036).
 * @param text the file, one character a byte (latin1), so that lengths are bytes
 * @param path for messages
 * @throws PrepError `MAPPING_MALFORMED`
 */
export function parseMappingText(text: string, path: string): MappingFile {
  const builder = new MappingBuilder(path);
  let parametersBegan = false;
  let line = 0;
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    const bytes = text.slice(start, end);
    start = end + 1;
    line++;
    if (line === 1 && bytes.startsWith(BYTE_ORDER_MARK)) throw builder.error(1, 'byte order mark, expected plain text');
    demandCharacters(builder, line, bytes);
    if (!parametersBegan && bytes.startsWith('@') && builder.entries > 0) parametersBegan = true;
    const content = beforeComment(bytes, parametersBegan);
    demandLengths(builder, line, bytes.length, content.length);
    const fields = content.split(/[ ,]+/).filter((field) => field !== '');
    if (fields.length === 0 && !content.includes(',')) continue;
    if (parametersBegan) parameterLine(builder, line, fields.map(asWritten));
    else rankLine(builder, line, fields.map(asWritten));
  }
  return builder.finish();
}

function rankLine(builder: MappingBuilder, line: number, fields: string[]): void {
  if (fields[0]?.startsWith('@')) {
    throw builder.error(
      line,
      '@ before the first rank, expected group parameters after the ranks, behind a line with @',
    );
  }
  if (fields.length !== 2 && fields.length !== 4) {
    throw builder.error(
      line,
      `${fieldCount(fields)}, expected two (rank, server) or four (rank, server, group, subgroup)`,
    );
  }
  const [rank, server, group, subgroup] = fields;
  builder.addRank(line, rank, server, group === undefined ? undefined : [group, subgroup]);
}

function parameterLine(builder: MappingBuilder, line: number, fields: string[]): void {
  if (fields.length !== 4) {
    throw builder.error(
      line,
      `${fieldCount(fields)}, expected four (group, bandwidth Gbps, switch latency ns, cable latency ns)`,
    );
  }
  const [id, bandwidth, switchLatency, cableLatency] = fields;
  builder.addGroup(line, id, bandwidth, switchLatency, cableLatency);
}

/** What stands before the comment, which `@` begins as well behind the first line with @. */
function beforeComment(bytes: string, parametersBegan: boolean): string {
  const comment = bytes.search(parametersBegan ? /[#@]/ : /#/);
  return comment < 0 ? bytes : bytes.slice(0, comment);
}

function demandCharacters(builder: MappingBuilder, line: number, bytes: string): void {
  const column = bytes.search(/[\t\r]/);
  if (column < 0) return;
  const [what, wanted] =
    bytes[column] === '\t' ? ['a tab', 'blanks or commas between fields'] : ['a carriage return', 'LF line ends'];
  throw builder.error(line, `${what} in column ${column + 1}, expected ${wanted}`);
}

function demandLengths(builder: MappingBuilder, line: number, length: number, before: number): void {
  if (length > LINE_BYTES) throw builder.error(line, `${length} bytes, expected at most ${LINE_BYTES}`);
  if (before > BYTES_BEFORE_COMMENT) {
    throw builder.error(line, `${before} bytes before the comment, expected at most ${BYTES_BEFORE_COMMENT}`);
  }
}

function fieldCount(fields: readonly string[]): string {
  return `${fields.length} field${fields.length === 1 ? '' : 's'}`;
}

/** Bytes as the characters they were written as. */
function asWritten(field: string): string {
  return /^[ -~]*$/.test(field) ? field : Buffer.from(field, 'latin1').toString('utf8');
}
