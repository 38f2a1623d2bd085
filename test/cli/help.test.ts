import { mkdirSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/commands.js';
import { filesBelow, folderWithSamples, newFolder } from '../support/folders.js';
import { REPOSITORY } from '../support/repository.js';
import { runHere, runIn, runLine } from '../support/in-process.js';

describe.each(COMMANDS)('$name --help', ({ name, usage, examples }) => {
  test('begins with what it reads and writes and ends with at least two examples', async () => {
    const { status, stdout } = await runHere([name, '--help']);
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual([`chakra-prep ${name} ${usage}`, '']);
    expect(lines[2]).toMatch(/^Reads .*/);
    const last = lines.slice(lines.indexOf('Examples:') + 1);
    expect(last.filter((line) => line.startsWith('  chakra-prep ')).map((line) => line.slice(14))).toEqual(
      examples.map(([words]) => words),
    );
    expect(last.length).toBe(2 * examples.length);
    expect(examples.length).toBeGreaterThanOrEqual(2);
  });

  test('has no line that a terminal of 110 columns breaks', async () => {
    const { stdout } = await runHere([name, '--help']);
    expect(stdout.split('\n').filter((line) => line.length > 110)).toEqual([]);
  });
});

describe('the examples of the help', () => {
  let made: string;
  beforeAll(async () => {
    made = folderWithSamples();
    cpSync(join(made, 'traces', 'job.0.et'), join(made, 'job.0.et'));
    cpSync(join(REPOSITORY, 'samples', 'pytorch'), join(made, 'pytorch'), { recursive: true });
    writeFileSync(
      join(made, 'network.yml'),
      'topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n',
    );
    writeFileSync(
      join(made, 'fabric.json'),
      '{"version":1,"generator":{"type":"single-switch","hosts":4,"gbps":400,"delayNs":500}}',
    );
    writeFileSync(join(made, 'fabric.txt'), '3 1 2\n2\n0 2 400Gbps 500ns 0\n1 2 400Gbps 500ns 0\n');
    const implementations = ['all-reduce', 'all-gather', 'reduce-scatter', 'all-to-all'].map((name) => [
      `${name}-implementation`,
      ['ring'],
    ]);
    writeFileSync(
      join(made, 'system.json'),
      JSON.stringify({ 'preferred-dataset-splits': 1, ...Object.fromEntries(implementations) }),
    );
    for (const line of [
      'expand traces -o expanded',
      'serialize expanded -o serialized',
      'sync serialized -o synced',
      'prepare traces -o prepared',
      'convert traces --to jsonl -o text',
    ]) {
      expect(await runIn(made, line.split(' '))).toMatchObject({ status: 0 });
    }
  });

  const lines = COMMANDS.flatMap(({ examples }) => examples.map(([words]) => `chakra-prep ${words}`));
  test.each(lines)('%s', async (line) => {
    const folder = newFolder();
    cpSync(made, folder, { recursive: true });
    const ran = await runLine(line, folder);
    expect({ line, status: ran.status, stderr: ran.status === 0 ? '' : ran.stderr }).toEqual({
      line,
      status: 0,
      stderr: '',
    });
  });

  test('convert to text and back gives the same bytes', async () => {
    const folder = newFolder();
    cpSync(join(made, 'text'), join(folder, 'text'), { recursive: true });
    mkdirSync(join(folder, 'traces'));
    await runIn(folder, ['convert', 'text', '--to', 'et', '-o', 'traces']);
    const traces = filesBelow(join(made, 'traces'));
    expect(filesBelow(join(folder, 'traces'))).toEqual(traces);
  });
});

test('without a command the help names them all', async () => {
  const { status, stdout } = await runHere(['--help']);
  expect(status).toBe(0);
  for (const { name, summary } of COMMANDS) expect(stdout).toMatch(new RegExp(`chakra-prep ${name} +${summary}`));
});
