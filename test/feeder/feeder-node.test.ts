import { MemorySource } from '../../src/base/byte-source.js';
import type { FeederNode } from '../../src/feeder/feeder-node.js';
import { openFeeder } from '../../src/feeder/open-feeder.js';
import { buildEt, type NodeObject } from '../support/traces.js';

const ACCESSORS = [
  ...['id', 'name', 'type', 'isCpuOp', 'durationMicros', 'numOps', 'tensorSize', 'commType', 'commPriority'],
  ...['commSize', 'commSrc', 'commDst', 'commTag', 'commSrcOff', 'commDstOff', 'groupName'],
] as const;
type Accessor = Exclude<keyof FeederNode, 'children' | 'integerAttribute' | 'state' | 'unfinishedParents'>;

/** Every accessor that gives something. */
function given(node: FeederNode): Record<string, unknown> {
  const values = (ACCESSORS as readonly Accessor[]).map((name) => [name, node[name]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

const first = (bytes: Uint8Array): FeederNode => openFeeder(new MemorySource(bytes, 'x.0.et')).getNextIssuableNode()!;
const et = (node: NodeObject): FeederNode => first(buildEt([node]));
const json = (node: object): FeederNode => first(Buffer.from(JSON.stringify({ workload_graph: [node] })));

describe('protobuf', () => {
  test('what the trace does not have is undefined, never 0', () => {
    expect(given(et({}))).toEqual({ id: 0n, name: '', type: 0 });
  });

  test('every accessor', () => {
    const node = et({
      id: 2n ** 64n - 1n,
      name: 'send',
      type: 'COMM_SEND_NODE',
      duration_micros: 12,
      attr: {
        is_cpu_op: { bool_val: false },
        num_ops: { int64_val: 1000 },
        tensor_size: { uint64_val: 4096 },
        comm_type: { int64_val: 0 },
        comm_priority: { int32_val: 0 },
        comm_size: { int64_val: 125 },
        comm_src: { int32_val: 0 },
        comm_dst: { int32_val: 3 },
        comm_tag: { int32_val: 65_541 },
        comm_src_off: { uint32_val: 16 },
        comm_dst_off: { uint32_val: 0 },
        pg_name: { string_val: 'tp' },
      },
    });
    expect(given(node)).toEqual({
      ...{ id: 18446744073709551615n, name: 'send', type: 5, isCpuOp: false, durationMicros: 12, numOps: 1000 },
      ...{ tensorSize: 4096, commType: 0, commPriority: 0, commSize: 125, commSrc: 0, commDst: 3, commTag: 65541 },
      ...{ commSrcOff: 16, commDstOff: 0, groupName: 'tp' },
    });
  });

  test('a comm_type that is no collective is given as it is', () => {
    expect(et({ type: 7, attr: { comm_type: { int64_val: 77 } } }).commType).toBe(77);
    expect(et({ type: 7, attr: { comm_type: { string_val: 'x' } } }).commType).toBeUndefined();
  });

  test('any integer arm is read, of equal names the first; a float, a text or a flag is no number', () => {
    const node = et({
      attr: {
        a: { sint64_val: -5 },
        b: { float_val: 1.5 },
        c: { string_val: '7' },
        d: { bool_val: true },
        e: { int64_val: 2n ** 53n },
        num_ops: { fixed32_val: 6 },
      },
    });
    expect(['a', 'b', 'c', 'd', 'absent'].map((name) => node.integerAttribute(name))).toEqual([
      -5,
      ...Array<undefined>(4).fill(undefined),
    ]);
    expect(node.numOps).toBe(6);
    expect(() => node.integerAttribute('e')).toThrow(expect.objectContaining({ code: 'NUMBER_TOO_LARGE' }) as Error);
  });
});

describe('feeder JSON', () => {
  test('what the trace does not have is undefined, never 0', () => {
    expect(given(json({ Id: 0 }))).toEqual({ id: 0n, name: '', type: 0 });
  });

  test('every accessor', () => {
    const node = json({
      ...{
        Id: 7,
        Name: 'söme "name"',
        NodeType: 6,
        is_cpu_op: true,
        runtime: 0,
        data_deps: [],
        num_ops: 1,
        tensor_size: 2,
      },
      ...{ comm_type: 3, comm_priority: 4, comm_size: 5, comm_src: 6, comm_dst: 8, comm_tag: 9, pg_name: 'g' },
    });
    expect(given(node)).toEqual({
      ...{ id: 7n, name: 'söme "name"', type: 6, isCpuOp: true, durationMicros: 0, numOps: 1, tensorSize: 2 },
      ...{ commType: 3, commPriority: 4, commSize: 5, commSrc: 6, commDst: 8, commTag: 9, groupName: 'g' },
    });
  });
});
