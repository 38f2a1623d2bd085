import { runPhase, type Phase, type Port } from './algorithms.js';
import type { Action } from './events.js';

/** A chunk on its way through its phases (section 6). */
export interface Stream {
  readonly phases: readonly StreamPhase[];
  readonly priority: number;
  /** Whether the phase at hand runs. */
  started: boolean;
  phase: number;
  readonly done: Action;
}

/** A phase with the queue it waits in; `run` starts it. */
export interface StreamPhase {
  readonly dimension: number;
  readonly queue: number;
  run(done: Action): void;
}

/** A phase of a native algorithm. */
export function nativePhase(phase: Phase, port: Port): StreamPhase {
  return { dimension: phase.dimension.index, queue: phase.queue, run: (done) => runPhase(phase, port, done) };
}

interface Queue {
  readonly streams: Stream[];
  running: number;
}

/** The queues of one rank. Gives what admits a stream to the queue of its first phase. */
export function streamQueues(queuesPerDimension: number, activeChunks: number): (stream: Stream) => void {
  const limit = Math.ceil(activeChunks / queuesPerDimension);
  const queues = new Map<number, Queue>();
  const queueOf = ({ dimension, queue }: StreamPhase): Queue => {
    const number = dimension * queuesPerDimension + queue;
    const found = queues.get(number) ?? { streams: [], running: 0 };
    queues.set(number, found);
    return found;
  };
  const insert = (queue: Queue, stream: Stream): void => {
    let place = 0;
    const passes = ({ started, priority }: Stream): boolean => started || priority >= stream.priority;
    while (place < queue.streams.length && passes(queue.streams[place])) place++;
    queue.streams.splice(place, 0, stream);
  };
  const startWaiting = (queue: Queue): void => {
    while (queue.running < limit && queue.running < queue.streams.length) {
      const stream = queue.streams[queue.running++];
      stream.started = true;
      stream.phases[stream.phase].run(() => phaseDone(queue, stream));
    }
  };
  const phaseDone = (queue: Queue, stream: Stream): void => {
    // The trace may go on, and admit streams, while this one still has its place.
    if (stream.phase === stream.phases.length - 1) stream.done();
    queue.streams.splice(queue.streams.indexOf(stream), 1);
    stream.started = false;
    stream.phase++;
    const next = stream.phase < stream.phases.length ? queueOf(stream.phases[stream.phase]) : undefined;
    if (next !== undefined) insert(next, stream);
    queue.running--;
    startWaiting(queue);
    if (next !== undefined) startWaiting(next);
  };
  return (stream) => {
    const queue = queueOf(stream.phases[0]);
    insert(queue, stream);
    startWaiting(queue);
  };
}
