import type { Severity } from '../finding.js';

/** The page of a finding's code. Texts are plain English with `code` in backticks; docs/errors.md is made from them. */
export interface CatalogueEntry {
  /** The usual one; a finding may say more or less where more is known. */
  readonly severity: Severity;
  /** What is wrong, as a heading. */
  readonly title: string;
  /** What was found, in one or two sentences. */
  readonly meaning: string;
  /** What goes wrong in a simulation where it is left as it is. */
  readonly consequence: string;
  /** Steps that mend it, in order. */
  readonly remedy: readonly string[];
  readonly example: {
    /** A finding as it is printed. */
    readonly finding: string;
    /** What the traces, files or words of that example look like when it is mended. */
    readonly mended: string;
  };
  /** What to do, one line. */
  readonly advice: string;
}
