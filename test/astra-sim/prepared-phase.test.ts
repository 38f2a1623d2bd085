import { planCollective, type CollectivePlan } from '../../src/astra-sim/collective-plan.js';
import { MessageSizes } from '../../src/astra-sim/message-sizes.js';
import { PreparedPhase, reductionNs } from '../../src/astra-sim/prepared-phase.js';
import { LaneQueue } from '../../src/kernel/lane-queue.js';
import { implementation, MIB, networkOf, systemOf, systemRun } from '../support/system-runs.js';

describe('cost of a reduction: three accesses to local memory, each truncated (astra-sim-semantics section 7)', () => {
  test.each([
    ['example A: 3 × ⌊163.84⌋', 262_144, 1600, 489],
    ['example D: 3 × ⌊655.36⌋', 1_048_576, 1600, 1965],
    ['less than 1 ns an access', 1599, 1600, 0],
    ['1 ns an access', 1600, 1600, 3],
    ['no bandwidth: nothing', 1_048_576, 0, 0],
    // 47 ÷ (1.5 × 10^9) × 10^9 = 31.33…
    ['a fraction of a GB/s', 47, 1.5, 93],
    // In doubles 24000 ÷ (1600 × 10^9) × 10^9 is 14.999999999999998.
    ['doubles, from left to right: 24,000 B take 14 ns, not 15', 24_000, 1600, 42],
  ])('%s', (_name, bytes, localMemoryGBps, expected) => {
    expect(reductionNs(bytes, localMemoryGBps)).toBe(expected);
  });
});

describe('a phase as the engine wants it', () => {
  function allReduce(names: string, ...network: string[]): CollectivePlan {
    const count = network.reduce((product, dimension) => product * Number(dimension.split(' ')[1]), 1);
    const run = systemRun({
      nodes: Array(count).fill([]),
      network: networkOf(...network),
      system: systemOf(names, { endpointDelayNs: 12 }),
    });
    const implementations = names.split(' ').map(implementation);
    const all = { part: undefined, involved: undefined };
    return planCollective(run, 'allReduce', { type: 0, bytes: MIB, group: -1, ...all, implementations });
  }

  function prepared(plan: CollectivePlan): PreparedPhase[] {
    const queue = new LaneQueue();
    const sizes = new MessageSizes();
    const [phases] = plan.orders;
    return phases.map((_, place) => new PreparedPhase(phases, place, plan, 1600, queue, sizes));
  }

  test('only direct all-reduce waits in the middle (8.2)', () => {
    // Reduce-scatter, all-reduce, all-gather (5.3).
    const phases = prepared(allReduce('direct direct', 'Ring 4', 'Switch 2'));
    expect(phases.map(({ hasBarrier }) => hasBarrier)).toEqual([false, true, false]);
    expect(prepared(allReduce('ring', 'Ring 4')).map(({ hasBarrier }) => hasBarrier)).toEqual([false]);
  });

  test('trees of a chunk are counted by dimension (8.4)', () => {
    const phases = prepared(allReduce('doubleBinaryTree ring', 'Ring 4', 'Switch 2'));
    expect(phases.map(({ trees, tree }) => [trees, tree])).toEqual([
      [2, 0],
      [0, 0],
      [2, 1],
    ]);
  });

  test('reductions by packet where sizes differ, and the delays have their lanes', () => {
    const queue = new LaneQueue();
    const plan = allReduce('halvingDoubling', 'FullyConnected 8');
    const phase = new PreparedPhase(plan.orders[0], 0, plan, 1600, queue, new MessageSizes());
    // Example C: 3 × ⌊327.68⌋, 3 × ⌊163.84⌋, 3 × ⌊81.92⌋ twice; then 2^19 again after 2^18, and 2^20 for the last packet.
    expect([...phase.reductionNs]).toEqual([981, 489, 243, 243, 489, 981, 1965]);
    expect([...phase.reductionLane]).toEqual([...phase.reductionNs].map((delay) => queue.laneOf(delay)));
    expect([phase.endpointNs, phase.endpointLane]).toEqual([12, queue.laneOf(12)]);
  });
});
