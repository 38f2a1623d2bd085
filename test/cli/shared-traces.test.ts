import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspectFiles } from '../../src/pipeline/inspect-files.js';
import { inspectFile } from '../../src/pipeline/inspect-file.js';
import { newFolder } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { describeShared, shared, sharedFiles } from '../support/shared.js';
import { traceFacts } from '../support/trace-facts.js';

/** α = 1 µs one way, 50 B/ns. */
const NETWORK = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'];

interface Verdict {
  errors: number;
  warnings: number;
  findings: { code: string; severity: string; message: string; advice?: string }[];
}

async function validated(...words: string[]): Promise<Verdict & { status: number | null }> {
  const { status, stdout } = await runHere(['validate', ...words, '--json']);
  return { status, ...(JSON.parse(stdout) as Verdict) };
}

interface Result {
  status: string;
  endNs: number;
  ranks: Record<string, unknown>[];
}

async function simulated(...words: string[]): Promise<Result> {
  const { stdout } = await runHere(['simulate', ...words, ...NETWORK, '--json']);
  return JSON.parse(stdout) as Result;
}

/** What the replays of raw and of prepared traces have in common: all but how many nodes and events there were. */
function times({ ranks, ...result }: Result): unknown {
  return {
    ...result,
    events: 0,
    findings: [],
    ranks: ranks.map((rank) => ({ ...rank, nodes: 0, nodesFinished: 0 })),
  };
}

/** The codes of errors and warnings, each once. */
function codes({ findings }: Verdict): string[] {
  const told = findings.filter(({ severity }) => severity !== 'note');
  return [...new Set(told.map(({ code, severity }) => `${severity} ${code}`))].sort();
}

/*
 * Of the traces of one collective the end follows from. The barrier of N ranks is
 * passed by the last one after 2 · depth of the tree; then come the steps, then the last acknowledgment.
 */
const step = (bytes: number): number => 1000 + bytes / 50;
const MIB = 1 << 20;

describeShared('validate, prepare and simulate', () => {
  test.each<[folder: string, codes: string[], endNs: number | undefined]>([
    ['astra-sim-examples/all_reduce_4npus_1MB', [], 4000 + 6 * step(MIB / 4) + 1000],
    ['astra-sim-examples/all_gather_8npus_1MB', [], 6000 + 7 * step(MIB) + 1000],
    ['astra-sim-examples/reduce_scatter_16npus_1MB', [], 8000 + 15 * step(MIB / 16) + 1000],
    ['astra-sim-examples/all_to_all_4npus_1MB', [], 4000 + step(MIB / 4) + 1000],
    ['astra-sim-examples/custom_ring_allreduce_8npus_1MB', [], undefined],
    ['jinsun-yoo-astra-sim/pernode_validate', ['error GROUP_UNDECLARED', 'warning GROUP_INFERRED'], undefined],
    ['astra-sim-artifacts/T1D-analytical', [], 6000 + 14 * step(MIB / 8) + 1000],
    ['astra-sim-artifacts/T2D-analytical', ['error GROUP_UNDECLARED'], undefined],
    ['astra-sim-artifacts/T3D-analytical', [], undefined],
    ['astra-sim-tutorials/MLP_ModelParallel', [], undefined],
    ['astra-sim-tutorials/allreduce_involved_dim2', [], 6000 + 14 * step(MIB / 8) + 1000],
    ['stage/llama_dp2tp2pp2', ['warning ATTRIBUTE_ARM'], undefined],
    ['stage/moe_dp2tp2ep2', ['warning ATTRIBUTE_ARM'], undefined],
    ['stage/llama_legacy_tp4', [], undefined],
    ['stage/llama_json_pp2dp2', ['warning ATTRIBUTE_ARM'], undefined],
    ['hybrid-parallelism-2groups', [], undefined],
  ])('%s', async (folder, expected, endNs) => {
    const traces = shared('traces', folder);
    const verdict = await validated(traces);
    expect(codes(verdict)).toEqual(expected);
    expect(verdict.status).toBe(expected.some((code) => code.startsWith('error')) ? 1 : 0);

    // Where a name has only one reading, preparation and replay go on with it, and say so.
    const prepared = join(newFolder(), 'prepared');
    expect(await runHere(['prepare', traces, '-o', prepared])).toMatchObject({ status: 0, stdout: '' });
    const again = await validated(prepared);
    expect({ status: again.status, codes: codes(again) }).toEqual({ status: 0, codes: [] });

    const raw = await simulated(traces);
    expect(raw.status).toBe('finished');
    if (endNs !== undefined) expect(raw.endNs).toBeCloseTo(endNs, 3);
    const replayed = await simulated(prepared);
    expect(times(replayed)).toEqual(times(raw));
  });
});

