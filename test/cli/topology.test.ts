import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/folders.js';
import { runIn } from '../support/in-process.js';

const FABRIC = '3 1 2\n2\n0 2 400Gbps 500ns 0\n1 2 400Gbps 500ns 0\n';
const SWITCH = ['single-switch', '--hosts', '2', '--gbps', '400', '--delay-ns', '500'];

let folder: string;
beforeEach(() => {
  folder = newFolder();
  writeFileSync(join(folder, 'fabric.txt'), FABRIC);
});

test.each([
  [['topology', 'show'], 'USAGE: topology: <file|type> is missing'],
  [['topology', 'show', 'a', 'b'], 'USAGE: topology: 3 words, expected <show|generate> <file|type>'],
  [['topology', 'draw', 'fabric.txt'], 'USAGE: topology draw: expected show or generate'],
  [['topology', 'show', 'nowhere.txt'], 'FILE_UNREADABLE: nowhere.txt: cannot be read (ENOENT'],
  [['topology', 'show', 'fabric.txt', '-o', 'x'], 'OPTION_MISSING: topology show -o: --to is missing'],
  [['topology', 'show', 'fabric.txt', '--to', 'dot', '-o', ''], 'USAGE: -o: the name is empty'],
  [['topology', 'show', 'fabric.txt', '--to', 'dot', '--json'], 'OUTPUT_AMBIGUOUS: the topology and the document'],
  [['topology', 'show', 'fabric.txt', '--ranks', 'two'], 'USAGE: --ranks two: expected a number'],
  [['topology', 'show', 'fabric.txt', '--ranks', '0'], 'USAGE: --ranks 0: expected a whole number from 1'],
  [
    ['topology', 'show', 'fabric.txt', '--logical', 'fabric.txt'],
    'TOPOLOGY_MALFORMED: fabric.txt: no logical topology',
  ],
  [['topology', 'show', 'fabric.txt', '--to', 'ns3', '-o', 'fabric.txt/x'], 'OUTPUT_UNWRITABLE: fabric.txt'],
  [['topology', 'generate', 'torus'], 'TOPOLOGY_GENERATOR: unknown type of topology: torus'],
  [['topology', 'generate', 'single-switch', '--gbps', 'fast'], 'USAGE: --gbps fast: expected a number'],
  [['topology', 'generate', ...SWITCH, '--json'], 'OUTPUT_AMBIGUOUS: the topology and the document'],
  [['topology', 'generate', ...SWITCH, '--mapping-out', 'm'], 'USAGE: --mapping-out with single-switch: its hosts'],
])('%j is refused', async (words, message) => {
  const { status, stderr, stdout } = await runIn(folder, words);
  expect(stderr.split('\n')[0]).toContain(`error ${message}`);
  expect([2, 3]).toContain(status);
  if (!words.includes('--json')) expect(stdout).toBe('');
});

test('rails without the parameters of their groups write nothing', async () => {
  const rails = [
    'rail-optimised',
    '--servers',
    '2',
    '--gpus-per-server',
    '2',
    '--servers-per-segment',
    '2',
    '--spines',
    '1',
  ];
  const { status, stderr } = await runIn(folder, [
    ...['topology', 'generate', ...rails, '--gbps', '400', '--delay-ns', '500', '-o', 'rails.json'],
    ...['--mapping-out', 'rails.map', '--scale-up-gbps', '3600'],
  ]);
  expect([status, stderr.split('\n')[0]]).toEqual([
    2,
    'error OPTION_MISSING: topology generate: --scale-up-switch-ns is missing, which --mapping-out needs',
  ]);
  expect(existsSync(join(folder, 'rails.json'))).toBe(false);
});

test('without -o, or with -o -, the topology is on stdout', async () => {
  const shown = await runIn(folder, ['topology', 'show', 'fabric.txt', '--to', 'ns3']);
  expect(shown).toMatchObject({ status: 0, stdout: FABRIC });
  const generated = await runIn(folder, ['topology', 'generate', ...SWITCH, '--to', 'ns3', '-o', '-']);
  expect(generated).toMatchObject({ status: 0, stdout: FABRIC });
});

test('a folder of the output is made', async () => {
  const { status } = await runIn(folder, ['topology', 'show', 'fabric.txt', '--to', 'ns3', '-o', 'out/copy.txt']);
  expect(status).toBe(0);
  expect(readFileSync(join(folder, 'out', 'copy.txt'), 'utf8')).toBe(FABRIC);
});

test('a configuration says what flags can; --to of another command is none', async () => {
  writeFileSync(join(folder, 'run.yaml'), 'hosts: 2\ngbps: 400\ndelay-ns: 500\nto: jsonl\n');
  const { status, stdout } = await runIn(folder, ['topology', 'generate', 'single-switch', '--config', 'run.yaml']);
  expect([status, JSON.parse(stdout)]).toMatchObject([
    0,
    { version: 1, links: [{ a: 0, b: 2, gbps: 400, delayNs: 500 }, {}] },
  ]);
});

test('--json of generate with -o tells what was made', async () => {
  const { stdout } = await runIn(folder, ['topology', 'generate', ...SWITCH, '-o', 'f.json', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ schema: 'chakra-prep/topology/1', file: 'f.json', type: 'single-switch', hosts: 2, switches: 1, links: 2 },
    ...{ errors: 0, warnings: 0, findings: [] },
  });
  expect(existsSync(join(folder, 'f.json'))).toBe(true);
});

test('exit status 1 where a check is an error, and with --json all findings are in the document', async () => {
  writeFileSync(join(folder, 'apart.txt'), '3 1 1\n2\n0 2 400Gbps 500ns 0\n');
  const { status, stdout, stderr } = await runIn(folder, ['topology', 'show', 'apart.txt', '--json']);
  expect(status).toBe(1);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    errors: 1,
    findings: [{ code: 'TOPOLOGY_UNCONNECTED', severity: 'error' }],
  });
});
