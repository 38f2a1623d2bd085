import { requestError, type PrepError } from '../../base/errors.js';

/** Nodes and links a topology may have: a slip in a count is refused before memory is. */
export const MOST_NODES = 1_000_000;
export const MOST_LINKS = 10_000_000;

/** An error of one place of a topology file, `fabric.txt:3` or `fabric.json:3:21`. */
export function malformed(place: string, message: string): PrepError {
  return requestError('TOPOLOGY_MALFORMED', `${place}: ${message}`);
}

/** A value as it stands in a message; a text in quotes, so that `"4"` is told from 4. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
