import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import { CATALOGUE } from '../../src/base/catalogue.js';
import { STOP_CODES } from '../../src/base/stop-codes.js';
import type { SarifLog } from '../../src/records/findings/sarif-log.js';
import { filesBelow, folderWithSamples, newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { collective, compute, send } from '../support/jobs.js';
import { REPOSITORY } from '../support/repository.js';
import { codeScanningFaults, sarifFaults } from '../support/sarif-schema.js';

const NETWORK = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'];

/** Runs a command with --json and gives its document; stdout holds that and nothing else. */
async function documentOf(...words: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await runHere([...words, '--json']);
  expect(stdout.endsWith('\n')).toBe(true);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('validate: chakra-prep/findings/1', () => {
  const faulty = (): string => writeRanks(newFolder(), [[compute(7, 1, [3]), send(9, 0, 8, 1)]]);

  test('every finding, with how often it occurred', async () => {
    const folder = faulty();
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
        advice: 'add the node or drop the dependency; validate --fix drops it',
        count: 1,
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

  test('what is not listed is counted', async () => {
    const words = ['--severity', 'error', '--ignore', 'PEER_SELF'];
    const document = await documentOf('validate', faulty(), ...words);
    expect(document).toMatchObject({ errors: 1, warnings: 1, leftOut: 1, ignored: { PEER_SELF: 1 } });
    expect(document.findings).toEqual([expect.objectContaining({ code: 'DANGLING_DATA' })]);
  });

  test.each([
    [[]],
    [['--max-findings', '1']],
    [['--ignore', 'PEER_SELF']],
    [['--deps', 'data']],
    [['--fix', '-o', newFolder()]],
  ])('schemas/findings.schema.json with %j', async (words) => {
    const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas', 'findings.schema.json'), 'utf8')) as object;
    const check = new Ajv().compile(schema);
    const large = { ...compute(1, 1), id: 2n ** 60n, data_deps: [2n ** 60n] };
    const folder = writeRanks(newFolder(), [[large, send(9, 0, 8, 1), collective(10, 0, 8, 'tp')]]);
    const document = await documentOf('validate', folder, ...words);
    expect(check(document) ? [] : check.errors).toEqual([]);
    expect(check({ ...document, findings: [{ code: 'x' }] })).toBe(false);
  });

  test('schemas/findings.schema.json with --fix', async () => {
    const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas', 'findings.schema.json'), 'utf8')) as object;
    const check = new Ajv().compile(schema);
    const circle = [compute(1, 1, [9]), compute(3, 1, [4]), compute(4, 1, [3])];
    const folder = writeRanks(newFolder(), [circle]);
    const document = await documentOf('validate', folder, '--fix', '-o', newFolder());
    expect(check(document) ? [] : check.errors).toEqual([]);
    expect(document).toMatchObject({
      changes: [
        { code: 'REPAIRED', repair: 'orphan-data', nodes: [1], ids: [9] },
        { code: 'REPAIRED', repair: 'is-cpu-op', nodes: [1, 3, 4] },
      ],
      left: [{ code: 'NOT_REPAIRED', repair: 'parents-first', nodes: [3, 4] }],
      balance: { ranks: 1, nodesIn: 3, nodesOut: 3, changes: { 'orphan-data': 1, 'is-cpu-op': 3 } },
    });
    expect(check({ ...document, changes: [{ ...(document.changes as object[])[0], repair: undefined }] })).toBe(false);
  });

  test('--sarif is one SARIF 2.1.0 document, also where an error stops the check', async () => {
    const { stdout, stderr, status } = await runHere(['validate', faulty(), '--sarif']);
    expect({ stderr, status }).toEqual({ stderr: '', status: 1 });
    const document = JSON.parse(stdout) as SarifLog;
    expect(sarifFaults(document)).toEqual([]);
    expect(codeScanningFaults(document)).toEqual([]);
    expect(document.runs[0].results.map(({ ruleId }) => ruleId)).toEqual([
      'DANGLING_DATA',
      'PEER_SELF',
      'SEND_UNMATCHED',
    ]);
    const stopped = await runHere(['validate', 'nowhere', '--sarif']);
    expect(stopped.status).toBe(3);
    expect(stopped.stderr).toContain('error INPUT_NOT_FOUND: nowhere');
    const refused = await runHere(['validate', faulty(), '--sarif', '--max-findings', 'x']);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      runs: [
        {
          invocations: [
            { exitCode: 2, toolExecutionNotifications: [{ descriptor: { id: 'MAX_FINDINGS_MALFORMED' } }] },
          ],
        },
      ],
    });
    expect(sarifFaults(JSON.parse(stopped.stdout))).toEqual([]);
    expect(JSON.parse(stopped.stdout)).toMatchObject({
      runs: [{ invocations: [{ executionSuccessful: false, exitCode: 3 }], results: [] }],
    });
  });
});

test('an assumption that changes no node is a finding as the schemas have it', async () => {
  const nodes = [collective(1, 2, 0, '')]; // an AllGather of 0 bytes: 0 in all are 0 of each
  const words = ['validate', writeRanks(newFolder(), [nodes, nodes]), '--assume', 'allgather-size=total'];
  const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas', 'findings.schema.json'), 'utf8')) as object;
  const document = await documentOf(words[0], ...words.slice(1));
  expect(new Ajv().compile(schema)(document)).toBe(true);
  expect(document.findings).toContainEqual(expect.objectContaining({ code: 'ASSUMPTION_APPLIED', concerned: 2 }));
  expect(sarifFaults(JSON.parse((await runHere([...words, '--sarif'])).stdout))).toEqual([]);
});

test('SARIF: what belongs to no file is located where a reader finds something', async () => {
  const node = [collective(1, 0, 8, '')]; // GROUP_WORLD, a note about the traceset
  const folder = writeRanks(newFolder(), [node, node]);
  const uriOf = async (words: readonly string[], stdin?: Uint8Array): Promise<string> => {
    const { stdout } = await runHere(['validate', ...words, '--sarif'], stdin === undefined ? {} : { stdin });
    const [{ results }] = (JSON.parse(stdout) as SarifLog).runs;
    const [{ physicalLocation }] = results.find(({ ruleId }) => ruleId === 'GROUP_WORLD')!.locations;
    return physicalLocation.artifactLocation.uri;
  };
  const place = pathToFileURL(folder).href;
  expect(await uriOf([folder])).toBe(place);
  expect(await uriOf([join(folder, 'job')])).toBe(place);
  expect(await uriOf([join(folder, '*.et')])).toBe(place);
  expect(await uriOf(['-'], readFileSync(join(folder, 'job.0.et')))).toBe('stdin');
  const out = newFolder();
  expect(await uriOf([folder, '--fix', '-o', out])).toBe(pathToFileURL(out).href);
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

describe('inspect with views: schemas/inspect.schema.json', () => {
  const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas', 'inspect.schema.json'), 'utf8')) as object;
  const check = new Ajv().compile(schema);

  test.each([
    ['', ['files', 'traceset']],
    ['--groups', ['files', 'traceset', 'groups']],
    ['--pairs --collectives', ['files', 'traceset', 'pairs', 'collectives']],
    ['--nodes', ['nodes']],
    [
      '--groups --pairs --collectives --nodes --rank 0',
      ['files', 'traceset', 'groups', 'pairs', 'collectives', 'nodes'],
    ],
  ])('%s', async (views, members) => {
    const folder = join(folderWithSamples(), 'traces');
    const document = await documentOf('inspect', folder, ...views.split(' ').filter((word) => word !== ''));
    expect(check(document) ? [] : check.errors).toEqual([]);
    expect(Object.keys(document)).toEqual(['schema', ...members]);
  });

  test('ranks that disagree, ends without another one, ids of 64 bits and empty lists', async () => {
    const cases = join(REPOSITORY, 'test', 'cases');
    for (const name of ['inspect-groups', 'inspect-pairs', 'inspect-nodes']) {
      for (const more of [[], ['--limit', '0']]) {
        const words = [join(cases, name, 'in'), '--groups', '--pairs', '--collectives', '--nodes', ...more];
        const document = await documentOf('inspect', ...words);
        expect(check(document) ? [] : check.errors).toEqual([]);
      }
    }
  });

  test('all nodes where no limit is given, fifty in a table', async () => {
    const folder = join(folderWithSamples(), 'traces');
    const { nodes } = (await documentOf('inspect', folder, '--nodes')) as {
      nodes: { matched: number; list: unknown[] };
    };
    expect([nodes.matched, nodes.list.length]).toEqual([54, 54]);
    const { stdout } = await runHere(['inspect', folder, '--nodes', '--quiet']);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('… and 4 more; --limit N shows more, --json has all');
  });
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
    ...CATALOGUE.CYCLE,
  });
  expect(await documentOf('explain', 'RANK_COUNT')).toEqual({
    schema: 'chakra-prep/explanation/1',
    code: 'RANK_COUNT',
    ...STOP_CODES.RANK_COUNT,
  });
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
