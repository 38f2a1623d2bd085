import fc from 'fast-check';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemOutcome } from '../../src/astra-sim/outcome.js';
import { astraSimTwin, type TwinOutcome } from '../oracles/astra-sim/twin.js';
import { randomSystemRun, systemRunOf } from './random-system-run.js';

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

describe('random runs on the system layer', () => {
  test('every rank of the twin finishes', () => {
    fc.assert(
      fc.property(randomSystemRun, (drawn) => {
        expect(astraSimTwin(systemRunOf(drawn)).finishNs).not.toContain(undefined);
      }),
      { numRuns: 300 },
    );
  });

  test('the engine gives the times, statistics and messages of the twin', () => {
    fc.assert(
      fc.property(randomSystemRun, (drawn) => {
        const run = systemRunOf(drawn);
        expect(ofEngine(simulateSystem({ ...run, options: { ...run.options, everyRank: true } }))).toEqual(
          ofTwin(astraSimTwin(run)),
        );
      }),
      { numRuns: 300 },
    );
  });
});
