import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { attributes, collective } from '../support/preparation.js';
import { buildEt, readBytes, type NodeObject } from '../support/traces.js';

const { allGather, allReduce } = CollectiveType;

/** An AllGather of 4,000 bytes in all on each of four ranks, under no group. */
function gathers(): string {
  const nodes: NodeObject[] = [collective(1, { type: allGather, size: 4000 })];
  return writeRanks(newFolder(), [nodes, nodes, nodes, nodes]);
}

const NETWORK = ['--network', 'alpha-beta:latency=0ns,bandwidth=1GB/s'];

test('R-106 simulate: ring of 3 steps of 1,000 bytes at 1 byte/ns, beside 3 of 4,000 without the assumption', async () => {
  const folder = gathers();
  const endOf = async (...more: string[]): Promise<number> => {
    const { stdout } = await runHere(['simulate', folder, ...NETWORK, '--no-sync', '--json', ...more]);
    return (JSON.parse(stdout) as { endNs: number }).endNs;
  };
  expect(await endOf()).toBe(12_000);
  expect(await endOf('--assume', 'allgather-size=total')).toBe(3000);
});

test.each(['validate', 'inspect', 'simulate'])('%s says what was assumed', async (command) => {
  const words = [command, gathers(), ...(command === 'simulate' ? NETWORK : [])];
  const { status, stderr } = await runHere([...words, '--assume', 'allgather-size=total,scatter-size=shard']);
  expect(status).toBe(0);
  expect(stderr).toContain(
    'note ASSUMPTION_APPLIED: allgather-size=total: AllGather sizes read as the gathered result, group size × shard; ' +
      '4 nodes changed, first node 1 "collective 1" of rank 0\n',
  );
  expect(stderr).toContain(
    'warning ASSUMPTION_UNUSED: scatter-size=shard changes nothing: these traces have no Scatter with a comm_size\n',
  );
});

test.each([
  ...(['expand', 'serialize', 'sync', 'annotate', 'prepare'] as const).map((command) => [command]),
  ['scale', '--factor', '1'],
  ['convert', '--to', 'et'],
])('%s writes the usual convention', async (...words) => {
  const folder = gathers();
  const [command, ...more] = words;
  const run = await runHere([command, folder, ...more, '--assume', 'allgather-size=total', '--only', '0', '-o', '-']);
  expect(run.status).toBe(0);
  const { trace } = readBytes(run.bytes);
  const node = [...trace.idLow].indexOf(1);
  expect(trace.commSize[node]).toBe(1000);
});

test('validate --json lists conventions and observations', async () => {
  const { stdout } = await runHere(['validate', gathers(), '--json', '--assume', 'allgather-size=total']);
  const { conventions, observations } = JSON.parse(stdout) as Record<string, unknown>;
  expect(conventions).toEqual([
    { name: 'element-bytes', value: '1', assumed: false, meaning: 'sizes: bytes', count: 4 },
    {
      name: 'allgather-size',
      value: 'total',
      assumed: true,
      meaning: 'AllGather sizes: the gathered result, group size × shard',
      count: 4,
    },
  ]);
  expect(observations).toEqual([
    { name: 'is_cpu_op absent', count: 4, message: 'all 4 nodes without is_cpu_op: operations of the device' },
  ]);
});

test('--config takes a text, a list or a mapping; the command line adds to it and wins', async () => {
  const folder = gathers();
  const sizeWith = async (config: string, ...flags: string[]): Promise<number> => {
    const path = join(newFolder(), 'run.yaml');
    writeFileSync(path, config);
    const words = ['convert', folder, '--to', 'et', '--only', '0', '-o', '-', '--config', path, ...flags];
    const { bytes, stderr, status } = await runHere(words);
    expect([status, stderr]).toEqual([0, expect.anything()]);
    return readBytes(bytes).trace.commSize[0];
  };
  expect(await sizeWith('assume: [allgather-size=total, element-bytes=2]')).toBe(2000);
  expect(await sizeWith('assume: allgather-size=total,element-bytes=2')).toBe(2000);
  expect(await sizeWith('assume: {allgather-size: total, element-bytes: 2}')).toBe(2000);
  expect(await sizeWith('assume: {allgather-size: total, element-bytes: 2}', '--assume', 'element-bytes=8')).toBe(8000);
  expect(await sizeWith('assume: [allgather-size=total]', '--assume', 'allgather-size=shard')).toBe(4000);
});

