import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, newFolder, writeRanks } from '../support/folders.js';
import { runHere, type RanHere } from '../support/in-process.js';
import { collective, compute, receive, send } from '../support/jobs.js';

/** What `simulate` refuses, what wins over what, and that a failed run leaves nothing behind. */

const ALPHA_BETA = ['--network', 'alpha-beta:latency=1us,bandwidth=1GB/s'];

/** Two ranks: 5 µs of compute, an AllReduce, then a message each way. */
function twoRanks(): string {
  return writeRanks(
    newFolder(),
    [0, 1].map((rank) => [
      compute(1, 5),
      collective(2, 0, 3000, 'world', [1]),
      send(3, 1 - rank, 1000, 40 + rank, [2]),
      receive(4, 1 - rank, 1000, 41 - rank, [2]),
    ]),
  );
}

function written(name: string, text: string): string {
  const path = join(newFolder(), name);
  writeFileSync(path, text);
  return path;
}

function ring(npus: number): string[] {
  const text = `topology: [ Ring ]\nnpus_count: [ ${npus} ]\nbandwidth: [ 50 ]\nlatency: [ 500 ]\n`;
  return ['--network', written('ring.yml', text)];
}

async function simulated(network: readonly string[], ...words: string[]): Promise<RanHere> {
  return runHere(['simulate', twoRanks(), ...network, '--report', 'none', ...words]);
}

describe('records that cannot be written', () => {
  test.each<[what: string, make: (folder: string) => void, more?: string[]]>([
    ['the folder is a file', (folder) => writeFileSync(folder, 'mine')],
    [
      'a table has the name of a folder',
      (folder) => mkdirSync(join(folder, 'job-nd-x', '..', 'job-chakra-cdf-0.csv'), { recursive: true }),
    ],
    [
      'a folder has the name of a file',
      (folder) => (mkdirSync(folder), writeFileSync(join(folder, 'post_annotated'), '')),
    ],
    [
      'the profiles cannot be made',
      (folder) => (mkdirSync(folder), writeFileSync(join(folder, 'profiling'), '')),
      ['--profiling', '1us'],
    ],
    [
      'an annotated trace has the name of a folder',
      (folder) => mkdirSync(join(folder, 'post_annotated', 'job.1.json'), { recursive: true }),
    ],
  ])('%s: status 3, and what was there is all that is there', async (_what, make, more = []) => {
    const above = newFolder();
    const folder = join(above, 'out');
    make(folder);
    const before = [filesBelow(above), readdirSync(above, { recursive: true }).sort()];
    const { status, stdout, stderr } = await simulated(ALPHA_BETA, '-o', folder, ...more);
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(
      /^error OUTPUT_UNWRITABLE: \S+\/out\S*: cannot be (made|written) \(it is a (file|folder)\)\n$/,
    );
    expect([filesBelow(above), readdirSync(above, { recursive: true }).sort()]).toEqual(before);
  });

  const asRoot = process.getuid?.() === 0;
  (asRoot ? test.skip : test)('a folder without the right to write', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o500);
    const { status, stderr } = await simulated(ALPHA_BETA, '-o', join(folder, 'out'));
    expect(status).toBe(3);
    expect(stderr).toContain('error OUTPUT_UNWRITABLE');
  });

  test('-o - is refused: the records are several files', async () => {
    const { status, stderr } = await simulated(ALPHA_BETA, '-o', '-');
    expect(status).toBe(2);
    expect(stderr).toBe(
      'error OUTPUT_AMBIGUOUS: simulate: -o - names stdout, the records are several files\n  advice: name a folder\n',
    );
  });

  test('a run that is refused, and one with traces that are, leave no folder', async () => {
    const out = join(newFolder(), 'out');
    expect((await simulated(ring(4), '-o', out)).status).toBe(2);
    const broken = writeRanks(newFolder(), [[send(1, 5, 8, 0)]]);
    expect((await runHere(['simulate', broken, ...ALPHA_BETA, '-o', out])).status).toBe(1);
    expect(() => readdirSync(out)).toThrow('ENOENT');
  });
});

