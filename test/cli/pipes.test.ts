import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shell } from '../support/command-line.js';
import { filesBelow, folderWithSamples, newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { buildEt } from '../support/traces.js';
import { compute, send } from '../support/jobs.js';

const one = buildEt([compute(1, 7), send(2, 1, 125, 0, [1])]);

test('scale in a pipe equals scale on files', async () => {
  const folder = writeRanks(newFolder(), [[compute(1, 7), send(2, 1, 125, 0, [1])]]);
  const out = join(folder, 'out');
  expect(await runHere(['scale', folder, '--factor', '0.5', '-o', out])).toMatchObject({ status: 0, stdout: '' });
  const piped = await runHere(['scale', '-', '--factor', '0.5', '-o', '-'], { stdin: one });
  expect(piped.status).toBe(0);
  expect(piped.bytes).toEqual(readFileSync(join(out, 'job.0.et')));
});

test('stages piped into each other in a shell hand over the trace alone', () => {
  const folder = folderWithSamples();
  const ran = shell(
    'chakra-prep convert - --to et.gz -o - < traces/job.1.et | chakra-prep scale - --factor 1 -o - --quiet > out.et',
    folder,
  );
  expect(ran.status).toBe(0);
  expect(readFileSync(join(folder, 'out.et'))).toEqual(readFileSync(join(folder, 'traces', 'job.1.et')));
});

test('-o - writes one rank of a folder, and the other ranks count', async () => {
  const folder = folderWithSamples();
  const traces = join(folder, 'traces');
  const { status, bytes } = await runHere(['expand', traces, '--only', '2', '-o', '-']);
  expect(status).toBe(0);
  await runHere(['expand', traces, '-o', join(folder, 'out')]);
  expect(bytes).toEqual(readFileSync(join(folder, 'out', 'job.2.et')));
});

test('a trace on stdin is said to be rank 0 of one where that matters', async () => {
  const scaled = await runHere(['scale', '-', '--factor', '0.5', '-o', '-'], { stdin: one });
  expect(scaled.stderr).not.toContain('RANK_ASSUMED');
  const expanded = await runHere(['expand', '-', '-o', '-'], { stdin: one });
  expect(expanded.stderr).toContain('note RANK_ASSUMED: stdin is taken as rank 0 of a job of one rank');
});

test.each([
  ['JSON lines', Buffer.from('{"schema":"chakra-prep/trace/1","version":"0.0.4"}\n{"id":3,"type":"COMP_NODE"}\n')],
  ['protobuf', Buffer.from(buildEt([{ id: 3, type: 'COMP_NODE' }]))],
])('stdin may hold %s', async (_form, stdin) => {
  const { status, stdout } = await runHere(['convert', '-', '--to', 'jsonl', '-o', '-'], { stdin });
  expect(status).toBe(0);
  expect(stdout.split('\n').slice(1)).toEqual(['{"id":3,"type":"COMP_NODE"}', '']);
});

test('validate and inspect read stdin too', async () => {
  expect(await runHere(['validate', '-'], { stdin: buildEt([compute(1, 7)]) })).toMatchObject({
    status: 0,
    stdout:
      '1 rank, 1 node: 0 errors, 0 warnings, 1 note\n' +
      'read as: durations: µs (duration-unit=us)\n' +
      'legal:   1 node without is_cpu_op: operations of the device\n',
  });
  const { stdout } = await runHere(['inspect', '-', '--json'], { stdin: one });
  expect(JSON.parse(stdout)).toMatchObject({ files: { '-': { nodes: 2 } } });
});

test.each([
  ['nothing on stdin', ['scale', '-', '--factor', '0.5', '-o', '-'], 3, 'FILE_EMPTY: stdin: the file is empty'],
  ['stdin and a file', ['validate', '-', 'x.et'], 2, 'INPUT_MIXED: - (one rank on stdin) cannot be combined'],
])('%s', async (_what, words, status, message) => {
  const ran = await runHere(words);
  expect(ran).toMatchObject({ status, stdout: '' });
  expect(ran.stderr).toContain(message);
});

test('-o - is refused for several ranks and together with --json', async () => {
  const folder = folderWithSamples();
  const several = await runHere(['expand', join(folder, 'traces'), '-o', '-']);
  expect(several).toMatchObject({ status: 2, stdout: '' });
  expect(several.stderr).toContain('OUTPUT_AMBIGUOUS: -o - takes one rank, 4 would be written');
  const both = await runHere(['expand', join(folder, 'traces'), '--only', '1', '-o', '-', '--json']);
  expect(both.status).toBe(2);
  expect(JSON.parse(both.stdout)).toMatchObject({ code: 'OUTPUT_AMBIGUOUS' });
});

test('a reader that stops early is no fault', () => {
  const folder = folderWithSamples();
  const ran = shell('set +o pipefail; chakra-prep convert traces --only 0 --to jsonl -o - --quiet | head -c 5', folder);
  expect(ran).toEqual({ status: 0, stdout: '{"sch', stderr: '' });
  expect(existsSync(join(folder, 'core'))).toBe(false);
});

test('a file called like a glob or a number is taken as it is called', async () => {
  const folder = writeRanks(join(newFolder(), '1e3 [x]'), [[compute(1, 7)]]);
  expect(await runHere(['validate', folder])).toMatchObject({ status: 0 });
  expect(Object.keys(filesBelow(folder))).toEqual(['job.0.et']);
});
