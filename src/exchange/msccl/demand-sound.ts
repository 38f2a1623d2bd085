import { EXIT, PrepError } from '../../base/errors.js';
import { countFindings, type Finding } from '../../base/finding.js';

/** Demands that a program was found sound. @throws PrepError `PROGRAM_REFUSED` with the findings */
export function demandSound(findings: readonly Finding[], file: string): void {
  const { errors } = countFindings(findings);
  if (errors === 0) return;
  const { code } = findings.find(({ severity }) => severity === 'error')!;
  const what = errors === 1 ? code : `${errors} errors, the first ${code}`;
  throw new PrepError('PROGRAM_REFUSED', EXIT.requestWrong, `${file}: ${what}; nothing written`, { findings });
}
