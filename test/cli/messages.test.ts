import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finding } from '../../src/base/catalogue.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { Printer } from '../../src/cli/io.js';
import { printFindings } from '../../src/cli/print-findings.js';
import { folderWithSamples, newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { collective, compute, send } from '../support/jobs.js';
import type { NodeObject } from '../support/traces.js';

const ESCAPE = '\u001b';
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*m`);

/** A traceset with an error, a warning and a note: a receiver that is not there, a send nobody receives, no durations. */
function faulty(): string {
  return writeRanks(newFolder(), [
    [compute(1, 0), send(2, 7, 8, 0)],
    [compute(1, 0), send(2, 0, 8, 0)],
  ]);
}

describe('what goes to stderr', () => {
  test.each([
    [[], ['error', 'warning', 'note']],
    [
      ['--log-level', 'note'],
      ['error', 'warning', 'note'],
    ],
    [
      ['--log-level', 'warning'],
      ['error', 'warning'],
    ],
    [['--log-level', 'error'], ['error']],
    [['--quiet'], ['error']],
    [['--quiet', '--log-level', 'note'], ['error']],
    [['--log-level', 'silent'], []],
  ])('%j', async (words, severities) => {
    const { status, stderr, stdout } = await runHere(['validate', faulty(), ...words]);
    expect(status).toBe(1);
    expect(stdout.split('\n')).toEqual([
      '2 ranks, 4 nodes: 1 error, 1 warning, 2 notes',
      'read as: sizes: bytes (element-bytes=1)',
      'legal:   all 4 nodes without is_cpu_op: operations of the device',
      '',
    ]);
    const seen = stderr.split('\n').map((line) => /^(error|warning|note) /.exec(line)?.[1]);
    expect([...new Set(seen.filter((severity) => severity !== undefined))]).toEqual(severities);
  });

  test('a balance is a note', async () => {
    const folder = folderWithSamples();
    const { stderr } = await runHere([
      'expand',
      join(folder, 'traces'),
      '-o',
      join(folder, 'out'),
      '--log-level',
      'warning',
    ]);
    expect(stderr).toBe('');
  });
});

describe('colours', () => {
  test.each([
    ['a terminal', true, {}, [], true],
    ['no terminal', false, {}, [], false],
    ['NO_COLOR', true, { NO_COLOR: '1' }, [], false],
    ['an empty NO_COLOR', true, { NO_COLOR: '' }, [], true],
    ['--no-color', true, {}, ['--no-color'], false],
    ['--color without a terminal', false, {}, ['--color'], false],
  ])('%s', async (_what, terminal, env, words, coloured) => {
    const { stderr, stdout } = await runHere(['validate', faulty(), ...words], { terminal, env });
    expect(stderr.includes(`${ESCAPE}[31merror${ESCAPE}[0m PEER_OUT_OF_RANGE`)).toBe(coloured);
    expect(COLOUR.test(stderr)).toBe(coloured);
    expect(stdout).not.toContain(ESCAPE);
  });
});

describe('words that the command line does not know', () => {
  test.each([
    [['validate', 'x', '--bogus'], 'USAGE: unknown option: bogus', 'chakra-prep validate --help lists the options'],
    [
      ['validate', 'x', '--bogus-flag', '--other'],
      'USAGE: unknown options: bogus-flag, other',
      'chakra-prep validate --help',
    ],
    [['--bogus'], 'USAGE: unknown option: bogus', 'chakra-prep --help lists the options'],
    [
      ['validate', 'x', '--deps', 'none'],
      'option deps is "none", expected one of "both", "data"',
      'chakra-prep validate',
    ],
    [['validate', 'x', '--groups'], 'option groups needs a value', 'chakra-prep validate --help'],
    [['validate'], 'USAGE: validate: <in..> is missing', 'chakra-prep validate --help'],
    [['explain'], 'USAGE: explain: <code> is missing', 'chakra-prep explain --help'],
    [['explain', 'CYCLE', 'PEER_SELF'], 'USAGE: explain: 2 words, expected one <code>', ''],
    [[], 'USAGE: no command, expected one of validate, inspect', 'chakra-prep --help'],
    [['--quiet', 'expnd'], 'USAGE: no command, expected one of validate', ''],
    [['expand', 'x'], 'OPTION_MISSING: no output named', '-o <dir>'],
    [['scale', 'x', '-o', 'y'], 'OPTION_MISSING: scale: --factor is missing, expected a number from 0 to 1', ''],
    [
      ['scale', 'x', '--factor', 'half', '-o', 'y'],
      'SCALE_OUT_OF_RANGE: --factor half: expected a number from 0 to 1',
      '',
    ],
    [
      ['scale', 'x', '--factor', '1.5', '-o', 'y'],
      'SCALE_OUT_OF_RANGE: --factor 1.5: expected a number from 0 to 1',
      '',
    ],
    [['prepare', 'x', '--scale', '', '-o', 'y'], 'SCALE_OUT_OF_RANGE: --scale : expected a number from 0 to 1', ''],
    [['validate', 'x', '--threads', 'many'], 'THREADS_MALFORMED: --threads many: expected a whole number from 1', ''],
    [['validate', 'x', '--threads', '0'], 'THREADS_MALFORMED: --threads 0: expected a whole number from 1', ''],
    [
      ['expand', 'x', '-o', 'y', '--only', '1-'],
      'RANKS_MALFORMED: --only 1-: expected ranks or ranges from the smaller to the larger, such as 3 or 0,4-7',
      '',
    ],
    [['convert', 'x', '-o', 'y'], 'OPTION_MISSING: convert: --to is missing, expected one of et, et.gz, jsonl', ''],
    [
      ['expand', 'x', '-o', 'y', '--alltoall', 'ring'],
      'ALGORITHM_UNKNOWN: unknown alltoall algorithm: ring (known: interleaved, sequential, or file:PATH for one of your own)',
      '',
    ],
    [
      ['simulate', 'x', '--network', 'alpha-beta:latency=1us,bandwidth=1GB/s', '--until', '10'],
      'TIME_MALFORMED: --until "10": expected a number and one of',
      '',
    ],
    [['simulate', 'x', '--network', 'nowhere.yml'], 'NETWORK_UNREADABLE: network nowhere.yml: cannot be read', ''],
    [['explain', 'RANK_LOST'], 'CODE_UNKNOWN: unknown code: RANK_LOST, similar are RANK_COUNT, ', 'docs/errors.md'],
  ])('%j', async (words, message, advice) => {
    const { status, stdout, stderr } = await runHere(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    const [first, second = '', ...rest] = stderr.trimEnd().split('\n');
    expect(first).toContain(message);
    expect(second).toContain(advice);
    expect(rest).toEqual([]);
  });

  test.each(COMMANDS.map(({ name }) => name))('%s refuses an option of nobody', async (name) => {
    expect(await runHere([name, 'x', '--nobody'])).toMatchObject({ status: 2, stdout: '' });
  });
});

test('many findings of one kind are counted, all are in the document', async () => {
  const folder = writeRanks(
    newFolder(),
    Array.from({ length: 30 }, (_, rank) => [send(99, 50 + rank, 8, rank)]),
  );
  const { stderr, stdout } = await runHere(['validate', folder]);
  expect(stderr.split('\n').filter((line) => line.startsWith('error PEER_OUT_OF_RANGE')).length).toBe(1);
  expect(stderr).toContain(
    '  … and 29 more like this, on ranks 1–29: rank 1 node 99, rank 2 node 99, rank 3 node 99, …',
  );
  expect(stdout).toContain('30 ranks, 30 nodes: 30 errors');
  const document = JSON.parse((await runHere(['validate', folder, '--json'])).stdout) as {
    findings: { code: string }[];
  };
  expect(document.findings.filter(({ code }) => code === 'PEER_OUT_OF_RANGE').length).toBe(30);
});

test('of many kinds of one code the first twelve are shown and the findings of the others counted', () => {
  const written: string[] = [];
  const io = { stderr: { write: (line: string) => written.push(line.trimEnd()) }, env: {} };
  const kinds = [...'abcdefghijklmnop'].map((letter) => finding('CYCLE', `"${letter}" is odd`, { advice: 'x' }));
  printFindings(
    [...kinds, finding('CYCLE', '"p" is odd', { rank: 1, advice: 'x' })],
    new Printer(io as never, 'note', false),
  );
  expect(written.slice(0, 12)).toEqual([...'abcdefghijkl'].map((letter) => `error CYCLE: "${letter}" is odd`));
  expect(written.slice(12)).toEqual(['  … and 5 more CYCLE; --json lists all', '  advice: x']);
});

test('what several ranks have in common is one line', async () => {
  const folder = writeRanks(
    newFolder(),
    [0, 1, 2, 3, 4].map(() => [compute(1, 0)]),
  );
  const { stderr } = await runHere(['validate', folder]);
  expect(stderr).toBe('note DURATIONS_ABSENT: ranks 0–4: the only compute node has no duration_micros\n');
});

test('what a terminal would act on is shown, whatever name it stands in', async () => {
  const name = 'a\u001b[31m\nerror X: b\u009b1m\u202e';
  const nodes: NodeObject[] = [
    { id: 1, name, type: 'COMM_COLL_NODE', attr: { comm_type: { int64_val: 0 }, pg_name: { string_val: name } } },
    { ...send(2, 7, 8, 0), name, data_deps: [9] },
  ];
  const folder = writeRanks(newFolder(), [nodes, [{ ...nodes[0], id: 3 }]]);
  for (const words of [
    ['validate'],
    ['inspect'],
    ['inspect', '--groups', '--collectives', '--pairs', '--nodes'],
    ['simulate', '--network', 'alpha-beta:latency=1us,bandwidth=1GB/s'],
  ]) {
    const { stdout, stderr } = await runHere([...words, folder]);
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^error X/m);
  }
});

test('names of hundreds of letters are cut to 60', async () => {
  const kernel = 'k'.repeat(300);
  const folder = writeRanks(newFolder(), [
    [
      { id: 1, name: kernel, type: 'COMP_NODE', data_deps: [2] },
      { id: 2, name: kernel, type: 'COMP_NODE', data_deps: [1] },
    ],
  ]);
  const { stderr } = await runHere(['validate', folder]);
  expect(stderr).toContain(`1 "${'k'.repeat(59)}…" waits for 2`);
  expect(stderr).not.toContain('k'.repeat(60));
});

describe('--config', () => {
  const configured = async (text: string, ...words: string[]) => {
    const folder = folderWithSamples();
    writeFileSync(join(folder, 'run.yaml'), text);
    return runHere(['validate', join(folder, 'traces'), '--config', join(folder, 'run.yaml'), ...words]);
  };

  test('a wrong number of ranks in NumOfChakraFiles', async () => {
    const { status, stderr } = await configured('NumOfChakraFiles: 8\n');
    expect(status).toBe(2);
    expect(stderr).toBe('error RANK_COUNT: NumOfChakraFiles is 8, the traceset has 4 files\n');
    expect(await configured('NumOfChakraFiles: 4\n')).toMatchObject({ status: 0 });
  });

  test('AbortOnChakraWarning makes a warning stop (R-171)', async () => {
    const folder = writeRanks(newFolder(), [[send(1, 0, 8, 5)]]);
    writeFileSync(join(folder, 'run.yaml'), 'AbortOnChakraWarning: true\n');
    expect(await runHere(['validate', folder])).toMatchObject({ status: 0 });
    expect(await runHere(['validate', folder, '--config', join(folder, 'run.yaml')])).toMatchObject({ status: 1 });
    const prepared = await runHere([
      'prepare',
      folder,
      '-o',
      join(folder, 'out'),
      '--config',
      join(folder, 'run.yaml'),
    ]);
    expect(prepared.status).toBe(1);
    expect(prepared.stderr).toContain('WARNING_ABORTS: nothing written: 2 warnings, the first');
  });

  test('quiet and log-level may stand in the file', async () => {
    expect(await configured('quiet: true\n')).toMatchObject({ status: 0, stderr: '' });
    expect(await configured('log-level: silent\n')).toMatchObject({ status: 0, stderr: '' });
    expect((await configured('log-level: silent\n', '--log-level', 'note')).stderr).toContain('GROUP_FILE_FOUND');
  });

  test.each([
    ['allreduce: rings\n', ':1:12: allreduce: "rings", expected one of ring, tree, double-tree, halving-doubling'],
    ['# one\nallreduces: ring\n', ':2:1: unknown attribute: allreduces (did you mean allreduce?)'],
    ['threads: 0\n', ':1:10: threads: 0, expected an integer, at least 1'],
    ['allreduce: [ring\n', ':2:1: '],
    ['- ring\n', ':1:1: the file: ["ring"], expected attributes and values'],
  ])('%j', async (text, message) => {
    const { status, stdout, stderr } = await configured(text);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('error CONFIG_INVALID: ');
    expect(stderr).toContain(`run.yaml${message}`);
  });

  test('a file that is not there', async () => {
    const { status, stderr } = await runHere(['validate', 'x', '--config', 'nowhere.yaml']);
    expect(status).toBe(2);
    expect(stderr).toContain('CONFIG_UNREADABLE: nowhere.yaml: cannot be read');
  });
});

describe('names of others in what is printed', () => {
  const name = `a"b\nc${ESCAPE}[2J\u009b31m\u202egnp`;
  const steering = /[\p{Cc}\p{Bidi_Control}]/u;

  /** One collective of the group on rank 0 and none on rank 1, a cycle and a dependency on nothing. */
  function named(): string {
    const folder = writeRanks(newFolder(), [
      [collective(1, 0, 8, name), { ...compute(2, 1, [3]), name }, { ...compute(3, 1, [2, 9]), name }],
      [{ ...compute(1, 1), name }],
    ]);
    writeFileSync(join(folder, 'comm_group.json'), JSON.stringify({ [name]: [0, 1] }));
    return folder;
  }

  test.each([
    ['validate'],
    ['validate', '--for', 'astra-sim'],
    ['validate', '--json'],
    ['validate', '--sarif'],
    ['inspect', '--groups'],
    ['inspect', '--collectives'],
    ['inspect', '--nodes'],
    ['simulate', '--network', 'alpha-beta:latency=1us,bandwidth=1GB/s'],
    ['prepare', '-o', '-'],
  ])('cannot steer the terminal: %s %s', async (command, ...more) => {
    const { stdout, stderr } = await runHere([command, named(), ...more]);
    const lines = `${stdout}\n${stderr}`.split('\n');
    expect(lines.filter((line) => steering.test(line))).toEqual([]);
  });

  test('are in the documents as they are', async () => {
    const { stdout } = await runHere(['validate', named(), '--json']);
    const { findings } = JSON.parse(stdout) as { findings: { code: string; group?: string }[] };
    expect(findings.find(({ code }) => code === 'COLLECTIVE_COUNT')?.group).toBe(name);
  });

  test('are cut in lines and columns where they are very long', async () => {
    const folder = newFolder();
    const long = 'G'.repeat(1 << 20);
    writeRanks(folder, [[collective(1, 0, 8, long)], [compute(1, 1)]]);
    writeFileSync(join(folder, 'comm_group.json'), JSON.stringify({ [long]: [0, 1] }));
    for (const words of [['validate'], ['inspect', '--groups'], ['inspect', '--collectives'], ['inspect', '--nodes']]) {
      const { stdout, stderr } = await runHere([words[0], folder, ...words.slice(1)]);
      expect(Math.max(...`${stdout}\n${stderr}`.split('\n').map(({ length }) => length))).toBeLessThan(2100);
    }
  });
});
