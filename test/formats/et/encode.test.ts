import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { encodeChakraEt, writeChakraEt } from '../../../src/formats/et/encode.js';
import { newMetadata } from '../../../src/formats/et/metadata.js';
import { RankTraceBuilder } from '../../../src/trace/rank-trace-builder.js';
import { NodeFlag, type RankTrace } from '../../../src/trace/rank-trace.js';
import { allTouched, columnsOf, decodeFrames } from '../../support/et-frames.js';
import { randomNode } from '../../support/random-nodes.js';
import { slowColumns } from '../../support/slow-twin.js';
import { describeShared, shared, sharedFiles } from '../../support/shared.js';
import { buildEt, readBytes, traceOf, type NodeObject } from '../../support/traces.js';

/** What the trace is written as, read by protobufjs. */
function written(trace: RankTrace): ReturnType<typeof decodeFrames> {
  return decodeFrames(encodeChakraEt(trace));
}

const COMPUTE: NodeObject = { id: 1, name: 'gemm', type: 'COMP_NODE', duration_micros: 5 };

describeShared('real traces', () => {
  const files = [...sharedFiles('traces', /\.et(\.gz)?$/), ...sharedFiles('reference/chakra-tools', /\.et(\.gz)?$/)]
    .filter((path) => !/schema-0\.0\.[123]|trunc/.test(path))
    .map((path) => [path]);

  test.each(files)('%s is written back byte by byte', (path) => {
    const bytes = contentOf(path);
    expect(Buffer.compare(encodeChakraEt(readBytes(bytes).trace), bytes)).toBe(0);
  });

  test.each(files)('%s says the same with every node touched', (path) => {
    const bytes = contentOf(path);
    const trace = readBytes(bytes).trace;
    const again = encodeChakraEt(allTouched(trace));
    const reread = readBytes(again).trace;
    // As text, because comparing arrays of thousands of entries one by one takes seconds.
    expect(JSON.stringify(columnsOf(reread))).toBe(
      JSON.stringify(columnsOf({ ...trace, flags: flagsAsWritten(trace) })),
    );
    const [before, after] = [bytes, again].map((file) => JSON.stringify(decodeFrames(file).nodes.map(comparable)));
    expect(after).toBe(before);
  });
});

function contentOf(path: string): Uint8Array {
  const raw = readFileSync(shared(path));
  return new Uint8Array(raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw);
}

/** Written traces are in the usual arms, and communication nodes say on which side they are. */
function flagsAsWritten(trace: RankTrace): Uint16Array {
  return trace.flags.map((flags, node) => {
    const communication = trace.type[node] >= 5 && trace.type[node] <= 7;
    return (flags & ~NodeFlag.otherArm) | (communication ? NodeFlag.cpuGiven : 0);
  });
}

/** A node without what a rewrite may change, arms too: arms of numbers, the added is_cpu_op, a group name beside comm_group. */
function comparable(node: Record<string, unknown>): unknown {
  const attributes = (node.attr ?? []) as Record<string, unknown>[];
  const kept = attributes.filter(({ name }) => name !== 'is_cpu_op' && name !== 'pg_name');
  return {
    ...node,
    attr: kept.map(({ name, doc_string, ...value }) => {
      const [content] = Object.values(value);
      return [name, doc_string, typeof content === 'object' ? content : String(content)];
    }),
  };
}

