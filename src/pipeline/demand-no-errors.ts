import { traceError } from '../base/errors.js';
import { countFindings, type Finding } from '../base/finding.js';

/** What warnings do to a command (R-171). */
export interface WarningRule {
  /** A logged warning stops the command as an error does (`AbortOnChakraWarning`). Default `false`. */
  readonly abortOnWarning?: boolean;
  /** Warnings logged at most (`MaxCountWarningsLoggedPerInstance`); the rest stops nothing. Default: no limit. */
  readonly maxWarnings?: number;
}

/** Whether this many warnings stop a command: with a limit of 0 none is logged, and none stops it. */
export function warningsStop(
  warnings: number,
  { abortOnWarning = false, maxWarnings = Infinity }: WarningRule,
): boolean {
  return abortOnWarning && Math.min(warnings, maxWarnings) > 0;
}

/**
 * Stops a command at errors in the traces (R-170), and at warnings where that is asked for (R-171).
 * @param outcome what did not happen: `nothing written`
 * @throws PrepError `TRACES_REFUSED`, `WARNING_ABORTS`, with all findings
 */
export function demandNoErrors(findings: readonly Finding[], rule: WarningRule, outcome: string): void {
  const { errors, warnings } = countFindings(findings);
  if (errors > 0) {
    const { code } = findings.find(({ severity }) => severity === 'error')!;
    throw traceError(
      'TRACES_REFUSED',
      `${outcome}: ${errors === 1 ? code : `${errors} errors, the first ${code}`}`,
      findings,
    );
  }
  if (warningsStop(warnings, rule)) {
    const { code } = findings.find(({ severity }) => severity === 'warning')!;
    const what = warnings === 1 ? `warning ${code}` : `${warnings} warnings, the first ${code}`;
    throw traceError('WARNING_ABORTS', `${outcome}: ${what}, and AbortOnChakraWarning is set`, findings);
  }
}
