import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesBelow, folderWithSamples, newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { describeShared, shared } from '../support/shared.js';
import { buildEt, type NodeObject } from '../support/traces.js';

const DEVICE = { is_cpu_op: { bool_val: false } };

function op(id: number, data: number[] = [], control: number[] = []): NodeObject {
  return {
    id,
    name: `op${id}`,
    type: 'COMP_NODE',
    duration_micros: 1,
    data_deps: data,
    ctrl_deps: control,
    attr: DEVICE,
  };
}

interface Document {
  schema: string;
  errors: number;
  warnings: number;
  findings: { code: string; rank?: number; file?: string }[];
  changes: { rank: number; repair: string; count: number; nodes: number[]; ids?: number[] }[];
  left: unknown[];
  balance: unknown;
  files: string[];
}

async function fixed(folder: string, out: string, ...words: string[]): Promise<Document & { status: number | null }> {
  const { status, stdout } = await runHere(['validate', folder, '--fix', '-o', out, '--json', ...words]);
  return { status, ...(JSON.parse(stdout) as Document) };
}

/** Byte for byte; `toEqual` of megabytes takes its time. */
function expectSameFiles(one: string, other: string): void {
  const [left, right] = [filesBelow(one), filesBelow(other)];
  expect(Object.keys(left)).toEqual(Object.keys(right));
  for (const [name, bytes] of Object.entries(left)) expect([name, bytes.equals(right[name])]).toEqual([name, true]);
}

test('--json lists every change, and the findings are those of the copy', async () => {
  const nodes = Array.from({ length: 20 }, (_, at) => op(at + 1, [100 + at]));
  const folder = writeRanks(newFolder(), [nodes, [op(1), op(2, [2], [2])]]);
  const out = join(newFolder(), 'out');
  const { status, ...document } = await fixed(folder, out);
  expect(status).toBe(0);
  expect(Object.keys(document)).toEqual([
    ...['schema', 'errors', 'warnings', 'findings', 'conventions', 'observations'],
    ...['changes', 'left', 'balance', 'files'],
  ]);
  expect(document).toMatchObject({ schema: 'chakra-prep/findings/1', errors: 0, warnings: 0, findings: [], left: [] });
  expect(document.changes).toMatchObject([
    {
      code: 'REPAIRED',
      severity: 'warning',
      rank: 0,
      repair: 'orphan-data',
      count: 20,
      nodes: Array.from({ length: 20 }, (_, at) => at + 1),
      ids: Array.from({ length: 20 }, (_, at) => 100 + at),
    },
    { severity: 'note', rank: 1, repair: 'self-data', count: 1, nodes: [2] },
    { severity: 'note', rank: 1, repair: 'self-control', count: 1, nodes: [2] },
  ]);
  expect(document.balance).toEqual({
    ranks: 2,
    nodesIn: 22,
    nodesOut: 22,
    changes: { 'orphan-data': 20, 'self-data': 1, 'self-control': 1 },
  });
  expect(document.files).toEqual(['job.0.et', 'job.1.et']);
});

test('the findings are what validate says of the folder that was written, and so is the exit status', async () => {
  const folder = writeRanks(newFolder(), [
    [op(1, [2, 9]), op(2, [1])],
    [op(1), op(1)],
  ]);
  const out = join(newFolder(), 'out');
  const { status, findings } = await fixed(folder, out);
  const { status: again, stdout } = await runHere(['validate', out, '--json']);
  expect([status, findings]).toEqual([again, (JSON.parse(stdout) as Document).findings]);
  expect(status).toBe(1);
  expect(findings.map(({ code, file }) => [code, file])).toEqual([
    ['NO_INITIAL_NODE', join(out, 'job.0.et')],
    ['CYCLE', join(out, 'job.0.et')],
    ['DUPLICATE_ID', join(out, 'job.1.et')],
  ]);
});

test('the sound samples are copied byte for byte, by one thread and by three, and the input is left alone', async () => {
  const folder = join(folderWithSamples(), 'traces');
  const before = filesBelow(folder);
  for (const threads of ['1', '3']) {
    const out = join(newFolder(), 'out');
    const { status, changes } = await fixed(folder, out, '--threads', threads);
    expect([status, changes]).toEqual([0, []]);
    expect(filesBelow(out)).toEqual(before);
  }
  expect(filesBelow(folder)).toEqual(before);
});

