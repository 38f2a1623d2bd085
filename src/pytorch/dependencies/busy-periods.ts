import type { DependencyList } from './dependency-list.js';
import { firstFrom, type HostThread } from './host-threads.js';
import type { WaitingTimes } from './waiting-times.js';

/** A thread on which nothing starts or ends for longer than this has waited for another one, ns (the official linker's 1,000 µs). */
export const QUIET_NS = 1_000_000;

/**
 * Between threads: the first op of a thread, and the first one behind a quiet stretch of it, waits for what the other threads
 * had finished last by then, within that stretch. A stretch is quiet inside an op too: that is how a thread looks that
 * waits for another. What ended last stands for all its thread did until then, as ops of a thread wait for each other.
 */
export function addBusyPeriods(
  threads: ReadonlyMap<number, HostThread>,
  list: DependencyList,
  times: WaitingTimes,
): void {
  const all = [...threads.values()];
  if (all.length < 2) return;
  const ends = all.map(({ endNs }) => endNs.slice().sort());
  all.forEach((thread, own) => {
    const { node, startNs } = thread;
    forEachQuietEnd(thread, (place, sinceNs, untilNs, around) => {
      let latest = -1;
      let latestNs = -Infinity;
      for (let other = 0; other < all.length; other++) {
        if (other === own) continue;
        const ended = lastUpTo(ends[other], startNs[place]);
        if (ended < 0 || ends[other][ended] <= Math.max(sinceNs, latestNs)) continue;
        latestNs = ends[other][ended];
        latest = all[other].node[lastDoneBy(all[other], latestNs)];
      }
      if (latest < 0 || !list.add('busy period', node[place], latest)) return;
      // What the op around does at the beginning of the stretch is not told from the wait.
      if (around >= 0) times.add(thread.op[around], sinceNs, Math.min(latestNs, untilNs));
    });
  });
}

/**
 * Visits the ops behind a quiet stretch, with its beginning and end and the op in which it lies, −1 for none; the first op of the
 * thread is behind one without beginning.
 */
export function forEachQuietEnd(
  { startNs, endNs }: HostThread,
  visit: (place: number, sinceNs: number, untilNs: number, around: number) => void,
): void {
  const open: number[] = []; // ops around the place, the innermost last
  let last = -Infinity;
  for (let place = 0; place < startNs.length; place++) {
    let since = NaN;
    let until = NaN;
    let around = -1;
    while (open.length > 0 && endNs[open[open.length - 1]] <= startNs[place]) {
      const ended = open.pop()!;
      if (endNs[ended] - last > QUIET_NS) [since, until, around] = [last, endNs[ended], ended];
      last = Math.max(last, endNs[ended]);
    }
    if (startNs[place] - last > QUIET_NS) [since, until, around] = [last, startNs[place], open[open.length - 1] ?? -1];
    last = startNs[place];
    if (!Number.isNaN(since)) visit(place, since, until, around);
    open.push(place);
  }
}

/** Place of the largest value up to a limit in an ascending column; −1 for none. */
function lastUpTo(ascending: Float64Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Of a thread one of whose ops ends at an instant: the last op that had started by then and had ended. */
function lastDoneBy(thread: HostThread, ns: number): number {
  let place = firstFrom(thread, ns);
  while (place < thread.startNs.length && thread.startNs[place] === ns) place++;
  do place--;
  while (place > 0 && thread.endNs[place] > ns);
  return place;
}
