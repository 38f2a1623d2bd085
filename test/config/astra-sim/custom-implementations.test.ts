import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSystemFile, type SystemFile } from '../../../src/config/astra-sim/system-file.js';
import { refusalOf, told } from '../../support/system-files.js';

const KEY = 'all-reduce-implementation-custom';
const BY_NODE = 'per-node-custom-implementation';
const home = process.cwd();
let folder: string;

/** A new working directory with these files. */
function inFolderOf(files: Readonly<Record<string, string>>): void {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'custom-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  process.chdir(folder);
}

afterEach(() => process.chdir(home));

/** A system file of the keys alone; its defaults are told of in every other test. */
function read(keys: Readonly<Record<string, unknown>>, path = 'job/system/s.json'): SystemFile {
  const text = JSON.stringify({ 'preferred-dataset-splits': 1, ...keys }, null, 1);
  return parseSystemFile(text, path, { injectionScale: 1, extensions: false });
}

function toldOfPaths(file: SystemFile): string[] {
  return told(file).filter((line) => !line.includes('SYSTEM_DEFAULT'));
}

describe('the prefix of a custom implementation', () => {
  test('is relative to the working directory, as in the program', () => {
    inFolderOf({ 'custom/ring.0.et': '', 'job/custom/ring.0.et': '' });
    const file = read({ [KEY]: ['custom/ring'] });
    expect(file.configuration.customImplementations).toEqual({ allReduce: 'custom/ring' });
    expect(toldOfPaths(file)).toEqual([]);
  });

  test.each([
    ['job/system/custom/ring', 'beside the system file'],
    ['job/custom/ring', 'in the folder above it'],
  ])('else it is found as %s, %s', (path) => {
    inFolderOf({ [`${path}.0.et`]: '' });
    const file = read({ [KEY]: ['custom/ring'] });
    expect(file.configuration.customImplementations).toEqual({ allReduce: path });
    expect(toldOfPaths(file)).toEqual([
      `note SYSTEM_PATH_FOUND: job/system/s.json:3: ${KEY}: custom/ring is not in the working directory, taken as ${path}`,
    ]);
  });

  test('the nearest folder wins', () => {
    inFolderOf({ 'job/custom/ring.0.et': '', 'job/system/custom/ring.0.et': '' });
    expect(read({ [KEY]: ['custom/ring'] }).configuration.customImplementations.allReduce).toBe(
      'job/system/custom/ring',
    );
  });

  test('beside a system file with an absolute path it is absolute', () => {
    inFolderOf({ 'job/custom/ring.0.et': '' });
    const file = read({ [KEY]: ['custom/ring'] }, join(folder, 'job/system/s.json'));
    expect(file.configuration.customImplementations.allReduce).toBe(join(folder, 'job/custom/ring'));
  });

  test('each collective has its own', () => {
    inFolderOf({ 'a.0.et': '', 'b.0.et': '', 'c.0.et': '', 'd.0.et': '' });
    const keys = ['all-reduce', 'all-gather', 'reduce-scatter', 'all-to-all'].map((name, place) => [
      `${name}-implementation-custom`,
      ['abcd'[place]],
    ]);
    expect(read(Object.fromEntries(keys) as Record<string, unknown>).configuration.customImplementations).toEqual({
      allReduce: 'a',
      allGather: 'b',
      reduceScatter: 'c',
      allToAll: 'd',
    });
  });

  test('that is nowhere is refused, with the places that were looked at', () => {
    inFolderOf({ 'custom/ring.1.et': '', 'custom/ring': '' });
    expect(refusalOf(() => read({ [KEY]: ['custom/ring'] }))).toBe(
      `SYSTEM_PATH_MISSING: job/system/s.json:3: ${KEY}: custom/ring.0.et is not there, looked in the working directory, in job/system and in each folder above`,
    );
    expect(refusalOf(() => read({ [KEY]: ['custom/ring'] }, 's.json'))).toBe(
      `SYSTEM_PATH_MISSING: s.json:3: ${KEY}: custom/ring.0.et is not there, looked in the working directory and in each folder above`,
    );
  });

  test('an absolute one is looked for nowhere else', () => {
    inFolderOf({ 'nowhere/ring.0.et': '' });
    expect(refusalOf(() => read({ [KEY]: ['/nowhere/ring'] }))).toBe(
      `SYSTEM_PATH_MISSING: job/system/s.json:3: ${KEY}: /nowhere/ring.0.et is not there, looked only there`,
    );
  });
});

