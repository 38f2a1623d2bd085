import type { Finding } from '../base/finding.js';
import type { RankTrace, TraceMetadata } from './rank-trace.js';

/**
 * One rank's nodes, some at a time and in the order of the file, so that a trace larger than memory can be walked
 * through. A window is a trace of its own: node indices begin at 0, and a dependency on a node of another window is a
 * dangling one.
 */
export interface TraceWindows {
  readonly metadata: TraceMetadata;
  /**
   * The next nodes, at most `mostNodes` of them; `undefined` behind the last. The columns are valid until the next
   * call, which writes into the same memory.
   * @throws PrepError what the reader of the whole file throws for these nodes, with the place in the file
   */
  next(mostNodes: number): RankTrace | undefined;
  /** What was found in the windows so far; complete once `next` gave `undefined`. */
  findings(): Finding[];
}
