import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  analyticalUnaware,
  chooseFindings,
  DEFAULT_RUN_OPTIONS,
  explanationOf,
  inspectFiles,
  openTraceSource,
  packetNetwork,
  packetSettings,
  packetTotals,
  type PacketNetwork,
  parseNetwork,
  prepareTraceset,
  readTopology,
  readTrace,
  repairTraceset,
  replay,
  sarifDocument,
  simulateTraceset,
  validateTraceset,
} from '../src/index.js';
import { REPOSITORY } from './support/repository.js';

/** The public library does what the commands do, with no more than its exports. */

const traces = join(REPOSITORY, 'samples', 'traces');
const NETWORK = 'alpha-beta:latency=1us,bandwidth=50GB/s';

test('a traceset is prepared, read back and replayed', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'library-')), 'prepared');
  const report = await prepareTraceset({
    inputs: [traces],
    deps: 'both',
    steps: { validate: true, expand: true, serialize: true, sync: true, annotate: true },
    output: { folder, format: 'et' },
  });
  expect(report.files).toEqual(['step.0.et', 'step.1.et', 'step.2.et', 'step.3.et']);
  expect(readdirSync(folder)).toContain('step.3.ready.json');
  const ranks = report.files.map((name, rank) => {
    const file = join(folder, name);
    return readTrace(openTraceSource(file), { rank, file }).trace;
  });
  const outcome = replay(ranks, { network: analyticalUnaware(parseNetwork(NETWORK)) });
  // 4 AllReduces on 2 pairs of ranks with 4 transfers each, 4 collectives of 2 transfers, a ring barrier of 24, one send.
  expect(outcome).toMatchObject({ status: 'finished', transfers: 8 * 4 + 4 * 2 + 24 + 1 });
});

test('raw traces give the result document', async () => {
  const { document } = await simulateTraceset({
    ...DEFAULT_RUN_OPTIONS,
    inputs: [traces],
    deps: 'both',
    network: NETWORK,
    family: 'synthesized',
    algorithms: {},
    order: 'recorded',
    useMaxStart: true,
    abortOnWarning: false,
  });
  expect(document).toMatchObject({ schema: 'chakra-prep/simulate-result/1', status: 'finished', transfers: 65 });
});

const faulty = { inputs: [join(REPOSITORY, 'samples', 'faulty')], deps: 'both', algorithms: {} } as const;

test('what is wrong with a traceset is found for a target, chosen, explained and written as SARIF', async () => {
  const { findings, files } = await validateTraceset({ ...faulty, target: 'feeder', assume: ['duration-unit=ms'] });
  // No feeder reads JSON lines.
  const expected = ['DANGLING_DATA', 'FEEDER_FORMAT', 'ASSUMPTION_APPLIED'];
  expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(expected));
  const chosen = chooseFindings(findings, { severity: 'error', ignore: ['DANGLING_DATA'] });
  expect(chosen.ignored).toEqual({ DANGLING_DATA: 1 });
  const [run] = sarifDocument(chosen, {
    workingDirectory: REPOSITORY,
    inputs: faulty.inputs,
    files,
    exitStatus: 1,
  }).runs;
  expect(run.results.map(({ ruleId }) => ruleId)).toEqual(chosen.listed.map(({ code }) => code));
  expect(run.tool.driver.rules.map(({ id }) => explanationOf(id)?.severity)).not.toContain(undefined);
});

test('a traceset is repaired, and the copy validated', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'library-')), 'fixed');
  const { balance, validation } = await repairTraceset({ ...faulty, output: { folder, format: 'et' } });
  // Node 2 names 9, which no node has, and itself; node 1 names 0 and has no is_cpu_op.
  expect(balance.changes).toMatchObject({ 'orphan-data': 1, 'orphan-control': 1, 'self-control': 1, 'is-cpu-op': 1 });
  expect(validation.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('views of a traceset', async () => {
  const views = { groups: true, pairs: true, collectives: true, nodes: { types: [7], ranks: [0] } };
  const { groups, pairs, collectives, nodes } = await inspectFiles({ inputs: [traces], deps: 'both', views });
  expect([groups?.declared, groups?.used, pairs?.sends]).toEqual([4, 5, 1]);
  // Four AllReduces in each of two groups, an AllGather and a ReduceScatter in each of two others, a Barrier.
  expect([collectives?.count, nodes?.matched]).toEqual([2 * 4 + 2 * 2 + 1, 4 + 2 + 1]);
});

test('a traceset is replayed over packets, and what they went through is added up', () => {
  const folder = join(REPOSITORY, 'samples', 'deadlock');
  const ranks = [0, 1, 2, 3, 4].map((rank) => {
    const file = join(folder, `shift.${rank}.jsonl`);
    return readTrace(openTraceSource(file), { rank, file }).trace;
  });
  const { topology } = readTopology(
    'version: 1\ngenerator: { type: single-switch, hosts: 5, gbps: 400, delayNs: 500 }',
    'star',
  );
  const { settings } = packetSettings(topology, { nic: 'uet', seed: 1, stated: {}, check: true });
  const built: PacketNetwork[] = [];
  const network = packetNetwork({ topology, settings }, { onBuilt: (one) => built.push(one) });
  expect(replay(ranks, { network }).status).toBe('finished');
  expect(packetTotals(built[0])).toMatchObject({ data: 5 * 256, control: 5 * 256, dropped: 0 });
});
