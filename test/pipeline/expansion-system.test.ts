import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareTraceset, type PreparationReport } from '../../src/pipeline/prepare-traceset.js';
import type { PreparationRequest, Steps } from '../../src/pipeline/preparation-request.js';
import { filesBelow, newFolder, writeRanks } from '../support/folders.js';
import { collective, compute } from '../support/jobs.js';
import { buildEt, type NodeObject } from '../support/traces.js';

const SYSTEM = {
  'scheduling-policy': 'LIFO',
  'endpoint-delay': 0,
  'active-chunks-per-dimension': 1,
  'local-mem-bw': 0,
  'preferred-dataset-splits': 1,
  'all-reduce-implementation': ['ring'],
  'collective-optimization': 'localBWAware',
};

function written(name: string, text: string): string {
  const path = join(newFolder(), name);
  writeFileSync(path, text);
  return path;
}

function network(...npus: number[]): string {
  const list = (value: unknown): string => `[ ${npus.map(() => value).join(', ')} ]`;
  const text = `topology: ${list('Ring')}\nnpus_count: [ ${npus.join(', ')} ]\nbandwidth: ${list(50)}\nlatency: ${list(500)}\n`;
  return written('network.yml', text);
}

interface Asked {
  readonly extensions?: boolean;
  readonly ranks: readonly NodeObject[][];
  readonly npus?: readonly number[];
  readonly system?: Readonly<Record<string, unknown>>;
  readonly steps?: Steps;
  readonly request?: Partial<PreparationRequest>;
}

async function expanded({
  ranks,
  npus = [ranks.length],
  extensions = false,
  system = {},
  steps = {},
  request = {},
}: Asked): Promise<{
  report: PreparationReport;
  folder: string;
}> {
  const folder = newFolder();
  const report = await prepareTraceset({
    inputs: [writeRanks(newFolder(), ranks)],
    deps: 'both',
    steps: {
      expand: true,
      system: {
        systemFile: written('system.json', JSON.stringify({ ...SYSTEM, ...system })),
        network: network(...npus),
        queuesPerDimension: 1,
        extensions,
      },
      ...steps,
    },
    output: { folder, format: 'et' },
    ...request,
  });
  return { report, folder };
}

function told({ findings }: PreparationReport): string[] {
  return findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
}

const all = (count: number, ...nodes: NodeObject[]): NodeObject[][] => Array.from({ length: count }, () => nodes);

test('a ring all-reduce of 1 MiB over four ranks: 24 transfers of 256 KiB', async () => {
  const { report } = await expanded({ ranks: all(4, collective(1, 0, 1_048_576, '')) });
  expect(report.balance.expanded).toEqual({
    'AllReduce astra-sim:ring': {
      ...{ collectives: 1, nodes: 4, bytesIn: 4_194_304, bytesInChunks: 4_194_304, transfers: 24, bytesOut: 6_291_456 },
    },
  });
  expect(told(report)).toEqual([expect.stringContaining('note GROUP_WORLD')]);
});

test('worker threads write the same bytes', async () => {
  const ranks = all(4, collective(1, 0, 1000, ''), compute(2, 5, [1]), collective(3, 0, 3333, '', [2]));
  const [one, three] = [await expanded({ ranks }), await expanded({ ranks, request: { threads: 3 } })];
  expect(filesBelow(three.folder)).toEqual(filesBelow(one.folder));
});

test('group names are those of ASTRA-sim: "0" is all ranks, and nobody is guessed', async () => {
  const { report } = await expanded({ ranks: all(2, collective(1, 0, 100, '0')) });
  expect(told(report)).toEqual([]);
  await expect(expanded({ ranks: all(2, collective(1, 0, 100, '5')) })).rejects.toMatchObject({
    code: 'TRACES_REFUSED',
    findings: expect.arrayContaining([expect.objectContaining({ code: 'GROUP_UNDECLARED' })]),
  });
});

test('with the rules of validate first, what is said of groups is said once', async () => {
  const groups = written('groups.json', '{"1": [1, 0], "3": [0]}');
  const { report } = await expanded({
    ranks: all(2, collective(1, 0, 100, '1')),
    steps: { validate: true },
    request: { groups },
  });
  const codes = report.findings.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

test('the network has one NPU a rank', async () => {
  await expect(expanded({ ranks: all(3, collective(1, 0, 100, '')), npus: [2, 2] })).rejects.toMatchObject({
    code: 'NETWORK_SIZE',
    exitStatus: 2,
  });
});

test('a collective that the file has no implementation for', async () => {
  await expect(expanded({ ranks: all(2, collective(7, 2, 100, '')) })).rejects.toMatchObject({
    code: 'SYSTEM_IMPLEMENTATION',
    message: expect.stringContaining('rank 0 node 7: '),
  });
});

test('a missing trace of a custom implementation names the file', async () => {
  const folder = newFolder();
  const prefix = join(folder, 'custom');
  writeFileSync(`${prefix}.0.et`, buildEt([compute(1, 1)]));
  const system = { 'all-reduce-implementation-custom': [prefix] };
  await expect(expanded({ ranks: all(2, collective(1, 0, 100, '')), system })).rejects.toMatchObject({
    code: 'FILE_UNREADABLE',
    message: `${prefix}.1.et: no such file; the custom collective ${prefix} needs it for position 1`,
  });
});

test('replay-only is said to count for nothing', async () => {
  const { report } = await expanded({ ranks: all(2, collective(1, 0, 100, '')), system: { 'replay-only': 1 } });
  expect(told(report)).toContainEqual(expect.stringMatching(/^note SETTING_UNUSED: .*replay-only is not used/));
});

test('--system-extensions without a setting that shapes a graph is said to count for nothing', async () => {
  const ranks = all(4, collective(1, 0, 400, ''));
  const { report } = await expanded({ ranks, extensions: true });
  expect(told(report)).toContainEqual(
    expect.stringMatching(
      /^note SETTING_UNUSED: --system-extensions is not used: .*system\.json asks for no order of dimensions and no hierarchicalRing$/,
    ),
  );
  const system = { 'inter-dimension-scheduling': 'roundRobin', 'all-reduce-implementation': ['ring', 'ring'] };
  const used = await expanded({ ranks, npus: [2, 2], extensions: true, system });
  expect(told(used.report)).toEqual([
    expect.stringContaining('note SYSTEM_EXTENSION: '),
    expect.stringContaining('note GROUP_WORLD'),
  ]);
});

test('involved_dim is read', async () => {
  const node = collective(1, 0, 400, '');
  const ranks = all(4, { ...node, attr: { ...node.attr, involved_dim: { bool_list: [true, false] } } });
  const system = { 'all-reduce-implementation': ['ring', 'ring'] };
  const { report } = await expanded({ ranks, npus: [2, 2], system });
  // Two messages of each rank, in dimension 0 only.
  expect(report.balance.expanded['AllReduce astra-sim:ring']).toMatchObject({ transfers: 8, bytesOut: 8 * 200 });
});

test('what is written says which algorithm it was', async () => {
  const { folder } = await expanded({ ranks: all(2, collective(1, 0, 100, '')) });
  const [name] = Object.keys(filesBelow(folder));
  expect(readFileSync(join(folder, name)).includes('astra-sim:ring')).toBe(true);
});

test('written for ASTRA-sim, the messages are those that it would send itself', async () => {
  const { report } = await expanded({
    ranks: all(2, collective(1, 0, 1000, ''), compute(2, 5, [1])),
    request: { target: 'astra-sim' },
  });
  expect(report.balance.expanded['AllReduce astra-sim:ring']).toMatchObject({ transfers: 4, bytesOut: 2000 });
});
