import type { Finding } from '../base/finding.js';
import type { EtWriter } from './et/et-writer.js';

/**
 * All ranks of a job that is made and not read: a text workload, an MSCCL program, a GOAL schedule, a generated workload. A
 * rank is written when somebody asks for it, in any order and any number of times, so that a job of any number of ranks
 * fits into memory.
 */
export interface MadeJob {
  readonly rankCount: number;
  /** Begin of the names of its files: `<prefix>.<rank>.et`. */
  readonly prefix: string;
  /** Groups that its nodes name, by name: ranks in the order of their positions. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
  /** What was found, defaulted, guessed or lost when it was made. */
  readonly findings: readonly Finding[];
  /** Writes metadata (with rank, ranks and the groups the rank is in) and nodes; parents first, ids ascending. */
  writeRank(rank: number, out: EtWriter): void;
}