describe('touched nodes', () => {
  test('take type, duration and dependencies from the columns and keep everything else', () => {
    const trace = traceOf([
      COMPUTE,
      {
        ...COMPUTE,
        id: 2,
        data_deps: [1],
        ctrl_deps: [77],
        attr: { stream: { int64_val: 7 }, note: { string_val: 'x' } },
      },
    ]);
    const [, node] = written({
      ...trace,
      flags: Uint16Array.of(0, NodeFlag.touched),
      type: Uint8Array.of(4, 1),
      durationMicros: Float64Array.of(5, 300),
      dataStart: Uint32Array.of(0, 0, 0),
      dataTarget: new Int32Array(0),
    }).nodes;
    expect(node).toEqual({
      id: '2',
      name: 'gemm',
      type: 1,
      ctrl_deps: ['77'],
      duration_micros: '300',
      attr: [
        { name: 'stream', int64_val: '7' },
        { name: 'note', string_val: 'x' },
      ],
    });
  });

  test('are written in the arms of chakra-format section 21', () => {
    const trace = traceOf([
      {
        id: 1,
        type: 'COMM_SEND_NODE',
        attr: {
          comm_size: { uint64_val: 1000 },
          comm_dst: { sint64_val: 3 },
          comm_tag: { fixed32_val: 9 },
          comm_src: { uint32_val: 4 },
          is_cpu_op: { int32_val: 0 },
          num_ops: { uint64_val: 12 },
          tensor_size: { int64_val: 13 },
          comm_type: { sfixed64_val: 2 },
        },
      },
    ]);
    expect(written(allTouched(trace)).nodes[0].attr).toEqual([
      { name: 'comm_size', int64_val: '1000' },
      { name: 'comm_dst', int32_val: 3 },
      { name: 'comm_tag', int32_val: 9 },
      { name: 'comm_src', int32_val: 4 },
      { name: 'is_cpu_op', bool_val: false },
      { name: 'num_ops', int64_val: '12' },
      { name: 'tensor_size', uint64_val: '13' },
      { name: 'comm_type', int64_val: '2' },
    ]);
  });

  test('a tag above 2^31 − 1 is int64', () => {
    const trace = traceOf([{ id: 1, type: 'COMM_SEND_NODE', attr: { comm_tag: { int32_val: 9 } } }]);
    const [node] = written({ ...allTouched(trace), commTag: Float64Array.of(2 ** 31) }).nodes;
    expect(node.attr).toContainEqual({ name: 'comm_tag', int64_val: '2147483648' });
  });

  test('keep what cannot be read, and lose what a pass took away', () => {
    const trace = traceOf([
      { id: 1, type: 'COMP_NODE', attr: { comm_size: { string_val: 'big' }, comm_tag: { int32_val: 9 } } },
    ]);
    const [node] = written({ ...allTouched(trace), commTag: Float64Array.of(NaN) }).nodes;
    expect(node.attr).toEqual([{ name: 'comm_size', string_val: 'big' }]);
  });

  test('a collective that became its exit names its collective', () => {
    const trace = traceOf([{ id: 9, name: 'nccl', type: 'COMM_COLL_NODE', attr: { comm_size: { int64_val: 1000 } } }]);
    const [node] = written({
      ...allTouched(trace),
      type: Uint8Array.of(1),
      collective: Int32Array.of(0),
      collectives: [{ group: '5', type: 0, instance: 2, size: 1000, algorithm: 'ring' }],
    }).nodes;
    expect(node).toEqual({
      id: '9',
      name: 'nccl',
      type: 1,
      attr: [
        { name: 'comm_size', int64_val: '1000' },
        { name: 'pg_name', string_val: '5' },
        { name: 'comm_type', int64_val: '0' },
        { name: 'collective_instance', int64_val: '2' },
        { name: 'collective_size', int64_val: '1000' },
        { name: 'collective_algorithm', string_val: 'ring' },
      ],
    });
  });
});

/** Node 0 is read, node 1 and 2 were made by expansion. */
function expanded(): RankTrace {
  const builder = new RankTraceBuilder(0, 'test');
  const collective = builder.internCollective({ group: '5', type: 0, instance: 2, size: 1000 });
  builder.addNode(0, 0, 4, 0);
  for (const [id, type, flags] of [
    [300, 5, 0],
    [301, 6, NodeFlag.addedSync],
  ]) {
    const node = builder.addNode(id, 0, type, flags);
    builder.data.add(0);
    builder.commType[node] = 0;
    builder.commSize[node] = 250;
    builder.commTag[node] = 65536;
    builder.peer[node] = 3;
    builder.group[node] = builder.internGroup('5');
    builder.collective[node] = collective;
    builder.step[node] = 1;
  }
  return builder.finish(newMetadata(), undefined);
}

