import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runIn } from '../../support/in-process.js';

const NETWORK = 'alpha-beta:latency=1us,bandwidth=50GB/s';
/** A message takes a fraction of a ns. */
const NEARLY_NO_NETWORK = 'alpha-beta:latency=0ns,bandwidth=1000000GB/s';

/** `endNs` of the ranks of a generated transformer, from the numbers to the simulation as a user has it. */
async function endNs(words: string, durations: Record<string, number>, network = NETWORK): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'transformer-'));
  writeFileSync(join(folder, 'durations.yaml'), JSON.stringify(durations));
  const line = `generate transformer ${words} --durations durations.yaml -o traces`;
  const generated = await runIn(folder, line.split(' '));
  expect(generated.status).toBe(0);
  const validated = await runIn(folder, ['validate', 'traces', '--json']);
  expect(JSON.parse(validated.stdout)).toMatchObject({ errors: 0, warnings: 0 });
  const run = await runIn(folder, ['simulate', 'traces', '--network', network, '--no-sync', '--json']);
  expect(run.status).toBe(0);
  return (JSON.parse(run.stdout) as { ranks: { endNs: number }[] }).ranks.map((rank) => rank.endNs);
}

const last = (ends: readonly number[]): number => Math.max(...ends);

/** A layer takes 1 µs forward and 2 µs backward, and nothing else takes time. */
const LAYER = { 'attention qkv': 1, 'attention qkv input gradient': 2 };
const TINY = '--hidden 8 --heads 1 --sequence 1 --vocabulary 8';

test.each(['1f1b', 'gpipe'])(
  'a pipeline of 4 stages with 8 micro-batches takes (m + pp − 1)(f + b): %s',
  async (schedule) => {
    const ends = await endNs(`--layers 4 ${TINY} --batch 8 --pp 4 --schedule ${schedule}`, LAYER, NEARLY_NO_NETWORK);
    expect(last(ends)).toBeCloseTo((8 + 4 - 1) * 3000, -1);
  },
);

test('interleaving divides the bubble by the chunks: m (f + b) + (pp − 1)(f + b) / v', async () => {
  const words = `--layers 4 ${TINY} --batch 4 --pp 2 --virtual-stages 2`;
  const ends = await endNs(words, LAYER, NEARLY_NO_NETWORK);
  // Two layers a stage: f = 2 µs, b = 4 µs.
  expect(last(ends)).toBeCloseTo(4 * 6000 + 6000 / 2, -1);
});

test('a pipeline of 2 stages waits for each transfer', async () => {
  // A transfer of 50,000 B takes 1 + 1 µs. Stage 0: F0 0–1, F1 1–2. Stage 1: F0 3–4, B0 4–6, F1 6–7, B1 7–9. Stage 0: B0 8–10, B1 11–13.
  // Stage 1 ends with the acknowledgment of its last send: 9 + 2 + 1 µs.
  const words = '--layers 2 --hidden 250 --heads 1 --sequence 100 --vocabulary 10 --batch 2 --pp 2';
  expect(await endNs(words, LAYER)).toEqual([13_000, 12_000].map((end) => expect.closeTo(end, 3) as number));
});

test('tensor-parallel ranks all-reduce twice a layer forward, before any later compute', async () => {
  // 100,000 B over 2 ranks in a ring: 2 steps of 1 + 1 µs. Embedding and 2 layers: 5 all-reduces; 2 computes of 1 µs; at the end the
  // all-gather of 50,000 B of logits from each, 2 µs, and the acknowledgment of the last send, 1 µs.
  const words = '--layers 2 --hidden 500 --heads 2 --sequence 100 --vocabulary 50000 --batch 1 --tp 2 --forward-only';
  expect(last(await endNs(words, { 'attention qkv': 1 }))).toBeCloseTo(5 * 4000 + 2 * 1000 + 2000 + 1000, 3);
});

test('the all-reduce of an input gradient runs beside the compute of the weight gradient', async () => {
  // Backward a layer: 2 all-reduces of 4 µs, one beside 3 µs (1 µs is left), one beside 5 µs (none is left).
  const words = '--layers 1 --hidden 500 --heads 2 --sequence 100 --vocabulary 2 --batch 1 --tp 2';
  const durations = { 'mlp up weight gradient': 3, 'attention qkv weight gradient': 5, optimizer: 10 };
  // Forward: 3 all-reduces of 4 µs, that of the loss, 1,200 B: 2 × 1.012 µs; backward first that of the logits, 4 µs.
  const forward = 3 * 4000 + 2 * (1000 + 600 / 50);
  expect(last(await endNs(words, durations))).toBeCloseTo(forward + 4000 + 4000 + 5000 + 10_000, 3);
});

/** Two layers of 15,100 weights, an embedding of 5,000, a head of 5,050; 10 µs backward a layer. */
const DATA = '--layers 2 --hidden 50 --heads 1 --ffn 50 --sequence 1 --vocabulary 100 --batch 2 --dp 2';
const BACKWARD = { 'attention norm gradient': 10, optimizer: 5 };

test('data-parallel ranks all-reduce gradients of a layer beside the backward pass of the layers before', async () => {
  // Head and layer 1 are hidden. Layer 0 ends at 20 µs: 30,200 B, 2 × (1 + 0.302) µs, then the embedding's 10,000 B, 2 × (1 + 0.1) µs.
  expect(last(await endNs(DATA, BACKWARD))).toBeCloseTo(20_000 + 2604 + 2200 + 5000, 3);
});

test('ZeRO 1 reduce-scatters gradients, and all-gathers weights behind the optimizer', async () => {
  const scatters = 1302 + 1100; // layer 0, embedding
  const gathers = 1100 + 1302 + 1302 + 1101; // embedding, layers, head: half the weights from each rank
  const ack = 1000;
  expect(last(await endNs(`${DATA} --zero 1`, BACKWARD))).toBeCloseTo(20_000 + scatters + 5000 + gathers + ack, 3);
});
