import { jest } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { SystemOutcome } from '../../src/astra-sim/outcome.js';
import type { SystemRun } from '../../src/astra-sim/system-run.js';
import { newFolder, writeRanks } from '../support/folders.js';
import { collective, compute } from '../support/jobs.js';
import { REPOSITORY } from '../support/repository.js';
import { exampleH, systemOutcome, systemRank } from '../support/system-outcomes.js';

/** What `simulate --system` refuses before it runs anything, and how it prints a run. */

// The engine in its place gives what a test asks for.
const engine = jest.fn<(run: SystemRun) => SystemOutcome>();
jest.unstable_mockModule('../../src/astra-sim/simulate-system.js', () => ({ simulateSystem: engine }));
const { runHere } = await import('../support/in-process.js');

const SYSTEM = JSON.stringify({
  'scheduling-policy': 'LIFO',
  'endpoint-delay': 10,
  'active-chunks-per-dimension': 1,
  'local-mem-bw': 1600,
  'preferred-dataset-splits': 1,
  'all-reduce-implementation': ['ring'],
  'collective-optimization': 'localBWAware',
});

/** A folder with four ranks below `traces`, `network.yml` and `system.json`; the words name them. */
function job(): { folder: string; words: string[] } {
  const folder = newFolder();
  const nodes = [compute(1, 100), compute(2, 30, [1]), collective(3, 0, 1_048_576, '0')];
  writeRanks(join(folder, 'traces'), [nodes, nodes, nodes, nodes]);
  writeFileSync(join(folder, 'system.json'), SYSTEM);
  writeFileSync(
    join(folder, 'network.yml'),
    'topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n',
  );
  const words = ['simulate', join(folder, 'traces'), '--network', join(folder, 'network.yml')];
  return { folder, words: [...words, '--system', join(folder, 'system.json')] };
}

beforeEach(() => {
  engine.mockReset();
  engine.mockImplementation(exampleH);
});