describe('nodes without a frame', () => {
  const common = [
    { name: 'is_cpu_op', bool_val: false },
    { name: 'pg_name', string_val: '5' },
    { name: 'comm_type', int64_val: '0' },
    { name: 'collective_instance', int64_val: '2' },
    { name: 'collective_size', int64_val: '1000' },
  ];
  const send = {
    id: '300',
    name: 'AllReduce.send',
    type: 5,
    data_deps: ['0'],
    attr: [
      ...common,
      { name: 'comm_size', int64_val: '250' },
      { name: 'comm_dst', int32_val: 3 },
      { name: 'comm_tag', int32_val: 65536 },
      { name: 'collective_step', int32_val: 1 },
    ],
  };
  const receive = {
    id: '301',
    name: 'AllReduce.barrier.receive',
    type: 6,
    data_deps: ['0'],
    attr: [
      ...common,
      { name: 'is_added_synchronization_flow', bool_val: true },
      { name: 'comm_size', int64_val: '250' },
      { name: 'comm_src', int32_val: 3 },
      { name: 'comm_tag', int32_val: 65536 },
      { name: 'collective_step', int32_val: 1 },
    ],
  };

  test('are written with the identity of their collective', () => {
    const { metadata, nodes } = written(expanded());
    expect(metadata).toEqual({ version: '0.0.4' });
    expect(nodes).toEqual([{ name: 'COMP_NODE', type: 4 }, send, receive]);
  });

  test('annotated, they name their partner and who depends on them', () => {
    const trace = expanded();
    trace.metadata.passes.push('expand', 'annotate');
    const { metadata, nodes } = written(trace);
    expect(metadata.attr).toEqual([{ name: 'chakra_prep_passes', string_list: { values: ['expand', 'annotate'] } }]);
    expect(nodes).toEqual([
      { name: 'COMP_NODE', type: 4, attr: [{ name: 'dependents', uint64_list: { values: ['300', '301'] } }] },
      { ...send, attr: [...send.attr, { name: 'partner', int32_val: 3 }] },
      { ...receive, attr: [...receive.attr, { name: 'partner', int32_val: 3 }] },
    ]);
  });

  test('are read back as they were', () => {
    const trace = expanded();
    const again = readBytes(encodeChakraEt(trace)).trace;
    expect(columnsOf(again)).toEqual(columnsOf({ ...trace, flags: Uint16Array.of(0, 2, 10) }));
    expect(again.collectives).toEqual(trace.collectives);
  });

  test('one of type 0 and id 0 does not encode to nothing', () => {
    const builder = new RankTraceBuilder(0, 'test');
    builder.addNode(0, 0, 0, 0);
    expect(written(builder.finish(newMetadata(), undefined)).nodes).toEqual([{ name: 'INVALID_NODE' }]);
  });
});

describe('annotated traces', () => {
  test('get dependents anew, once each, by data or control', () => {
    const stale = { partner: { int32_val: 8 }, dependents: { uint64_list: [4, 5] } };
    const trace = traceOf([
      { id: 1, type: 'COMP_NODE', attr: stale },
      { id: 2, type: 'COMP_NODE', data_deps: [1, 1], ctrl_deps: [1] },
      { id: 2n ** 63n, type: 'COMM_SEND_NODE', ctrl_deps: [1, 2], attr: { comm_dst: { int32_val: 6 } } },
    ]);
    trace.metadata.passes.push('annotate');
    const nodes = written(trace).nodes;
    expect(nodes[0].attr).toEqual([{ name: 'dependents', uint64_list: { values: ['2', '9223372036854775808'] } }]);
    expect(nodes[1].attr).toEqual([{ name: 'dependents', uint64_list: { values: ['9223372036854775808'] } }]);
    expect(nodes[2].attr).toEqual([
      { name: 'comm_dst', int32_val: 6 },
      { name: 'is_cpu_op', bool_val: false },
      { name: 'partner', int32_val: 6 },
    ]);
  });
});

