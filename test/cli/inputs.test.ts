import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { chakraPrep } from '../support/command-line.js';
import { filesBelow, folderWithSamples, newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { compute } from '../support/jobs.js';
import { describeShared, shared } from '../support/shared.js';
import { buildEt } from '../support/traces.js';

test.each([
  ['a folder', (traces: string) => [traces]],
  ['a list of files', (traces: string) => [3, 1, 0, 2].map((rank) => join(traces, `job.${rank}.et`))],
  ['a prefix', (traces: string) => [join(traces, 'job')]],
  ['a glob', (traces: string) => [join(traces, '*.et')]],
])('the ranks are named as %s', async (_how, named) => {
  const traces = join(folderWithSamples(), 'traces');
  const { stdout } = await runHere(['validate', ...named(traces)]);
  expect(stdout.split('\n')[0]).toBe('4 ranks, 54 nodes: 0 errors, 0 warnings, 2 notes');
});

test('ranks sort as numbers: 2 before 10', async () => {
  const ranks = Array.from({ length: 12 }, (_, rank) => [compute(rank, 1)]);
  const folder = writeRanks(newFolder(), ranks);
  const { stdout } = await runHere(['inspect', folder, '--json']);
  const { files } = JSON.parse(stdout) as { files: Record<string, { id_min: number }> };
  expect(Object.values(files).map(({ id_min }) => id_min)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const document = await runHere(['scale', folder, '--factor', '1', '-o', join(folder, 'out'), '--json']);
  expect((JSON.parse(document.stdout) as { files: string[] }).files.slice(1, 4)).toEqual([
    'job.1.et',
    'job.2.et',
    'job.3.et',
  ]);
});

test('gzip content is unpacked, whatever the name says', async () => {
  const folder = newFolder();
  const bytes = buildEt([compute(1, 3)]);
  writeFileSync(join(folder, 'job.0.et.gz'), gzipSync(bytes));
  writeFileSync(join(folder, 'job.1.et'), gzipSync(bytes));
  writeFileSync(join(folder, 'job.2.et'), bytes);
  expect(await runHere(['convert', folder, '--to', 'et', '-o', join(folder, 'out')])).toMatchObject({ status: 0 });
  expect(Object.values(filesBelow(join(folder, 'out'))).map((out) => out.equals(bytes))).toEqual([true, true, true]);
});

test('a folder of several tracesets, and one of them', async () => {
  const traces = join(folderWithSamples(), 'traces');
  cpSync(join(traces, 'job.0.et'), join(traces, 'other.0.et'));
  const mixed = await runHere(['validate', traces]);
  expect(mixed.status).toBe(2);
  expect(mixed.stderr).toContain('error PREFIXES_MIXED: traces of more than one traceset: "job" (');
  expect(mixed.stderr).toContain(`  advice: choose one, such as ${join(traces, 'job')}\n`);
  expect(await runHere(['validate', join(traces, 'job')])).toMatchObject({ status: 0 });
});

test('two files of one rank', async () => {
  const traces = join(folderWithSamples(), 'traces');
  mkdirSync(join(traces, 'more'));
  cpSync(join(traces, 'job.0.et'), join(traces, 'more', 'job.0.et'));
  const { status, stderr } = await runHere(['validate', traces, join(traces, 'more')]);
  expect(status).toBe(1);
  expect(stderr).toContain('error RANK_DOUBLED: rank 0 has two files: ');
});

test('annotated traces are an input like any other', async () => {
  const folder = folderWithSamples();
  await runHere(['prepare', join(folder, 'traces'), '-o', join(folder, 'prepared')]);
  const { status, stderr } = await runHere(['validate', join(folder, 'prepared')]);
  expect(status).toBe(0);
  expect(stderr).not.toContain('FILE_SKIPPED');
});

test('--groups wins over the file that lies beside the traces', async () => {
  const folder = folderWithSamples();
  const groups = join(folder, 'groups.json');
  renameSync(join(folder, 'traces', 'comm_group.json'), groups);
  writeFileSync(join(folder, 'traces', 'comm_group.json'), '{"1": [0]}');
  expect((await runHere(['validate', join(folder, 'traces')])).status).toBe(1);
  expect(await runHere(['validate', join(folder, 'traces'), '--groups', groups])).toMatchObject({ status: 0 });
});

test('a group file may be gzip, as a trace may', async () => {
  const folder = folderWithSamples();
  const groups = join(folder, 'groups.json.gz');
  writeFileSync(groups, gzipSync(readFileSync(join(folder, 'traces', 'comm_group.json'))));
  expect(await runHere(['validate', join(folder, 'traces'), '--groups', groups])).toMatchObject({ status: 0 });
});

test('validate reads on where a number of one rank cannot be read, and tells of it once', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'job.0.et'), buildEt([compute(1, 3)]));
  writeFileSync(join(folder, 'job.1.et'), buildEt([{ ...compute(7, 3), duration_micros: 2n ** 60n }]));
  const both = await runHere(['validate', folder]);
  expect(both.status).toBe(1);
  expect(both.stdout).toMatch(/^1 rank, 1 node: 1 error, 0 warnings, 0 notes\n/);
  const alone = await runHere(['validate', join(folder, 'job.1.et')]);
  expect(alone.status).toBe(1);
});

test('ranks in feeder JSON beside ranks in protobuf form are told of', async () => {
  const folder = newFolder();
  const names = ['job.0.et', 'job.1.json', 'job.2.et'].map((name) => join(folder, name));
  for (const name of [names[0], names[2]]) writeFileSync(name, buildEt([compute(1, 3)]));
  const node = { Id: 1, Name: 'op', NodeType: 4, is_cpu_op: false, data_deps: [], runtime: 3 };
  writeFileSync(names[1], JSON.stringify({ workload_graph: [node] }));
  const { stderr } = await runHere(['validate', ...names]);
  expect(stderr).toContain('warning RANKS_DIFFER: rank 1 is feeder JSON, the 2 other ranks are in another form');
});

describeShared('older schemas', () => {
  test.each(['0.0.1.0.eg', '0.0.2.0.et', '0.0.3-jul2023.0.et', '0.0.3-aug2023.0.et'])('%s is noted', async (name) => {
    const path = shared('traces', 'schema-history', `resnet50_dp.schema-${name}`);
    const { status, stderr } = await runHere(['validate', path]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^note SCHEMA_CONVERTED: rank 0: schema 0\.0\.[123]\+? is read as 0\.0\.4: /);
  });
});

test.each(['prepare --scale 0.5', 'convert --to jsonl', 'serialize --order ids'])(
  '%s gives the same bytes with one thread and with several',
  (line) => {
    const folder = folderWithSamples();
    const outputs = [1, 2, 4].map((threads) => {
      const words = [...line.split(' '), 'traces', '-o', `out${threads}`, '--threads', String(threads)];
      expect(chakraPrep(words, folder)).toMatchObject({ status: 0 });
      return filesBelow(join(folder, `out${threads}`));
    });
    expect(outputs[1]).toEqual(outputs[0]);
    expect(outputs[2]).toEqual(outputs[0]);
    expect(Object.keys(outputs[0]).length).toBeGreaterThan(4);
  },
);

test('validate and inspect print the same with one thread and with several', () => {
  const folder = folderWithSamples();
  for (const name of ['validate', 'inspect']) {
    const [one, four] = [1, 4].map((threads) =>
      chakraPrep([name, 'traces', '--json', '--threads', String(threads)], folder),
    );
    expect(four).toEqual(one);
  }
});
