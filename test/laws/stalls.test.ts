import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import type { ResultDocument } from '../../src/replay/result-document.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { collective, compute, receive, send } from '../support/jobs.js';
import { REPOSITORY } from '../support/repository.js';
import type { NodeObject } from '../support/traces.js';

/** One fault in a job that would finish, and what the run says of it. */

const schema = join(REPOSITORY, 'schemas', 'simulate-result.schema.json');
const validate = new Ajv({ strict: true }).compile(JSON.parse(readFileSync(schema, 'utf8')) as object);

/** Each rank computes, is in two collectives, passes a message to the next rank and computes again. */
function soundJob(ranks: number): NodeObject[][] {
  return Array.from({ length: ranks }, (_, rank) => {
    const before = (rank + ranks - 1) % ranks;
    return [
      compute(1, 5),
      collective(2, CollectiveType.allReduce, 3000, 'world', [1]),
      collective(3, CollectiveType.allGather, 300, 'world', [2]),
      send(4, (rank + 1) % ranks, 1000, 40 + rank, [3]),
      receive(5, before, 1000, 40 + before, [3]),
      compute(6, 4, [5]),
    ];
  });
}

interface Told {
  readonly status: number | null;
  readonly document: ResultDocument;
  readonly text: string;
}

/** @param isExpanded whether the collectives become nodes, which records need */
async function simulated(job: NodeObject[][], isExpanded: boolean, more: readonly string[] = []): Promise<Told> {
  const folder = writeRanks(newFolder(), job);
  const network = ['--network', 'alpha-beta:latency=1us,bandwidth=1GB/s'];
  const records = isExpanded ? ['-o', join(newFolder(), 'out')] : [];
  const { status, stdout, stderr } = await runHere(['simulate', folder, ...network, '--json', ...records, ...more]);
  const document = JSON.parse(stdout) as ResultDocument;
  if (status !== 1) expect(validate(document) ? [] : validate.errors).toEqual([]);
  return { status, document, text: stderr };
}

function node(job: NodeObject[][], rank: number, id: number): NodeObject {
  return job[rank].find((each) => each.id === id)!;
}

function drop(job: NodeObject[][], rank: number, id: number): void {
  const gone = node(job, rank, id);
  job[rank] = job[rank].filter((each) => each !== gone);
  for (const each of job[rank]) {
    each.data_deps = (each.data_deps ?? []).flatMap((before) => (before === id ? (gone.data_deps ?? []) : [before]));
  }
}

const codesOf = ({ document }: Told): unknown => document.stall?.reasons.map(({ code }) => code);

const cases = fc.record({ ranks: fc.integer({ min: 2, max: 5 }), fault: fc.nat(4), isExpanded: fc.boolean() });

/** @param check gets the sound job, the rank at fault, the number of ranks, and whether collectives become nodes */
async function holds(
  check: (job: NodeObject[][], rank: number, ranks: number, isExpanded: boolean) => Promise<void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(cases, ({ ranks, fault, isExpanded }) => check(soundJob(ranks), fault % ranks, ranks, isExpanded)),
    { numRuns: 6 },
  );
}

