import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { filesBelow, folderWithSamples, newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { compute, send, receive } from '../support/jobs.js';
import { buildEt } from '../support/traces.js';

const NETWORK = ['--network', 'alpha-beta:latency=1us,bandwidth=1GB/s'];

/** The samples with rank 1 cut off in the middle of a frame. */
function withCutRank(): string {
  const traces = join(folderWithSamples(), 'traces');
  const path = join(traces, 'job.1.et');
  writeFileSync(path, readFileSync(path).subarray(0, 300));
  return traces;
}

describe('0: done', () => {
  test.each([
    ['validate', []],
    ['inspect', []],
    ['prepare', ['-o', 'out']],
    ['simulate', NETWORK],
  ])('%s', async (name, words) => {
    const folder = folderWithSamples();
    const placed = words.map((word) => (word === 'out' ? join(folder, 'out') : word));
    expect(await runHere([name, join(folder, 'traces'), ...placed])).toMatchObject({ status: 0 });
  });
});

describe('1: the traces have problems', () => {
  const cyclic = (): string => writeRanks(newFolder(), [[compute(1, 1, [2]), compute(2, 1, [1])]]);

  test('validate and prepare find an error', async () => {
    const folder = cyclic();
    expect((await runHere(['validate', folder])).status).toBe(1);
    const prepared = await runHere(['prepare', folder, '-o', join(folder, 'out')]);
    expect(prepared.status).toBe(1);
    expect(prepared.stderr).toMatch(/error TRACES_REFUSED: nothing written: 2 errors, the first NO_INITIAL_NODE\n$/);
  });

  test('one rank among several that cannot be read is a finding of validate, with the others still checked', async () => {
    const traces = withCutRank();
    const { status, stdout, stderr } = await runHere(['validate', traces]);
    expect(status).toBe(1);
    expect(stdout.split('\n')[0]).toBe('3 ranks, 41 nodes: 1 error, 0 warnings, 2 notes');
    expect(stderr).toContain(
      `error FRAME_TRUNCATED: ${join(traces, 'job.1.et')}: frame 5 at byte 243: it announces 111`,
    );
  });

  test('and one of inspect, which tells what is in the others', async () => {
    const traces = withCutRank();
    const { status, stdout, stderr } = await runHere(['inspect', traces]);
    expect(status).toBe(1);
    expect(stderr).toContain('error FRAME_TRUNCATED');
    expect(stdout).toContain('job.2.et');
    expect(stdout).not.toContain('job.1.et');
  });

  test('a missing rank', async () => {
    const folder = folderWithSamples();
    const files = [0, 2, 3].map((rank) => join(folder, 'traces', `job.${rank}.et`));
    const validated = await runHere(['validate', ...files]);
    expect(validated.status).toBe(1);
    expect(validated.stderr).toContain('error RANK_MISSING: rank 1 has no file: the largest rank is 3');
    expect(validated.stderr).not.toContain('COLLECTIVE_COUNT');
    const expanded = await runHere(['expand', ...files, '-o', join(folder, 'out')]);
    expect(expanded.status).toBe(1);
    expect(expanded.stderr).toContain('error TRACESET_INCOMPLETE');
  });

  test('a missing rank does not matter to what changes each rank by itself', async () => {
    const folder = folderWithSamples();
    const words = [join(folder, 'traces', 'job.2.et'), '--factor', '0.5', '-o', join(folder, 'out')];
    expect(await runHere(['scale', ...words])).toMatchObject({ status: 0 });
    expect(Object.keys(filesBelow(join(folder, 'out')))).toEqual(['comm_group.json', 'job.2.et']);
  });
});

describe('3: the input cannot be read', () => {
  test.each(['validate', 'inspect', 'scale --factor 1 -o out'])('%s of a rank alone that is cut off', async (line) => {
    const path = join(withCutRank(), 'job.1.et');
    const [name, ...words] = line.split(' ');
    const { status, stderr } = await runHere([name, path, ...words]);
    expect(status).toBe(3);
    expect(stderr).toContain(
      `error FRAME_TRUNCATED: ${path}: frame 5 at byte 243: it announces 111 bytes, 56 are left`,
    );
  });

  test.each([
    ['nothing there', 'nowhere', 'INPUT_NOT_FOUND'],
    ['an empty folder', 'empty', 'NO_TRACES'],
    ['an empty file', 'empty.0.et', 'FILE_EMPTY'],
    ['text', 'text.0.et', 'WRONG_KIND'],
    ['broken gzip', 'broken.0.et.gz', 'GZIP_BROKEN'],
  ])('%s', async (_what, name, code) => {
    const folder = newFolder();
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'empty.0.et'), '');
    writeFileSync(join(folder, 'text.0.et'), 'this is no trace\n');
    writeFileSync(join(folder, 'broken.0.et.gz'), gzipSync(buildEt([compute(1, 1)])).subarray(0, 20));
    const { status, stderr } = await runHere(['validate', join(folder, name)]);
    expect(status).toBe(3);
    expect(stderr).toContain(`error ${code}: `);
    expect(stderr).toContain(name);
  });

  test('a group file that is not there, unless the traces can be read', async () => {
    const folder = folderWithSamples();
    const traces = join(folder, 'traces');
    const validated = await runHere(['validate', traces, '--groups', 'nowhere.json']);
    expect(validated.status).toBe(1);
    expect(validated.stderr).toContain('error FILE_UNREADABLE: nowhere.json: no such file\n');
    expect(validated.stderr).toContain('  advice: correct nowhere.json first: what it declares is not known\n');
    const prepared = await runHere(['prepare', traces, '--groups', 'nowhere.json', '-o', join(folder, 'out')]);
    expect(prepared.status).toBe(3);
    expect(prepared.stderr).toContain('error FILE_UNREADABLE: nowhere.json: no such file\n');
  });
});

