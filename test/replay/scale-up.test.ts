import { scaleUpRouted } from '../../src/network/scale-up/scale-up-routed.js';
import { oneGroup } from '../support/fabric-run.js';
import { EXAMPLE_NETWORK, compute, receive, run, send, traces } from '../support/jobs.js';

const MIB = 1 << 20;

/** Finish of every node of a rank by place, ns. */
function finishes(outcome: ReturnType<typeof run>, rank: number): number[] {
  return Array.from(outcome.nodeTimes(rank).finish, (ps) => ps / 1000);
}

describe('replay over a scale-up fabric', () => {
  test('R-090 1 MiB: the send ends at 10,547.2, the receive at 10,888.4, acknowledged at 11,147.2 ns', () => {
    const outcome = run(traces([send(1, 1, MIB, 5)], [receive(1, 0, MIB, 5)]), {
      network: scaleUpRouted(EXAMPLE_NETWORK, oneGroup(2)),
    });
    expect([finishes(outcome, 0), finishes(outcome, 1)]).toEqual([[10_547.2], [10_888.4]]);
    expect(outcome.nodeTimes(0).acknowledged[0]).toBe(11_147_200);
    expect(outcome.network).toBe('analytical-unaware + scale-up');
  });

  test('R-004 sends that start at one instant see each other, those freed at it included', () => {
    // Rank 0 sends to 1 and, freed by a compute node of 0 µs, to 2: both at half rate, 82.4 ns (SU-4).
    const jobs = traces(
      [send(1, 1, 4096, 0), compute(2, 0), send(3, 2, 4096, 0, [2])],
      [receive(1, 0, 4096, 0)],
      [receive(1, 0, 4096, 0)],
    );
    const outcome = run(jobs, { network: scaleUpRouted(EXAMPLE_NETWORK, oneGroup(3)) });
    expect(finishes(outcome, 0)).toEqual([82.4, 0, 82.4]);
  });

  test('R-090 ranks outside the group use the other network in the same run', () => {
    const jobs = traces([send(1, 1, 4096, 0), send(2, 2, 1000, 0)], [receive(1, 0, 4096, 0)], [receive(1, 0, 1000, 0)]);
    const spec = { ...oneGroup(3), groupOf: Int32Array.of(0, 0, -1) };
    const outcome = run(jobs, { network: scaleUpRouted(EXAMPLE_NETWORK, spec) });
    // 1 B/ns and 1 µs beyond; n counts lanes of the fabric only, so the packet takes 41.2 ns.
    expect(finishes(outcome, 0)).toEqual([41.2, 1000]);
    expect([finishes(outcome, 1), finishes(outcome, 2)]).toEqual([[382.4], [2000]]);
  });
});
