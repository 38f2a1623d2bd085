import fc from 'fast-check';
import { pairCollectives } from '../../src/collectives/build-plan.js';
import { surveyCollectives } from '../../src/collectives/survey.js';
import { chainEdges } from '../../src/passes/serialize.js';
import { findWaitCycle } from '../../src/passes/waits/wait-cycle.js';
import { surveyWaits } from '../../src/passes/waits/wait-survey.js';
import { groupsOf, prepareAll } from '../support/preparation.js';
import { validateRead } from '../support/validation.js';
import { job } from './random-traceset.js';

const errorsOf = (traces: Parameters<typeof prepareAll>[0], groups: Record<string, number[]>): string[] =>
  validateRead(
    traces.map((trace) => ({ trace, findings: [] })),
    { groups },
  )
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

test('a job that can run has no error, and has none after any of the passes', () => {
  fc.assert(
    fc.property(job, fc.boolean(), fc.boolean(), fc.boolean(), (drawn, expand, sync, serialize) => {
      expect(errorsOf(drawn.traces, drawn.groups)).toEqual([]);
      const { traces } = prepareAll(drawn.traces, { expand, sync, serialize, groups: groupsOf(drawn.groups) });
      expect(errorsOf(traces, drawn.groups)).toEqual([]);
    }),
  );
});

test('a job that can run has no wait cycle either with the chain and the barriers of the passes', () => {
  fc.assert(
    fc.property(job, fc.constantFrom('recorded' as const, 'ids' as const), (drawn, order) => {
      const surveys = drawn.traces.map(surveyCollectives);
      const groups = groupsOf(drawn.groups);
      const pairing = pairCollectives(surveys, groups, {});
      const skeletons = drawn.traces.map((trace) => surveyWaits(trace, 'both'));
      const chain = drawn.traces.map((trace) => chainEdges(trace, pairing, order));
      const plan = pairCollectives(surveys, groups, {});
      expect(findWaitCycle(skeletons, plan, { sync: true, chain })).toBeUndefined();
    }),
  );
});
