import { OpenEvents } from './open-events.js';
import type { Spans, StartOrder } from './start-order.js';

/** The innermost event around each event of its thread, −1 where there is none. */
export function parentsByTime(events: Spans, starts: StartOrder): Int32Array {
  const parent = new Int32Array(events.length).fill(-1);
  const open = new OpenEvents(starts.roundingNs);
  for (let t = 0; t < starts.threads.length; t++) {
    open.clear();
    for (let i = starts.threadStart[t]; i < starts.threadStart[t + 1]; i++) {
      const event = starts.order[i];
      const startNs = events.startNs[event];
      const endNs = startNs + events.durationNs[event];
      open.closeBefore(startNs);
      const place = open.around(startNs, endNs);
      if (place >= 0) parent[event] = open.eventAt(place);
      open.open(event, endNs);
    }
  }
  return parent;
}

/** Own times of events, and how far their nesting was clean. */
export interface ExclusiveTimes {
  readonly exclusiveNs: Float64Array; // [n] NaN for events that do not count
  /** Events cut at the end of the event around them: they end up to one unit of the clock later. */
  readonly cut: number;
  /** Pairs of events of a thread that overlap without nesting; neither is taken off the other. */
  readonly overlapping: number;
}

/**
 * Exclusive duration of each event that counts: its own duration without the union of the counted events that lie inside it on
 * its thread. Events that do not count are part of the event around them, so that no time is lost with them.
 *
 * An event that starts at the same instant as the event around it lies inside it (chakra-tools section 1, point 3: the official
 * linker subtracts only what starts later).
 */
export function exclusiveTimes(events: Spans, starts: StartOrder, counts: Uint8Array): ExclusiveTimes {
  const exclusiveNs = new Float64Array(events.length).fill(NaN);
  const coveredToNs = new Float64Array(events.length); // end of the union so far
  const open = new OpenEvents(starts.roundingNs);
  let cut = 0;
  let overlapping = 0;
  for (let t = 0; t < starts.threads.length; t++) {
    open.clear();
    for (let i = starts.threadStart[t]; i < starts.threadStart[t + 1]; i++) {
      const event = starts.order[i];
      if (counts[event] === 0) continue;
      const startNs = events.startNs[event];
      const endNs = startNs + events.durationNs[event];
      open.closeBefore(startNs);
      let isCut = false;
      for (let place = open.depth - 1; place >= 0; place--) {
        const aroundEndNs = open.endNsAt(place);
        if (!open.encloses(place, startNs, endNs)) {
          if (startNs < aroundEndNs) overlapping++;
          continue;
        }
        if (endNs > aroundEndNs) isCut = true;
        const around = open.eventAt(place);
        const fromNs = Math.max(startNs, coveredToNs[around]);
        const toNs = Math.min(endNs, aroundEndNs);
        if (toNs > fromNs) {
          exclusiveNs[around] -= toNs - fromNs;
          coveredToNs[around] = toNs;
        }
        // What is further out has the event around this one taken off already, but not what this one does behind its end.
        if (!open.crossed && endNs <= aroundEndNs) break;
      }
      if (isCut) cut++;
      exclusiveNs[event] = events.durationNs[event];
      coveredToNs[event] = startNs;
      open.open(event, endNs);
    }
  }
  return { exclusiveNs, cut, overlapping };
}

/** Where calls lie among the events of their threads. */
export interface Surroundings {
  readonly around: Int32Array; // [calls] innermost event around the call, −1
  /** Calls that outlast the event in which they start. */
  readonly outlasting: number;
}

/**
 * The innermost event of its thread around each call: around all of it or, where no event is, around its start.
 */
export function eventsAround(events: Spans, starts: StartOrder, calls: Spans, callStarts: StartOrder): Surroundings {
  const around = new Int32Array(calls.length).fill(-1);
  const open = new OpenEvents(Math.max(starts.roundingNs, callStarts.roundingNs));
  const threadOf = new Map(Array.from(starts.threads, (thread, t) => [thread, t]));
  let outlasting = 0;
  for (let t = 0; t < callStarts.threads.length; t++) {
    const thread = threadOf.get(callStarts.threads[t]);
    if (thread === undefined) continue;
    open.clear();
    let next = starts.threadStart[thread];
    const end = starts.threadStart[thread + 1];
    for (let i = callStarts.threadStart[t]; i < callStarts.threadStart[t + 1]; i++) {
      const call = callStarts.order[i];
      const startNs = calls.startNs[call];
      for (; next < end && events.startNs[starts.order[next]] <= startNs; next++) {
        const event = starts.order[next];
        open.closeBefore(events.startNs[event]);
        open.open(event, events.startNs[event] + events.durationNs[event]);
      }
      open.closeBefore(startNs);
      let place = open.around(startNs, startNs + calls.durationNs[call]);
      if (place < 0) {
        place = open.atInstant(startNs);
        if (place >= 0) outlasting++;
      }
      if (place >= 0) around[call] = open.eventAt(place);
    }
  }
  return { around, outlasting };
}
