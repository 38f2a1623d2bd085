import { runOrder, type RunOrderRequest } from '../../../src/astra-sim/expansion/run-order.js';

/** Chunks whose phases take equally long each. */
function request(chunks: number, phasesNs: readonly number[], queue: Int32Array, most: number): RunOrderRequest {
  return {
    chunks,
    phases: phasesNs.length,
    durationNs: Float64Array.from(queue, (_, run) => phasesNs[run % phasesNs.length]),
    queue,
    most,
  };
}

describe('section 6 the order of chunks in queues', () => {
  test('a queue of two places: each chunk comes after the one two before', () => {
    const { starts, after } = runOrder(request(5, [10], new Int32Array(5), 2));
    expect([...starts]).toEqual([0, 1, 2, 3, 4]);
    expect([...after]).toEqual([-1, -1, 0, 1, 2]);
  });

  test('more places than chunks: nobody waits', () => {
    const { after } = runOrder(request(3, [10, 5], Int32Array.of(0, 1, 0, 1, 0, 1), 9));
    expect([...after]).toEqual([-1, -1, -1, -1, -1, -1]);
  });

  test('first come, first served: a chunk on its way back goes behind those that came before it', () => {
    // Phases 0 and 2 in queue 0, phase 1 in queue 1; runs of chunk c are 3c, 3c + 1, 3c + 2.
    const queue = Int32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0);
    const { starts, after } = runOrder(request(3, [10, 1, 10], queue, 1));
    // Chunk 0 comes back at 11, when 1 is on its way and 2 waits already.
    expect([...starts]).toEqual([0, 3, 1, 6, 4, 2, 7, 5, 8]);
    expect([...after]).toEqual([-1, -1, 6, 0, 1, 2, 3, 4, 5]);
  });

  test('in a middle dimension a quick chunk comes back before a later one has come', () => {
    // Queue 0: phase 0 takes 100. Queue 1: phases 1 and 3. Queue 2: phase 2.
    const queue = Int32Array.of(0, 1, 2, 1, 0, 1, 2, 1);
    const { starts, after } = runOrder(request(2, [100, 1, 1, 1], queue, 1));
    expect([...starts]).toEqual([0, 4, 1, 2, 3, 5, 6, 7]);
    expect([...after]).toEqual([-1, -1, -1, 1, 0, 3, 2, 5]);
  });
});
