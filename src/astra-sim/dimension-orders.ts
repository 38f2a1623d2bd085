import type { Candidate } from './candidate.js';
import type { SystemCollective } from './system-configuration.js';
import type { CollectiveSetting } from './system-run.js';

/** Share by which sums of loads may differ that are equal but for rounding. */
const ROUNDING = 1e-9;

/** In which order chunks go through the dimensions, as a reduce-scatter takes them: an all-gather goes the other way. */
export interface DimensionOrders {
  readonly orders: readonly (readonly Candidate[])[];
  /** [chunks] which of them; the first where absent. */
  readonly orderOf?: Uint16Array;
}

/**
 * The orders of `inter-dimension-scheduling` under `--system-extensions`, else the ascending one for all chunks.
 *
 * Round-robin: chunk c begins with dimension c modulo D. Offline-greedy, after the idea of Themis (Rashidi et al., ISCA 2022): before the
 * run each chunk is given to the dimensions in the order of the load they have so far, the least loaded first, where a phase of
 * B bytes over n ranks loads its dimension with B × (n − 1) / n over its bandwidth; equal loads go in ascending order. Where the
 * busiest dimension had less to do with all chunks in ascending order, they go in that.
 */
export function dimensionOrders(
  run: CollectiveSetting,
  live: readonly Candidate[],
  chunks: number,
  what: { readonly collective: SystemCollective; readonly bytes: number; readonly isAware: boolean },
): DimensionOrders {
  const scheduling = run.system.extensions?.interDimensionScheduling ?? 'ascending';
  if (scheduling === 'ascending' || live.length < 2) return { orders: [live] };
  const isGreedy = scheduling === 'offlineGreedy';
  const ascending = Array.from(live.keys());
  const orders: (readonly Candidate[])[] = [];
  const numbers = new Map<string, number>();
  const orderOf = new Uint16Array(chunks);
  const loads = new Float64Array(live.length);
  const ascendingLoads = new Float64Array(live.length);
  for (let chunk = 0; chunk < chunks; chunk++) {
    const places = isGreedy ? byLoad(loads) : rotated(live.length, chunk);
    if (isGreedy) {
      addLoads(run, live, places, what, loads);
      addLoads(run, live, ascending, what, ascendingLoads);
    }
    const key = places.join();
    let number = numbers.get(key);
    if (number === undefined) {
      number = orders.push(places.map((place) => live[place])) - 1;
      numbers.set(key, number);
    }
    orderOf[chunk] = number;
  }
  // A chunk at the end may overload a slow dimension.
  const isWorse = Math.max(...loads) > Math.max(...ascendingLoads) * (1 + ROUNDING);
  return isGreedy && isWorse ? { orders: [live] } : { orders, orderOf };
}

function rotated(length: number, by: number): number[] {
  return Array.from({ length }, (_, place) => (place + by) % length);
}

function byLoad(loads: Float64Array): number[] {
  return Array.from(loads.keys()).sort((one, other) => loads[one] - loads[other] || one - other);
}

/** Adds the time that a chunk keeps each dimension busy if it goes through them in this order. */
function addLoads(
  { network }: CollectiveSetting,
  live: readonly Candidate[],
  places: readonly number[],
  {
    collective,
    bytes,
    isAware,
  }: { readonly collective: SystemCollective; readonly bytes: number; readonly isAware: boolean },
  loads: Float64Array,
): void {
  const isGather = collective === 'allGather';
  let data = bytes;
  for (const place of isGather ? [...places].reverse() : places) {
    const { members, dimension } = live[place];
    const shared = (members.count - 1) / members.count;
    // What the ranks of a dimension gather is that many times what each brings.
    const moved = isGather ? data * (members.count - 1) : data * shared;
    const times = collective === 'allReduce' ? 2 : 1;
    loads[place] += (times * moved) / network.dimensions[dimension].bandwidthGiBPerSecond;
    if (isGather) data *= members.count;
    else if (collective === 'reduceScatter' || (collective === 'allReduce' && isAware)) data /= members.count;
  }
}