test('changes are told in the order of the ranks whatever the threads', async () => {
  const folder = writeRanks(
    newFolder(),
    Array.from({ length: 5 }, (_, rank) => [op(1, [1]), op(2, rank % 2 === 0 ? [7] : [1, 1])]),
  );
  const [one, three] = await Promise.all(['1', '3'].map((threads) => fixed(folder, newFolder(), '--threads', threads)));
  expect(three).toEqual({ ...one, findings: three.findings });
  expect(three.changes.map(({ rank }) => rank)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
});

test('one rank in a pipe: the trace on stdout, all else on stderr', async () => {
  const stdin = gzipSync(buildEt([op(1, [9]), op(2, [1])]));
  const { status, bytes, stderr } = await runHere(['validate', '-', '--fix', '-o', '-'], { stdin });
  expect(status).toBe(0);
  expect(bytes.equals(buildEt([op(1), op(2, [1])]))).toBe(true);
  expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
    'note RANK_ASSUMED: stdin is taken as rank 0 of a job of one rank',
    '1 rank, 2 nodes: 0 errors, 0 warnings, 1 note',
  ]);
});

test.each(['et.gz', 'jsonl'])('--format %s is what validate reads as the same', async (format) => {
  const folder = writeRanks(newFolder(), [[op(1, [2]), op(2)]]);
  const out = join(newFolder(), 'out');
  const { files } = await fixed(folder, out, '--format', format);
  expect(files).toEqual([`job.0.${format}`]);
  const second = join(newFolder(), 'second');
  expect((await fixed(out, second)).changes).toEqual([]);
  expect(readFileSync(join(second, 'job.0.et')).equals(buildEt([op(2), op(1, [2])]))).toBe(true);
});

test('a rank that is missing is an error of the copy too', async () => {
  const folder = writeRanks(newFolder(), [[op(1)], [op(1)]]);
  const out = join(newFolder(), 'out');
  const { status, findings, files } = await fixed(join(folder, 'job.1.et'), out);
  expect([status, findings.map(({ code }) => code), files]).toEqual([1, ['RANK_MISSING'], ['job.1.et']]);
});

test('an arm that was moved is no finding of the copy', async () => {
  const folder = writeRanks(newFolder(), [
    [{ id: 1, type: 'COMM_COLL_NODE', attr: { ...DEVICE, comm_type: { int64_val: 0 }, comm_size: { uint64_val: 8 } } }],
  ]);
  expect((await fixed(folder, newFolder())).findings.map(({ code }) => code)).toEqual(['GROUP_WORLD']);
});

test('what is assumed counts for the findings; the copy has the values of the input, and its reader is told', async () => {
  const gather: NodeObject = {
    id: 1,
    type: 'COMM_COLL_NODE',
    attr: { ...DEVICE, comm_type: { int64_val: 2 }, comm_size: { int64_val: 4000 } },
  };
  const folder = writeRanks(newFolder(), [
    [{ ...gather, data_deps: [9] }, op(2)],
    [{ ...gather, ctrl_deps: [9] }, op(2)],
  ]);
  const out = newFolder();
  const assume = ['--assume', 'allgather-size=total'];
  const { status, stdout, stderr } = await runHere(['validate', folder, '--fix', '-o', out, ...assume]);
  expect(status).toBe(0);
  expect(filesBelow(out)['job.0.et'].equals(buildEt([gather, op(2)]))).toBe(true);
  expect(stderr).toContain(
    '\nwritten in the conventions of the input; the copy is to be read with --assume allgather-size=total as well\n',
  );
  expect(stdout).toBe((await runHere(['validate', out, ...assume])).stdout);
});

test('one rank of several in a pipe stays the rank it is', async () => {
  const folder = writeRanks(newFolder(), [[op(1)], [op(1), op(2, [9])]]);
  const file = join(folder, 'job.1.et');
  const { status, bytes, stderr } = await runHere(['validate', file, '--fix', '-o', '-']);
  expect(bytes.equals(buildEt([op(1), op(2)]))).toBe(true);
  expect(stderr).toContain(`error RANK_MISSING: rank 0 has no file: the largest rank is 1 (${file})`);
  expect(stderr).not.toContain('RANK_ASSUMED');
  expect(status).toBe(1);
});

