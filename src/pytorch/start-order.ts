/** What the order of events in time is made of. */
export interface Spans {
  readonly length: number;
  readonly startNs: Float64Array; // [n]
  readonly durationNs: Float64Array; // [n]
  readonly thread: Float64Array; // [n] NaN is a thread of its own
}

/** Events thread by thread, each thread in the order in which its events started. */
export interface StartOrder {
  readonly order: Int32Array; // [n] places of events
  /** Thread i has order[threadStart[i]] … order[threadStart[i + 1] − 1]. */
  readonly threads: Float64Array; // [threads] ascending, NaN last
  readonly threadStart: Int32Array; // [threads + 1]
  /** Unit that times are cut to, ns: 1,000 where all are whole µs. */
  readonly roundingNs: number;
}

/**
 * Orders events by thread and start. Events that start at one instant are ordered by `ids`, where these grow with time on the
 * thread and contradict no nesting; else the longer one is first, as an op starts before what it calls.
 * @param ids given out in the order of starts, where they are known; NaN or 0 for none
 */
export function startOrder(spans: Spans, ids?: Float64Array): StartOrder {
  const { length, startNs, durationNs, thread } = spans;
  const order = new Int32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  order.sort((a, b) => {
    if (thread[a] !== thread[b]) {
      const aLast = Number.isNaN(thread[a]);
      const bLast = Number.isNaN(thread[b]);
      if (aLast !== bLast) return aLast ? 1 : -1;
      if (!aLast) return thread[a] - thread[b];
    }
    return startNs[a] - startNs[b] || durationNs[b] - durationNs[a] || a - b;
  });
  const threads: number[] = [];
  const threadStart: number[] = [];
  for (let i = 0; i < length; i++) {
    const value = thread[order[i]];
    if (i > 0 && Object.is(value, threads[threads.length - 1])) continue;
    threads.push(value);
    threadStart.push(i);
  }
  threadStart.push(length);
  const roundingNs = unitOf(spans);
  if (ids !== undefined) {
    for (let t = 0; t < threads.length; t++) {
      orderTiesById(order, threadStart[t], threadStart[t + 1], spans, ids, roundingNs);
    }
  }
  return {
    order,
    threads: Float64Array.from(threads),
    threadStart: Int32Array.from(threadStart),
    roundingNs,
  };
}

function unitOf({ length, startNs, durationNs }: Spans): number {
  for (let i = 0; i < length; i++) if (startNs[i] % 1000 !== 0 || durationNs[i] % 1000 !== 0) return 1;
  return 1000;
}

/** Orders events of one thread with one start by their ids. */
function orderTiesById(
  order: Int32Array,
  from: number,
  to: number,
  { startNs, durationNs }: Spans,
  ids: Float64Array,
  roundingNs: number,
): void {
  if (!idsGrow(order, from, to, startNs, ids)) return;
  let first = from;
  for (let i = from + 1; i <= to; i++) {
    if (i < to && startNs[order[i]] === startNs[order[first]]) continue;
    if (i - first > 1) {
      const byId = order.slice(first, i).sort((a, b) => ids[a] - ids[b]);
      if (nests(byId, durationNs, roundingNs)) order.set(byId, first);
    }
    first = i;
  }
}

/** Whether every id is above all ids of earlier starts. */
function idsGrow(order: Int32Array, from: number, to: number, startNs: Float64Array, ids: Float64Array): boolean {
  let before = 0; // largest id of earlier starts
  let here = 0; // largest id of this start and before
  for (let i = from; i < to; i++) {
    const event = order[i];
    if (i > from && startNs[event] !== startNs[order[i - 1]]) before = here;
    if (!(ids[event] > before)) return false;
    if (ids[event] > here) here = ids[event];
  }
  return true;
}

/** Whether events of one start, in this order, each lie inside the one before, or follow one without length. */
function nests(events: Int32Array, durationNs: Float64Array, roundingNs: number): boolean {
  for (let i = 1; i < events.length; i++) {
    const before = durationNs[events[i - 1]];
    if (before > 0 && durationNs[events[i]] > before + roundingNs) return false;
  }
  return true;
}
