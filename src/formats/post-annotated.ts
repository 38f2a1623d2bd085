import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { writeAnnotatedJson } from './annotated-json.js';

/*
 * The annotated form with what a run did, as three more members of every node:
 *
 *   {"id":1,"type":"COMM_SEND_NODE",…,"s":"000000.000000","e":"000023.356600","r":"0000000000000"}
 *
 * `s` is the start and `e` the finish in simulated µs, of a send the acknowledgment; `r` is wall-clock µs. All three are text of
 * at least 13 characters: six decimals, zeros in front, and 13 times X for what the run did not reach.
 */

/** Times by index in the trace, ps; NaN where the run did not get there. */
export interface TimesOfNodes {
  readonly start: Float64Array;
  readonly finish: Float64Array;
  readonly acknowledged: Float64Array; // of sends
}

const WIDTH = 13;
const DECIMALS = 6;
const NOT_REACHED = 'X'.repeat(WIDTH);
const NO_WALL_CLOCK = '0'.repeat(WIDTH);

/**
 * Writes a trace with the times of its nodes.
 * @param write takes text, some whole lines at a time
 * @param wallClockMicros what `r` of a node shows that has reached its `e`; undefined for the constant of R-005
 */
export function writePostAnnotated(
  trace: RankTrace,
  { start, finish, acknowledged }: TimesOfNodes,
  write: (text: string) => void,
  wallClockMicros?: number,
): void {
  const wallClock = wallClockMicros === undefined ? undefined : paddedMicros(Math.round(wallClockMicros * 1e6));
  writeAnnotatedJson(trace, write, (node) => {
    const end = trace.type[node] === NodeType.send ? acknowledged[node] : finish[node];
    const wall = Number.isNaN(end) ? NOT_REACHED : wallClock;
    const shown = wallClock === undefined ? NO_WALL_CLOCK : wall;
    return `,"s":"${paddedMicros(start[node])}","e":"${paddedMicros(end)}","r":"${shown}"`;
  });
}

/** ps as µs. */
function paddedMicros(timePs: number): string {
  if (Number.isNaN(timePs)) return NOT_REACHED;
  const digits = String(timePs).padStart(WIDTH - 1, '0');
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}
