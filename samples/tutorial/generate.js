/**
 * Makes the traceset of docs/tutorial.md: one training step of two layers on 16 ranks, tensor parallel over eight ranks
 * (groups tensor0 and tensor1) times data parallel over two (groups data0 … data7).
 *
 *   node samples/tutorial/generate.js [folder]      default: samples/tutorial/traces
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TENSOR_WIDTH = 8;
const REPLICAS = 2;
const RANKS = TENSOR_WIDTH * REPLICAS;
const MEBIBYTE = 1 << 20;
const ALL_REDUCE = 0;

const folder = process.argv[2] ?? fileURLToPath(new URL('traces', import.meta.url));
mkdirSync(folder, { recursive: true });
for (let rank = 0; rank < RANKS; rank++) writeFileSync(join(folder, `step.${rank}.jsonl`), trace(rank));
writeFileSync(join(folder, 'comm_group.json'), groups());

function groups() {
  const ranks = (count, first, stride) => Array.from({ length: count }, (_, place) => first + place * stride);
  const named = [
    ...ranks(REPLICAS, 0, 1).map((replica) => [`tensor${replica}`, ranks(TENSOR_WIDTH, replica * TENSOR_WIDTH, 1)]),
    ...ranks(TENSOR_WIDTH, 0, 1).map((place) => [`data${place}`, ranks(REPLICAS, place, TENSOR_WIDTH)]),
  ];
  return `{\n${named.map(([name, members]) => `  "${name}": ${JSON.stringify(members)}`).join(',\n')}\n}\n`;
}

function trace(rank) {
  const tensor = `tensor${Math.floor(rank / TENSOR_WIDTH)}`;
  const data = `data${rank % TENSOR_WIDTH}`;
  const lines = [{ schema: 'chakra-prep/trace/1', version: '0.0.4' }];
  const issued = new Map();

  const add = (id, name, type, dataDeps, rest) =>
    lines.push({ id, name, type, ...(dataDeps.length > 0 ? { dataDeps } : {}), ...rest });
  const compute = (id, name, dataDeps, durationMicros) => add(id, name, 'COMP_NODE', dataDeps, { durationMicros });
  const allReduce = (id, name, dataDeps, bytes, group) => {
    const order = issued.get(group) ?? 0;
    issued.set(group, order + 1);
    const attr = [
      { name: 'comm_type', int64: ALL_REDUCE },
      { name: 'comm_size', int64: bytes },
      { name: 'pg_name', string: group },
      { name: 'issue_order', int64: order },
    ];
    add(id, name, 'COMM_COLL_NODE', dataDeps, { attr });
  };

  compute(0, 'forward layer 0', [], 100);
  allReduce(1, 'activations layer 0', [0], 8 * MEBIBYTE, tensor);
  compute(2, 'forward layer 1', [1], 100);
  allReduce(3, 'activations layer 1', [2], 8 * MEBIBYTE, tensor);
  compute(4, 'backward layer 1', [3], 200);
  allReduce(5, 'gradients layer 1', [4], 4 * MEBIBYTE, data);
  compute(6, 'backward layer 0', [4], 200);
  allReduce(7, 'gradients layer 0', [6], 4 * MEBIBYTE, data);
  compute(8, 'optimizer', [5, 7], 40);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
