/** `error` stops preparation and gives exit status 1; `warning` is printed and counted; `note` tells what was assumed. */
export type Severity = 'error' | 'warning' | 'note';

/** One thing found in a trace. Plain data: it crosses worker threads and is printed as JSON unchanged. */
export interface Finding {
  /** One of the codes of {@link CATALOGUE}; stable. */
  code: string;
  severity: Severity;
  /** Subject, value, expectation in one line, without the place. */
  message: string;
  rank?: number;
  /** Node ids, as numbers where they are below 2^53 and as decimal text above. */
  nodes?: (number | string)[];
  file?: string;
  /** Offset of the frame in the (unzipped) file, bytes. */
  byteOffset?: number;
  group?: string;
  /** What to do about it, one line. */
  advice?: string;
  /** How many times the same thing occurred, where occurrences are folded into one finding. */
  count?: number;
  /** Further facts, by name. */
  [fact: string]: unknown;
}

/** Number of findings by severity. */
export function countFindings(findings: readonly Finding[]): { errors: number; warnings: number; notes: number } {
  let errors = 0;
  let warnings = 0;
  for (const finding of findings) {
    if (finding.severity === 'error') errors++;
    else if (finding.severity === 'warning') warnings++;
  }
  return { errors, warnings, notes: findings.length - errors - warnings };
}
