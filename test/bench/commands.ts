import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { buildEt } from '../support/traces.js';
import type { BenchCase } from './bench-case.js';
import { benchFolder, usage } from './whole-command.js';

/** Whole commands, as processes of their own: start-up, reading and writing included. */

const RANKS = 1024;
const NETWORK = 'alpha-beta:latency=1us,bandwidth=50GB/s';

/** One ring AllReduce over all ranks, raw: one collective a file. */
function rawRing(): string {
  const folder = join(benchFolder, 'raw');
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  const bytes = buildEt([
    {
      id: 1,
      name: 'all-reduce',
      type: 7,
      attr: { is_cpu_op: { bool_val: false }, comm_type: { int64_val: 0 }, comm_size: { int64_val: 1 << 20 } },
    },
  ]);
  for (let rank = 0; rank < RANKS; rank++) writeFileSync(join(folder, `ring.${rank}.et`), bytes);
  return folder;
}

function expandedRing(): string {
  const folder = join(benchFolder, 'expanded');
  if (!existsSync(folder)) usage('expand', rawRing(), '--allreduce', 'ring', '-o', folder, '--quiet');
  return folder;
}

const LONG_RANKS = 64;
const LONG_COLLECTIVES = 620;
/** A ring AllReduce of 64 ranks is 126 sends, 126 receives and an exit on each. */
const LONG_NODES = LONG_RANKS * LONG_COLLECTIVES * 253;

/** 10 M prepared nodes over 64 ranks: 620 ring AllReduces one after the other; 1.7 GB. */
function longJob(): string {
  const folder = join(benchFolder, 'long-expanded');
  if (existsSync(folder)) return folder;
  const raw = join(benchFolder, 'long-raw');
  mkdirSync(raw);
  const bytes = buildEt(
    Array.from({ length: LONG_COLLECTIVES }, (_, index) => ({
      id: index,
      name: 'all-reduce',
      type: 7,
      data_deps: index === 0 ? [] : [index - 1],
      attr: { is_cpu_op: { bool_val: false }, comm_type: { int64_val: 0 }, comm_size: { int64_val: 1 << 20 } },
    })),
  );
  for (let rank = 0; rank < LONG_RANKS; rank++) writeFileSync(join(raw, `long.${rank}.et`), bytes);
  usage('expand', raw, '--allreduce', 'ring', '-o', folder, '--quiet');
  return folder;
}

/** A rank file of about 615 MB with the attributes PyTorch converters write. */
function largeRank(): { path: string; nodes: number } {
  const path = join(benchFolder, 'large.0.et');
  const chunk = buildEt(
    Array.from({ length: 4096 }, (_, index) => ({
      id: index,
      name: `aten::operator_with_a_name_of_some_length_${index}`,
      type: 4,
      durationMicros: 10,
      attr: {
        rf_id: { int64_val: index },
        fw_parent: { int64_val: 0 },
        seq_id: { int64_val: -1 },
        scope: { int64_val: 7 },
        tid: { int64_val: 1 },
        fw_tid: { int64_val: 0 },
        op_schema: { string_val: 'aten::op(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor' },
        is_cpu_op: { bool_val: true },
        stream: { int64_val: 0 },
        kernel_file: { string_val: 'x'.repeat(60) },
      },
    })),
  );
  const wanted = 615e6;
  const copies = Math.ceil(wanted / chunk.length);
  if (!existsSync(path)) {
    const frames = largeFrames(chunk);
    const descriptor = openSync(path, 'w');
    writeSync(descriptor, chunk.subarray(0, frames.start));
    // Ids repeat from copy to copy, so ids are written anew: every node must have an id of its own.
    for (let copy = 0; copy < copies; copy++) writeSync(descriptor, withIds(frames.nodes, copy * 4096));
    closeSync(descriptor);
  }
  return { path, nodes: copies * 4096 };
}

const PICTURE_NODES = 1_000_000;

/** A rank of 1 M nodes with a data and a control dependency each, names, a stream and a thread. */
function pictureRank(): string {
  const path = join(benchFolder, 'picture.0.et');
  if (existsSync(path)) return path;
  const descriptor = openSync(path, 'w');
  for (let first = 0; first < PICTURE_NODES; first += 4000) {
    const bytes = buildEt(
      Array.from({ length: 4000 }, (_, place) => {
        const id = first + place;
        return {
          id,
          name: `aten::operator_${id}`,
          type: 4,
          duration_micros: 10,
          data_deps: id === 0 ? [] : [id - 1],
          ctrl_deps: id < 8 ? [] : [id - 8],
          attr: { is_cpu_op: { bool_val: true }, stream: { int64_val: 7 }, tid: { int64_val: 1 } },
        };
      }),
    );
    // One metadata frame is enough.
    writeSync(descriptor, first === 0 ? bytes : bytes.subarray(largeFrames(bytes).start));
  }
  closeSync(descriptor);
  return path;
}

