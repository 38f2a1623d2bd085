import type { Finding, Severity } from './finding.js';

/** Which findings of a report are listed. */
export interface FindingChoice {
  /** Codes that count for nothing: neither listed nor in the exit status. */
  readonly ignore?: readonly string[];
  /** The least severity that is listed; default: all. */
  readonly severity?: Severity;
  /** How many are listed at most, the worst first; default: all. */
  readonly maxFindings?: number;
}

/** The findings of a report after a choice; nothing is dropped without a number. */
export interface ChosenFindings {
  /** What counts: everything but the codes that are ignored. */
  readonly counted: readonly Finding[];
  /** What is listed of it, in the order of the report. */
  readonly listed: readonly Finding[];
  /** Findings by ignored code, of codes that occurred. */
  readonly ignored: Readonly<Record<string, number>>;
  /** Counted, and below the severity that is listed. */
  readonly belowSeverity: number;
  /** Counted, severe enough, and beyond the number that is listed. */
  readonly beyondMost: number;
}

/** Severities, the worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** Applies a choice to the findings of a report. */
export function chooseFindings(findings: readonly Finding[], choice: FindingChoice = {}): ChosenFindings {
  const { ignore = [], severity = 'note', maxFindings = Infinity } = choice;
  const ignoredCodes = new Set(ignore);
  const ignored: Record<string, number> = {};
  const counted: Finding[] = [];
  for (const finding of findings) {
    if (ignoredCodes.has(finding.code)) ignored[finding.code] = (ignored[finding.code] ?? 0) + 1;
    else counted.push(finding);
  }
  const least = SEVERITIES.indexOf(severity);
  const severe = counted.filter((finding) => SEVERITIES.indexOf(finding.severity) <= least);
  const listed = worst(severe, maxFindings);
  return {
    counted,
    listed,
    ignored,
    belowSeverity: counted.length - severe.length,
    beyondMost: severe.length - listed.length,
  };
}

/** The `most` worst, the earlier of equals, in the order they came. */
function worst(findings: readonly Finding[], most: number): readonly Finding[] {
  if (findings.length <= most) return findings;
  const left: Record<Severity, number> = { error: 0, warning: 0, note: 0 };
  for (const { severity } of findings) left[severity]++;
  let room = most;
  for (const severity of SEVERITIES) {
    left[severity] = Math.min(left[severity], room);
    room -= left[severity];
  }
  return findings.filter(({ severity }) => left[severity]-- > 0);
}
