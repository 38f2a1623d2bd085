import { traceError } from '../base/errors.js';
import { countFindings, type Finding } from '../base/finding.js';
import type { AlgorithmChoices } from '../collectives/catalogue.js';
import type { ChainOrder } from '../passes/serialize.js';
import type { Reading } from './open-traceset.js';
import type { OutputFormat } from './write-ranks.js';

/** Passes to apply; none rewrites the traceset as it is. */
export interface Steps {
  /** Run the rules of `validate` first and stop at errors. */
  readonly validate?: boolean;
  readonly expand?: boolean;
  readonly algorithms?: AlgorithmChoices;
  readonly serialize?: boolean;
  readonly order?: ChainOrder;
  readonly sync?: boolean;
  /** Factor from 0 to 1. */
  readonly scale?: number;
  readonly annotate?: boolean;
}

export interface Output {
  /** Folder to write; absent gives the bytes of the one rank back. */
  readonly folder?: string;
  readonly format: OutputFormat;
  /** Ranks to write; all when left out. */
  readonly only?: readonly number[];
}

export interface PreparationRequest extends Reading {
  readonly steps: Steps;
  readonly output: Output;
  /** Stop at warnings too. */
  readonly abortOnWarning?: boolean;
}

/** @throws PrepError with all findings when one of them stops a preparation */
export function demandNoErrors(findings: readonly Finding[], abortOnWarning: boolean): void {
  const { errors, warnings } = countFindings(findings);
  if (errors > 0) {
    const first = findings.find(({ severity }) => severity === 'error')!;
    const what = errors === 1 ? first.code : `${errors} errors, the first ${first.code}`;
    throw traceError('TRACES_REFUSED', `nothing written: ${what}`, findings);
  }
  if (abortOnWarning && warnings > 0) {
    throw traceError(
      'WARNING_ABORTS',
      `nothing written: ${warnings} warnings, and AbortOnChakraWarning is set`,
      findings,
    );
  }
}
