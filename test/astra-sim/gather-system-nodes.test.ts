import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemConfiguration } from '../../src/astra-sim/system-configuration.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute, memory, receive, send } from '../support/jobs.js';
import { endsOf, networkOf, systemOf, systemRun, type RunParts } from '../support/system-runs.js';
import type { Attributes, NodeObject } from '../support/traces.js';

/** Rank 0 of two does this; rank 1 has nothing but 1 ns on its CPU. */
function alone(nodes: readonly NodeObject[], told: Partial<RunParts> = {}): RunParts {
  return { nodes: [nodes, [onCpu(compute(1, 0))]], network: networkOf('Ring 2'), ...told };
}

/** When rank 0 ends, ns. */
const endOf = (nodes: readonly NodeObject[], told: Partial<RunParts> = {}): number => endsOf(alone(nodes, told))[0];

const onCpu = (node: NodeObject): NodeObject => ({ ...node, attr: { ...node.attr, is_cpu_op: { bool_val: true } } });

const ROOFLINE: Partial<SystemConfiguration> = { roofline: true, peakTflops: 900, localMemoryGBps: 1600 };

function work(id: number, attr: Attributes, after: number[] = []): NodeObject {
  return { ...compute(id, 77, after), attr };
}

describe('what nodes take (astra-sim-semantics section 3)', () => {
  test('a compute node its duration, or 1 ns', () => {
    expect(endOf([compute(1, 3)])).toBe(3000);
    expect(endOf([compute(1, 0)])).toBe(1);
    expect(endOf([onCpu(compute(1, 0)), onCpu(compute(2, 2))])).toBe(2001);
  });

  test('under roofline what its operations and bytes take, its duration counts for nothing', () => {
    const system = systemOf('ring', ROOFLINE);
    // 10^9 B at 1600 GB/s.
    const node = work(1, { num_ops: { int64_val: 1e9 }, tensor_size: { uint64_val: 1e9 } });
    expect(endOf([node], { system })).toBe(625_000);
    // A CPU has no roofline.
    expect(endOf([onCpu(node)], { system })).toBe(77_000);
  });

  test('under roofline a node of no bytes completes at once', () => {
    const system = systemOf('ring', ROOFLINE);
    const skipped = work(1, { num_ops: { int64_val: 5 }, tensor_size: { int64_val: 0 } });
    expect(endOf([skipped, onCpu(compute(2, 4, [1]))], { system })).toBe(4000);
    const { ranks } = simulateSystem(systemRun(alone([skipped, onCpu(compute(2, 4, [1]))], { system })));
    expect(ranks[0].statistics).toMatchObject({ gpuNs: 0, cpuNs: 4000 });
  });

  test('invalid and metadata nodes complete at once', () => {
    expect(endOf([{ id: 1, type: 'INVALID_NODE' }, { id: 2, type: 'METADATA_NODE' }, compute(3, 1, [1, 2])])).toBe(
      1000,
    );
  });

  test('a memory access latency and bytes', () => {
    const perNpu = { file: 'memory.json', kind: 'PER_NPU_MEMORY_EXPANSION', latencyNs: 100, bytesPerNs: 50 } as const;
    const load = { ...memory(1, 9), attr: { tensor_size: { int64_val: 1_000_000 } } };
    expect(endOf([load], { memory: { ...perNpu, ranksPerNode: 1 } })).toBe(20_100);
  });

  test('attributes of any integer kind are numbers', () => {
    const fields = { comm_dst: { uint32_val: 1 }, comm_size: { int32_val: 107_375 }, comm_tag: { int64_val: 3 } };
    const nodes = [[{ id: 1, type: 'COMM_SEND_NODE', attr: fields }], [receive(1, 0, 107_375, 3)]];
    // ⌊500 + 2000.02⌋.
    expect(endsOf({ nodes, network: networkOf('Ring 2') })).toEqual([2500, 2500]);
  });

  test('tags of sends and receives are taken modulo 500,000,000 (section 11)', () => {
    const nodes = [[send(1, 1, 107_375, 1_000_000_007)], [receive(1, 0, 107_375, 7)]];
    expect(endsOf({ nodes, network: networkOf('Ring 2') })).toEqual([2500, 2500]);
  });
});

describe('what cannot run (section 18)', () => {
  const refused =
    (nodes: readonly NodeObject[], told: Partial<RunParts> = {}): (() => unknown) =>
    () =>
      simulateSystem(systemRun(alone(nodes, told)));

  const without = (node: NodeObject, ...names: string[]): NodeObject => ({
    ...node,
    attr: Object.fromEntries(Object.entries(node.attr ?? {}).filter(([name]) => !names.includes(name))),
  });

  test.each([
    ['a send on the CPU', onCpu(send(4, 1, 8, 0)), 'is_cpu_op'],
    ['a collective on the CPU', onCpu(collective(4, CollectiveType.allReduce, 8, '')), 'is_cpu_op'],
    ['a send of 0 bytes', send(4, 1, 0, 0), 'comm_size'],
    ['a send without comm_size', without(send(4, 1, 8, 0), 'comm_size'), 'comm_size'],
    ['a receive without tag', without(receive(4, 1, 8, 0), 'comm_tag'), 'comm_tag'],
    ['a send to nobody', without(send(4, 1, 8, 0), 'comm_dst'), 'comm_dst'],
    ['a receive from nobody', without(receive(4, 1, 8, 0), 'comm_src'), 'comm_src'],
    ['a send to itself', send(4, 0, 8, 0), 'comm_dst'],
    ['a receive from a rank that is not there', receive(4, 2, 8, 0), 'comm_src 2'],
    ['a collective without comm_type', without(collective(4, 0, 8, ''), 'comm_type'), 'comm_type'],
    ['a collective of an unknown type', collective(4, 55, 8, ''), 'comm_type'],
    ['a collective without comm_size', without(collective(4, 0, 8, ''), 'comm_size'), 'comm_size'],
    ['an access without --memory', { ...memory(4, 1), attr: { tensor_size: { int64_val: 8 } } }, 'NO_MEMORY_EXPANSION'],
    ['a type that the schema has not', { id: 4, type: 12 }, '12'],
    ['a dependency on nobody', compute(4, 1, [99]), '99'],
    ['a control dependency on nobody', { ...compute(4, 1), ctrl_deps: [98] }, '98'],
  ])('%s', (_name, node, words) => {
    expect(refused([compute(1, 1), node])).toThrow(/^rank 0 node 4/);
    expect(refused([compute(1, 1), node])).toThrow(words);
  });

  test('an access without tensor_size', () => {
    const memoryOf = { kind: 'MEMORY_POOL', file: 'm.json', latencyNs: 1, bytesPerNs: 1, ranksPerNode: 1 } as const;
    expect(refused([memory(4, 1)], { memory: memoryOf })).toThrow('tensor_size');
  });

  test.each([
    ['num_ops', { tensor_size: { int64_val: 8 } }],
    ['tensor_size', { num_ops: { int64_val: 8 } }],
  ])('under roofline a compute node without %s', (name, attr) => {
    expect(refused([work(4, attr)], { system: systemOf('ring', ROOFLINE) })).toThrow(name);
  });

  test('a control dependency on nobody is one only where control dependencies count', () => {
    expect(refused([{ ...compute(4, 1), ctrl_deps: [98] }], { options: { deps: 'data' } })).not.toThrow();
  });

  test('a rank without nodes', () => {
    expect(refused([])).toThrow('rank 0: test.0.et has no nodes');
  });
});
