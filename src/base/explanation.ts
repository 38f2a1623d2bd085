import { CATALOGUE, type CatalogueEntry } from './catalogue.js';
import type { Severity } from './finding.js';
import { STOP_CODES, type StopEntry } from './stop-codes.js';

/** What there is to say about a code, of a finding or of an error that stops a command. */
export interface Explanation {
  readonly code: string;
  /** Of a finding. */
  readonly severity?: Severity;
  /** Of an error that stops a command. */
  readonly exitStatus?: number;
  readonly title: string;
  readonly meaning: string;
  /** Of a finding: what goes wrong where it is left as it is. */
  readonly consequence?: string;
  readonly remedy: readonly string[];
  /** Of a finding. */
  readonly example?: CatalogueEntry['example'];
  readonly advice: string;
}

/** The page of a code; `undefined` for one that does not exist. */
export function explanationOf(code: string): Explanation | undefined {
  const entries: Readonly<Record<string, CatalogueEntry | StopEntry>> = { ...STOP_CODES, ...CATALOGUE };
  return Object.hasOwn(entries, code) ? { code, ...entries[code] } : undefined;
}

/** Columns of the page on a terminal. */
const WIDTH = 100;

/** The page as plain text, a line an element, for a terminal. */
export function explanationLines(explanation: Explanation): string[] {
  const { title, meaning, consequence, remedy, example, advice } = explanation;
  return [
    `${headline(explanation)}: ${title}`,
    ...section('What it means', [meaning]),
    ...(consequence === undefined ? [] : section('Why it matters', [consequence])),
    ...section('How to mend it', steps(remedy)),
    ...(example === undefined ? [] : ['', 'Example:', `  ${example.finding}`, ...wrapped(`Mended: ${example.mended}`)]),
    '',
    `Advice: ${advice}.`,
  ];
}

/** The same in Markdown, without a heading and the title. */
export function explanationMarkdown({ meaning, consequence, remedy, example, advice }: Explanation): string {
  const parts = [meaning];
  if (consequence !== undefined) parts.push(`**Why it matters.** ${consequence}`);
  const mending = steps(remedy);
  parts.push(`**How to mend it.**${remedy.length === 1 ? ' ' : '\n\n'}${mending.join('\n')}`);
  if (example !== undefined) {
    parts.push('**Example.**', `\`\`\`\n${example.finding}\n\`\`\``, `Mended: ${example.mended}`);
  }
  parts.push(`Advice: ${advice}.`);
  return parts.map((part) => (part.startsWith('```') ? part : withoutTags(part))).join('\n\n');
}

/** Angle brackets outside of code would be read as the beginning of a tag. */
function withoutTags(paragraph: string): string {
  return paragraph.replace(/`[^`]*`|</g, (found) => (found === '<' ? '\\<' : found));
}

/** `CYCLE (error)`, `RANK_COUNT (exit status 2)`. */
function headline({ code, severity, exitStatus }: Explanation): string {
  return `${code} (${severity ?? `exit status ${exitStatus}`})`;
}

function section(title: string, paragraphs: readonly string[]): string[] {
  return ['', `${title}:`, ...paragraphs.flatMap((paragraph) => wrapped(paragraph))];
}

/** A paragraph in lines of at most {@link WIDTH} columns, unless one word is longer. */
function wrapped(paragraph: string): string[] {
  const lines: string[] = [];
  let line = ' ';
  for (const word of paragraph.split(' ')) {
    if (line.length > 1 && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/** A single step needs no number. */
function steps(remedy: readonly string[]): string[] {
  return remedy.length === 1 ? [...remedy] : remedy.map((step, place) => `${place + 1}. ${step}`);
}
