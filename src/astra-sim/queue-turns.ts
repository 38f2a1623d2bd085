/** Which of a dimension's queues the chunks of a phase go to in turn (astra-sim-semantics section 6). */
export type QueueTurn = 'any' | 'first' | 'last';

/** Queue of the `given`-th chunk of a turn: all queues in turn, the first half, or the second. */
export function queueInTurn(turn: QueueTurn, given: number, queues: number): number {
  if (turn === 'any') return given % queues;
  const half = Math.floor(queues / 2);
  if (turn === 'first') return half === 0 ? 0 : given % half;
  return half + (given % (queues - half));
}

/** Whether a phase runs its ring anticlockwise: from the second half of the queues, and always on the way back of an all-reduce. */
export function isAnticlockwise(turn: QueueTurn, queue: number, queues: number): boolean {
  return turn === 'last' || (turn === 'any' && queues > 1 && queue >= Math.floor(queues / 2));
}