test('a wrong form of assume in --config is named', async () => {
  const folder = gathers();
  const path = join(folder, 'run.yaml');
  writeFileSync(path, 'assume: 2\n');
  const { status, stderr } = await runHere(['validate', folder, '--config', path]);
  expect(status).toBe(2);
  expect(stderr).toContain(
    'assume: 2, expected a text such as root=position, a list of such texts, or names with values such as {root: position}',
  );
});

test('a rank alone cannot be read by the size of a group whose other ranks are not there', async () => {
  const folder = gathers();
  const file = join(folder, 'job.2.et');
  const out = newFolder();
  const alone = ['convert', file, '--to', 'et', '-o', out];
  expect((await runHere([...alone, '--assume', 'element-bytes=2'])).status).toBe(0);
  const refused = await runHere([...alone, '--assume', 'allgather-size=total']);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('error RANK_MISSING: ');
});

test('a group that nobody declares is an error where sizes are read by it', async () => {
  const nodes = [collective(1, { type: allGather, size: 4000, group: 'Q' })];
  const other = [collective(1, { type: allReduce, size: 4000, group: 'Q' })];
  const folder = writeRanks(newFolder(), [nodes, other]);
  const words = ['convert', folder, '--to', 'et', '-o', newFolder()];
  expect((await runHere(words)).status).toBe(0);
  const { status, stderr } = await runHere([...words, '--assume', 'allgather-size=total']);
  expect(status).toBe(1);
  expect(stderr).toContain('error GROUP_UNDECLARED: group "Q", used by ranks 0, 1, is not declared');
});

test('a rank on stdin', async () => {
  const stdin = buildEt([collective(1, { type: allReduce, size: 4000 })]);
  const { status, bytes } = await runHere(['scale', '-', '--factor', '0.5', '--assume', 'element-bytes=2', '-o', '-'], {
    stdin,
  });
  expect(status).toBe(0);
  expect(readBytes(bytes).trace.commSize[0]).toBe(4000);
});

test.each(['json', 'json.gz'])('feeder JSON as job.0.%s', async (ending) => {
  const folder = newFolder();
  const text =
    '{"workload_graph":[{"Id":1,"Name":"r","NodeType":7,"is_cpu_op":false,"comm_type":0,"comm_size":25,"data_deps":[]}]}';
  writeFileSync(join(folder, `job.0.${ending}`), ending === 'json' ? text : gzipSync(text));
  const run = await runHere(['convert', folder, '--to', 'et', '-o', '-', '--assume', 'element-bytes=4']);
  expect([run.status, readBytes(run.bytes).trace.commSize[0]]).toEqual([0, 100]);
});

test('a prepared traceset is simulated with the words it was prepared with', async () => {
  const folder = writeRanks(newFolder(), [
    [{ id: 1, type: 'COMM_SEND_NODE', attr: attributes({ to: 1, size: 250, tag: 0 }) }],
    [{ id: 1, type: 'COMM_RECV_NODE', attr: attributes({ from: 0, size: 250, tag: 0 }) }],
  ]);
  const assume = ['--assume', 'element-bytes=4'];
  const prepared = newFolder();
  expect((await runHere(['prepare', folder, '-o', prepared, ...assume])).status).toBe(0);
  const { stdout, stderr } = await runHere(['simulate', prepared, ...NETWORK, '--json', ...assume]);
  // 1,000 bytes at 1 byte/ns, not 4,000.
  expect(JSON.parse(stdout)).toMatchObject({ endNs: 1000, bytes: 1000 });
  expect(stderr).toContain('note ASSUMPTION_DONE: element-bytes=4: 2 ranks say that it was applied before');
});

test('worker threads apply them as one thread does', async () => {
  const folder = gathers();
  const words = ['validate', folder, '--json', '--assume', 'allgather-size=total'];
  const [one, two] = [await runHere([...words, '--threads', '1']), await runHere([...words, '--threads', '2'])];
  expect(two.stdout).toBe(one.stdout);
});