/** Splits a file into its metadata frame and its node messages. */
function largeFrames(file: Uint8Array): { start: number; nodes: Uint8Array[] } {
  const nodes: Uint8Array[] = [];
  let offset = 0;
  let start = 0;
  for (let frame = 0; offset < file.length; frame++) {
    let length = 0;
    let shift = 0;
    for (;;) {
      const byte = file[offset++];
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
      shift += 7;
    }
    if (frame > 0) nodes.push(file.subarray(offset, offset + length));
    offset += length;
    if (frame === 0) start = offset;
  }
  return { start, nodes };
}

function withIds(nodes: readonly Uint8Array[], first: number): Uint8Array {
  const parts: Uint8Array[] = [];
  nodes.forEach((message, index) => {
    // Field 1 comes first where the id is not 0; node 0 of the chunk has none.
    const rest = index === 0 ? message : message.subarray(1 + varint(index).length);
    const id = Uint8Array.from([0x08, ...varint(first + index)]);
    parts.push(Uint8Array.from(varint(id.length + rest.length)), id, rest);
  });
  return Buffer.concat(parts);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  while (value >= 0x80) {
    bytes.push((value & 0x7f) | 0x80);
    value = Math.floor(value / 128);
  }
  return [...bytes, value];
}

const transfers = RANKS * 2 * (RANKS - 1);

export const cases: BenchCase[] = [
  {
    name: 'command: expand, 1,024 files in, 1,024 files out, 4.2 M nodes',
    unit: 's',
    target: 3,
    run: () => {
      const input = rawRing();
      const folder = join(benchFolder, 'expand-again');
      const { cpu } = usage('expand', input, '--allreduce', 'ring', '-o', folder, '--quiet');
      rmSync(folder, { recursive: true });
      return cpu;
    },
  },
  {
    name: 'command: simulate from 1,024 expanded files',
    unit: 'transfers/s',
    target: 1.5e6,
    run: () =>
      transfers /
      usage('simulate', expandedRing(), '--no-sync', '--network', NETWORK, '--report', 'none', '--quiet').cpu,
  },
  {
    name: 'command: simulate 1,024 raw files, lazily expanded',
    unit: 'transfers/s',
    run: () =>
      transfers / usage('simulate', rawRing(), '--no-sync', '--network', NETWORK, '--report', 'none', '--quiet').cpu,
  },
  {
    name: 'memory: simulate 10 M prepared nodes over 64 ranks, the whole process',
    unit: 'bytes/node',
    target: 100,
    run: () =>
      usage('simulate', longJob(), '--no-sync', '--network', NETWORK, '--report', 'none', '--quiet').rss / LONG_NODES,
  },
  {
    name: 'command: validate 10 M prepared nodes over 64 ranks, CPU time over that of inspect',
    unit: 'times',
    target: 1.5,
    run: () => usage('validate', longJob(), '--quiet').cpu / usage('inspect', longJob(), '--quiet').cpu,
  },
  {
    name: 'command: validate one rank file of 615 MB, CPU time over that of inspect',
    unit: 'times',
    target: 1.5,
    run: () => {
      const { path } = largeRank();
      return usage('validate', path, '--quiet').cpu / usage('inspect', path, '--quiet').cpu;
    },
  },
  {
    name: 'memory: validate 10 M prepared nodes over 64 ranks, the whole process',
    unit: 'bytes/node',
    run: () => usage('validate', longJob(), '--quiet').rss / LONG_NODES,
  },
  {
    name: 'command: visualize 1 M nodes as GraphML',
    unit: 's',
    target: 5,
    run: () => usage('visualize', pictureRank(), '-o', join(benchFolder, 'picture.graphml'), '--quiet').cpu,
  },
  {
    name: 'memory: visualize 1 M nodes as GraphML, the whole process',
    unit: 'bytes',
    target: 200e6,
    run: () => usage('visualize', pictureRank(), '-o', join(benchFolder, 'picture.graphml'), '--quiet').rss,
  },
  {
    name: 'memory: validation of one rank file of 615 MB, beyond a start without input and the window',
    unit: 'bytes/node',
    target: 100,
    run: () => {
      const { path, nodes } = largeRank();
      if (statSync(path).size < 600e6) throw new Error('the large rank file is too small');
      const base = usage('--version').rss;
      const window = 4 << 20;
      const { rss } = usage('validate', path, '--quiet');
      return (rss - base - window) / nodes;
    },
  },
];
