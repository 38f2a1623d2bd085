import type { RankTrace } from '../../src/trace/rank-trace.js';
import { compute, receive, send, traces } from './jobs.js';

/**
 * Two ranks that answer each other. With transfers that take no time rank 0 sends at 5 µs, rank 1 answers at 5 µs, and rank 0
 * sends again at 8 µs; rank 1 computes beside that.
 */
export function pingPong(): RankTrace[] {
  return traces(
    [compute(1, 5), send(2, 1, 1000, 1, [1]), receive(3, 1, 500, 2), compute(4, 3, [3]), send(5, 1, 2000, 1, [2, 4])],
    [receive(1, 0, 1000, 1), send(2, 0, 500, 2, [1]), compute(3, 10), receive(4, 0, 2000, 1, [1])],
  );
}
