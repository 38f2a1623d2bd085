import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { discoverTraceset, type TracesetFiles } from '../../src/formats/discover.js';
import { parseTraceFileName } from '../../src/formats/trace-file-name.js';
import { describeShared, shared } from '../support/shared.js';

const ET = Uint8Array.from([0, 2, 8, 1]);
const LINES = '{"schema":"chakra-prep/trace/1"}\n{"id":1,"type":"COMP_NODE"}\n';
const GROUPS = '{"1": [0, 1]}';
const KINETO = '{"schemaVersion": 1, "traceEvents": []}';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chakra prep '));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Writes files below the folder; by default they are traces. */
function lay(files: Record<string, string | Uint8Array> | string[]): void {
  const contents = Array.isArray(files) ? Object.fromEntries(files.map((name) => [name, ET])) : files;
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Finds with inputs relative to the folder; shows `rank path` relative to it. */
async function discover(...inputs: string[]): Promise<{ found: string[]; codes: string[] } & TracesetFiles> {
  const files = await discoverTraceset(inputs.map((input) => join(folder, input)));
  const found = files.files.map(({ rank, path }) => `${rank} ${path.slice(folder.length + 1)}`);
  return { ...files, found, codes: files.findings.map(({ code, severity }) => `${code} ${severity}`) };
}

async function failure(...inputs: string[]): Promise<{ code: string; exitStatus: number; message: string }> {
  try {
    await discover(...inputs);
  } catch (error) {
    const { code, exitStatus, message } = error as { code: string; exitStatus: number; message: string };
    return { code, exitStatus, message: message.replaceAll(`${folder}/`, '') };
  }
  throw new Error('nothing was thrown');
}

test.each<[string, string, number | undefined]>([
  ['job.3.et', 'job', 3],
  ['job.003.et.gz', 'job', 3],
  ['allreduce_0.10.526.eg', 'allreduce_0.10', 526],
  ['rank.7.et', 'rank', 7],
  ['rank7.et', 'rank', 7],
  ['job_rank_7.jsonl', 'job', 7],
  ['et.dlrm.12.et', 'et.dlrm', 12],
  ['mixtral-8x22_chakra.31.et', 'mixtral-8x22_chakra', 31],
  ['workload.0.json', 'workload', 0],
  ['host_3.json', 'host', 3],
  ['host-3.json', 'host', 3],
  ['3.et', 'trace', 3],
  ['resnet50.et', 'resnet50', undefined],
  ['trace.1700000000.et', 'trace.1700000000', undefined],
  ['workload.json', 'workload', undefined],
])('%s is %s, rank %s', (fileName, prefix, rank) => {
  expect(parseTraceFileName(fileName)).toEqual({ prefix, rank });
});

describe('a folder', () => {
  test('ranks in numeric order, with its group file; folders and hidden files do not count', async () => {
    lay(['job.0.et', 'job.1.et', 'job.10.et', '.job.3.et', 'sub/job.4.et']);
    lay({ 'job.2.et': ET, 'comm_group.json': GROUPS });
    const { found, prefix, codes, groupFile } = await discover('.');
    expect(found).toEqual(['0 job.0.et', '1 job.1.et', '2 job.2.et', '10 job.10.et']);
    expect(prefix).toBe('job');
    expect(codes).toEqual(['RANK_MISSING error', 'GROUP_FILE_FOUND note']);
    expect(groupFile).toBe(join(folder, 'comm_group.json'));
  });

  test('JSON files are told apart by content: protobuf, lines, groups, others', async () => {
    lay({
      'job.0.json': ET,
      'job.1.json.gz': gzipSync(ET),
      'job.2.jsonl': LINES,
      'job.json': GROUPS,
      'job.0.ready.json': '[1]',
      'kineto_0.json.gz': gzipSync(KINETO),
      'README.md': '# traces',
    });
    const { found, groupFile, codes, findings } = await discover('.');
    expect(found).toEqual(['0 job.0.json', '1 job.1.json.gz', '2 job.2.jsonl']);
    expect(groupFile).toBe(join(folder, 'job.json'));
    expect(codes).toEqual(['GROUP_FILE_FOUND note', 'FILE_SKIPPED note']);
    for (const name of ['README.md', 'kineto_0.json.gz']) expect(findings[1].message).toContain(name);
    // What annotation writes beside a trace belongs to it.
    expect(findings[1].message).not.toContain('ready');
  });

  test('its name may hold glob characters and blanks', async () => {
    lay(['a [1] {b} *!/x.0.et', 'a [1] {b} *!/x.1.et']);
    const expected = ['0 a [1] {b} *!/x.0.et', '1 a [1] {b} *!/x.1.et'];
    expect((await discover('a [1] {b} *!')).found).toEqual(expected);
    expect((await discover('a [1] {b} *!/*.et')).found).toEqual(expected);
    expect((await discover('a [1] {b} *!/x')).found).toEqual(expected);
  });

  test('links to files and folders are followed; a link that leads nowhere is left out', async () => {
    lay(['data/a', 'data/b']);
    mkdirSync(join(folder, 'set'));
    symlinkSync(join(folder, 'data/a'), join(folder, 'set/job.0.et'));
    symlinkSync(join(folder, 'data/b'), join(folder, 'set/job.1.et'));
    symlinkSync(join(folder, 'data/none'), join(folder, 'set/job.2.et'));
    symlinkSync(join(folder, 'set'), join(folder, 'link'));
    const { found, codes, findings } = await discover('link');
    expect(found).toEqual(['0 link/job.0.et', '1 link/job.1.et']);
    expect(codes).toEqual(['FILE_SKIPPED warning']);
    expect(findings[0].message).toBe(`a link that leads nowhere, left out: ${join(folder, 'link/job.2.et')}`);
  });

  test('a file of another kind with the name of a rank is that rank, so that its reader says what it is', async () => {
    lay({ 'job.0.et': ET, 'job.1.json': KINETO, 'job.3.json': '[]', 'other.2.json': KINETO, 'job.4.txt': '' });
    const { found, codes, findings } = await discover('.');
    expect(found).toEqual(['0 job.0.et', '1 job.1.json', '3 job.3.json']);
    expect(codes).toEqual(['RANK_MISSING error', 'FILE_SKIPPED note']);
    expect(findings[1].message).toBe(
      'no Chakra trace, left out: ' +
        `${join(folder, 'job.4.txt')}, ${join(folder, 'other.2.json')} (a Kineto device trace (Chrome trace events))`,
    );
  });

  test('a group file that was named is no trace, and no other one is used', async () => {
    lay({ 'job.0.et': ET, 'job.1.json': GROUPS, 'comm_group.json': GROUPS });
    const asked = join(folder, 'job.1.json');
    const { files, groupFile, findings } = await discoverTraceset([folder], asked);
    expect(files.map(({ rank }) => rank)).toEqual([0]);
    expect(groupFile).toBe(asked);
    expect(findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `FILE_SKIPPED: ${join(folder, 'comm_group.json')} is not used: --groups names ${asked}`,
    ]);
  });

  test('two traceset in it are refused, with both names and how to choose', async () => {
    lay(['a.0.et', 'a.1.et', 'b.0.et']);
    const error = await failure('.');
    expect(error).toMatchObject({ code: 'PREFIXES_MIXED', exitStatus: 2 });
    expect(error.message).toBe('traces of more than one traceset: "a" (a.0.et, … 2 files), "b" (b.0.et)');
    expect((await discover('a')).found).toEqual(['0 a.0.et', '1 a.1.et']);
  });

  test('nothing in it, or nothing of ours', async () => {
    mkdirSync(join(folder, 'empty'));
    lay({ 'device/kineto_0.json': KINETO, 'notes/a.md': '#' });
    expect(await failure('empty')).toMatchObject({ code: 'NO_TRACES', exitStatus: 3 });
    expect((await failure('notes')).message).toBe('notes: no traces; it holds only notes/a.md');
    expect(await failure('device')).toMatchObject({ code: 'WRONG_KIND', exitStatus: 3 });
    expect((await failure('device')).message).toContain('device/kineto_0.json is a Kineto device trace');
  });

  test('two group files of other names: none is used', async () => {
    lay({ 'job.0.et': ET, 'tp.json': GROUPS, 'dp.json': GROUPS });
    const { groupFile, codes } = await discover('.');
    expect(groupFile).toBeUndefined();
    expect(codes).toEqual(['FILE_SKIPPED warning']);
  });
});