describeShared('mlcommons-chakra/chakra.0.et.gz', () => {
  const path = shared('traces', 'mlcommons-chakra', 'chakra.0.et.gz');

  test('its control dependencies are in circles: validate says so and what to do, prepare refuses', async () => {
    const verdict = await validated(path);
    expect(verdict.status).toBe(1);
    const errors = verdict.findings.filter(({ severity }) => severity === 'error');
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['CYCLE', 'NODES_NEVER_START']));
    expect(errors.every(({ advice }) => advice!.includes('--deps data'))).toBe(true);
    const out = join(newFolder(), 'out');
    const { status, stderr } = await runHere(['prepare', path, '-o', out]);
    expect(status).toBe(1);
    expect(stderr).toContain('  advice: use --deps data: the data dependencies alone have no cycle\n');
    expect(stderr).toMatch(/error TRACES_REFUSED: nothing written: 13 errors, the first NODES_NEVER_START\n$/);
    expect(existsSync(out)).toBe(false);
  });

  test('with --deps data it is prepared and replayed', async () => {
    const verdict = await validated(path, '--deps', 'data');
    expect(verdict.status).toBe(0);
    expect(codes(verdict)).toEqual(['warning COMM_ON_CPU', 'warning COMM_SIZE_MISSING', 'warning COMM_TYPE_MISSING']);
    const out = join(newFolder(), 'out');
    expect(await runHere(['prepare', path, '-o', out, '--deps', 'data'])).toMatchObject({ status: 0 });
    expect(await simulated(path, '--deps', 'data')).toMatchObject({ status: 'finished' });
  });

  test('no line of its messages is longer than a few lines of a terminal', async () => {
    const { stderr } = await runHere(['validate', path]);
    expect(stderr.split('\n').filter((line) => line.length > 250)).toEqual([]);
  });
});

describeShared('edge-cases', () => {
  test.each<[name: string, status: number, codes: string[]]>([
    ['allcycle.et', 1, ['error CYCLE', 'error NO_INITIAL_NODE']],
    ['cycle.et', 1, ['error CYCLE', 'error NODES_NEVER_START']],
    ['dangling.et', 1, ['error DANGLING_DATA']],
    ['danglingctrl.et', 0, ['warning DANGLING_CONTROL']],
    ['dup.et', 1, ['error DUPLICATE_ID']],
    ['emptymeta.et', 0, []],
    ['gz.et', 1, ['error DUPLICATE_ID']],
    ['repeated.et', 0, []],
    ['star.et.gz', 0, []],
    ['trunc.et', 3, ['error FRAME_TRUNCATED']],
    ['zeronode.et', 0, ['warning NODE_TYPE_INVALID']],
  ])('%s: exit status %d, %j', async (name, status, expected) => {
    const path = shared('traces', 'edge-cases', name);
    const verdict = await validated(path);
    expect({ status: verdict.status, codes: codes(verdict) }).toEqual({ status, codes: expected });
    // What is no error here can be prepared.
    const out = join(newFolder(), 'out');
    expect((await runHere(['prepare', path, '-o', out])).status).toBe(status);
    expect(existsSync(out)).toBe(status === 0);
  });

  test('all of them are looked at', () =>
    expect(sharedFiles('traces/edge-cases', /./).map((path) => basename(path))).toHaveLength(11));
});

describeShared('schema-history: the same graph in every schema', () => {
  const names = sharedFiles('traces/schema-history', /\.(et|eg)$/).map((path) => basename(path));

  interface Line {
    id: number;
    type: string;
    dataDeps?: number[];
    ctrlDeps?: number[];
    durationMicros?: number;
    attr?: { name: string; int64?: number; uint64?: number }[];
  }

  /** Node by node: id, type, dependencies, duration, type and size of the communication. */
  async function graph(name: string): Promise<unknown[]> {
    const path = shared('traces', 'schema-history', name);
    const { status, stdout } = await runHere(['convert', path, '--to', 'jsonl', '-o', '-']);
    expect(status).toBe(0);
    const [metadata, ...lines] = stdout.trimEnd().split('\n');
    expect(JSON.parse(metadata)).toMatchObject({ schema: 'chakra-prep/trace/1' });
    return lines.map((line) => {
      const { id, type, dataDeps, ctrlDeps, durationMicros, attr = [] } = JSON.parse(line) as Line;
      const value = (wanted: string): number | undefined => {
        const found = attr.find((attribute) => attribute.name === wanted);
        return found?.int64 ?? found?.uint64;
      };
      return { id, type, dataDeps, ctrlDeps, durationMicros, type_: value('comm_type'), size: value('comm_size') };
    });
  }

  test.each(names)('%s', async (name) => {
    const current = await graph('resnet50_dp.schema-0.0.4.0.et');
    expect(current).toHaveLength(215);
    expect(await graph(name)).toEqual(current);
  });

  test('there are seven', () => expect(names).toHaveLength(7));
});

describeShared('inspect --json of every file of shared/traces says what trace-facts.json says', () => {
  const facts = traceFacts();

  test.each(facts.map(([path]) => path))('%s', async (path) => {
    const expected = facts.find(([name]) => name === path)![1];
    const file = shared('traces', path);
    if (expected.format === 'error') {
      const { facts: found } = inspectFile({ file: { rank: 0, path: file, size: 0 } });
      expect(found).toMatchObject({ format: 'error' });
      return;
    }
    const { files, traceset } = await inspectFiles({ inputs: [file], deps: 'both' });
    const found = JSON.parse(JSON.stringify(files)) as Record<string, unknown>;
    expect(Object.keys(found)).toEqual([file]);
    expect(traceset).toBeUndefined();
    // Of the two schemas between the first and the current one only the number of nodes is given.
    const { same_graph_as, ...given } = expected;
    if (same_graph_as === undefined) expect(found[file]).toEqual(given);
    else expect(found[file]).toMatchObject(given);
  });

  test('and there is no file that it leaves out', () => {
    const all = sharedFiles('traces', /\.(et|eg|json|txt)(\.gz)?$/);
    expect(facts.map(([path]) => join('traces', path)).sort()).toEqual(all.sort());
  });
});
