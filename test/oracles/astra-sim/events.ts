export type Action = () => void;

/** The one global queue of section 2: times in ascending order, and at each time the order in which events came. */
export interface Events {
  readonly now: number;
  at(time: number, action: Action): void;
  /** Until nothing is left, or the next event lies after `stopNs`. */
  run(stopNs: number): void;
}

export function eventList(): Events {
  const buckets = new Map<number, Action[]>();
  const later: number[] = []; // times of the buckets, latest first
  let now = 0;
  return {
    get now() {
      return now;
    },
    at(time, action) {
      const bucket = buckets.get(time);
      if (bucket !== undefined) {
        bucket.push(action);
        return;
      }
      buckets.set(time, [action]);
      let low = 0;
      let high = later.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (later[middle] > time) low = middle + 1;
        else high = middle;
      }
      later.splice(low, 0, time);
    },
    run(stopNs) {
      for (let time = later.pop(); time !== undefined && time <= stopNs; time = later.pop()) {
        now = time;
        // What comes for this very time while it is worked on is appended and runs in the same batch.
        for (const action of buckets.get(time)!) action();
        buckets.delete(time);
      }
    },
  };
}

/** Runs an action after a delay of whole ns. */
export type Timer = (delayNs: number, action: Action) => void;

/**
 * The timers of one rank (section 2): all callbacks of one time are one global event, at the place of the first that
 * was registered. A callback registered for the time that is being worked on joins the list that runs.
 */
export function rankTimer(events: Events): Timer {
  const lists = new Map<number, Action[]>();
  return (delayNs, action) => {
    const time = events.now + delayNs;
    const list = lists.get(time);
    if (list !== undefined) {
      list.push(action);
      return;
    }
    const fresh = [action];
    lists.set(time, fresh);
    events.at(time, () => {
      for (const each of fresh) each();
      lists.delete(time);
    });
  };
}
