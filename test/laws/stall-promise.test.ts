import fc from 'fast-check';
import { PrepError } from '../../src/base/errors.js';
import type { Finding } from '../../src/base/finding.js';
import type { DependencyMode } from '../../src/passes/rank-skeleton.js';
import { validateTraceset } from '../../src/pipeline/validate-traceset.js';
import { prepareFolder, simulateFolder, writeJob } from '../support/simulations.js';
import type { NodeObject } from '../support/traces.js';
import { DISORDERS, FAULTS, type FaultyJob } from './faults.js';
import { jobs, type Job } from './random-traceset.js';

/** Instant, usual and very slow. */
const NETWORKS = [
  'alpha-beta:latency=0ns,bandwidth=1000GB/s',
  'alpha-beta:latency=1us,bandwidth=1GB/s',
  'alpha-beta:latency=2ms,bandwidth=1MB/s',
];
/** What the design has as a warning of `validate` and an error of `simulate`. */
const REFUSED_ALL_THE_SAME: readonly string[] = ['NODE_TYPE_UNKNOWN'];
/** As a command without options, and with each pass left out. */
const ORDERS = [{}, { sync: false }, { serialize: false }, { sync: false, serialize: false }];

function copied({ nodes, groups }: Pick<Job, 'nodes' | 'groups'>): FaultyJob {
  return structuredClone({ nodes, groups });
}

async function found(folder: string, deps: DependencyMode = 'both', algorithms = {}): Promise<readonly Finding[]> {
  const { findings } = await validateTraceset({ inputs: [folder], deps, algorithms, threads: 1 });
  return findings;
}

const errorsOf = (findings: readonly Finding[]): string[] =>
  findings.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code}: ${message}`);

/** How a simulation ends: its status, or the code it is refused with. */
async function ending(...[folder, request]: Parameters<typeof simulateFolder>): Promise<string> {
  try {
    return (await simulateFolder(folder, request)).outcome.status;
  } catch (error) {
    if (error instanceof PrepError) return error.code;
    throw error;
  }
}

/** The folder with passes applied; as it is where they refuse it, or where there are none. */
async function prepared(folder: string, steps: Parameters<typeof prepareFolder>[1]): Promise<string> {
  if (!steps.expand && !steps.serialize && !steps.sync) return folder;
  try {
    return await prepareFolder(folder, steps);
  } catch (error) {
    if (error instanceof PrepError) return folder;
    throw error;
  }
}

/** Draws from a list of numbers, each taken once and the list anew at its end. */
function drawing(numbers: readonly number[]): (bound: number) => number {
  let next = 0;
  return (bound) => numbers[next++ % numbers.length] % bound;
}

const numbers = fc.array(fc.nat(10_000), { minLength: 12, maxLength: 12 });

/** Random jobs of each law; thousands were tried with `STALL_RUNS`. */
const RUNS = Number(process.env.STALL_RUNS ?? 60);

test.each(['own', 'shared'] as const)(
  'law: what has no error is prepared, and replayed to its end, whatever was done to it (tags %s)',
  async (tags) => {
    let clean = 0;
    await fc.assert(
      fc.asyncProperty(
        jobs({ tags }).map(({ nodes, groups }) => ({ nodes, groups })),
        fc.nat(3),
        numbers,
        fc.constantFrom<DependencyMode>('both', 'data'),
        fc.constantFrom({}, { reduce: 'tree', broadcast: 'sequential', allreduce: 'tree' }),
        fc.option(fc.record({ expand: fc.boolean(), serialize: fc.boolean(), sync: fc.boolean() })),
        async (job, faults, drawn, deps, algorithms, steps) => {
          const faulty = copied(job);
          const draw = drawing(drawn);
          const put: string[] = [];
          for (let fault = 0; fault < faults; fault++) {
            const all = [...FAULTS, ...DISORDERS, ...DISORDERS, ...DISORDERS];
            const chosen = all[draw(all.length)];
            if (chosen.put(faulty, draw)) put.push(chosen.name);
          }
          const folder = await prepared(writeJob(faulty.nodes, faulty.groups), { ...steps, algorithms });
          const errors = errorsOf(await found(folder, deps, algorithms));
          if (errors.length > 0) return;
          clean++;
          await prepareFolder(folder, { validate: true, expand: true, serialize: true, sync: true, algorithms }, deps);
          for (const network of NETWORKS) {
            for (const order of ORDERS) {
              const end = await ending(folder, { network, deps, algorithms, ...order });
              const isAllowed = end === 'finished' || REFUSED_ALL_THE_SAME.includes(end);
              expect({ put, network, order, end, isAllowed }).toMatchObject({ isAllowed: true });
            }
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(clean).toBeGreaterThan(RUNS / 10);
  },
  3_600_000,
);

test.each(FAULTS)(
  'law: $name in a sound job is found',
  async ({ codes, put }) => {
    // Some faults can be put into few jobs only.
    const enough = Math.max(20, RUNS / 3);
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(jobs({ tags: 'own' }), numbers, async (job, drawn) => {
        if (tried >= enough) return;
        const faulty = copied(job);
        if (!put(faulty, drawing(drawn))) return;
        tried++;
        const findings = await found(writeJob(faulty.nodes, faulty.groups));
        const of = findings.map(({ code }) => code);
        expect({ of, isFound: codes.some((code) => of.includes(code)) }).toEqual({ of, isFound: true });
      }),
      { numRuns: 20 * enough },
    );
    expect(tried).toBeGreaterThan(0);
  },
  3_600_000,
);

test('law: a sound job has no error', async () => {
  await fc.assert(
    fc.asyncProperty(jobs({ tags: 'own' }), async ({ nodes, groups }) => {
      expect(errorsOf(await found(writeJob(nodes as NodeObject[][], groups)))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);