describe('missing and doubled ranks', () => {
  test('one finding names all missing ranks', async () => {
    lay(['job.2.et', 'job.4.et', 'job.7.et']);
    const { findings } = await discover('.');
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ code: 'RANK_MISSING', severity: 'error', rank: 0, count: 5 });
    expect(findings[0].message).toMatch(/^ranks 0 to 1, 3, 5 to 6 have no file: the largest rank is 7/);
  });

  test('a doubled rank names both files; the first counts', async () => {
    lay(['job.0.et', 'job.1.et', 'job.01.et']);
    const { findings, found } = await discover('.');
    expect(found).toEqual(['0 job.0.et', '1 job.01.et']);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ code: 'RANK_DOUBLED', severity: 'error', rank: 1 });
    expect(findings[0].message).toContain('job.01.et');
    expect(findings[0].message).toContain('job.1.et');
  });
});

describe('files, globs and prefixes', () => {
  test('a glob', async () => {
    lay({ 'job.0.et': ET, 'job.1.et': ET, 'other.0.et': ET, 'comm_group.json': GROUPS });
    const { found, groupFile } = await discover('job.*');
    expect(found).toEqual(['0 job.0.et', '1 job.1.et']);
    expect(groupFile).toBe(join(folder, 'comm_group.json'));
    expect(await failure('none*.et')).toMatchObject({ code: 'INPUT_NOT_FOUND', exitStatus: 3 });
  });

  test.each(['job', 'job.'])('the prefix %s', async (prefix) => {
    lay({
      'job.0.et.gz': gzipSync(ET),
      'job.1.eg': ET,
      'job_2.et': ET,
      'job.x.0.et': ET,
      'jobs.0.et': ET,
      'job.json': GROUPS,
    });
    const { found, groupFile } = await discover(prefix);
    expect(found).toEqual(['0 job.0.et.gz', '1 job.1.eg', '2 job_2.et']);
    expect(groupFile).toBe(join(folder, 'job.json'));
  });

  test('a list of files, over folders and in any order, each once', async () => {
    lay(['b/rank.1.et', 'a/rank.0.et', 'b/rank.10.et']);
    const { found } = await discover('b/rank.10.et', 'b/rank.1.et', 'a/rank.0.et', 'a', 'b/../a/rank.0.et');
    expect(found).toEqual(['0 a/rank.0.et', '1 b/rank.1.et', '10 b/rank.10.et']);
  });

  test('a list that names a group file, and one that names no trace', async () => {
    lay({ 'job.0.et': ET, 'job.1.et': ET, 'groups.json': GROUPS, 'comm_group.json': GROUPS, 'k_0.json': KINETO });
    const { groupFile, codes } = await discover('job.0.et', 'job.1.et', 'groups.json', 'k_0.json');
    expect(groupFile).toBe(join(folder, 'groups.json'));
    expect(codes).toEqual(['GROUP_FILE_FOUND note', 'FILE_SKIPPED note', 'FILE_SKIPPED warning']);
  });

  test('files without a rank beside others', async () => {
    lay(['job.et', 'job.0.et']);
    expect(await failure('.')).toMatchObject({ code: 'RANK_UNNAMED', exitStatus: 2 });
  });

  test('a file alone: the rank of its name, else rank 0', async () => {
    lay(['job.3.et', 'cycle.et', 'model_70.et', 'cycle.bin']);
    const third = await discover('job.3.et');
    expect(third.found).toEqual(['3 job.3.et']);
    expect(third.codes).toEqual(['RANK_MISSING error']);
    for (const [name, prefix] of [
      ['cycle.et', 'cycle'],
      ['model_70.et', 'model_70'],
      ['cycle.bin', 'cycle.bin'],
    ]) {
      const lone = await discover(name);
      expect(lone.found).toEqual([`0 ${name}`]);
      expect(lone.prefix).toBe(prefix);
      expect(lone.codes).toEqual(['RANK_ASSUMED note']);
    }
  });

  test('what is not there says what was looked for', async () => {
    const error = await failure('none/job');
    expect(error).toMatchObject({ code: 'INPUT_NOT_FOUND', exitStatus: 3 });
    expect(error.message).toBe('none/job: no file, folder or glob of this name, and no traces none/job.<rank>.et');
  });

  const asRoot = process.getuid?.() === 0;
  (asRoot ? test.skip : test)('a file that may not be read is left to its reader', async () => {
    lay({ 'job.0.json': ET, 'job.1.json': ET });
    chmodSync(join(folder, 'job.0.json'), 0);
    expect((await discover('.')).found).toEqual(['0 job.0.json', '1 job.1.json']);
  });
});

