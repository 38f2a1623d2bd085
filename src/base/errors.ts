import type { FindingCode } from './catalogue.js';
import type { Finding } from './finding.js';
import type { StopCode } from './stop-codes.js';

/** Exit statuses of the command line (design section 2). */
export const EXIT = {
  done: 0,
  traceProblems: 1,
  requestWrong: 2,
  inputUnreadable: 3,
  replayStopped: 4,
  ourFault: 70,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/**
 * A problem that stops a command: one, thrown at once. What is wrong *in* a trace and can be listed beside
 * others is a {@link Finding} instead.
 */
export class PrepError extends Error {
  /** Stable, documented in docs/errors.md. */
  readonly code: string;
  readonly exitStatus: ExitStatus;
  /** At most one line on what to do next. */
  readonly advice: string | undefined;
  /** The findings behind this error, where a whole list of them stopped the command. */
  readonly findings: readonly Finding[];

  constructor(
    code: string,
    exitStatus: ExitStatus,
    message: string,
    options: { advice?: string | undefined; findings?: readonly Finding[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PrepError';
    this.code = code;
    this.exitStatus = exitStatus;
    this.advice = options.advice;
    this.findings = options.findings ?? [];
  }
}

/** The request cannot be met as written: exit status 2. */
export function requestError(code: StopCode | FindingCode, message: string, advice?: string): PrepError {
  return new PrepError(code, EXIT.requestWrong, message, { advice });
}

/** The input cannot be read: exit status 3. */
export function inputError(code: StopCode | FindingCode, message: string, advice?: string): PrepError {
  return new PrepError(code, EXIT.inputUnreadable, message, { advice });
}

/** The traces have problems that stop the command: exit status 1. */
export function traceError(
  code: string,
  message: string,
  findings: readonly Finding[] = [],
  advice?: string,
): PrepError {
  return new PrepError(code, EXIT.traceProblems, message, { advice, findings });
}
