import { CATALOGUE } from '../../../src/base/catalogue.js';
import { Losses } from '../../../src/base/losses.js';
import { ALGORITHMS } from '../../../src/collectives/catalogue.js';
import { planCollectives } from '../../../src/collectives/build-plan.js';
import { checkProgram } from '../../../src/collectives/programs/check-program.js';
import { programAlgorithm, programScript } from '../../../src/collectives/programs/program-algorithm.js';
import type { ReadableJob } from '../../../src/formats/conversion.js';
import { MSCCL_TARGET } from '../../../src/exchange/msccl/msccl-target.js';
import { readMsccl } from '../../../src/exchange/msccl/read-msccl.js';
import { surveyRank } from '../../../src/passes/preparation-plan.js';
import type { ReplayOutcome } from '../../../src/replay/outcome.js';
import { replay } from '../../../src/replay/replay.js';
import type { RankTrace } from '../../../src/trace/rank-trace.js';
import { COLLECTIVE_NAMES, CollectiveType, isRooted } from '../../../src/trace/collective-type.js';
import { collective, EXAMPLE_NETWORK } from '../../support/jobs.js';
import { groupsOf, prepareAll } from '../../support/preparation.js';
import { traceOf } from '../../support/traces.js';

const ROOT = 1;

function jobOf(traces: readonly RankTrace[], groups: ReadableJob['groups']): ReadableJob {
  return { rankCount: traces.length, prefix: 'job', groups, withRank: (rank, use) => use(traces[rank]) };
}

/** The text that a job is written as, and what is said of it. */
function written(job: ReadableJob): { text: string; told: string[] } {
  let text = '';
  const losses = new Losses();
  const findings = MSCCL_TARGET.write(
    job,
    { file: (_name, fill) => fill((bytes) => (text += Buffer.from(bytes).toString())) },
    {},
    losses,
  );
  return { text, told: [...findings, ...losses.findings('MSCCL')].map(({ code }) => code) };
}

const cases = ALGORITHMS.flatMap((algorithms, type) =>
  algorithms.flatMap(({ name, powerOfTwo }) =>
    [2, 3, 4, 5, 8, 16]
      .filter((ranks) => type !== CollectiveType.barrier && (!powerOfTwo || (ranks & (ranks - 1)) === 0))
      .map((ranks) => [COLLECTIVE_NAMES[type].option, name, ranks, type] as const),
  ),
);

/** A job of one collective, raw and expanded. */
function collectiveJob(
  type: number,
  ranks: number,
  bytes: number,
  name: string,
): { raw: RankTrace[]; groups: ReturnType<typeof groupsOf>; expanded: RankTrace[] } {
  const rooted = isRooted(type) ? { root: { int64_val: ROOT } } : {};
  const node = collective(1, type, bytes, 'g');
  const raw = Array.from({ length: ranks }, (_, rank) =>
    traceOf([{ ...node, attr: { ...node.attr, ...rooted } }], rank),
  );
  const groups = groupsOf({ g: Array.from({ length: ranks }, (_, rank) => rank) });
  const algorithms = { [COLLECTIVE_NAMES[type].option]: name };
  return { raw, groups, expanded: prepareAll(raw, { groups, algorithms, expand: true }).traces };
}

const totals = ({ endPs, bytes, transfers }: ReplayOutcome): unknown => ({ endPs, bytes, transfers });

describe('a built-in algorithm, expanded and written as a program', () => {
  test.each(cases)('%s %s on %d ranks is proven, and takes as long as the algorithm', (option, name, ranks, type) => {
    // Divisible by every group size here, so that no byte is rounded.
    const { raw, groups, expanded } = collectiveJob(type, ranks, 240 * ranks, name);
    const { text, told } = written(jobOf(expanded, new Map([['g', groups.get('g')!.ranks]])));
    expect(told.filter((code) => CATALOGUE[code as keyof typeof CATALOGUE].severity !== 'note')).toEqual([]);
    const { program } = readMsccl(text, 'job.xml');
    const checked = checkProgram(program, 'job.xml');
    expect(checked.findings).toEqual([]);
    expect(program.root).toBe(isRooted(type) ? ROOT : 0);
    const algorithm = programAlgorithm(programScript(checked, name, type, isRooted(type)));
    const plan = planCollectives(raw.map(surveyRank), groups, { [option]: algorithm });
    expect(plan.findings).toEqual([]);
    const options = { network: EXAMPLE_NETWORK };
    expect(totals(replay(raw, { ...options, plan }))).toEqual(totals(replay(expanded, options)));
  });

  test('transfers that are rounded otherwise are said', () => {
    const { groups, expanded } = collectiveJob(0, 4, 1001, 'ring');
    // C is 251; chunks of 1,001 bytes in 4 are 250, 250, 250 and 251: three chunks differ, moved 6 times and seen at both ends.
    const { told } = written(jobOf(expanded, new Map([['g', groups.get('g')!.ranks]])));
    expect(told).toEqual(['PROGRAM_ASSUMED']);
  });
});

describe('what makes no program is refused with the reason', () => {
  const refusal = (job: ReadableJob): string => {
    try {
      written(job);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('nothing thrown');
  };
  const members = new Map([['g', [0, 1]]]);
  test('a raw collective', () => {
    expect(refusal(jobOf(collectiveJob(0, 2, 8, 'ring').raw, members))).toBe(
      'rank 0 node 1 "collective 1" is the collective AllReduce; MSCCL XML has sends and receives only',
    );
  });
  test('a barrier', () => {
    expect(refusal(jobOf(collectiveJob(9, 2, 0, 'ring').expanded, members))).toBe(
      'Barrier of group g: which chunks the algorithm ring moves is not known',
    );
  });
  test('two collectives', () => {
    const nodes = [collective(1, 0, 8, 'g'), collective(2, 0, 8, 'g', [1])];
    const groups = groupsOf({ g: [0, 1] });
    const { traces } = prepareAll(
      [0, 1].map((rank) => traceOf(nodes, rank)),
      { groups, expand: true },
    );
    expect(refusal(jobOf(traces, members))).toBe(
      'the traces hold several collectives, AllReduce of group g and AllReduce of group g; a file holds one',
    );
  });
});
