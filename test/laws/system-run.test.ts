import fc from 'fast-check';
import { astraSimTwin } from '../oracles/astra-sim/twin.js';
import { randomSystemRun, systemRunOf } from './random-system-run.js';

describe('random runs on the system layer', () => {
  test('all ranks finish', () => {
    fc.assert(
      fc.property(randomSystemRun, (drawn) => {
        expect(astraSimTwin(systemRunOf(drawn)).finishNs).not.toContain(undefined);
      }),
      { numRuns: 300 },
    );
  });
});
