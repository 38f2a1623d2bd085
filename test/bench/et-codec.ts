import { MemorySource } from '../../src/base/byte-source.js';
import { JsonLinesWriter } from '../../src/formats/chakra-jsonl.js';
import { readChakraEt } from '../../src/formats/et/decode.js';
import { writeChakraEt } from '../../src/formats/et/encode.js';
import { NodeFlag, type RankTrace } from '../../src/trace/rank-trace.js';
import { buildEt, type NodeObject } from '../support/traces.js';
import { type BenchCase, perCpuSecond } from './bench-case.js';

const NODES = 400_000;

/** Compute nodes of about 80 bytes: id, name, type, one dependency, duration, one attribute. */
function smallNodes(): Uint8Array {
  return repeated((id) => ({
    id,
    name: 'COMP_NODE_layer_64_1_conv1_forward_pass',
    type: 'COMP_NODE',
    data_deps: id === 0 ? [] : [id - 1],
    duration_micros: 3456,
    attr: { is_cpu_op: { bool_val: false } },
  }));
}

/** Transfers as expansion writes them, about 180 bytes. */
function transfers(): Uint8Array {
  return repeated((id) => ({
    id,
    name: id % 2 ? 'AllReduce.receive' : 'AllReduce.send',
    type: id % 2 ? 'COMM_RECV_NODE' : 'COMM_SEND_NODE',
    data_deps: id === 0 ? [] : [id - 1],
    attr: {
      is_cpu_op: { bool_val: false },
      pg_name: { string_val: '12' },
      comm_type: { int64_val: 0 },
      collective_instance: { int64_val: id >> 8 },
      collective_size: { int64_val: 16777216 },
      comm_size: { int64_val: 131072 },
      [id % 2 ? 'comm_src' : 'comm_dst']: { int32_val: 77 },
      comm_tag: { int32_val: 65536 + id },
      collective_step: { int32_val: id & 255 },
    },
  }));
}

/** Built in pieces, because protobufjs objects of all nodes at once are large. */
function repeated(node: (id: number) => NodeObject): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let first = 0; first < NODES; first += 10_000) {
    const nodes = Array.from({ length: 10_000 }, (_, at) => node(first + at));
    const bytes = buildEt(nodes);
    pieces.push(first === 0 ? bytes : bytes.subarray(1 + bytes[0]));
  }
  return Uint8Array.from(Buffer.concat(pieces));
}

function decodeCase(name: string, target: number, build: () => Uint8Array): BenchCase {
  let bytes: Uint8Array | undefined;
  return {
    name,
    unit: 'nodes/s',
    target,
    run() {
      bytes ??= build();
      const source = new MemorySource(bytes, name);
      return perCpuSecond(NODES, () => readChakraEt(source, { rank: 0, file: name }));
    },
  };
}

/** Thousands of tiny files, kept as a replay keeps them. */
function tinyFilesCase(): BenchCase {
  const files = 2_000;
  const bytes = buildEt(Array.from({ length: 40 }, (_, id) => ({ id, type: 4, data_deps: id === 0 ? [] : [id - 1] })));
  return {
    name: 'decode .et, files of 40 nodes',
    unit: 'nodes/s',
    run() {
      const kept: unknown[] = [];
      return perCpuSecond(files * 40, () => {
        for (let rank = 0; rank < files; rank++) {
          const file = `tiny.${rank}.et`;
          kept.push(readChakraEt(new MemorySource(bytes, file), { rank, file }));
        }
      });
    },
  };
}

/** `prepare` makes of the trace what is written: the same, one with touched nodes, one without frames. */
function encodeCase(
  name: string,
  target: number,
  build: () => Uint8Array,
  prepare: (trace: RankTrace) => RankTrace,
): BenchCase {
  let trace: RankTrace | undefined;
  return {
    name,
    unit: 'nodes/s',
    target,
    run() {
      trace ??= prepare(readChakraEt(new MemorySource(build(), name), { rank: 0, file: name }).trace);
      const written = trace;
      return perCpuSecond(NODES, () => writeChakraEt(written, () => {}));
    },
  };
}

/** JSON lines of the bytes, in pieces as encoding gives them. */
function linesCase(name: string, build: () => Uint8Array): BenchCase {
  let bytes: Uint8Array | undefined;
  return {
    name,
    unit: 'nodes/s',
    target: 0.8e6,
    run() {
      bytes ??= build();
      const et = bytes;
      return perCpuSecond(NODES, () => {
        const lines = new JsonLinesWriter(() => {});
        for (let at = 0; at < et.length; at += 1 << 20) lines.push(et.subarray(at, at + (1 << 20)));
        lines.finish();
      });
    },
  };
}

const touched = (trace: RankTrace): RankTrace => ({
  ...trace,
  flags: trace.flags.map((flags) => flags | NodeFlag.touched),
});
const withoutFrames = (trace: RankTrace): RankTrace => ({ ...trace, kept: undefined });
const annotated = (trace: RankTrace): RankTrace => ({
  ...trace,
  kept: undefined,
  metadata: { ...trace.metadata, passes: ['annotate'] },
});

export const cases: BenchCase[] = [
  decodeCase('decode .et, small nodes', 4e6, smallNodes),
  decodeCase('decode .et, expanded transfers', 4e6, transfers),
  tinyFilesCase(),
  encodeCase('encode .et, new transfers', 4e6, transfers, withoutFrames),
  encodeCase('encode .et, new annotated transfers', 3e6, transfers, annotated),
  encodeCase('encode .et, touched small nodes', 3e6, smallNodes, touched),
  encodeCase('encode .et, unchanged small nodes', 20e6, smallNodes, (trace) => trace),
  linesCase('JSON lines, small nodes', smallNodes),
  linesCase('JSON lines, expanded transfers', transfers),
];
