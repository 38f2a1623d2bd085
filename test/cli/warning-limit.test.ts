import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finding } from '../../src/base/catalogue.js';
import { Printer } from '../../src/cli/io.js';
import { printFindings } from '../../src/cli/print-findings.js';
import { newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { compute, send } from '../support/jobs.js';

const NETWORK = ['--network', 'alpha-beta:latency=1us,bandwidth=1GB/s'];

/** Two warnings: two sends that nobody receives, under tags of their own. */
function unreceived(config: string): { folder: string; words: string[] } {
  const folder = writeRanks(newFolder(), [
    [compute(1, 5), send(2, 1, 8, 5)],
    [compute(1, 5), send(2, 0, 8, 6)],
  ]);
  writeFileSync(join(folder, 'run.yaml'), config);
  return { folder, words: [folder, '--config', join(folder, 'run.yaml')] };
}

function lines(maxWarnings: number, ...counts: number[]): string[] {
  const written: string[] = [];
  const io = { stderr: { write: (line: string) => written.push(line.trimEnd()) }, env: {} };
  const printer = new Printer(io as never, 'note', false, maxWarnings);
  for (const count of counts) {
    const warnings = Array.from({ length: count }, (_, rank) => finding('PEER_SELF', `node ${rank} of itself`));
    printFindings([...warnings, finding('GROUP_WORLD', 'no group')], printer);
  }
  return written.filter((line) => !line.startsWith('  advice'));
}

describe('R-171 at most so many warnings are logged', () => {
  test('the rest is counted in one line', () => {
    expect(lines(2, 5)).toEqual([
      'warning PEER_SELF: node 0 of itself',
      'warning PEER_SELF: node 1 of itself',
      '3 warnings held back: MaxCountWarningsLoggedPerInstance is 2',
      'note GROUP_WORLD: no group',
    ]);
  });

  test('the limit is one for all that a command prints', () => {
    expect(lines(2, 1, 2).filter((line) => !line.startsWith('note'))).toEqual([
      'warning PEER_SELF: node 0 of itself',
      'warning PEER_SELF: node 0 of itself',
      '1 warning held back: MaxCountWarningsLoggedPerInstance is 2',
    ]);
  });

  test('as many as the limit are all logged', () => {
    expect(lines(2, 2).filter((line) => line.includes('held back'))).toEqual([]);
  });
});

describe('R-171 a command under AbortOnChakraWarning', () => {
  test.each([
    ['', 0],
    ['AbortOnChakraWarning: true\n', 1],
    ['AbortOnChakraWarning: true\nMaxCountWarningsLoggedPerInstance: 1\n', 1],
    ['AbortOnChakraWarning: true\nMaxCountWarningsLoggedPerInstance: 0\n', 0],
  ])('validate and prepare with %j end with status %s', async (config, status) => {
    const { folder, words } = unreceived(config);
    expect(await runHere(['validate', ...words])).toMatchObject({ status });
    const out = join(folder, 'out');
    expect(await runHere(['prepare', ...words, '-o', out])).toMatchObject({ status });
    expect(existsSync(out)).toBe(status === 0);
  });

  test('held-back warnings are in the document all the same', async () => {
    const { words } = unreceived('MaxCountWarningsLoggedPerInstance: 0\n');
    const { stdout, stderr } = await runHere(['validate', '--json', ...words]);
    const { warnings, findings } = JSON.parse(stdout) as { warnings: number; findings: { severity: string }[] };
    expect(warnings).toBe(2);
    expect(findings.filter(({ severity }) => severity === 'warning')).toHaveLength(2);
    expect(stderr).not.toContain('warning SEND_UNMATCHED');
  });
});

describe('R-170 a wrong configuration stops a simulation before it writes anything', () => {
  test.each([
    ['UseMapping: true\n', [], 'MAPPING_MISSING'],
    ['', ['--mapping', 'nowhere.map'], 'MAPPING_UNREADABLE'],
    ['mapping: nowhere.map\n', [], 'MAPPING_UNREADABLE'],
    ['', ['--until', '9008s'], 'TIME_TOO_LARGE'],
    ['StartTime: 1\nRunTime: 9007\n', [], 'TIME_TOO_LARGE'],
    ['StartTime: 1\n', ['--until', '1ms'], 'STOP_BEFORE_START'],
    ['', ['--profiling', '0us'], 'TIME_MALFORMED'],
    ['', ['--start-time', '5'], 'TIME_MALFORMED'],
  ])('%j with %j', async (config, given, code) => {
    const { folder, words } = unreceived(config);
    const out = join(folder, 'out');
    const { status, stdout, stderr } = await runHere(['simulate', ...words, ...NETWORK, '-o', out, ...given]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^error ${code}: `));
    expect(existsSync(out)).toBe(false);
  });
});

test('a flag wins over the configuration', async () => {
  const { words } = unreceived('RunTime: 1ms\nuntil: 1us\n');
  const { status, stderr } = await runHere(['simulate', ...words, ...NETWORK, '--report', 'none', '--until', '2us']);
  expect(status).toBe(4);
  expect(stderr).toContain('limit: --until 2us is reached, 2 of 2 ranks not finished');
});
