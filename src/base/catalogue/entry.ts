import type { Severity } from '../finding.js';

/** What a code stands for. */
export interface CatalogueEntry {
  readonly severity: Severity;
  /** What is wrong, as a heading. */
  readonly title: string;
  /** What it means for a simulation, in one or two sentences. */
  readonly meaning: string;
  /** What to do, one line. */
  readonly advice: string;
}

export function entry(severity: Severity, title: string, meaning: string, advice: string): CatalogueEntry {
  return { severity, title, meaning, advice };
}
