import { traceError } from '../base/errors.js';
import { countFindings, type Finding } from '../base/finding.js';

/**
 * Stops a command at errors in the traces, and at warnings where that is asked for (R-171).
 * @param outcome what did not happen: `nothing written`
 * @throws PrepError `TRACES_REFUSED`, `WARNING_ABORTS`, with all findings
 */
export function demandNoErrors(findings: readonly Finding[], abortOnWarning: boolean, outcome: string): void {
  const { errors, warnings } = countFindings(findings);
  if (errors > 0) {
    const { code } = findings.find(({ severity }) => severity === 'error')!;
    throw traceError(
      'TRACES_REFUSED',
      `${outcome}: ${errors === 1 ? code : `${errors} errors, the first ${code}`}`,
      findings,
    );
  }
  if (abortOnWarning && warnings > 0) {
    const { code } = findings.find(({ severity }) => severity === 'warning')!;
    const what = warnings === 1 ? `warning ${code}` : `${warnings} warnings, the first ${code}`;
    throw traceError('WARNING_ABORTS', `${outcome}: ${what}, and AbortOnChakraWarning is set`, findings);
  }
}
