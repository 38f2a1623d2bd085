/** What moves the cursor, colours, ends a line, or turns the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
/** The same without what lines and columns are made of. */
const UNPRINTABLE_IN_TEXT = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * One line as it is safe to print: names come from files of others, and a terminal obeys what is in them. Control characters,
 * ends of lines among them, become what JSON writes for them, `\n` or `\u001b`.
 * @param most letters at most, the last `…` where there are more
 */
export function printableLine(text: string, most = Infinity): string {
  const line = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return line.replace(UNPRINTABLE, escaped);
}

/** As {@link printableLine}, of several lines; a JSON document stays the same document. */
export function printableText(text: string): string {
  return text.replace(UNPRINTABLE_IN_TEXT, escaped);
}

function escaped(character: string): string {
  return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Letters of a cell that are shown: a column is as wide as its widest cell, and names may be of any length. */
const LONGEST_CELL = 300;

/** The cell of a table that shows a text. */
export function printableCell(text: string): string {
  return printableLine(text, LONGEST_CELL);
}
