import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runIn } from '../support/in-process.js';

const NETWORK = 'alpha-beta:latency=1us,bandwidth=50GB/s';

/** `endNs` of the run of a text workload, from the file to the simulation as a user has it. */
async function endNs(lines: readonly string[], ...options: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'workload-'));
  writeFileSync(join(folder, 'job.txt'), `${lines.join('\n')}\n`);
  const converted = await runIn(folder, ['convert', 'job.txt', '--to', 'et', '-o', 'traces', ...options]);
  expect(converted.status).toBe(0);
  const validated = await runIn(folder, ['validate', 'traces', '--json']);
  expect(JSON.parse(validated.stdout)).toMatchObject({ errors: 0, warnings: 0 });
  const words = ['simulate', 'traces', '--network', NETWORK, '--no-sync', '--json'];
  const { stdout, status } = await runIn(folder, words);
  expect(status).toBe(0);
  return (JSON.parse(stdout) as { ranks: { endNs: number }[] }).ranks[0].endNs;
}

test('the micro all-reduce of ASTRA-sim: 1 MiB over 4 ranks in a ring', async () => {
  // 6 steps of 262,144 B at 50 B/ns and 1 µs: 6 × 6,242.88 ns; the last send is acknowledged 1 µs later.
  const end = await endNs(['MICRO', '1', 'conv1 -1 5 NONE 0 5 NONE 0 5  ALLREDUCE 1048576 5'], '--ranks', '4');
  expect(end).toBeCloseTo(6 * 6242.88 + 1000, 3);
});

test('the hybrid MLP of ASTRA-sim: compute, forward all-gathers and the last weight all-reduce add up', async () => {
  const layer = (name: string, time: number, bytes: number): string =>
    `${name} -1 ${time} ALLGATHER ${bytes} ${time} ALLREDUCE ${bytes} ${time} ALLREDUCE ${bytes} ${Math.trunc(time / 10)}`;
  const lines = [
    'HYBRID_DATA_MODEL',
    '6',
    layer('mlp0', 32291, 37632),
    layer('mlp1', 7488, 65536),
    layer('mlp2', 7488, 65536),
    layer('mlp3', 14144, 147456),
    layer('mlp4', 7488, 65536),
    layer('mlp5', 9984, 65536),
  ];
  // Input-gradient all-reduces run beside weight-gradient computes that are longer, and all weight all-reduces but the last
  // beside the layers before. All-gather of a shard over 4 ranks: 3 steps; all-reduce over 2: 2 steps of half the bytes.
  const compute = 3 * 1000 * (32291 + 7488 + 7488 + 14144 + 7488 + 9984);
  const allGathers = 3 * (6 * 1000 + (37632 + 4 * 65536 + 147456) / 50);
  const allReduce = 2 * (1000 + 37632 / 2 / 50);
  const end = await endNs(lines, '--ranks', '8', '--model-parallel', '4');
  // The end of a rank counts the acknowledgment of its last send, 1 µs after it was received.
  expect(end).toBeCloseTo(compute + allGathers + allReduce + 1000, 3);
});

test('two stages of 1 µs forward and 2 + 3 µs backward, two micro-batches', async () => {
  const header = 'HYBRID_TRANSFORMER model_parallel_NPU_group: 1 pp: 2 ga: 2 all_gpus: 2 pp_comm 50000';
  const end = await endNs([header, '1', 'a -1 1000 NONE 0 2000 NONE 0 3000 NONE 0 0']);
  // A transfer takes 1 + 1 = 2 µs. Stage 0: F0 0–1, F1 1–2. Stage 1: F0 3–4, B0 4–9, F1 (received at 4) 9–10, B1 10–15.
  // Stage 0: gradient of B0 at 11, B0 11–16, gradient of B1 at 17, B1 17–22.
  expect(end).toBe(22_000);
});
