import { CATALOGUE, type FindingCode } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { STOP_CODES, type StopCode } from '../base/stop-codes.js';
import type { CarriedError } from './carried-error.js';

/** The findings that say what stopped the reading of one file, while others can be read. */
export function failureFindings(
  { code, message, advice, findings }: Omit<CarriedError, 'exitStatus'>,
  place: { readonly rank?: number; readonly file: string },
): Finding[] {
  // Where the findings behind it say the same, they say it with node and place.
  if (findings.some((finding) => finding.code === code)) return [...findings];
  const line = advice ?? usualAdvice(code);
  return [{ code, severity: 'error', message, ...place, ...(line === undefined ? {} : { advice: line }) }, ...findings];
}

function usualAdvice(code: string): string | undefined {
  return (CATALOGUE[code as FindingCode] ?? STOP_CODES[code as StopCode])?.advice;
}
