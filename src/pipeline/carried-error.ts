import { PrepError, type ExitStatus } from '../base/errors.js';
import type { Finding } from '../base/finding.js';

/** A {@link PrepError} as plain data: thrown across worker threads it would lose its code. */
export interface CarriedError {
  readonly code: string;
  readonly exitStatus: ExitStatus;
  readonly message: string;
  readonly advice: string | undefined;
  readonly findings: readonly Finding[];
}

export function carry({ code, exitStatus, message, advice, findings }: PrepError): CarriedError {
  return { code, exitStatus, message, advice, findings };
}

export function released({ code, exitStatus, message, advice, findings }: CarriedError): PrepError {
  return new PrepError(code, exitStatus, message, { advice, findings });
}
