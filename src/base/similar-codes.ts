import { CATALOGUE } from './catalogue.js';
import { nearestName } from './nearest-name.js';
import { STOP_CODES } from './stop-codes.js';

/** Every code there is, those of findings first. */
export const ALL_CODES: readonly string[] = [...Object.keys(CATALOGUE), ...Object.keys(STOP_CODES)];

/** Codes that are suggested at most. */
const MOST = 8;

/**
 * Codes that an unknown one was probably meant as: the nearest in its letters, then those that share words with it, then
 * those that have one of its words inside another.
 */
export function similarCodes(code: string, known: readonly string[] = ALL_CODES): string[] {
  const nearest = nearestName(code, known);
  const words = code.split(/[^A-Z]+/).filter((word) => word.length > 2);
  const shared = (other: string): number => words.filter((word) => other.split('_').includes(word)).length;
  const alike = known
    .filter((other) => other !== nearest && words.some((word) => other.includes(word)))
    .sort((left, right) => shared(right) - shared(left) || (left < right ? -1 : 1));
  return [...(nearest === undefined ? [] : [nearest]), ...alike].slice(0, MOST);
}
