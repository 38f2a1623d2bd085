/** Lanes of a track: more overlapping nodes than that are counted and not drawn. */
export const MOST_LANES = 64;

/** Lane of an interval for which there was none left. */
export const NO_LANE = -1;

/**
 * Deals intervals to lanes so that no two on a lane overlap, in ascending start, each to the lowest lane that is free: the
 * slices of a track of the Chrome trace format must not overlap.
 *
 * @param order places of the intervals in ascending start
 * @param start ps by place @param end ps by place, not before the start
 * @param mostLanes lanes there are; an interval that finds all taken gets {@link NO_LANE}
 * @returns lane by place in `order`, and how many were used
 */
export function lanesOf(
  order: ArrayLike<number>,
  start: Float64Array,
  end: Float64Array,
  mostLanes: number,
): { lane: Int32Array; used: number } {
  const freeFrom: number[] = []; // by lane
  const lane = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) {
    const interval = order[place];
    let free = 0;
    while (free < freeFrom.length && freeFrom[free] > start[interval]) free++;
    if (free >= mostLanes) {
      lane[place] = NO_LANE;
      continue;
    }
    freeFrom[free] = end[interval];
    lane[place] = free;
  }
  return { lane, used: freeFrom.length };
}

/** What a picture of a run does not show. */
export interface LeftOut {
  /** Nodes that overlap more others on their track than it has lanes. */
  overlapping: number;
  /** Nodes that the run did not come to. */
  notStarted: number;
  /** Transfers whose two ends are not both drawn, or that nobody received. */
  arrows: number;
}
