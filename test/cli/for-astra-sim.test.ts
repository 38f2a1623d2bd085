import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { filesBelow, newFolder, writeRanks } from '../support/folders.js';
import { runIn, type RanHere } from '../support/in-process.js';
import { buildEt, type NodeObject } from '../support/traces.js';
import { collective, compute, receive, send } from '../support/validation.js';

const tp = { pg_name: { string_val: 'tp' } };

/** Two ranks: compute, a collective of each of two types in group "tp", compute; groups in a file. */
function folder(first: number = CollectiveType.allReduce, more: readonly NodeObject[] = []): string {
  const home = newFolder();
  const ranks = [0, 1].map(() => [
    compute(1),
    { ...collective(2, first, 8, tp), data_deps: [1] },
    { ...collective(3, CollectiveType.allGather, 64, tp), data_deps: [2] },
    compute(4, [3]),
    ...more,
  ]);
  writeRanks(join(home, 'in'), ranks);
  writeFileSync(join(home, 'in', 'comm_group.json'), '{"tp": [0, 1]}');
  return home;
}

async function errorsOf(home: string, traces: string): Promise<number> {
  const { stdout } = await runIn(home, ['validate', traces, '--for', 'astra-sim', '--json']);
  return (JSON.parse(stdout) as { errors: number }).errors;
}

function code({ status, stderr }: RanHere): string {
  return `${status} ${[...stderr.matchAll(/^error ([A-Z_]+): /gm)].at(-1)?.[1] ?? ''}`;
}

test.each(['expand', 'serialize', 'sync', 'annotate', 'prepare', 'convert'])(
  '%s --for astra-sim writes what validate --for astra-sim passes, and again the same bytes',
  async (command) => {
    const home = folder();
    const ran = await runIn(home, [command, 'in', '--for', 'astra-sim', '-o', 'out']);
    expect(ran.stderr).toContain('for ASTRA-sim: 1 process group got a number: "tp" is 1\n');
    expect(await errorsOf(home, 'out')).toBe(0);
    expect(JSON.parse(readFileSync(join(home, 'out', 'comm_group.json'), 'utf8'))).toEqual({ 1: [0, 1] });
    const again = await runIn(home, [command, 'out', '--for', 'astra-sim', '-o', 'again']);
    expect(again.stderr).toContain('for ASTRA-sim: nothing to change');
    expect(filesBelow(join(home, 'again'))).toEqual(filesBelow(join(home, 'out')));
  },
);

test('scale --for astra-sim: a size that is scaled to 0 has a byte', async () => {
  const home = newFolder();
  writeRanks(join(home, 'in'), [[send(1, 1, 7, 3)], [receive(1, 0, 7, 3)]]);
  const ran = await runIn(home, ['scale', 'in', '--factor', '0.1', '--for', 'astra-sim', '-o', 'out']);
  expect(ran.stderr).toContain('for ASTRA-sim: 2 other sends and receives of 0 B carry 1 B each');
  expect(await errorsOf(home, 'out')).toBe(0);
});

test('what cannot be mended is named by the ids of the input, and nothing is written', async () => {
  const home = folder(CollectiveType.allReduce, [collective(10, 0, 8, { ...tp, comm_type: undefined })]);
  const ran = await runIn(home, ['expand', 'in', '--for', 'astra-sim', '-o', 'out']);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain(
    'error ASTRA_ATTRIBUTE_MISSING: ranks 0, 1: 1 collective without comm_type: node 10 "coll10"',
  );
  expect(existsSync(join(home, 'out'))).toBe(false);
});

test('a collective of another type is to be expanded first', async () => {
  const home = folder(CollectiveType.barrier);
  const ran = await runIn(home, ['convert', 'in', '--for', 'astra-sim', '-o', 'out']);
  expect(code(ran)).toBe('1 TRACES_REFUSED');
  expect(ran.stderr).toContain('ASTRA_COLLECTIVE_TYPE: ranks 0, 1: 1 collective of type 9 BARRIER: node 2 "coll2"');
  expect(ran.stderr).toContain('advice: write it as sends and receives: expand --for astra-sim');
  expect((await runIn(home, ['expand', 'in', '--for', 'astra-sim', '-o', 'out'])).status).toBe(0);
  expect(await errorsOf(home, 'out')).toBe(0);
});

test('one rank, and one rank on stdout, are the same bytes as among all', async () => {
  const home = folder();
  const words = ['expand', 'in', '--for', 'astra-sim'];
  await runIn(home, [...words, '-o', 'all']);
  await runIn(home, [...words, '--only', '1', '-o', 'one']);
  expect(Object.keys(filesBelow(join(home, 'one')))).toEqual(['comm_group.json', 'job.1.et']);
  const bytes = readFileSync(join(home, 'all', 'job.1.et'));
  expect(readFileSync(join(home, 'one', 'job.1.et')).equals(bytes)).toBe(true);
  const piped = await runIn(home, [...words, '--only', '1', '-o', '-']);
  expect(piped.bytes.equals(bytes)).toBe(true);
});