describe('metadata', () => {
  test('keeps what it had beside our own attributes', () => {
    const trace = traceOf([COMPUTE], 0, {
      version: '1.0.0',
      attr: { schema: { string_val: '1.1.1' }, chakra_prep_passes: { string_list: ['sync'] }, pid: { uint64_val: 3 } },
    });
    expect(trace.metadata.passes).toEqual(['sync']);
    Object.assign(trace.metadata, { passes: ['sync', 'scale'], groups: { tp: [0, 1] }, rank: 1, worldSize: 2 });
    const bytes = encodeChakraEt(trace);
    expect(decodeFrames(bytes).metadata).toEqual({
      version: '1.0.0',
      attr: [
        { name: 'schema', string_val: '1.1.1' },
        { name: 'pid', uint64_val: '3' },
        { name: 'rank', int64_val: '1' },
        { name: 'world_size', int64_val: '2' },
        { name: 'process_groups', string_val: '{"tp":[0,1]}' },
        { name: 'chakra_prep_passes', string_list: { values: ['sync', 'scale'] } },
      ],
    });
    const { kept, ...facts } = readBytes(bytes).trace.metadata;
    expect(kept.length).toBeGreaterThan(0);
    expect(facts).toEqual({
      version: '1.0.0',
      passes: ['sync', 'scale'],
      groups: { tp: [0, 1] },
      rank: 1,
      worldSize: 2,
    });
  });

  test('groups that cannot be read are a finding', () => {
    const bytes = buildEt([COMPUTE], { attr: { process_groups: { string_val: '{"tp": "0,1"}' } } });
    const { trace, findings } = readBytes(bytes);
    expect(trace.metadata.groups).toBeUndefined();
    expect(findings.map(({ code, rank }) => [code, rank])).toEqual([['GROUP_MALFORMED', 0]]);
  });
});

test('random nodes say the same when every one of them is written anew, and then the same bytes', () => {
  fc.assert(
    fc.property(fc.array(randomNode, { maxLength: 12 }), (nodes) => {
      const bytes = buildEt(nodes);
      fc.pre(slowColumns(bytes).step.every((step) => step < 2 ** 31));
      const { trace } = readBytes(bytes);
      expect(encodeChakraEt(trace)).toEqual(bytes);
      const again = encodeChakraEt(allTouched(trace));
      const reread = readBytes(again).trace;
      expect({ ...columnsOf(reread), flags: null }).toEqual({ ...columnsOf(trace), flags: null });
      expect(decodeFrames(again).nodes.map(unknownParts)).toEqual(decodeFrames(bytes).nodes.map(unknownParts));
      expect(encodeChakraEt(allTouched(reread))).toEqual(again);
    }),
    { numRuns: 300 },
  );
});

/** What no column has and no rewrite may touch. */
function unknownParts({ name, inputs, outputs, start_time_micros, attr = [] }: Record<string, unknown>): unknown {
  const ours =
    /^(comm_(type|size|tag|src|dst)|pg_name|is_|root$|issue_order|collective_|send_split|num_ops|tensor_size)/;
  const unknown = (attr as { name?: string }[]).filter((attribute) => !ours.test(attribute.name ?? ''));
  return { name, inputs, outputs, start_time_micros, unknown };
}

describe('copies of kept frames', () => {
  const nodes = Array.from({ length: 40 }, (_, id) => ({ ...COMPUTE, id, name: 'n'.repeat(id * 10) }));

  test('a node left out between two others is not copied along', () => {
    const { trace } = readBytes(buildEt([COMPUTE, {}, { ...COMPUTE, id: 2 }]));
    const without = { ...trace, length: 2, frameOffset: trace.frameOffset.filter((_, node) => node !== 1) };
    const frameLength = trace.frameLength.filter((_, node) => node !== 1);
    expect(written({ ...without, frameLength }).nodes.map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('go out in chunks of about 1 MiB', () => {
    const big = buildEt(Array.from({ length: 3000 }, (_, id) => ({ ...COMPUTE, id: id + 1, name: 'n'.repeat(1000) })));
    const sizes: number[] = [];
    writeChakraEt(readBytes(big).trace, (chunk) => sizes.push(chunk.length));
    expect(sizes.reduce((sum, size) => sum + size)).toBe(big.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1 << 20);
  });

  test('touched and untouched nodes may alternate', () => {
    const trace = traceOf(nodes);
    const flags = trace.flags.map((_, node) => (node % 3 === 0 ? NodeFlag.touched : 0));
    expect(encodeChakraEt({ ...trace, flags })).toEqual(buildEt(nodes));
  });
});