describe('a run that finishes', () => {
  test('the summary table is on stdout, and nothing is said', async () => {
    const { status, stdout, stderr } = await runHere(job().words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^status {8}finished at 130\.000 µs\nnetwork {7}analytical-unaware\n/);
  });

  test('--json: schemas/simulate-result.schema.json', async () => {
    const { status, stdout } = await runHere([...job().words, '--json']);
    const schema = JSON.parse(
      readFileSync(join(REPOSITORY, 'schemas', 'simulate-result.schema.json'), 'utf8'),
    ) as object;
    const check = new Ajv().compile(schema);
    const document: unknown = JSON.parse(stdout);
    expect(check(document) ? [] : check.errors).toEqual([]);
    expect(status).toBe(0);
    expect(document).toMatchObject({
      status: 'finished',
      endNs: 130_000,
      ranks: [{ statistics: { gpuNs: 130_000 } }, {}, {}, {}],
    });
  });

  test('--report astra-sim: the lines of the program, the same in every run', async () => {
    const { words } = job();
    const { status, stdout } = await runHere([...words, '--report', 'astra-sim']);
    const lines = stdout.trimEnd().split('\n');
    expect(status).toBe(0);
    expect(lines).toHaveLength(29);
    expect(lines[0]).toBe(
      '[1970-01-01 00:00:00.000] [workload] [info] sys[0] finished, 130000 cycles, exposed communication 0 cycles.',
    );
    expect((await runHere([...words, '--report', 'astra-sim'])).stdout).toBe(stdout);
  });

  test('R-005 WallClock puts the time of day before the lines', async () => {
    const { folder, words } = job();
    writeFileSync(join(folder, 'run.yaml'), 'WallClock: true\n');
    const more = ['--report', 'astra-sim', '--config', join(folder, 'run.yaml')];
    const { stdout, stderr } = await runHere([...words, ...more]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\[20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\] \[workload\] /);
  });

  test('--report none and wall', async () => {
    const { words } = job();
    expect(await runHere([...words, '--report', 'none'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const { stdout } = await runHere([...words, '--report', 'wall', '--json']);
    const { timing } = JSON.parse(stdout) as { timing: { executors: { name: string }[] } };
    expect(JSON.stringify(timing)).toContain('"load"');
    expect(JSON.stringify(timing)).toContain('"simulate"');
  });

  test('flags and configuration reach the engine; a flag wins', async () => {
    const { folder, words } = job();
    writeFileSync(join(folder, 'run.yaml'), 'num-queues-per-dim: 2\nrendezvous: true\nbackend: analytical-aware\n');
    await runHere([...words, '--config', join(folder, 'run.yaml'), '--num-queues-per-dim', '4', '--until', '1500ps']);
    expect(engine.mock.calls[0][0]).toMatchObject({
      backend: 'analytical-aware',
      options: { queuesPerDimension: 4, rendezvous: true, deps: 'both', stopNs: 1 },
    });
    await runHere(words);
    expect(engine.mock.calls[1][0]).toMatchObject({
      backend: 'analytical-unaware',
      options: { queuesPerDimension: 1, rendezvous: false, stopNs: 10_000_000_000 },
    });
  });

  test('what has no effect is a note', async () => {
    const { status, stderr } = await runHere([...job().words, '--family', 'collected', '--report', 'none']);
    expect(status).toBe(0);
    expect(stderr).toBe(
      'note SETTING_UNUSED: --family (TraceFamily) collected is not used with --system: a rank runs one compute node at a time, for the whole of its duration\n',
    );
  });
});

describe('a run that does not finish: exit status 4', () => {
  test('stalled: who waits for whom', async () => {
    const lines = ['rank 1: 1 of 1 nodes not finished', '  node 3 waits for rank 0'];
    const ranks = [systemRank(0, 10), systemRank(1, 5, { state: 'stalled', nodesFinished: 0 })];
    engine.mockReturnValue(systemOutcome(ranks, { status: 'stalled', stall: { reasons: [], ranks: [], lines } }));
    const { status, stdout, stderr } = await runHere(job().words);
    expect([status, stderr]).toEqual([4, 'rank 1: 1 of 1 nodes not finished\n  node 3 waits for rank 0\n']);
    expect(stdout).toMatch(/^status {8}stalled at 10\.000 ns\n/);
  });

  test('limit: what set it', async () => {
    const ranks = [0, 1].map((rank) => systemRank(rank, 7, { state: 'running', nodesFinished: 0 }));
    engine.mockReturnValue(systemOutcome(ranks, { status: 'limit' }));
    const { words } = job();
    const until = await runHere([...words, '--report', 'none', '--until', '7ns']);
    expect([until.status, until.stderr]).toEqual([4, 'limit: --until 7ns is reached, 2 of 2 ranks not finished\n']);
    const runTime = await runHere([...words, '--report', 'none']);
    expect([runTime.status, runTime.stderr]).toEqual([
      4,
      'limit: RunTime 10 s is reached, 2 of 2 ranks not finished\n  advice: give --until or RunTime\n',
    ]);
  });
});

describe('what is refused, before anything runs', () => {
  afterEach(() => expect(engine).not.toHaveBeenCalled());

  test.each<[words: string[], message: string]>([
    [
      ['--allreduce', 'tree'],
      'error SYSTEM_CONTRADICTED: --allreduce (AllReduceAlgorithm) tree does not go with --system: the system file says how ' +
        'collectives run\n  advice: leave it out; all-reduce-implementation and the like in the system file name the algorithms\n',
    ],
    [
      ['--scale', '0.5'],
      'error SYSTEM_CONTRADICTED: --scale 0.5 does not go with --system: ASTRA-sim takes sizes and durations as they are\n' +
        '  advice: leave it out, or give it traces that `chakra-prep scale` wrote\n',
    ],
    [
      ['--sync'],
      'error SYSTEM_CONTRADICTED: --sync (CommCollectiveSynchronization) does not go with --system: ASTRA-sim runs the traces ' +
        'as they are\n  advice: leave it out\n',
    ],
    [
      ['-o', 'out'],
      'error SYSTEM_CONTRADICTED: -o out does not go with --system: records are tables of single transfers, which such a run ' +
        'does not keep\n  advice: leave it out; --json has the numbers of ranks and collectives\n',
    ],
    [
      ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'],
      'error SYSTEM_CONTRADICTED: --network alpha-beta:latency=1us,bandwidth=50GB/s does not go with --system: expected an ' +
        'analytical network file\n  advice: name a .yml file with topology, npus_count, bandwidth and latency\n',
    ],
    [['--num-queues-per-dim', '0'], 'error USAGE: --num-queues-per-dim 0: expected a whole number from 1 to 1,024\n'],
    [
      ['--report', 'astra-sim', '--json'],
      'error OUTPUT_AMBIGUOUS: stdout cannot hold both the lines of --report astra-sim and the document of --json\n' +
        '  advice: leave one of the two out\n',
    ],
  ])('%j', async (more, message) => {
    const { status, stderr } = await runHere([...job().words, ...more]);
    expect([status, stderr]).toEqual([2, message]);
  });

  test.each<[words: string[]]>([
    [['--memory', 'memory.json']],
    [['--num-queues-per-dim', '2']],
    [['--injection-scale', '2']],
    [['--rendezvous']],
    [['--system-extensions']],
    [['--report', 'astra-sim']],
  ])('%j without --system', async (more) => {
    const [command, traces] = job().words;
    const network = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'];
    const { status, stdout, stderr } = await runHere([command, traces, ...network, ...more]);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `error SYSTEM_MISSING: ${more.join(' ')} is of ASTRA-sim's system layer, which runs with --system only\n` +
        `  advice: name the system file with --system, or leave ${more[0]} out\n`,
    );
  });
});
