import { MemorySource } from '../../src/base/byte-source.js';
import { HostNodeReader } from '../../src/formats/pytorch/host-node.js';
import { readDeviceTrace } from '../../src/formats/pytorch/read-device-trace.js';
import { readHostTrace } from '../../src/formats/pytorch/read-host-trace.js';
import { type BenchCase, perCpuSecond } from './bench-case.js';

const NODES = 40_000;
const EVENTS = 100_000;
const MEGABYTE = 1e6;

/** About 900 bytes a node, laid out as the observer of PyTorch 2.3 does. */
function hostNode(place: number): string {
  const id = 2 * place + 10;
  const attributes = [
    ...['rf_id', 'fw_parent'].map((name) => `{"name": "${name}", "type": "uint64", "value": ${place}}`),
    '{"name": "seq_id", "type": "int64", "value": -1}',
    ...['scope', 'tid', 'fw_tid'].map((name) => `{"name": "${name}", "type": "uint64", "value": 1}`),
    '{"name": "op_schema", "type": "string", "value": "aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)"}',
  ].join(', ');
  return `    {
      "id": ${id}, "name": "aten::op_${place % 100}", "ctrl_deps": ${id - 2},
      "inputs": {"values": [[${id + 1},8,0,64,4,"cuda:0"],[-1],1e-05], "shapes": [[64],[[]],[]], "types": ["Tensor(float)","GenericList[Int]","Double"]},
      "outputs": {"values": [[${id + 3},8,0,64,4,"cuda:0"]], "shapes": [[64]], "types": ["Tensor(float)"]},
      "attrs": [${attributes}]
    }`;
}

/** About 250 bytes an event: a host op, its call, the flow between, the kernel. */
function deviceEvent(place: number): string {
  const ts = (4458676522690 + place / 8).toFixed(3);
  const start = `"pid": 2910249, "tid": 2919752,\n    "ts": ${ts}, "dur": 12.011,\n    "args": {\n      "External id": ${place}`;
  switch (place % 4) {
    case 0:
      return `  {\n    "ph": "X", "cat": "cpu_op", "name": "aten::op_${place % 100}", ${start},"Record function id": ${place}, "Ev Idx": ${place}\n    }\n  }`;
    case 1:
      return `  {\n    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", ${start},\n      "cbid": 211, "correlation": ${place}\n    }\n  }`;
    case 2:
      return `  {\n    "ph": "s", "id": ${place}, "pid": 2910249, "tid": 2919752, "ts": ${ts},\n    "cat": "ac2g", "name": "ac2g"\n  }`;
    default:
      return `  {\n    "ph": "X", "cat": "kernel", "name": "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor_${place % 50}<float> >(int, float)", ${start},\n      "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": ${place - 2},\n      "registers per thread": 40, "shared memory": 400, "blocks per SM": 4.740741, "warps per SM": 75.851852,\n      "grid": [512, 1, 1], "block": [512, 1, 1]\n    }\n  }`;
  }
}

function joined(count: number, part: (place: number) => string): string {
  return Array.from({ length: count }, (_, place) => part(place)).join(',\n');
}

const hostText = (): string =>
  `{\n  "schema": "1.0.3-chakra.0.0.4", "pid": 1, "time": "2024-04-17 16:29:57", "start_ts": 1,\n  "nodes": [\n${joined(NODES, hostNode)}\n  ],\n  "finish_ts": 2\n}\n`;
const deviceText = (): string =>
  `{\n  "schemaVersion": 1,\n  "traceEvents": [\n${joined(EVENTS, deviceEvent)}\n  ]\n}\n`;

/** Rate of one look at all bytes of a trace. */
function readingCase(
  name: string,
  target: number,
  text: () => string,
  read: (source: MemorySource) => void,
): BenchCase {
  let source: MemorySource | undefined;
  return {
    ...{ name, unit: 'MB/s', target },
    run() {
      source ??= new MemorySource(Buffer.from(text()), name);
      const known = source;
      return perCpuSecond(known.length / MEGABYTE, () => read(known));
    },
  };
}

function readNodesAgain(source: MemorySource): void {
  const trace = readHostTrace(source);
  const reader = new HostNodeReader(trace);
  for (let node = 0; node < trace.length; node++) reader.read(node);
}

export const cases: BenchCase[] = [
  readingCase('read a PyTorch host trace', 150, hostText, readHostTrace),
  readingCase('read a PyTorch host trace, and each node again', 50, hostText, readNodesAgain),
  readingCase('read a Kineto device trace', 150, deviceText, readDeviceTrace),
];
