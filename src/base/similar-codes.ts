import { CATALOGUE } from './catalogue.js';
import { nearestName } from './nearest-name.js';
import { STOP_CODES } from './stop-codes.js';

/** Every code there is, those of findings first. */
export const ALL_CODES: readonly string[] = [...Object.keys(CATALOGUE), ...Object.keys(STOP_CODES)];

/** Codes that an unknown one was probably meant as: the nearest in its letters, then those that have a word of it. */
export function similarCodes(code: string, known: readonly string[] = ALL_CODES): string[] {
  const nearest = nearestName(code, known);
  const words = code.split(/[^A-Z]+/).filter((word) => word.length > 2);
  const alike = known.filter((other) => other !== nearest && words.some((word) => other.includes(word))).sort();
  return nearest === undefined ? alike : [nearest, ...alike];
}
