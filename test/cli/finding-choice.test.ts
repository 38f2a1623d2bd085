import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { compute, send } from '../support/jobs.js';

/** One error, one warning and one note: a partner that is not there, a send nobody receives, no duration. */
function faulty(): string {
  return writeRanks(newFolder(), [[compute(1, 0), send(2, 7, 8, 0)], [send(2, 0, 8, 0)]]);
}

const ALL = '1 error, 1 warning, 1 note';

test.each([
  [[], ALL, ['error', 'warning', 'note']],
  [['--severity', 'note'], ALL, ['error', 'warning', 'note']],
  [['--severity', 'warning'], `${ALL}; not listed: 1 note`, ['error', 'warning']],
  [['--severity', 'error'], `${ALL}; not listed: 1 warning, 1 note`, ['error']],
  [['--max-findings', '2'], `${ALL}; not listed: 1 note`, ['error', 'warning']],
  [['--max-findings', '0'], `${ALL}; not listed: 1 error, 1 warning, 1 note`, []],
  [['--max-findings', '3'], ALL, ['error', 'warning', 'note']],
  [['--ignore', 'send_unmatched'], '1 error, 0 warnings, 1 note; ignored: 1 × SEND_UNMATCHED', ['error', 'note']],
])('%j', async (words, summary, severities) => {
  const { status, stdout, stderr } = await runHere(['validate', faulty(), ...words]);
  expect(status).toBe(1);
  expect(stdout.split('\n')[0]).toBe(`2 ranks, 3 nodes: ${summary}`);
  const seen = [...stderr.matchAll(/^(error|warning|note) /gm)].map(([, severity]) => severity);
  expect(seen).toEqual(severities);
});

describe('--ignore', () => {
  test.each([
    [['--ignore', 'PEER_OUT_OF_RANGE,SEND_UNMATCHED,DURATIONS_ABSENT']],
    [['--ignore', 'PEER_OUT_OF_RANGE', '--ignore', 'SEND_UNMATCHED , DURATIONS_ABSENT']],
    [['--ignore=PEER_OUT_OF_RANGE', '--ignore=SEND_UNMATCHED', '--ignore=DURATIONS_ABSENT']],
  ])('%j leaves the exit status at 0', async (words) => {
    const { status, stdout, stderr } = await runHere(['validate', ...words, faulty()]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const ignored = 'ignored: 1 × DURATIONS_ABSENT, 1 × PEER_OUT_OF_RANGE, 1 × SEND_UNMATCHED';
    expect(stdout.split('\n')[0]).toBe(`2 ranks, 3 nodes: 0 errors, 0 warnings, 0 notes; ${ignored}`);
  });

  test('a code that does not occur is not spoken of', async () => {
    const { stdout } = await runHere(['validate', faulty(), '--ignore', 'CYCLE']);
    expect(stdout.split('\n')[0]).toBe(`2 ranks, 3 nodes: ${ALL}`);
  });

  test('an ignored warning does not abort (R-171)', async () => {
    const folder = writeRanks(newFolder(), [
      [compute(1, 5), send(2, 1, 8, 0)],
      [compute(1, 5), send(2, 0, 8, 0)],
    ]);
    writeFileSync(join(folder, 'run.yaml'), 'AbortOnChakraWarning: true\nignore: [SEND_UNMATCHED]\n');
    const { status } = await runHere(['validate', folder, '--config', join(folder, 'run.yaml')]);
    expect(status).toBe(0);
  });
});

test('files that cannot be read stay exit status 3 whatever is ignored', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'job.0.et'), '');
  const { status } = await runHere(['validate', folder, '--ignore', 'FILE_EMPTY']);
  expect(status).toBe(3);
});

test('the configuration says the same, a flag wins', async () => {
  const folder = faulty();
  const config = join(newFolder(), 'run.yaml');
  writeFileSync(config, 'severity: error\nmax-findings: 2\nignore: SEND_UNMATCHED, CYCLE\n');
  const { stdout } = await runHere(['validate', folder, '--config', config]);
  expect(stdout.split('\n')[0]).toBe(
    '2 ranks, 3 nodes: 1 error, 0 warnings, 1 note; not listed: 1 note; ignored: 1 × SEND_UNMATCHED',
  );
  const flagged = await runHere(['validate', folder, '--config', config, '--ignore', 'CYCLE', '--severity', 'note']);
  expect(flagged.stdout.split('\n')[0]).toBe(`2 ranks, 3 nodes: ${ALL}; not listed: 1 note`);
});

test('an option that is no list counts once, the last', async () => {
  const { stdout } = await runHere([
    'validate',
    faulty(),
    '--severity',
    'error',
    '--severity',
    'note',
    '--json',
    '--json',
  ]);
  expect(JSON.parse(stdout)).not.toHaveProperty('leftOut');
});

describe('what is refused, before a trace is read', () => {
  test.each([
    [['--max-findings', 'many'], 'MAX_FINDINGS_MALFORMED: --max-findings many: expected a whole number from 0'],
    [['--max-findings', '-1'], 'MAX_FINDINGS_MALFORMED: --max-findings -1: expected a whole number from 0'],
    [['--max-findings', '1.5'], 'MAX_FINDINGS_MALFORMED: --max-findings 1.5: expected a whole number from 0'],
    [['--max-findings', ''], 'MAX_FINDINGS_MALFORMED: --max-findings : expected a whole number from 0'],
    [
      ['--severity', 'fatal'],
      'USAGE: wrong value: option severity is "fatal", expected one of "error", "warning", "note"',
    ],
    [['--ignore', 'CYCLE,CYCEL'], 'CODE_UNKNOWN: --ignore CYCEL: no such code'],
    [['--ignore', 'PEER_SELFF'], 'CODE_UNKNOWN: --ignore PEER_SELFF: no such code, similar are PEER_SELF, '],
    [['--ignore'], 'USAGE: option ignore needs a value'],
    [['--sarif', '--json'], 'OUTPUT_AMBIGUOUS: stdout cannot hold both the document of --json and that of --sarif'],
  ])('%j', async (words, message) => {
    const { status, stderr } = await runHere(['validate', 'nowhere', ...words]);
    expect(status).toBe(2);
    expect(stderr).toContain(`error ${message}`);
  });

  test.each([
    ['ignore: 5', 'ignore: 5, expected text or a list of texts'],
    ['max-findings: -1', 'max-findings: -1, expected an integer, at least 0'],
    ['severity: fatal', 'severity: "fatal", expected one of error, warning, note'],
  ])('the configuration %j', async (config, message) => {
    const folder = faulty();
    writeFileSync(join(folder, 'run.yaml'), `${config}\n`);
    const { status, stderr } = await runHere(['validate', folder, '--config', join(folder, 'run.yaml')]);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