describe('law: one fault in a sound job', () => {
  test('none: the run finishes and says nothing', () =>
    holds(async (job, _rank, _ranks, isExpanded) => {
      const { status, document, text } = await simulated(job, isExpanded);
      expect([status, document.status, document.stall]).toEqual([0, 'finished', null]);
      expect(text).not.toMatch(/warning|error|stalled/);
    }));

  test('a send left out: unmatched-receive', () =>
    holds(async (job, rank, ranks, isExpanded) => {
      drop(job, rank, 4);
      const told = await simulated(job, isExpanded);
      expect([told.status, codesOf(told)]).toEqual([4, ['unmatched-receive']]);
      const next = (rank + 1) % ranks;
      expect(told.document.stall!.ranks.map((each) => each.rank)).toEqual([next]);
      expect(told.text).toContain(
        `node 5 "receive 5" waits for a transfer from rank ${rank} (tag ${40 + rank}); rank ${rank} has no such send`,
      );
    }));

  test('a receive left out: the run finishes with a warning', () =>
    holds(async (job, rank, ranks, isExpanded) => {
      drop(job, rank, 5);
      const { status, document, text } = await simulated(job, isExpanded);
      expect([status, document.stall]).toEqual([0, null]);
      const before = (rank + ranks - 1) % ranks;
      const warning = `warning SEND_UNMATCHED: tag ${40 + before} from rank ${before} to rank ${rank}: 1 send and no receive`;
      expect(text).toContain(warning);
    }));

  test('a tag changed: unmatched-receive, and the send that may be meant', () =>
    holds(async (job, rank, ranks, isExpanded) => {
      node(job, rank, 4).attr!.comm_tag = { int32_val: 77 };
      const told = await simulated(job, isExpanded);
      expect([told.status, codesOf(told)]).toEqual([4, ['unmatched-receive']]);
      expect(told.document.stall!.ranks.map((each) => each.rank)).toEqual([(rank + 1) % ranks]);
      expect(told.text).toContain('but node 4 "send 4" sends to it with tag 77');
    }));

  test('a collective left out on one rank: refused, with the rank', () =>
    holds(async (job, rank, _ranks, isExpanded) => {
      drop(job, rank, 3);
      const { status, text } = await simulated(job, isExpanded);
      expect(status).toBe(1);
      expect(text).toMatch(/^error COLLECTIVE_COUNT: group world: .*2 /);
      expect(text).toMatch(new RegExp(`[ :]1 (collective )?on rank ${rank}\\b`));
    }));

  test('two collectives in another order on one rank: cross-rank-cycle through it', () =>
    holds(async (job, rank, ranks, isExpanded) => {
      node(job, rank, 3).data_deps = [1];
      node(job, rank, 2).data_deps = [3];
      node(job, rank, 4).data_deps = [2];
      const told = await simulated(job, isExpanded);
      expect([told.status, codesOf(told)]).toEqual([4, ['cross-rank-cycle']]);
      expect(told.document.stall!.ranks).toHaveLength(ranks);
      const steps = told.document.stall!.cycle!;
      expect(steps.map((step) => step.rank)).toContain(rank);
      expect(told.text).toContain(`ranks that wait for each other, through ${steps.length} nodes`);
      expect(told.text).toMatch(new RegExp(`\n  rank ${rank} node \\d+ "[^"]+" waits`));
      expect(told.text).toMatch(/ of AllReduce 0 of group world | in AllReduce 0 of group world /);
    }));

  test('a dependency that closes a cycle: dependency-cycle on that rank', () =>
    holds(async (job, rank, _ranks, isExpanded) => {
      node(job, rank, 2).data_deps = [1, 6];
      const told = await simulated(job, isExpanded);
      expect([told.status, codesOf(told)]).toEqual([4, ['dependency-cycle']]);
      expect(new Set(told.document.stall!.cycle!.map((step) => step.rank))).toEqual(new Set([rank]));
      expect(told.text).toMatch(new RegExp(`warning CYCLE: rank ${rank}: \\d+ nodes can never start, first 2\n`));
    }));

  test('a stop on the way: stop-reached, with the flag that set it', () =>
    holds(async (job, rank, ranks, isExpanded) => {
      const { document } = await simulated(job, false);
      const until = `${((rank + 1) / 6) * document.endNs}ns`;
      const told = await simulated(job, isExpanded, ['--until', until]);
      expect([told.status, told.document.status]).toEqual([4, 'limit']);
      expect(codesOf(told)).toEqual(['stop-reached']);
      expect(told.text).toContain(`limit: --until ${until} is reached, ${ranks} of ${ranks} ranks not finished`);
    }));

  test('a send left out and a stop after it was missed: both reasons where something still ran', async () => {
    const job = soundJob(3);
    drop(job, 0, 4);
    const { document } = await simulated(job, false);
    // The last node that runs is the compute of the ranks that got their message; it takes 4 µs.
    const told = await simulated(job, false, ['--until', `${document.endNs - 1}ns`]);
    expect(codesOf(told)).toEqual(['stop-reached', 'unmatched-receive']);
  });

  test.each([false, true])('R-140 a stop before the last acknowledgment says so, expanded %s', async (isExpanded) => {
    const job = soundJob(3).map((nodes) => nodes.filter(({ id }) => id !== 6));
    const { document } = await simulated(job, isExpanded);
    const told = await simulated(job, isExpanded, ['--until', `${document.endNs - 1}ns`]);
    const { unfinished, stalledRanks, ranks } = told.document.stall!;
    expect([told.document.status, unfinished, codesOf(told)]).toEqual(['limit', 0, ['stop-reached']]);
    expect(ranks.map(({ nodes }) => nodes)).toEqual(ranks.map(() => []));
    expect(told.text).toContain(
      `stop reached: all nodes had finished, ${stalledRanks} ranks waited for acknowledgments\n`,
    );
    expect(told.text).toMatch(
      /\nrank \d: all \d+ nodes have finished, a transfer it sent or received is not acknowledged\n/,
    );
  });

  test('the rank at fault is told of among many that wait', async () => {
    // Rank 39 sends what all others wait for once it gets what nobody sends.
    const waiting = Array.from({ length: 39 }, (_, rank) => [receive(1, 39, 8, rank)]);
    const sends = waiting.map((_, rank) => send(10 + rank, rank, 8, rank, [2]));
    const told = await simulated([...waiting, [receive(2, 38, 8, 99), ...sends]], false);
    expect(codesOf(told)).toEqual(['unmatched-receive']);
    expect(told.document.stall!.stalledRanks).toBe(40);
    expect(told.document.stall!.ranks.map(({ rank }) => rank)).toEqual([...Array(15).keys(), 39]);
    expect(told.text).toContain(
      'node 2 "receive 2" waits for a transfer from rank 38 (tag 99); rank 38 has no such send',
    );
    expect(told.text).toContain('… and 24 more ranks\n');
  });
});
