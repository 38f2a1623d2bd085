import type { ReplayOutcome } from '../replay/outcome.js';
import type { RunFacts } from './run-facts.js';

/** A column of a record. */
export interface Column {
  readonly name: string;
  readonly kind: 'integer' | 'decimal' | 'text' | 'boolean';
  /** Digits behind the point, of a decimal. */
  readonly decimals: number;
  /** How CSV writes a cell without a value; undefined for a column that always has one. */
  readonly absent: string | undefined;
}

/**
 * What a column holds in one row: text, a boolean, or an integer. Of a decimal it is the value × 10^decimals, so that both
 * forms of a record are exact; `null` is a cell without a value.
 */
export type Cell = number | bigint | string | boolean | null;

/** A table of records, independent of the form in which it is written (section 13). */
export interface Table {
  /** As in `<run>-<name>-0.csv`. */
  readonly name: string;
  /** Whether a run has this record at all; one that has it and has no row gives a file without rows. */
  applies(outcome: ReplayOutcome, facts: RunFacts): boolean;
  columns(facts: RunFacts): readonly Column[];
  /**
   * The rows in their order, each as long as `columns`.
   * @throws PrepError `TRANSFERS_NOT_RECORDED` when it needs the transfers and the run did not keep them
   */
  rows(outcome: ReplayOutcome, facts: RunFacts): Iterable<readonly Cell[]>;
}

export function integer(name: string, absent?: string): Column {
  return { name, kind: 'integer', decimals: 0, absent };
}

export function text(name: string): Column {
  return { name, kind: 'text', decimals: 0, absent: undefined };
}

export function boolean(name: string): Column {
  return { name, kind: 'boolean', decimals: 0, absent: undefined };
}

export function decimal(name: string, decimals: number, absent?: string): Column {
  return { name, kind: 'decimal', decimals, absent };
}

/** Simulated time in seconds; cells are ps. */
export function seconds(name: string): Column {
  return decimal(name, 12);
}

/** Time in µs; cells are ps. */
export function micros(name: string, absent?: string): Column {
  return decimal(name, 6, absent);
}

export function always(): boolean {
  return true;
}
