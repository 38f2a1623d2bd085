import { LaneQueue } from '../../kernel/lane-queue.js';

/** What the order of runs follows from; a run is one chunk in one phase, numbered `chunk × phases + place`. */
export interface RunOrderRequest {
  readonly chunks: number;
  /** Phases of a chunk. */
  readonly phases: number;
  /** [runs] how long each takes, whole ns. */
  readonly durationNs: Float64Array;
  /** [runs] queue that it waits in, from 0. */
  readonly queue: Int32Array;
  /** Runs that a queue has under way at most. */
  readonly most: number;
}

export interface RunOrder {
  /** [runs] in the order in which they start. */
  readonly starts: Int32Array;
  /** [runs] the run that had its place in the queue before, −1 where it is the first one there. */
  readonly after: Int32Array;
}

/** Runs in and before one queue, first come first served: the first ones of either list are taken, not shifted out of it. */
interface Queue {
  readonly waiting: number[];
  waitingTaken: number;
  /** Places that nobody had. */
  unused: number;
  /** Last runs of the places that have fallen free, the longest free first. */
  readonly free: number[];
  freeTaken: number;
}

/**
 * In which order the chunks of a collective go through the queues (astra-sim-semantics section 6) where all members begin at once: first
 * come, first served. Each queue has `most` places, and a run takes the one that is free for the longest time; so that what
 * comes after the one before it in its place never has more than `most` under way.
 */
export function runOrder({ chunks, phases, durationNs, queue, most }: RunOrderRequest): RunOrder {
  const queues = new Map<number, Queue>();
  const starts: number[] = [];
  const after = new Int32Array(chunks * phases).fill(-1);
  const running = new LaneQueue();
  const queueOf = (run: number): Queue => {
    let found = queues.get(queue[run]);
    if (found === undefined) {
      found = { waiting: [], waitingTaken: 0, unused: most, free: [], freeTaken: 0 };
      queues.set(queue[run], found);
    }
    return found;
  };
  const startWaiting = (queue: Queue): void => {
    const { waiting, free } = queue;
    while (queue.waitingTaken < waiting.length && (queue.unused > 0 || queue.freeTaken < free.length)) {
      const run = waiting[queue.waitingTaken++];
      if (queue.unused > 0) queue.unused--;
      else after[run] = free[queue.freeTaken++];
      starts.push(run);
      running.push(running.laneOf(durationNs[run]), durationNs[run], 0, run, 0, 0, 0);
    }
  };
  for (let chunk = 0; chunk < chunks && phases > 0; chunk++) {
    const first = queueOf(chunk * phases);
    first.waiting.push(chunk * phases);
    startWaiting(first);
  }
  while (running.pop()) {
    const run = running.a;
    const old = queueOf(run);
    const isLast = run % phases === phases - 1;
    if (!isLast) queueOf(run + 1).waiting.push(run + 1);
    old.free.push(run);
    startWaiting(old);
    if (!isLast) startWaiting(queueOf(run + 1));
  }
  return { starts: Int32Array.from(starts), after };
}