test('--sarif holds the findings of the copy; the changes, which are none, are told on stderr', async () => {
  const folder = writeRanks(newFolder(), [[op(1, [9])]]);
  const { stdout, stderr } = await runHere(['validate', folder, '--fix', '-o', newFolder(), '--sarif']);
  expect(JSON.parse(stdout)).toMatchObject({ runs: [{ results: [] }] });
  expect(stderr).toContain('warning REPAIRED: rank 0: 1 data dependency on id 9, which no node has, dropped');
});

test('changes come before the findings of the copy, which none of its options leaves out', async () => {
  const folder = writeRanks(newFolder(), [
    [op(1, [9]), op(2, [2])],
    [op(7, [], [7]), op(7)],
  ]);
  const words = ['--severity', 'error', '--max-findings', '1', '--ignore', 'REPAIRED'];
  const { stderr } = await runHere(['validate', folder, '--fix', '-o', newFolder(), ...words]);
  expect(stderr.split('\n').flatMap((line) => /^(?:error|warning|note) (\w+)/.exec(line)?.[1] ?? [])).toEqual([
    ...['REPAIRED', 'REPAIRED', 'REPAIRED'],
    'DUPLICATE_ID',
  ]);
});

test('a group file that was named goes with the copy and is used for it', async () => {
  const folder = writeRanks(newFolder(), [[op(1)], [op(1)]]);
  const groups = join(newFolder(), 'g.json');
  writeFileSync(groups, '{"tp": [0, 1]}');
  const out = newFolder();
  const { findings } = await fixed(folder, out, '--groups', groups);
  expect(findings).toEqual([]);
  expect(readFileSync(join(out, 'comm_group.json'), 'utf8')).toBe('{"tp": [0, 1]}');
});

describe('what stops it, with nothing written', () => {
  const out = (): string => join(newFolder(), 'out');
  const sound = (): string => writeRanks(newFolder(), [[op(1)], [op(1)]]);

  test('2: an output without --fix', async () => {
    const folder = out();
    const { status, stderr } = await runHere(['validate', sound(), '-o', folder]);
    expect([status, existsSync(folder)]).toEqual([2, false]);
    expect(stderr).toContain('error USAGE: validate: -o ');
  });

  test('an output that the configuration names for other commands is no request', async () => {
    const config = join(newFolder(), 'run.yaml');
    writeFileSync(config, `out: ${out()}\n`);
    expect((await runHere(['validate', sound(), '--config', config])).status).toBe(0);
  });

  test('2: no output, the folder of the input, several ranks or a document besides on stdout', async () => {
    const folder = sound();
    const before = filesBelow(folder);
    const stops = [['-o', folder], ['-o', '-'], ['-o', '-', '--json'], []].map(async (words) => {
      const { status, stderr } = await runHere(['validate', folder, '--fix', ...words]);
      return [status, /error (\w+):/.exec(stderr)?.[1]];
    });
    expect(await Promise.all(stops)).toEqual([
      [2, 'OUTPUT_IS_INPUT'],
      [2, 'OUTPUT_AMBIGUOUS'],
      [2, 'OUTPUT_AMBIGUOUS'],
      [2, 'OPTION_MISSING'],
    ]);
    expect(filesBelow(folder)).toEqual(before);
  });

  test.each([
    [2, 'ASSUMPTION_UNKNOWN', ['--assume', 'allgather-sise=total']],
    [3, 'FILE_UNREADABLE', ['--groups', 'nowhere.json']],
    [2, 'MAX_FINDINGS_MALFORMED', ['--max-findings', 'all']],
  ])('%d: %s', async (expected, code, words) => {
    const written = out();
    const { status, stderr } = await runHere(['validate', sound(), '--fix', '-o', written, ...words]);
    expect([status, existsSync(written)]).toEqual([expected, false]);
    expect(stderr).toContain(`error ${code}: `);
  });

  test('2: the folder in which files of the input lie that links lead to', async () => {
    const folder = sound();
    const links = newFolder();
    for (const name of ['job.0.et', 'job.1.et']) symlinkSync(join(folder, name), join(links, name));
    const { status, stderr } = await runHere(['validate', links, '--fix', '-o', folder]);
    expect(status).toBe(2);
    expect(stderr).toContain('error OUTPUT_IS_INPUT: ');
  });

  test.each([
    ['validate', '--fix'],
    ['scale', '--factor', '1'],
    ['simulate', '--network', 'alpha-beta:latency=1us,bandwidth=1GB/s'],
  ])('2: an output without a name, of %s', async (command, ...words) => {
    const { status, stderr } = await runHere([command, sound(), ...words, '-o', '']);
    expect(status).toBe(2);
    expect(stderr).toContain('error USAGE: -o: the name is empty, expected a folder, or - for stdout\n');
  });

  test('3: a rank that is cut short, whose nodes others may wait for', async () => {
    const folder = sound();
    const path = join(folder, 'job.1.et');
    writeFileSync(path, readFileSync(path).subarray(0, -3));
    const written = out();
    const { status, stderr } = await runHere(['validate', folder, '--fix', '-o', written]);
    expect([status, existsSync(written)]).toEqual([3, false]);
    expect(stderr).toContain('error FRAME_TRUNCATED');
  });

  test('1: two files of one rank', async () => {
    const folder = writeRanks(newFolder(), [[op(1)]]);
    writeFileSync(join(folder, 'job.0.et.gz'), gzipSync(buildEt([op(2)])));
    const written = out();
    const { status, stderr } = await runHere(['validate', folder, '--fix', '-o', written]);
    expect([status, existsSync(written)]).toEqual([1, false]);
    expect(stderr).toContain('error TRACESET_INCOMPLETE: nothing written: two files claim one rank');
  });
});