describe('nothing is left behind', () => {
  /** Runs a command that must fail in a folder that must be as before. */
  async function mustFail(folder: string, words: string[], code: string): Promise<void> {
    const before = filesBelow(folder);
    const { stderr, status } = await runHere(words);
    expect(stderr).toContain(`error ${code}: `);
    expect(status).toBeGreaterThan(0);
    expect(filesBelow(folder)).toEqual(before);
  }

  test.each(['scale --factor 0.5', 'expand', 'sync', 'serialize', 'annotate', 'convert --to jsonl', 'prepare'])(
    'by %s when the second rank is cut off, one thread and several',
    async (line) => {
      const [name, ...words] = line.split(' ');
      const traces = withCutRank();
      const out = join(traces, 'a', 'b');
      for (const threads of ['1', '2']) {
        await mustFail(traces, [name, traces, ...words, '-o', out, '--threads', threads], 'FRAME_TRUNCATED');
        expect(existsSync(join(traces, 'a'))).toBe(false);
      }
    },
  );

  test('when the output folder cannot be made', async () => {
    const folder = folderWithSamples();
    writeFileSync(join(folder, 'file'), 'x');
    const traces = join(folder, 'traces');
    await mustFail(folder, ['expand', traces, '-o', join(folder, 'file')], 'OUTPUT_UNWRITABLE');
    await mustFail(folder, ['expand', traces, '-o', join(folder, 'file', 'below')], 'OUTPUT_UNWRITABLE');
    await mustFail(folder, ['expand', traces, '-o', '/proc/chakra-prep/out'], 'OUTPUT_UNWRITABLE');
    await mustFail(folder, ['simulate', traces, ...NETWORK, '-o', join(folder, 'file')], 'OUTPUT_UNWRITABLE');
  });

  test('when one of the outputs cannot be given its name', async () => {
    const folder = folderWithSamples();
    mkdirSync(join(folder, 'out', 'job.2.et'), { recursive: true });
    await mustFail(folder, ['expand', join(folder, 'traces'), '-o', join(folder, 'out')], 'OUTPUT_UNWRITABLE');
  });

  // The superuser may write anywhere.
  (process.getuid?.() === 0 ? test.skip : test)('when the output folder may not be written', async () => {
    const folder = folderWithSamples();
    mkdirSync(join(folder, 'out'));
    chmodSync(join(folder, 'out'), 0o500);
    await mustFail(folder, ['expand', join(folder, 'traces'), '-o', join(folder, 'out')], 'OUTPUT_UNWRITABLE');
  });

  test.each([
    ['as it is', (traces: string) => traces],
    ['with a slash', (traces: string) => `${traces}/`],
    ['around a corner', (traces: string) => join(traces, '..') + '/./traces'],
    ['by a link', (traces: string) => join(traces, '..', 'link')],
  ])('the input folder is no output folder, spelt %s', async (_how, spelt) => {
    const folder = folderWithSamples();
    const traces = join(folder, 'traces');
    symlinkSync(traces, join(folder, 'link'));
    await mustFail(folder, ['expand', traces, '-o', spelt(traces)], 'OUTPUT_IS_INPUT');
    await mustFail(folder, ['expand', join(folder, 'link'), '-o', spelt(traces)], 'OUTPUT_IS_INPUT');
  });

  test('outputs of an earlier run are replaced, other files stay', async () => {
    const folder = folderWithSamples();
    const traces = join(folder, 'traces');
    cpSync(traces, join(folder, 'out'), { recursive: true });
    writeFileSync(join(folder, 'out', 'notes.txt'), 'mine');
    await runHere(['scale', traces, '--factor', '0', '-o', join(folder, 'out')]);
    const out = filesBelow(join(folder, 'out'));
    expect(out['notes.txt'].toString()).toBe('mine');
    expect(out['job.1.et']).not.toEqual(filesBelow(traces)['job.1.et']);
  });
});

describe('what goes with the traces', () => {
  test.each(['scale --factor 1', 'annotate', 'convert --to et.gz'])('%s takes the group file along', async (line) => {
    const [name, ...words] = line.split(' ');
    const folder = folderWithSamples();
    const out = join(folder, 'out');
    expect(await runHere([name, join(folder, 'traces'), ...words, '-o', out])).toMatchObject({ status: 0 });
    expect(filesBelow(out)['comm_group.json']).toEqual(filesBelow(join(folder, 'traces'))['comm_group.json']);
    expect(await runHere(['validate', out])).toMatchObject({ status: 0 });
  });
});

test('4: a replay that stalls or reaches its limit', async () => {
  const folder = writeRanks(newFolder(), [
    [receive(1, 1, 8, 0), send(2, 1, 8, 0, [1])],
    [receive(1, 0, 8, 0), send(2, 0, 8, 0, [1])],
  ]);
  const stalled = await runHere(['simulate', folder, ...NETWORK, '--json']);
  expect(stalled.status).toBe(4);
  expect(JSON.parse(stalled.stdout)).toMatchObject({ status: 'stalled' });
  expect(stalled.stderr).toContain('2 ranks wait for each other in a circle');
  const long = writeRanks(newFolder(), [[compute(1, 1000)]]);
  const limited = await runHere(['simulate', long, ...NETWORK, '--until', '10us', '--report', 'none']);
  expect(limited).toMatchObject({ status: 4, stdout: '' });
  expect(limited.stderr).toContain('limit: --until 10us is reached, 1 of 1 rank not finished\n');
  expect(limited.stderr).toContain('  node 1 "compute 1" runs, with 1000 µs of work\n');
});