test('a raw collective of a group on stdout is refused: the group file would be missing', async () => {
  const ran = await runIn(folder(), ['convert', 'in', '--for', 'astra-sim', '--only', '0', '-o', '-']);
  expect(code(ran)).toBe('1 TRACES_REFUSED');
  expect(ran.stderr).toContain('ASTRA_GROUP_UNKNOWN');
});

test('an output folder whose name holds "empty", for raw collectives of a group', async () => {
  const home = folder();
  expect((await runIn(home, ['convert', 'in', '--for', 'astra-sim', '-o', 'not-empty'])).stderr).toContain(
    'ASTRA_GROUP_FILE',
  );
  expect(existsSync(join(home, 'not-empty'))).toBe(false);
  expect((await runIn(home, ['expand', 'in', '--for', 'astra-sim', '-o', 'not-empty'])).status).toBe(0);
});

describe('TARGET_REQUEST', () => {
  test.each([
    [['expand', 'in', '-o', 'out', '--format', 'et.gz']],
    [['expand', 'in', '-o', 'out', '--format', 'jsonl']],
    [['convert', 'in', '-o', 'out', '--to', 'jsonl']],
    [['validate', 'in', '--fix', '-o', 'out', '--format', 'jsonl']],
    [['validate', 'in', '--fix', '-o', 'out', '--assume', 'allgather-size=total']],
  ])('%j', async (words) => {
    const home = folder();
    expect(code(await runIn(home, [...words, '--for', 'astra-sim']))).toBe('2 TARGET_REQUEST');
    expect(existsSync(join(home, 'out'))).toBe(false);
  });

  test('one rank on stdin', async () => {
    const stdin = buildEt([compute(1)]);
    expect(
      code(await runIn(newFolder(), ['scale', '-', '--factor', '1', '--for', 'astra-sim', '-o', 'out'], { stdin })),
    ).toBe('2 TARGET_REQUEST');
  });

  test('for: feeder in the configuration of a command that writes', async () => {
    const home = folder();
    writeFileSync(join(home, 'run.yaml'), 'for: feeder\n');
    expect(code(await runIn(home, ['expand', 'in', '-o', 'out', '--config', 'run.yaml']))).toBe('2 TARGET_REQUEST');
  });
});

test('validate --fix --for astra-sim repairs, mends and validates the copy', async () => {
  const home = folder(CollectiveType.allReduce, [
    { id: 5, name: 'init', type: 'METADATA_NODE', ctrl_deps: [99] },
    compute(6, [5, 5]),
  ]);
  const ran = await runIn(home, ['validate', 'in', '--fix', '--for', 'astra-sim', '-o', 'out']);
  expect(ran.stderr).toContain(
    'for ASTRA-sim: 2 METADATA nodes left out; groups that they declare are in comm_group.json',
  );
  expect(ran.stderr).toContain('note REPAIRED: ranks 0, 1: 1 repeated data dependency dropped: node 6 "op6"');
  expect(ran.status).toBe(0);
  expect(await errorsOf(home, 'out')).toBe(0);
});

test('with several threads the same files', async () => {
  const home = folder();
  await runIn(home, ['prepare', 'in', '--for', 'astra-sim', '-o', 'one', '--threads', '1']);
  await runIn(home, ['prepare', 'in', '--for', 'astra-sim', '-o', 'two', '--threads', '2']);
  expect(filesBelow(join(home, 'two'))).toEqual(filesBelow(join(home, 'one')));
});

describe('EXITS_LEFT_OUT', () => {
  const network = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'];

  test('sync behind expand --for astra-sim, and the barriers of simulate', async () => {
    const home = folder();
    await runIn(home, ['expand', 'in', '--for', 'astra-sim', '-o', 'expanded']);
    const message =
      'warning EXITS_LEFT_OUT: sync: nothing is added to collectives that were expanded and written for ASTRA-sim, on 2 of 2 ranks';
    expect((await runIn(home, ['sync', 'expanded', '-o', 'synced'])).stderr).toContain(message);
    expect((await runIn(home, ['simulate', 'expanded', ...network])).stderr).toContain(message);
    expect((await runIn(home, ['simulate', 'expanded', ...network, '--no-sync'])).stderr).not.toContain(
      'EXITS_LEFT_OUT',
    );
  });

  test('not where the pass ran before', async () => {
    const home = folder();
    await runIn(home, ['prepare', 'in', '--for', 'astra-sim', '-o', 'prepared']);
    expect((await runIn(home, ['simulate', 'prepared', ...network])).stderr).not.toContain('EXITS_LEFT_OUT');
  });
});

test('the algorithm of a collective is still known to a replay', async () => {
  const home = folder();
  await runIn(home, ['prepare', 'in', '--allreduce', 'tree', '--for', 'astra-sim', '-o', 'prepared']);
  const { stdout } = await runIn(home, [
    'simulate',
    'prepared',
    '--network',
    'alpha-beta:latency=1us,bandwidth=50GB/s',
  ]);
  expect(stdout).toMatch(/^1 +AllReduce +tree +2 /m);
  expect(stdout).toMatch(/^1 +AllGather +ring +2 /m);
});