describeShared('folders of the public traces', () => {
  test.each<[string, string, number, string | undefined]>([
    ['astra-sim-artifacts/T2D-analytical', 'trace', 16, 'comm_group.json'],
    ['stage/llama_dp2tp2pp2', 'workload', 8, 'workload.json'],
    ['stage/llama_json_pp2dp2', 'workload', 4, 'workload.json'],
    ['hybrid-parallelism-2groups', 'chakra_trace', 2, 'comm_group.json'],
    ['astra-sim-tutorials/MLP_ModelParallel', 'MLP_ModelParallel', 32, undefined],
    ['mlcommons-chakra-old', 'twoCompNodesDependent', 1, undefined],
  ])('%s', async (path, prefix, ranks, groupFile) => {
    const found = await discoverTraceset([shared('traces', path)]);
    expect(found.prefix).toBe(prefix);
    expect(found.files.map(({ rank }) => rank)).toEqual(Array.from({ length: ranks }, (_, rank) => rank));
    expect(found.groupFile).toBe(groupFile === undefined ? undefined : shared('traces', path, groupFile));
    expect(found.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });

  test('STAGE JSON, with its group file', async () => {
    const { files, prefix, groupFile } = await discoverTraceset([shared('traces/stage/llama_json_real')]);
    expect(files.map(({ rank, path }) => [rank, basename(path)])).toEqual(
      [0, 1, 2, 3].map((rank) => [rank, `workload.${rank}.json`]),
    );
    expect([prefix, basename(groupFile!)]).toEqual(['workload', 'workload.json']);
  });

  test('edge cases are tracesets of their own', async () => {
    await expect(discoverTraceset([shared('traces/edge-cases')])).rejects.toMatchObject({ code: 'PREFIXES_MIXED' });
  });
});

describe('feeder JSON', () => {
  const FEEDER = '{"workload_graph": []}';

  test('is a traceset of its own', async () => {
    lay({ 'job.0.json': FEEDER, 'job.1.json.gz': gzipSync(FEEDER) });
    expect((await discover('.')).found).toEqual(['0 job.0.json', '1 job.1.json.gz']);
  });

  test('is left out, and told of, beside other traces, unless it is named', async () => {
    lay({ 'job.0.et': ET, 'job.0.json': FEEDER, 'job.1.json': FEEDER });
    const { found, codes } = await discover('.');
    expect([found, codes]).toEqual([['0 job.0.et'], ['FILE_SKIPPED note']]);
    expect((await discover('job.0.et', 'job.1.json')).found).toEqual(['0 job.0.et', '1 job.1.json']);
  });
});

test('an empty name is nothing, and is said', async () => {
  await expect(discoverTraceset([''])).rejects.toMatchObject({ code: 'INPUT_NOT_FOUND', exitStatus: 3 });
});

test('a pipe is no file: it would be read twice, and may never end', async () => {
  const pipe = join(folder, 'job.0.et');
  execFileSync('mkfifo', [pipe]);
  expect(await failure('job.0.et')).toEqual({
    code: 'FILE_UNREADABLE',
    exitStatus: 3,
    message: 'job.0.et: is a pipe or socket, expected a file',
  });
});

test('a folder that is called like a trace is told of', async () => {
  lay(['job.0.et']);
  mkdirSync(join(folder, 'job.1.et'));
  mkdirSync(join(folder, 'records'));
  const { found, findings } = await discover('');
  expect(found).toEqual(['0 job.0.et']);
  expect(findings).toMatchObject([{ code: 'FILE_SKIPPED', severity: 'warning', files: [join(folder, 'job.1.et')] }]);
  rmSync(join(folder, 'job.0.et'));
  expect((await failure('')).message).toMatch(/no traces; it holds only job.1.et \(a folder\)$/);
});
