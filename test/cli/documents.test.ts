import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { filesBelow, folderWithSamples, newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { compute, send } from '../support/jobs.js';
import { REPOSITORY } from '../support/repository.js';

const NETWORK = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'];

/** Runs a command with --json and gives its document; stdout holds that and nothing else. */
async function documentOf(...words: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await runHere([...words, '--json']);
  expect(stdout.endsWith('\n')).toBe(true);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('validate: chakra-prep/findings/1', async () => {
  const folder = writeRanks(newFolder(), [[compute(7, 1, [3]), send(9, 0, 8, 1)]]);
  const document = await documentOf('validate', folder);
  const members = ['schema', 'errors', 'warnings', 'findings', 'conventions', 'observations'];
  expect(Object.keys(document)).toEqual(members);
  expect(document).toMatchObject({ schema: 'chakra-prep/findings/1', errors: 1, warnings: 2 });
  expect(document.findings).toEqual([
    {
      code: 'DANGLING_DATA',
      severity: 'error',
      message: 'rank 0: 1 data dependency on id 3, which no node has: node 7 "compute 7"',
      rank: 0,
      file: join(folder, 'job.0.et'),
      nodes: [7],
      missingIds: 1,
      advice: 'add the node or drop the dependency',
    },
    expect.objectContaining({ code: 'PEER_SELF', severity: 'warning', rank: 0, nodes: [9] }),
    expect.objectContaining({ code: 'SEND_UNMATCHED', severity: 'warning', rank: 0, nodes: [9] }),
  ]);
  expect(document.conventions).toEqual([
    { name: 'element-bytes', value: '1', assumed: false, meaning: 'sizes: bytes', count: 1 },
    { name: 'duration-unit', value: 'us', assumed: false, meaning: 'durations: µs', count: 1 },
    { name: 'deps', value: 'both', assumed: false, meaning: 'dependencies: data and control alike', count: 1 },
  ]);
  expect(document.observations).toEqual([
    { name: 'is_cpu_op absent', count: 2, message: 'all 2 nodes without is_cpu_op: operations of the device' },
  ]);
});

test('inspect: chakra-prep/inspect/1', async () => {
  const folder = join(folderWithSamples(), 'traces');
  const document = await documentOf('inspect', folder);
  expect(Object.keys(document)).toEqual(['schema', 'files', 'traceset']);
  expect(document.schema).toBe('chakra-prep/inspect/1');
  const files = document.files as Record<string, Record<string, unknown>>;
  expect(Object.keys(files)).toEqual([0, 1, 2, 3].map((rank) => join(folder, `job.${rank}.et`)));
  expect(Object.keys(files[join(folder, 'job.0.et')])).toEqual(
    expect.arrayContaining(['format', 'nodes', 'by_type', 'deps', 'cycles', 'comm', 'duration_us_by_type', 'attrs']),
  );
  expect(document.traceset).toMatchObject({ ranks: 4, p2p: { sends: 1, recvs: 1 } });
});

test('inspect of one file has no traceset', async () => {
  const path = join(folderWithSamples(), 'traces', 'job.0.et');
  expect(Object.keys(await documentOf('inspect', path))).toEqual(['schema', 'files']);
});

test.each(['expand', 'serialize', 'sync', 'scale --factor 0.5', 'annotate', 'convert --to jsonl', 'prepare'])(
  '%s: chakra-prep/preparation/1',
  async (line) => {
    const [name, ...words] = line.split(' ');
    const folder = folderWithSamples();
    const out = join(folder, 'out');
    const document = await documentOf(name, join(folder, 'traces'), ...words, '-o', out);
    expect(Object.keys(document)).toEqual(['schema', 'errors', 'warnings', 'notes', 'files', 'balance', 'findings']);
    const ending = name === 'convert' ? 'jsonl' : 'et';
    const files = [0, 1, 2, 3].map((rank) => `job.${rank}.${ending}`);
    expect(document).toMatchObject({ schema: 'chakra-prep/preparation/1', errors: 0, files });
    expect(document.balance).toMatchObject({ ranks: 4, nodesIn: 54 });
    expect(document.balance).not.toHaveProperty('findings');
    expect(document.findings).toHaveLength(Number(document.notes) + Number(document.warnings));
    expect(Object.keys(filesBelow(out))).toEqual(expect.arrayContaining(files));
  },
);

test('simulate: schemas/simulate-result.schema.json', async () => {
  const document = await documentOf('simulate', join(folderWithSamples(), 'traces'), ...NETWORK);
  const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas', 'simulate-result.schema.json'), 'utf8')) as object;
  const check = new Ajv().compile(schema);
  expect(check(document) ? [] : check.errors).toEqual([]);
  expect(document).toMatchObject({ schema: 'chakra-prep/simulate-result/1', status: 'finished' });
});

test('explain: chakra-prep/explanation/1', async () => {
  expect(await documentOf('explain', 'cycle')).toEqual({
    schema: 'chakra-prep/explanation/1',
    code: 'CYCLE',
    severity: 'error',
    title: 'dependency cycle',
    meaning: 'The nodes of the cycle wait for each other for ever.',
    advice: expect.stringContaining('--deps data') as string,
  });
  expect(await documentOf('explain', 'RANK_COUNT')).toMatchObject({ code: 'RANK_COUNT', exitStatus: 2 });
});

describe('a command that stops: chakra-prep/error/1', () => {
  test('with the findings that stopped it', async () => {
    const folder = writeRanks(newFolder(), [[compute(7, 1, [3])]]);
    const document = await documentOf('prepare', folder, '-o', join(folder, 'out'));
    expect(document).toEqual({
      schema: 'chakra-prep/error/1',
      code: 'TRACES_REFUSED',
      exitStatus: 1,
      message: 'nothing written: DANGLING_DATA',
      errors: 1,
      warnings: 0,
      findings: [expect.objectContaining({ code: 'DANGLING_DATA', nodes: [7] })],
    });
  });

  test.each([
    [['validate', 'nowhere'], 'INPUT_NOT_FOUND', 3],
    [['validate', 'x', '--bogus'], 'USAGE', 2],
    [['expnd', 'x'], 'COMMAND_UNKNOWN', 2],
    [['simulate', 'x'], 'NETWORK_MISSING', 2],
  ])('%j', async (words, code, exitStatus) => {
    const document = await documentOf(...words);
    expect(document).toMatchObject({ schema: 'chakra-prep/error/1', code, exitStatus, errors: 0, findings: [] });
    expect((await runHere([...words, '--json'])).status).toBe(exitStatus);
  });
});
