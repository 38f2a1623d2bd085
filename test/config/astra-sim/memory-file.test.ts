import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMemoryFile, readMemoryFile, type MemoryFile } from '../../../src/config/astra-sim/memory-file.js';
import { refusalOf, told } from '../../support/system-files.js';

function memoryFile(keys: Readonly<Record<string, unknown>>): MemoryFile {
  return parseMemoryFile(JSON.stringify(keys), 'memory.json');
}

const POOL = { 'memory-type': 'MEMORY_POOL', 'remote-mem-latency': 250, 'remote-mem-bw': 37 };

describe('kinds of remote memory (section 4)', () => {
  test.each([
    [{ 'memory-type': 'NO_MEMORY_EXPANSION' }, { latencyNs: 0, bytesPerNs: 0, ranksPerNode: 1 }],
    [POOL, { latencyNs: 250, bytesPerNs: 37, ranksPerNode: 1 }],
    [
      { ...POOL, 'memory-type': 'PER_NPU_MEMORY_EXPANSION' },
      { latencyNs: 250, bytesPerNs: 37, ranksPerNode: 1 },
    ],
    [
      { ...POOL, 'memory-type': 'PER_NODE_MEMORY_EXPANSION', 'num-npus-per-node': 8, 'num-nodes': 2 },
      { latencyNs: 250, bytesPerNs: 37, ranksPerNode: 8 },
    ],
  ])('%j', (keys, expected) => {
    expect(memoryFile(keys)).toEqual({
      configuration: { file: 'memory.json', kind: keys['memory-type'], ...expected },
      findings: [],
    });
  });

  test('num-nodes follows from the ranks: it may be left out', () => {
    const keys = { ...POOL, 'memory-type': 'PER_NODE_MEMORY_EXPANSION', 'num-npus-per-node': 8 };
    expect(memoryFile(keys)).toMatchObject({ configuration: { ranksPerNode: 8 }, findings: [] });
  });
});

describe('defaults', () => {
  test('without memory-type there is no remote memory: an access stops the run', () => {
    const read = memoryFile({});
    expect(read.configuration.kind).toBe('NO_MEMORY_EXPANSION');
    expect(told(read)).toEqual([
      'note SYSTEM_DEFAULT: memory.json: keys that are not given count as memory-type NO_MEMORY_EXPANSION',
    ]);
  });

  test('remote-mem-latency is 0', () => {
    const read = memoryFile({ 'memory-type': 'MEMORY_POOL', 'remote-mem-bw': 37 });
    expect(read.configuration.latencyNs).toBe(0);
    expect(told(read)).toEqual([
      'note SYSTEM_DEFAULT: memory.json: keys that are not given count as remote-mem-latency 0',
    ]);
  });
});

test('latency and bandwidth are whole numbers to the program', () => {
  const read = memoryFile({ ...POOL, 'remote-mem-latency': 250.5, 'remote-mem-bw': 37.9 });
  expect(read.configuration).toMatchObject({ latencyNs: 250, bytesPerNs: 37 });
  expect(told(read)).toEqual([
    'note SYSTEM_VALUE_CUT: memory.json:1: remote-mem-latency: 250.5 counts as 250, ASTRA-sim takes whole numbers here',
    'note SYSTEM_VALUE_CUT: memory.json:1: remote-mem-bw: 37.9 counts as 37, ASTRA-sim takes whole numbers here',
  ]);
});

describe('what the program divides by', () => {
  test.each([[0], [0.5], [undefined]])('remote-mem-bw %p', (bandwidth) => {
    const shown = bandwidth === undefined ? 'missing' : String(bandwidth);
    expect(refusalOf(() => memoryFile({ ...POOL, 'remote-mem-bw': bandwidth }))).toMatch(
      new RegExp(
        `^MEMORY_MALFORMED: memory\\.json:1:\\d+: remote-mem-bw: ${shown}, expected a number, at least 1, under MEMORY_POOL$`,
      ),
    );
  });

  test.each([[0], [undefined]])('num-npus-per-node %p', (ranks) => {
    const keys = { ...POOL, 'memory-type': 'PER_NODE_MEMORY_EXPANSION', 'num-npus-per-node': ranks };
    expect(refusalOf(() => memoryFile(keys))).toContain(
      `num-npus-per-node: ${ranks ?? 'missing'}, expected a number, at least 1, under PER_NODE_MEMORY_EXPANSION`,
    );
  });

  test('not looked at where nothing divides', () => {
    const read = memoryFile({ 'memory-type': 'NO_MEMORY_EXPANSION', 'remote-mem-bw': 0 });
    expect(told(read)).toEqual([
      'note SETTING_UNUSED: remote-mem-bw is not used: memory.json says NO_MEMORY_EXPANSION',
    ]);
  });
});

test('keys of another kind are not used', () => {
  expect(told(memoryFile({ ...POOL, 'num-nodes': 2, 'num-npus-per-node': 4 }))).toEqual([
    'note SETTING_UNUSED: num-npus-per-node is not used: memory.json says MEMORY_POOL',
    'note SETTING_UNUSED: num-nodes is not used: memory.json says MEMORY_POOL',
  ]);
});

test('an unknown key is named with the one it is like', () => {
  expect(told(memoryFile({ ...POOL, remote_mem_bw: 50 }))).toEqual([
    'warning SYSTEM_KEY_UNKNOWN: memory.json:1: unknown key "remote_mem_bw", did you mean remote-mem-bw?',
  ]);
});

test.each([
  [
    'memory-type',
    'POOL',
    'one of NO_MEMORY_EXPANSION, PER_NPU_MEMORY_EXPANSION, PER_NODE_MEMORY_EXPANSION, MEMORY_POOL',
  ],
  ['remote-mem-latency', -1, 'a number from 0 to 9,007,199,254,740,992'],
  ['remote-mem-bw', '37', 'a number from 0 to 9,007,199,254,740,992'],
  ['num-npus-per-node', -1, 'a number from 0 to 2,147,483,647'],
  ['num-nodes', 'two', 'a number from 0 to 2,147,483,647'],
])('%s: %p is refused', (key, value, expected) => {
  expect(refusalOf(() => memoryFile({ ...POOL, [key]: value }))).toContain(
    `${key}: ${JSON.stringify(value)}, expected ${expected}`,
  );
});

test('a text that is not JSON is refused with its place', () => {
  expect(refusalOf(() => parseMemoryFile('{"memory-type": NONE}', 'memory.json'))).toBe(
    'MEMORY_MALFORMED: memory.json:1:17: no JSON at "NONE}", expected a value',
  );
});

test('a file is read from disk; one that is not there is said', () => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-'));
  const path = join(folder, 'memory.json');
  writeFileSync(path, JSON.stringify(POOL));
  expect(readMemoryFile(path).configuration).toMatchObject({ file: path, kind: 'MEMORY_POOL' });
  const nowhere = join(folder, 'nowhere.json');
  expect(refusalOf(() => readMemoryFile(nowhere))).toMatch(`MEMORY_UNREADABLE: ${nowhere}: cannot be read (ENOENT`);
});
