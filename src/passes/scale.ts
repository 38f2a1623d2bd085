import { requestError } from '../base/errors.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';
import { scaled } from '../trace/scaling.js';
import { withPass } from './pass-names.js';

/**
 * Multiplies `comm_size` and `durationMicros` of every node by a factor and cuts to whole bytes and microseconds
 * . The identity of a collective keeps the trace's size. A factor of 1 gives the trace itself.
 */
export function scaleRank(trace: RankTrace, factor: number): RankTrace {
  if (factor === 1) return trace;
  const { length } = trace;
  const commSize = trace.commSize.slice();
  const durationMicros = trace.durationMicros.slice();
  const flags = trace.flags.slice();
  for (let node = 0; node < length; node++) {
    const size = scaled(commSize[node], factor);
    const duration = scaled(durationMicros[node], factor);
    // NaN, an absent size, is no change.
    if (duration === durationMicros[node] && !(size < commSize[node])) continue;
    if (size < commSize[node]) commSize[node] = size;
    durationMicros[node] = duration;
    flags[node] |= NodeFlag.touched;
  }
  return { ...trace, commSize, durationMicros, flags, metadata: withPass(trace.metadata, 'scale') };
}

/**
 * Checks a scaling factor.
 * @throws PrepError `SCALE_OUT_OF_RANGE` outside 0 … 1
 */
export function checkScale(factor: number): void {
  if (!(factor >= 0 && factor <= 1)) {
    throw requestError('SCALE_OUT_OF_RANGE', `scaling factor ${factor}: expected a number from 0 to 1`);
  }
}
