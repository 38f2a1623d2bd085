import { MemorySource } from '../../src/base/byte-source.js';
import type { FeederOptions } from '../../src/feeder/feeder-options.js';
import { openFeeder } from '../../src/feeder/open-feeder.js';
import type { NodeFeeder } from '../../src/feeder/node-feeder.js';
import { buildEt, type NodeObject } from '../support/traces.js';
import { type BenchCase, perCpuSecond } from './bench-case.js';

const NODES = 1_000_000;

function node(id: number, data_deps: number[]): NodeObject {
  return { id, name: 'COMP_NODE_layer_64_1_conv1_forward_pass', type: 4, data_deps, duration_micros: 3456 };
}

/** Parents of each node; all have lower ids. */
const shapes = {
  chain: (id: number) => (id === 0 ? [] : [id - 1]),
  wide: (id: number) => (id === 0 ? [] : [0]),
  random: (id: number) => [0, 1, 2].map((place) => mixed(3 * id + place) % Math.max(id, 1)).slice(0, id === 0 ? 0 : 3),
} as const;

/** A number below 2^31 that looks random, the same in every run. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 1;
}

/** Built in pieces, because protobufjs objects of all nodes at once are large. */
function traceOf(count: number, parents: (id: number) => number[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let first = 0; first < count; first += 10_000) {
    const length = Math.min(10_000, count - first);
    const bytes = buildEt(Array.from({ length }, (_, at) => node(first + at, parents(first + at))));
    pieces.push(first === 0 ? bytes : bytes.subarray(1 + bytes[0]));
  }
  return Uint8Array.from(Buffer.concat(pieces));
}

function feed(feeder: NodeFeeder, count: number): void {
  let issued = 0;
  while (feeder.hasNodesToIssue()) {
    const next = feeder.getNextIssuableNode()!;
    issued++;
    feeder.freeChildrenNodes(next);
    feeder.removeNode(next);
  }
  if (issued !== count) throw new Error(`${issued} of ${count} nodes were issued`);
}

const traces = new Map<string, Uint8Array>();

function opened(key: string, build: () => Uint8Array, options: FeederOptions = {}): NodeFeeder {
  let bytes = traces.get(key);
  if (bytes === undefined) traces.set(key, (bytes = build()));
  return openFeeder(new MemorySource(bytes, 'bench.0.et'), options);
}

function shapeCase(shape: keyof typeof shapes): BenchCase {
  return {
    name: `feed 1 M nodes, ${shape}, reading included`,
    unit: 'nodes/s',
    run: () =>
      perCpuSecond(NODES, () =>
        feed(
          opened(shape, () => traceOf(NODES, shapes[shape])),
          NODES,
        ),
      ),
  };
}

/** Issue, free and remove alone: every node was read before. */
function stepsCase(shape: keyof typeof shapes): BenchCase {
  return {
    name: `feed 1 M nodes, ${shape}, in memory already`,
    unit: 'nodes/s',
    target: 1e6,
    run() {
      const feeder = opened(shape, () => traceOf(NODES, shapes[shape]), { windowNodes: Infinity });
      feeder.blocked(); // reads on as far as a window goes, here all of it
      return perCpuSecond(NODES, () => feed(feeder, NODES));
    },
  };
}

/** All nodes wait for the last one of the file. */
function starCase(count: number): BenchCase {
  return {
    name: `feed ${count / 1000} k forward references`,
    unit: 'nodes/s',
    run: () =>
      perCpuSecond(count, () => {
        const build = (): Uint8Array => traceOf(count, (id) => (id === count - 1 ? [] : [count - 1]));
        feed(opened(`star ${count}`, build), count);
      }),
  };
}

function heldBytes(): number {
  // What the last run left goes only after the objects that held it.
  for (let times = 0; times < 4; times++) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** What the feeder keeps: everything in memory at once, or a window at a time half way through. */
function memoryCase(name: string, target: number, options: FeederOptions, steps: number): BenchCase {
  return {
    name: `memory: feeder with 1 M nodes, ${name}`,
    unit: 'bytes/node',
    target,
    run() {
      opened('random', () => traceOf(NODES, shapes.random)).close();
      const before = heldBytes();
      const feeder = opened('random', () => new Uint8Array(0), options);
      feeder.hasNodesToIssue();
      for (let step = 0; step < steps; step++) {
        const next = feeder.getNextIssuableNode()!;
        feeder.freeChildrenNodes(next);
        feeder.removeNode(next);
      }
      const held = (heldBytes() - before) / NODES;
      feeder.close();
      return held;
    },
  };
}

export const cases: BenchCase[] = [
  shapeCase('chain'),
  shapeCase('wide'),
  shapeCase('random'),
  stepsCase('chain'),
  stepsCase('wide'),
  stepsCase('random'),
  starCase(30_000),
  starCase(300_000),
  memoryCase('all of them in memory, three parents each', 150, { windowNodes: Infinity }, 0),
  memoryCase('half of them fed by windows', 30, {}, NODES / 2),
];