describeShared('real traces', () => {
  // Counted in chakra-format sections 5 and 20, and in the provenance of the files.
  test.each<[folder: string, changes: Record<string, number>]>([
    ['mlcommons-chakra/chakra.0.et.gz', { 'orphan-control': 1277, 'self-control': 383, 'parents-first': 53 }],
    ['edge-cases/repeated.et', { 'repeated-data': 1, 'is-cpu-op': 2 }],
    ['edge-cases/dangling.et', { 'orphan-data': 1, 'is-cpu-op': 2 }],
    ['edge-cases/danglingctrl.et', { 'orphan-control': 2, 'is-cpu-op': 2 }],
    ['edge-cases/zeronode.et', { 'empty-node': 1, 'is-cpu-op': 2 }],
    ['edge-cases/star.et.gz', { 'parents-first': 1, 'is-cpu-op': 30_001 }],
    ['hybrid-parallelism-2groups', {}],
  ])('%s', async (path, changes) => {
    const out = newFolder();
    const first = await fixed(shared('traces', path), out);
    expect((first.balance as { changes: unknown }).changes).toEqual(changes);
    const again = newFolder();
    expect((await fixed(out, again)).changes).toEqual([]);
    expectSameFiles(again, out);
    expect((await runHere(['inspect', out])).status).toBe(0);
  });

  test('that an older schema was converted is still told', async () => {
    const path = shared('traces', 'schema-history', 'resnet50_dp.schema-0.0.2.0.et');
    const { findings } = await fixed(path, newFolder());
    expect(findings.map(({ code }) => code)).toContain('SCHEMA_CONVERTED');
  });

  test.each(['llama_dp2tp2pp2', 'moe_dp2tp2ep2', 'llama_legacy_tp4'])(
    'stage/%s has no forward reference afterwards and is replayed in the same time',
    async (name) => {
      const folder = shared('traces', 'stage', name);
      const out = newFolder();
      await fixed(folder, out);
      const facts = JSON.parse((await runHere(['inspect', out, '--json'])).stdout) as {
        files: Record<string, { deps: { forward_refs_data_deps: number } }>;
      };
      expect(Object.values(facts.files).map(({ deps }) => deps.forward_refs_data_deps)).toEqual(
        Object.keys(facts.files).map(() => 0),
      );
      const network = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s', '--json'];
      const [before, after] = await Promise.all(
        [folder, out].map(async (traces) => {
          const { stdout } = await runHere(['simulate', traces, ...network]);
          return { ...(JSON.parse(stdout) as Record<string, unknown>), findings: [] };
        }),
      );
      expect(after).toEqual(before);
    },
  );
});
