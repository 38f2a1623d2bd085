import { requestError, type PrepError } from '../../base/errors.js';
import { PlacedDocument } from './placed-document.js';

/** What a text can be, by its content alone. */
export const TOPOLOGY_FORMS = {
  ns3: 'ns-3 text',
  simai: 'SimAI text',
  'link-list': 'link list',
  own: 'own form',
  infragraph: 'InfraGraph',
  logical: 'logical topology',
  analytical: 'analytical network',
} as const;

export type TopologyForm = keyof typeof TOPOLOGY_FORMS;

/** The form of a text, and its document where it is JSON or YAML. */
export type Recognised =
  | { readonly form: 'ns3' | 'simai' | 'link-list' }
  | { readonly form: Exclude<TopologyForm, 'ns3' | 'simai' | 'link-list'>; readonly document: PlacedDocument };

/** Keys that tell the forms of JSON and YAML apart, the first that has one counts. */
const KEYS_OF_FORMS: readonly (readonly [
  Recognised['form'] & ('own' | 'infragraph' | 'logical' | 'analytical'),
  readonly string[],
])[] = [
  ['analytical', ['topology', 'npus_count']],
  ['logical', ['logical-dims']],
  ['own', ['generator', 'nodes']],
  ['infragraph', ['infrastructure', 'devices', 'instances']],
  ['own', ['links', 'version']],
];

const ACCEPTED =
  'an ns-3, SimAI or InfraGraph topology, a list of links, or JSON or YAML with nodes and links or a generator';

/**
 * Tells what a text is: by the first line that is neither empty nor a comment where that begins with a number, by its keys
 * where it is JSON or YAML.
 *
 * @param file for messages
 * @throws PrepError `TOPOLOGY_UNKNOWN` with what is accepted; `TOPOLOGY_MALFORMED` where it begins as JSON and is none
 */
export function recognisedForm(text: string, file: string): Recognised {
  const line = /^[^\S\n]*[^#\s].*$/m.exec(text)?.[0].trim();
  if (line === undefined) throw unknownForm(file, text.trim() === '' ? 'the file is empty' : 'there are only comments');
  const words = line.replace(/\s#.*/, '').split(/\s+/);
  if (/^[0-9]+$/.test(words[0])) return { form: textForm(words, text, file) };
  const document = documentOf(text, file, line);
  const { root } = document;
  const keys = typeof root === 'object' && root !== null && !Array.isArray(root) ? Object.keys(root) : undefined;
  if (keys === undefined) throw unknownForm(file, `the first line is ${shown(line)}`);
  const found = KEYS_OF_FORMS.find(([, known]) => known.some((key) => keys.includes(key)));
  if (found === undefined) {
    throw unknownForm(
      file,
      keys.length === 0 ? 'it has no keys' : `its keys are ${shown(keys.slice(0, 8).join(', '))}`,
    );
  }
  return { form: found[0], document };
}

/** Whether a text is an analytical network of ASTRA-sim, which {@link parseAnalyticalNetwork} reads. */
export function isAnalyticalNetwork(text: string): boolean {
  return /^\s*(?:\{\s*)?["']?(?:topology|npus_count)["']?\s*:/m.test(text) && formOrNone(text) === 'analytical';
}

/**
 * Whether a text is to be read as a packet topology: it has the form of one, or begins as one and is broken.
 * @throws PrepError `TOPOLOGY_UNKNOWN` for a text that begins with numbers and is none
 */
export function isTopologyText(text: string, file: string): boolean {
  const beginsWithNumber = /^[^\S\n]*[0-9]/m.test(
    text
      .replace(/^\s*#.*$/gm, '')
      .trimStart()
      .slice(0, 16),
  );
  if (beginsWithNumber) return recognisedForm(text, file).form !== 'analytical';
  const form = formOrNone(text);
  return form !== undefined && form !== 'analytical';
}

function formOrNone(text: string): TopologyForm | undefined {
  try {
    return recognisedForm(text, '').form;
  } catch {
    return undefined;
  }
}

function textForm(words: readonly string[], text: string, file: string): 'ns3' | 'simai' | 'link-list' {
  const areNumbers = words.every((word) => /^[0-9.]+(?:[eE][+-]?[0-9]+)?$/.test(word));
  if (words.length === 3 && areNumbers) return 'ns3';
  if (words.length === 6 && !areNumbers) return 'simai';
  if ((words.length === 5 || words.length === 6) && areNumbers) return 'link-list';
  // Ends of lines mean nothing there; rates with a unit are in no other form that begins with a number.
  if (/\s[0-9.]+[kKMGT]?(?:bps|b\/s)\s/.test(text)) return 'ns3';
  throw unknownForm(
    file,
    `the first line has ${words.length} ${words.length === 1 ? 'word' : 'words'}: ${shown(words.join(' '))}`,
  );
}

/** A text that begins as JSON is told where it is none; of any other, YAML is one guess of several. */
function documentOf(text: string, file: string, line: string): PlacedDocument {
  try {
    return new PlacedDocument(text, file);
  } catch (error) {
    if (/^[{[]/.test(line) || /^[\w-]+:(?:\s|$)/.test(line)) throw error;
    throw unknownForm(file, `the first line is ${shown(line)}`);
  }
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function unknownForm(file: string, found: string): PrepError {
  return requestError(
    'TOPOLOGY_UNKNOWN',
    `${file}: ${found}, expected ${ACCEPTED}`,
    'docs/topologies.md shows each form',
  );
}
