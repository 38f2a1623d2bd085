import fc from 'fast-check';
import type { SystemRun } from '../../src/astra-sim/system-run.js';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemOutcome } from '../../src/astra-sim/outcome.js';
import { astraSimTwin, type TwinOutcome } from '../oracles/astra-sim/twin.js';
import { randomSystemRun, systemRunOf, type RandomSystemRun } from './random-system-run.js';

/** What both say of a run. */
function ofTwin({ finishNs, finishOrder, exposedNs, statistics, messages }: TwinOutcome) {
  return {
    messages,
    finishOrder,
    ranks: statistics.map(({ wallNs, times, overlapNs, roofline }, rank) => ({
      finishNs: finishNs[rank],
      exposedNs: exposedNs[rank],
      wallNs,
      cpuNs: times.cpu,
      gpuNs: times.gpu,
      communicationNs: times.communication,
      remoteMemoryNs: times.remoteMemory,
      invalidNs: times.invalid,
      overlapNs,
      roofline: roofline && rounded(roofline),
    })),
  };
}

function ofEngine({ ranks, finishOrder, messages }: SystemOutcome): ReturnType<typeof ofTwin> {
  return {
    messages,
    finishOrder: [...finishOrder],
    ranks: ranks.map(({ state, endNs, exposedCommunicationNs, statistics }) => ({
      finishNs: state === 'finished' ? endNs : undefined,
      exposedNs: state === 'finished' ? exposedCommunicationNs : undefined,
      wallNs: statistics.wallNs,
      cpuNs: statistics.cpuNs,
      gpuNs: statistics.gpuNs,
      communicationNs: statistics.communicationNs,
      remoteMemoryNs: statistics.remoteMemoryNs,
      invalidNs: statistics.invalidNs,
      overlapNs: statistics.overlapNs,
      roofline: statistics.roofline && rounded(statistics.roofline),
    })),
  };
}

/** The order in which the nodes are added up is nobody's business. */
function rounded<Shares extends object>(shares: Shares): Record<string, number> {
  return Object.fromEntries(
    Object.entries(shares).map(([name, value]) => [name, Number(Number(value).toPrecision(9))]),
  );
}

const everyRank = (drawn: RandomSystemRun): SystemRun => {
  const run = systemRunOf(drawn);
  return { ...run, options: { ...run.options, everyRank: true } };
};

describe('random runs on the system layer', () => {
  // Skewed ranks can take the chunks of several dimensions in different orders and wait for each other, also in the program.
  test('nearly always every rank finishes', () => {
    let stalled = 0;
    fc.assert(
      fc.property(randomSystemRun, (drawn) => {
        if (astraSimTwin(systemRunOf(drawn)).finishNs.includes(undefined)) stalled++;
      }),
      { numRuns: 300 },
    );
    expect(stalled).toBeLessThan(15);
  });

  test('the engine gives the times, statistics and messages of the twin', () => {
    fc.assert(
      fc.property(randomSystemRun, (drawn) => {
        const run = everyRank(drawn);
        const engine = ofEngine(simulateSystem(run));
        const twin = ofTwin(astraSimTwin(run));
        if (twin.finishOrder.length === run.rankCount) expect(engine).toEqual(twin);
        // What is in flight for ever has no statistics.
        const ends = ({ ranks }: typeof twin): unknown[] => ranks.map(({ finishNs }) => finishNs);
        expect(ends(engine)).toEqual(ends(twin));
      }),
      { numRuns: 300 },
    );
  });
});
