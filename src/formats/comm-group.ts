import { MemorySource } from '../base/byte-source.js';
import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import type { GroupDeclaration } from '../trace/group-declarations.js';
import { detectFormat, FORMATS, type Format } from './detect.js';
import { JsonScanner, JsonSyntaxError, lineAndColumn, type JsonToken } from './json-scan.js';

/**
 * Process group file of ASTRA-sim (`--comm-group-configuration`) and STAGE (chakra-format section 15):
 * `{"0": [0, 1, 2, 3], "1": [4, 5, 6, 7]}`, group name → ranks. Strict JSON. Names are texts here, so that any
 * name can be declared; groups and members keep the order of the file, and a name that repeats is kept twice.
 */
export interface CommGroupFile {
  /** The groups that could be read. */
  readonly declarations: GroupDeclaration[];
  /** GROUP_MALFORMED, each with `line` and `column`. */
  readonly findings: Finding[];
}

/** What a file that was meant as a group file may be: then the place of the first mistake is what helps. */
const MEANT: ReadonlySet<Format> = new Set(['comm-group', 'other-json', 'unknown']);

/** @param file name for messages */
export function parseCommGroup(bytes: Uint8Array, file: string): CommGroupFile {
  const { format } = detectFormat(new MemorySource(bytes, file));
  if (!MEANT.has(format)) {
    const message = `${file} is ${FORMATS[format].name}, expected a process group file such as {"0": [0, 1]}`;
    return { declarations: [], findings: [finding('GROUP_MALFORMED', message, { file })] };
  }
  const declarations: GroupDeclaration[] = [];
  const findings: Finding[] = [];
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const scan = new JsonScanner(new MemorySource(bytes, file), { start: bom, strict: true });
  const complain = (message: string, offset: number, group?: string): void => {
    const place = lineAndColumn(bytes, offset);
    const facts = { file, ...place, ...(group === undefined ? {} : { group }) };
    findings.push(
      finding('GROUP_MALFORMED', `${file}: ${message} (line ${place.line}, column ${place.column})`, facts),
    );
  };
  try {
    if (scan.next() !== 'beginObject') {
      complain(`a group file is an object of group name → list of ranks, such as {"0": [0, 1]}`, scan.offset);
      return { declarations, findings };
    }
    while (scan.next() === 'key') {
      const name = scan.text;
      const ranks = readRanks(scan, name, complain);
      if (ranks !== undefined) declarations.push({ name, ranks, origin: file, file });
    }
    if (scan.next() !== 'end') complain('text after the end of the object', scan.offset);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    complain(`not JSON: ${error.message}`, error.offset);
  }
  return { declarations, findings };
}

/** The list of ranks that follows; `undefined` after a complaint. Leaves the scanner behind the value. */
function readRanks(
  scan: JsonScanner,
  name: string,
  complain: (message: string, offset: number, group: string) => void,
): number[] | undefined {
  const outside = scan.depth;
  const label = `group ${JSON.stringify(name)}`;
  const ranks: number[] = [];
  let whole = true;
  let token = scan.next();
  if (token !== 'beginArray') {
    complain(`${label}: expected a list of ranks, got ${describe(token, scan)}`, scan.offset, name);
    whole = false;
  }
  while (scan.depth > outside) {
    token = scan.next();
    if (!whole || (token === 'endArray' && scan.depth === outside)) continue;
    const rank = token === 'number' && /^[0-9]+$/.test(scan.text) ? Number(scan.text) : NaN;
    if (Number.isSafeInteger(rank)) {
      ranks.push(rank);
    } else {
      complain(`${label}: expected a rank (0, 1, …), got ${describe(token, scan)}`, scan.offset, name);
      whole = false;
    }
  }
  return whole ? ranks : undefined;
}

function describe(token: JsonToken, scan: JsonScanner): string {
  if (token === 'string') return JSON.stringify(scan.text.slice(0, 40));
  if (token === 'number') return scan.text;
  if (token === 'beginObject') return 'an object';
  if (token === 'beginArray') return 'a list';
  return token;
}