describe('per-node-custom-implementation', () => {
  const TRACES = { 'custom/ring.0.et': '', 'custom/star.0.et': '' };

  test('maps node ids to prefixes; comments and quotes are those of YAML', () => {
    inFolderOf({ ...TRACES, 'nodes.yml': '# two\n0: custom/ring\n"7": "custom/star"\n' });
    const file = read({ [BY_NODE]: 'nodes.yml' });
    expect(file.configuration.customByNode).toEqual(
      new Map([
        [0n, 'custom/ring'],
        [7n, 'custom/star'],
      ]),
    );
    expect(toldOfPaths(file)).toEqual([]);
  });

  test('ids beyond the doubles are whole', () => {
    inFolderOf({ ...TRACES, 'nodes.yml': '18446744073709551615: custom/ring\n9007199254740993: custom/star\n' });
    expect([...read({ [BY_NODE]: 'nodes.yml' }).configuration.customByNode.keys()]).toEqual([
      18446744073709551615n,
      9007199254740993n,
    ]);
  });

  test('the file and its prefixes are looked for beside the file that names them, and above', () => {
    inFolderOf({
      'job/custom/ring.0.et': '',
      'job/custom/star.0.et': '',
      'job/custom/nodes.yml': '0: custom/ring\n7: custom/star\n',
    });
    const file = read({ [BY_NODE]: 'custom/nodes.yml' });
    expect(file.configuration.customByNode).toEqual(
      new Map([
        [0n, 'job/custom/ring'],
        [7n, 'job/custom/star'],
      ]),
    );
    expect(toldOfPaths(file)).toEqual([
      `note SYSTEM_PATH_FOUND: job/system/s.json:3: ${BY_NODE}: custom/nodes.yml is not in the working directory, taken as job/custom/nodes.yml`,
      'note SYSTEM_PATH_FOUND: job/custom/nodes.yml: custom/ring is not in the working directory, taken as job/custom/ring, and 1 more prefix alike',
    ]);
  });

  test('the file or a prefix that is nowhere is refused', () => {
    inFolderOf({ 'nodes.yml': '0: custom/ring\n' });
    expect(refusalOf(() => read({ [BY_NODE]: 'node.yml' }))).toBe(
      `SYSTEM_PATH_MISSING: job/system/s.json:3: ${BY_NODE}: node.yml is not there, looked in the working directory, in job/system and in each folder above`,
    );
    expect(refusalOf(() => read({ [BY_NODE]: 'nodes.yml' }))).toBe(
      'SYSTEM_PATH_MISSING: nodes.yml:1:4: 0: custom/ring.0.et is not there, looked in the working directory and in each folder above',
    );
  });

  test.each([
    ['- custom/ring\n', '1:1: expected lines such as 7: custom/ring, a node id and the prefix of its traces'],
    ['custom/ring\n', '1:1: expected lines such as 7: custom/ring, a node id and the prefix of its traces'],
    ['all: custom/ring\n', '1:1: all: expected the id of a node, in decimal digits'],
    ['-1: custom/ring\n', '1:1: -1: expected the id of a node, in decimal digits'],
    ['0x10: custom/ring\n', '1:1: 0x10: expected the id of a node, in decimal digits'],
    ['010: custom/ring\n', '1:1: 010: expected the id of a node, in decimal digits'],
    ['18446744073709551616: custom/ring\n', '1:1: 18446744073709551616: expected the id of a node, in decimal digits'],
    ['7:\n', '1:3: 7: expected the prefix of the traces of a custom implementation'],
    ['7: [custom/ring]\n', '1:4: 7: expected the prefix of the traces of a custom implementation'],
    ['7: custom/ring\n7: custom/star\n', '2:1: 7 given twice, first on line 1; expected once'],
    ['7: "custom\n', '2:1: YAML: Missing closing "quote'],
  ])('%j is refused', (text, message) => {
    inFolderOf({ ...TRACES, 'nodes.yml': text });
    expect(refusalOf(() => read({ [BY_NODE]: 'nodes.yml' }))).toBe(`SYSTEM_MALFORMED: nodes.yml:${message}`);
  });
});
