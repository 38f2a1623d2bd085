import type { RankTrace } from '../trace/rank-trace.js';

/**
 * The ranks of a job, each opened when it is needed: a replay reads every rank once, keeps what a run needs, and comes back for a
 * rank only to describe it.
 */
export interface Job {
  readonly rankCount: number;
  /** Bytes of the rank's file, or its nodes: room for all ranks is estimated from the first ones. */
  size(rank: number): number;
  /** Gives the rank's trace to `use`, the same trace every time; it is not to be kept. */
  withTrace<T>(rank: number, use: (trace: RankTrace) => T): T;
}

/** A job whose traces are in memory. @param traces the trace of rank r at place r */
export function jobOf(traces: readonly RankTrace[]): Job {
  return {
    rankCount: traces.length,
    size: (rank) => traces[rank].length,
    withTrace: (rank, use) => use(traces[rank]),
  };
}