describe('placement', () => {
  const map = (text: string): string[] => ['--mapping', written('ranks.map', text)];

  test('R-032 fewer servers than ranks', async () => {
    const folder = writeRanks(newFolder(), [[compute(1, 1)], [compute(1, 1)], [compute(1, 1)]]);
    for (const more of [[], ['--allow-extra-servers']]) {
      const { status, stderr } = await runHere(['simulate', folder, ...ring(2), ...more]);
      expect(status).toBe(2);
      expect(stderr).toBe(
        'error SERVER_COUNT: the network has 2 servers, the traceset 3 ranks; expected one server a rank\n' +
          '  advice: give the network more servers\n',
      );
    }
  });

  test('R-032 more servers than ranks, without and with AllowExtraServers', async () => {
    const refused = await simulated(ring(4));
    expect([refused.status, refused.stderr]).toEqual([
      2,
      'error SERVER_COUNT: the network has 4 servers, the traceset 2 ranks; expected as many, or AllowExtraServers\n' +
        '  advice: let the surplus stay idle with --allow-extra-servers\n',
    ]);
    expect(await simulated(ring(4), '--allow-extra-servers')).toMatchObject({ status: 0, stderr: '' });
    const file = ['--config', written('run.yaml', 'AllowExtraServers: true\n')];
    expect(await simulated(ring(4), ...file)).toMatchObject({ status: 0, stderr: '' });
    expect((await simulated(ring(4), ...file, '--no-allow-extra-servers')).status).toBe(2);
  });

  test.each([
    [
      'R-037 a server that is not there',
      '0 0\n1 9\n',
      'error SERVER_UNKNOWN: ranks.map: rank 1 on server 9, the network has 0, 1\n',
    ],
    [
      'R-037 more ranks than the traceset',
      '0 0\n1 1\n2 2\n',
      'error MAPPING_RANK_COUNT: ranks.map: it places 3 ranks, the traceset has 2\n',
    ],
    ['R-035 a rank left out', '1 1\n2 0\n', 'error MAPPING_MALFORMED: ranks.map: rank 0 missing'],
    [
      'R-035 a server twice',
      '0 0\n1 0\n',
      'error MAPPING_MALFORMED: ranks.map: line 2: server 0 used twice, first on line 1\n',
    ],
    [
      'R-036 a group without parameters',
      '0 0 7 0\n1 1 7 0\n',
      'error MAPPING_MALFORMED: ranks.map: line 1: group 7 has no parameters',
    ],
  ])('%s', async (_rule, text, message) => {
    const { status, stderr } = await simulated(ring(2), ...map(text));
    expect(status).toBe(2);
    expect(stderr.replaceAll(/\S+\/ranks\.map/g, 'ranks.map').slice(0, message.length)).toBe(message);
  });
});

describe('a flag wins over the configuration', () => {
  const end = async (...words: string[]): Promise<unknown> => {
    const { stdout, status } = await simulated(ALPHA_BETA, '--json', ...words);
    const { endNs, status: state } = JSON.parse(stdout) as { endNs: number; status: string };
    return [status, state, endNs];
  };
  const config = (text: string): string[] => ['--config', written('run.yaml', text)];

  // 5 µs of compute, a barrier of 2 µs, two ring steps of 2.5 µs, a message of 2 µs and its acknowledgment.
  const PLAIN = [0, 'finished', 15_000];

  test('without either', async () => {
    expect(await end()).toEqual(PLAIN);
  });

  test.each<[attributes: string, flags: string[], alone: unknown[], together: unknown[]]>([
    ['RunTime: 1us', ['--until', '1ms'], [4, 'limit', 1000], PLAIN],
    ['StartTime: 1us', ['--start-time', '0s'], [0, 'finished', 16_000], PLAIN],
    ['Scaling: true\nScalingFactor: 0.0', ['--scale', '1'], [0, 'finished', 6000], PLAIN],
    ['CommCollectiveSynchronization: false', ['--sync'], [0, 'finished', 13_000], PLAIN],
    ['AllReduceAlgorithm: tree', ['--allreduce', 'ring'], [0, 'finished', 18_000], PLAIN],
    ['TraceFamily: collected', ['--family', 'synthesized'], PLAIN, PLAIN],
  ])('%s against %j', async (attributes, flags, alone, together) => {
    expect(await end(...config(`${attributes}\n`))).toEqual(alone);
    expect(await end(...config(`${attributes}\n`), ...flags)).toEqual(together);
  });

  test('R-010 an attribute that does not exist, and a value', async () => {
    const unknown = await simulated(ALPHA_BETA, ...config('AllReduceAlgoritm: ring\n'));
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toMatch(
      /^error CONFIG_INVALID: \S+run\.yaml:1:1: unknown attribute: AllReduceAlgoritm \(did you mean AllReduceAlgorithm\?\)\n/,
    );
    const wrong = await simulated(ALPHA_BETA, ...config('AllReduceAlgorithm: rings\n'));
    expect(wrong.stderr).toMatch(/expected one of ring, tree, double-tree, halving-doubling or file:PATH\n/);
  });
});
