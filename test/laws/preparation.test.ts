import fc from 'fast-check';
import { planPreparation, preparationForWorker, surveyRank } from '../../src/passes/preparation-plan.js';
import { encodeChakraEt } from '../../src/formats/et/encode.js';
import { algorithmNames } from '../../src/collectives/catalogue.js';
import { COLLECTIVE_NAMES } from '../../src/trace/collective-type.js';
import { NodeType } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { canonical, stuckNodes, transferEnds } from '../support/canonical.js';
import { wireBytes } from '../support/closed-forms.js';
import { ALL_OFF, groupsOf, nodeTexts, prepareAll } from '../support/preparation.js';
import { readBytes } from '../support/traces.js';
import { job, type Job } from './random-traceset.js';

/** One algorithm for each collective that takes every group size. */
const algorithms = fc
  .array(fc.nat(10), { minLength: COLLECTIVE_NAMES.length, maxLength: COLLECTIVE_NAMES.length })
  .map((choices) =>
    Object.fromEntries(
      COLLECTIVE_NAMES.map(({ option }, type) => {
        const names = algorithmNames(type).filter((name) => !name.startsWith('halving'));
        return [option, names[choices[type] % names.length]];
      }),
    ),
  );

const order = fc.constantFrom('recorded' as const, 'ids' as const);

function everything({ groups }: Job, choices: Record<string, string>) {
  return { algorithms: choices, expand: true, sync: true, serialize: true, groups: groupsOf(groups) };
}

test('expansion conserves bytes: as many leave as the closed form says, and as many arrive', () => {
  fc.assert(
    fc.property(job, algorithms, (drawn, choices) => {
      const { traces } = prepareAll(drawn.traces, {
        expand: true,
        algorithms: choices,
        groups: groupsOf(drawn.groups),
      });
      const expected = drawn.collectives.reduce(
        (sum, { type, size, groupSize }) =>
          sum + wireBytes(type, choices[COLLECTIVE_NAMES[type].option], groupSize, size),
        0,
      );
      expect(sentBytes(traces) - sentBytes(drawn.traces)).toBe(expected);
      const { sends, receives } = transferEnds(traces);
      expect(sends).toEqual(receives);
      expect(new Set(sends.map((send) => send.split(':')[0])).size).toBe(sends.length);
    }),
  );
});

const PERMUTATIONS = [
  ['expand', 'sync', 'serialize'],
  ['expand', 'serialize', 'sync'],
  ['sync', 'expand', 'serialize'],
  ['sync', 'serialize', 'expand'],
  ['serialize', 'expand', 'sync'],
  ['serialize', 'sync', 'expand'],
] as const;

test('expand, sync and serialize give one graph in any order, up to ids and tags', () => {
  fc.assert(
    fc.property(job, algorithms, order, (drawn, choices, chainOrder) => {
      const atOnce = prepareAll(drawn.traces, { ...everything(drawn, choices), order: chainOrder });
      const expected = atOnce.traces.map(canonical);
      for (const passes of PERMUTATIONS) {
        let { traces } = drawn;
        for (const pass of passes) {
          const options = { algorithms: choices, [pass]: true, groups: groupsOf(drawn.groups), order: chainOrder };
          traces = prepareAll(traces, options).traces;
        }
        expect(traces.map(canonical)).toEqual(expected);
        const { sends, receives } = transferEnds(traces);
        expect(sends).toEqual(receives);
      }
    }),
  );
});

test('the same with files between the passes: the identity of collectives survives writing and reading', () => {
  fc.assert(
    fc.property(job, algorithms, fc.constantFrom(...PERMUTATIONS), (drawn, choices, passes) => {
      const expected = prepareAll(drawn.traces, everything(drawn, choices)).traces.map(canonical);
      let { traces } = drawn;
      for (const pass of passes) {
        const options = { algorithms: choices, [pass]: true, groups: groupsOf(drawn.groups) };
        traces = prepareAll(traces, options).traces.map((trace) => readBytes(encodeChakraEt(trace), trace.rank).trace);
      }
      expect(traces.map(canonical)).toEqual(expected);
      expect(traces.map(({ metadata }) => metadata.passes)).toEqual(traces.map(() => passes));
    }),
  );
});

test('a job that can run can still run when it is prepared', () => {
  fc.assert(
    fc.property(job, algorithms, order, (drawn, choices, chainOrder) => {
      const { traces } = prepareAll(drawn.traces, { ...everything(drawn, choices), order: chainOrder });
      expect(stuckNodes(traces)).toEqual([]);
    }),
  );
});

test('preparing what is prepared changes nothing', () => {
  fc.assert(
    fc.property(job, algorithms, (drawn, choices) => {
      const options = everything(drawn, choices);
      const once = prepareAll(drawn.traces, options).traces;
      expect(prepareAll(once, options).traces.map(nodeTexts)).toEqual(once.map(nodeTexts));
    }),
  );
});

test('scaling by 1 changes nothing', () => {
  fc.assert(
    fc.property(job, (drawn) => {
      const { traces } = prepareAll(drawn.traces, { scale: 1 });
      traces.forEach((trace, rank) => expect(trace).toBe(drawn.traces[rank]));
    }),
  );
});

test('the order of the surveys does not matter', () => {
  fc.assert(
    fc.property(job, algorithms, fc.nat(), (drawn, choices, turn) => {
      const options = { ...ALL_OFF, ...everything(drawn, choices), rankCount: drawn.rankCount };
      const surveys = drawn.traces.map(surveyRank);
      const turned = surveys.map((_, rank) => surveys[(rank + turn) % surveys.length]);
      expect(preparationForWorker(planPreparation(turned, options))).toEqual(
        preparationForWorker(planPreparation(surveys, options)),
      );
    }),
  );
});

test('the same input gives the same output', () => {
  fc.assert(
    fc.property(job, algorithms, (drawn, choices) => {
      const options = everything(drawn, choices);
      const [first, second] = [0, 1].map(() => prepareAll(drawn.traces, options).traces.map(columns));
      expect(first).toEqual(second);
    }),
  );
});

function sentBytes(traces: readonly RankTrace[]): number {
  let bytes = 0;
  for (const { length, type, commSize } of traces) {
    for (let node = 0; node < length; node++) if (type[node] === NodeType.send) bytes += commSize[node];
  }
  return bytes;
}

/** A trace without its source, which holds no result. */
function columns(trace: RankTrace): RankTrace {
  return { ...trace, kept: undefined };
}
