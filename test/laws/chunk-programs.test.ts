import fc from 'fast-check';
import { planCollectives } from '../../src/collectives/build-plan.js';
import { checkProgram } from '../../src/collectives/programs/check-program.js';
import { programAlgorithm, programScript } from '../../src/collectives/programs/program-algorithm.js';
import type { Algorithm } from '../../src/collectives/algorithm.js';
import { Losses } from '../../src/base/losses.js';
import { mscclJob } from '../../src/exchange/msccl/msccl-job.js';
import { MSCCL_TARGET } from '../../src/exchange/msccl/msccl-target.js';
import { writeMsccl } from '../../src/exchange/msccl/write-msccl.js';
import { OpenedJob, readsMade } from '../../src/pipeline/conversion/readable-job.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import { replay } from '../../src/replay/replay.js';
import { readScript } from '../../src/pipeline/read-script.js';
import { COLLECTIVE_NAMES } from '../../src/trace/collective-type.js';
import { acknowledgedTransfers } from '../support/outcome-facts.js';
import { collective, compute } from '../support/jobs.js';
import { ringProgram, soundProgram } from '../support/chunk-programs.js';
import { groupsOf, prepareAll } from '../support/preparation.js';
import { traceOf } from '../support/traces.js';

const network = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 1_000_000, bytesPerNs: 0.75 });

/** What ranks and collectives of a run did, apart from numbers of nodes. */
function facts(outcome: ReplayOutcome): unknown {
  const { status, endPs, transfers, bytes, collectives } = outcome;
  const ranks = outcome.ranks.map((rank) => ({ ...rank, nodes: 0, nodesFinished: 0 }));
  return { status, endPs, transfers, bytes, collectives, ranks, log: acknowledgedTransfers(outcome) };
}

/** A job of two collectives over all ranks, which enter one after another; replayed lazily, and after expansion. */
function both(
  algorithm: Algorithm,
  type: number,
  ranks: number,
  bytes: number,
  entries: readonly number[],
  sync: boolean,
): ReplayOutcome[] {
  const traces = Array.from({ length: ranks }, (_, rank) =>
    traceOf(
      [
        compute(1, entries[rank % entries.length]),
        collective(2, type, bytes, 'g', [1]),
        collective(3, type, bytes, 'g', [2]),
      ],
      rank,
    ),
  );
  const groups = groupsOf({ g: Array.from({ length: ranks }, (_, rank) => rank) });
  const algorithms = { [COLLECTIVE_NAMES[type].option]: algorithm };
  const options = { network, recordTransfers: true };
  const plan = planCollectives(traces.map(surveyRank), groups, algorithms);
  expect(plan.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const lazy = replay(traces, { ...options, plan, sync });
  return [lazy, replay(prepareAll(traces, { groups, algorithms, sync, expand: true }).traces, options)];
}

describe('law: a program of chunks', () => {
  const setting = fc.record({
    program: soundProgram,
    bytes: fc.integer({ min: 0, max: 100_000 }),
    entries: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 6 }),
    sync: fc.boolean(),
  });

  test('replays lazily as it does after expansion, on this thread and behind a message', () => {
    fc.assert(
      fc.property(setting, ({ program, bytes, entries, sync }) => {
        const script = programScript(checkProgram(program, 'x'), 'x', program.type, false);
        const [lazy, expanded] = both(
          programAlgorithm(script),
          program.type,
          program.ranks.length,
          bytes,
          entries,
          sync,
        );
        expect(lazy.status).toBe('finished');
        expect(facts(lazy)).toEqual(facts(expanded));
        const [sent] = both(
          readScript(structuredClone(script)),
          program.type,
          program.ranks.length,
          bytes,
          entries,
          sync,
        );
        expect(facts(sent)).toEqual(facts(lazy));
      }),
      { numRuns: 100 },
    );
  });

  test('moves every chunk of its buffer as often as its steps say, and no byte more', () => {
    fc.assert(
      fc.property(setting, ({ program, bytes }) => {
        const script = programScript(checkProgram(program, 'x'), 'x', program.type, false);
        const [, expanded] = both(programAlgorithm(script), program.type, program.ranks.length, bytes, [0], false);
        // Each chunk goes over the edges of one tree, or of two.
        const whole = program.type === 2 ? bytes * program.ranks.length : bytes;
        const trees = program.type === 0 ? 2 : 1;
        expect(expanded.bytes).toBe(2 * trees * (program.ranks.length - 1) * whole);
      }),
      { numRuns: 100 },
    );
  });
});

describe('law: traces of a program', () => {
  test('give the program back', () => {
    fc.assert(
      fc.property(soundProgram, fc.integer({ min: 1, max: 10_000 }), (program, size) => {
        const job = mscclJob(checkProgram(program, 'x'), size, 'job', []);
        const read = new OpenedJob(job, readsMade(job));
        let text = '';
        const files = {
          file: (_name: string, fill: (write: (bytes: Uint8Array) => void) => void): void =>
            fill((bytes) => (text += Buffer.from(bytes).toString())),
        };
        const losses = new Losses();
        expect(MSCCL_TARGET.write(read, files, {}, losses)).toEqual([]);
        expect(losses.findings('MSCCL')).toEqual([]);
        expect(text).toBe(writeMsccl(program));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the ring of exchange-formats 4.4 is the built-in ring where N divides S and all enter at once', () => {
  test.each([2, 3, 4, 8])('%d ranks', (ranks) => {
    const script = programScript(checkProgram(ringProgram(ranks), 'x'), 'ring', 0, false);
    const bytes = 1000 * ranks;
    const run = (algorithm: Algorithm): unknown[] => both(algorithm, 0, ranks, bytes, [3], false).map(facts);
    const traces = Array.from({ length: ranks }, (_, rank) =>
      traceOf([compute(1, 3), collective(2, 0, bytes, 'g', [1]), collective(3, 0, bytes, 'g', [2])], rank),
    );
    const groups = groupsOf({ g: Array.from({ length: ranks }, (_, rank) => rank) });
    const builtIn = facts(
      replay(prepareAll(traces, { groups, expand: true }).traces, { network, recordTransfers: true }),
    );
    expect(run(programAlgorithm(script))).toEqual([builtIn, builtIn]);
  });
});
