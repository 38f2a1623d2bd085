import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { encodeChakraEt } from '../../../src/formats/et/encode.js';
import { columnsOf, decodeFrames } from '../../support/et-frames.js';
import { describeShared, shared } from '../../support/shared.js';
import { buildEt, readBytes } from '../../support/traces.js';

/** A node of 0.0.2 … 0.0.3+ with an attribute of every type, from the published schemas. */
function frames(schema: string, metadata: object | undefined, nodes: object[]): Uint8Array {
  const root = protobuf.parse(schema, { keepCase: true }).root;
  const pieces = nodes.map((node) => encodeDelimited(root.lookupType('Node'), node));
  if (metadata) pieces.unshift(encodeDelimited(root.lookupType('GlobalMetadata'), metadata));
  return Uint8Array.from(Buffer.concat(pieces));
}

function encodeDelimited(type: protobuf.Type, message: object): Uint8Array {
  return type.encodeDelimited(type.fromObject(message)).finish();
}

const NODE_2023 = `
  message Node {
    required uint64 id = 1; required string name = 2; optional int32 type = 3; repeated uint64 parent = 4;
    optional string inputs = 5; optional string input_shapes = 6; optional string input_types = 7;
    optional string outputs = 8; optional string output_shapes = 9; optional string output_types = 10;
    repeated Attribute attribute = 11;
  }`;
const FIELDS_001 = `syntax = "proto2";
  message Node {
    required uint64 id = 1; required string name = 2; optional int32 node_type = 3; repeated uint64 parent = 4;
    optional uint32 tensor_loc = 5; optional uint64 tensor_size = 6; optional uint64 simulated_run_time = 7;
    optional uint64 num_ops = 12; optional int32 comm_type = 13; repeated bool involved_dim = 14;
    optional uint32 communicator_id = 15; optional uint32 comm_src = 16; optional uint32 comm_dst = 17;
    optional uint64 comm_size = 18; optional uint32 comm_tag = 19; optional bool in_switch = 21;
  }`;
const ATTRIBUTES_002 = `syntax = "proto2"; ${NODE_2023}
  message Attribute {
    required string name = 1; optional int32 type = 2; optional string doc_string = 3; optional float f = 4;
    optional int64 i = 5; optional string s = 6; repeated float floats = 7; repeated int64 ints = 8;
    repeated string strings = 9;
  }`;
const ATTRIBUTES_003 = `syntax = "proto2"; ${NODE_2023}
  message Attribute {
    required string name = 1; optional int32 type = 2; optional string doc_string = 3; optional bool b = 4;
    optional float f = 5; optional int64 i = 6; optional string s = 7; repeated bool bools = 8;
    repeated float floats = 9; repeated int64 ints = 10; repeated string strings = 11;
  }`;
const ATTRIBUTES_003_AUGUST = `syntax = "proto2"; ${NODE_2023}
  message GlobalMetadata { repeated Attribute attribute = 1; }
  message Attribute {
    required string name = 1; optional int32 type = 2; optional string doc_string = 3; optional bool b = 4;
    optional float f = 5; optional uint64 u = 6; optional int64 i = 7; optional string s = 8; repeated bool bools = 9;
    repeated float floats = 10; repeated uint64 uints = 11; repeated int64 ints = 12; repeated string strings = 13;
  }`;

describeShared('the graph of schema-history', () => {
  const read = (name: string) => readBytes(new Uint8Array(readFileSync(shared('traces/schema-history', name))));
  const current = () => columnsOf(read('resnet50_dp.schema-0.0.4.0.et').trace);

  test.each([
    ['resnet50_dp.schema-0.0.1.0.eg', '0.0.1'],
    ['resnet50_dp.schema-0.0.2.0.et', '0.0.2'],
    ['resnet50_dp.schema-0.0.3-jul2023.0.et', '0.0.3'],
    ['resnet50_dp.schema-0.0.3-aug2023.0.et', '0.0.3+'],
    ['resnet50_dp.schema-0.0.4-uint64size.0.et', '0.0.4'],
    ['resnet50_dp.schema-0.0.4.0.et', '0.0.4'],
    ['resnet50_dp.empty-metadata.0.et', '0.0.4'],
  ])('%s is schema %s and gives the same columns', (name, schema) => {
    const { trace, findings, schema: detected } = read(name);
    expect(detected).toBe(schema);
    // Flags say in which arm the sizes were, the graph does not.
    expect({ ...columnsOf(trace), flags: null }).toEqual({ ...current(), flags: null });
    const codes = findings.map(({ code, severity, count }) => [code, severity, count]);
    if (schema !== '0.0.4') expect(codes).toEqual([['SCHEMA_CONVERTED', 'note', 215]]);
    else if (name.includes('uint64')) expect(codes).toEqual([['ATTRIBUTE_ARM', 'warning', 54]]);
    else expect(codes).toEqual([]);
  });

  test('of a real 0.0.1 file', () => {
    const { trace, schema } = readBytes(
      new Uint8Array(readFileSync(shared('traces/mlcommons-chakra-old/twoCompNodesDependent.0.eg'))),
    );
    // 2 compute nodes, the second after the first, 5 µs each (trace-facts: simulated_run_time_total 10).
    expect(schema).toBe('0.0.1');
    expect([...trace.type]).toEqual([4, 4]);
    expect([...trace.idLow]).toEqual([0, 1]);
    expect([...trace.dataTarget]).toEqual([0]);
    expect([...trace.durationMicros]).toEqual([5, 5]);
  });

  test('the metadata of August 2023 are kept as attributes', () => {
    const { trace } = read('resnet50_dp.schema-0.0.3-aug2023.0.et');
    expect(decodeFrames(encodeChakraEt(trace)).metadata).toEqual({
      version: '0.0.4',
      attr: [{ name: 'schema', string_val: '1.0.1' }],
    });
  });
});

describe('schema 0.0.1', () => {
  test('fields become attributes in the arms of today', () => {
    const { trace, findings } = readBytes(
      frames(FIELDS_001, undefined, [
        { id: 3, name: 'send', node_type: 4, parent: [1, 2], comm_src: 0, comm_dst: 1, comm_size: 64, comm_tag: 9 },
        { id: 4, name: 'a2a', node_type: 6, comm_type: 2, involved_dim: [true, false], comm_size: 5, in_switch: true },
        { id: 5, name: 'odd', node_type: 7, comm_type: 5, simulated_run_time: 8, num_ops: 3, tensor_size: 2 },
      ]),
    );
    expect(decodeFrames(encodeChakraEt(trace)).nodes).toEqual([
      {
        id: '3',
        name: 'send',
        type: 5,
        data_deps: ['1', '2'],
        attr: [
          { name: 'comm_src', int32_val: 0 },
          { name: 'comm_dst', int32_val: 1 },
          { name: 'comm_size', int64_val: '64' },
          { name: 'comm_tag', int32_val: 9 },
        ],
      },
      {
        id: '4',
        name: 'a2a',
        type: 7,
        attr: [
          { name: 'comm_type', int64_val: '6' },
          { name: 'comm_size', int64_val: '5' },
          { name: 'involved_dim', bool_list: { values: [true, false] } },
        ],
      },
      {
        id: '5',
        name: 'odd',
        type: 8,
        duration_micros: '8',
        attr: [
          { name: 'tensor_size', uint64_val: '2' },
          { name: 'num_ops', int64_val: '3' },
          { name: 'legacy_comm_type', int64_val: '5' },
        ],
      },
    ]);
    expect(findings[0].message).toMatch(/1 unknown collective types are kept .*; 1 fields .* left out/);
  });
});

describe('schemas with typed attributes', () => {
  const common = { id: 7, name: 'n', parent: [5], inputs: 'a', input_shapes: 'b', output_types: 'c' };
  const io = { inputs: { values: 'a', shapes: 'b' }, outputs: { types: 'c' } };
  const sends = { ...common, type: 4, attribute: [{ name: 'runtime', type: 1, i: 12 }] };

  test('0.0.2: texts of inputs and outputs, every attribute type', () => {
    const attribute = [
      { name: 'runtime', type: 1, i: 12 },
      { name: 'x', type: 0, f: 1.5 },
      { name: 'i', type: 1, i: -1, doc_string: 'note' },
      { name: 's', type: 2, s: 'text' },
      { name: 'fs', type: 3, floats: [1.5, 2.5] },
      { name: 'is', type: 4, ints: [1, 300] },
      { name: 'ss', type: 5, strings: ['p', 'q'] },
      { name: 'involved_dim', type: 4, ints: [1, 0] },
      { name: 'comm_type', type: 1, i: 1 },
      { name: 'comm_dst', type: 1, i: 6 },
      { name: 'none', type: 1 },
    ];
    const { trace, schema } = readBytes(frames(ATTRIBUTES_002, undefined, [{ ...common, type: 4, attribute }]));
    expect(schema).toBe('0.0.2');
    expect(decodeFrames(encodeChakraEt(trace)).nodes).toEqual([
      {
        id: '7',
        name: 'n',
        type: 5,
        data_deps: ['5'],
        duration_micros: '12',
        ...io,
        attr: [
          { name: 'x', float_val: 1.5 },
          { name: 'i', doc_string: 'note', int64_val: '-1' },
          { name: 's', string_val: 'text' },
          { name: 'fs', float_list: { values: [1.5, 2.5] } },
          { name: 'is', int64_list: { values: ['1', '300'] } },
          { name: 'ss', string_list: { values: ['p', 'q'] } },
          { name: 'involved_dim', bool_list: { values: [true, false] } },
          { name: 'comm_type', int64_val: '6' },
          { name: 'comm_dst', int32_val: 6 },
          { name: 'none' },
        ],
      },
    ]);
  });

  test('0.0.3 of July: broadcast does not exist yet', () => {
    const attribute = [
      { name: 'runtime', type: 2, i: 12 },
      { name: 'b', type: 0, b: true },
      { name: 'bs', type: 4, bools: [true, false] },
      { name: 'comm_type', type: 2, i: 4 },
    ];
    const { trace, schema } = readBytes(frames(ATTRIBUTES_003, undefined, [{ ...common, type: 7, attribute }]));
    expect(schema).toBe('0.0.3');
    const [node] = decodeFrames(encodeChakraEt(trace)).nodes;
    expect([node.type, node.duration_micros]).toEqual([7, '12']);
    expect(node.attr).toEqual([
      { name: 'b', bool_val: true },
      { name: 'bs', bool_list: { values: [true, false] } },
      { name: 'legacy_comm_type', int64_val: '4' },
    ]);
  });

  test('0.0.3 of August: unsigned numbers, broadcast', () => {
    const attribute = [
      { name: 'runtime', type: 3, i: 12 },
      { name: 'u', type: 2, u: 5 },
      { name: 'us', type: 7, uints: [5, 6] },
      { name: 'comm_type', type: 3, i: 4 },
    ];
    const node = { ...common, type: 7, attribute };
    const metadata = { attribute: [{ name: 'pid', type: 2, u: 9 }] };
    const { trace, schema } = readBytes(frames(ATTRIBUTES_003_AUGUST, metadata, [node]));
    expect(schema).toBe('0.0.3+');
    const file = decodeFrames(encodeChakraEt(trace));
    expect(file.metadata).toEqual({ version: '0.0.4', attr: [{ name: 'pid', uint64_val: '9' }] });
    expect(file.nodes[0].attr).toEqual([
      { name: 'u', uint64_val: '5' },
      { name: 'us', uint64_list: { values: ['5', '6'] } },
      { name: 'comm_type', int64_val: '5' },
    ]);
  });

  test('0.0.3 of August with empty metadata is not taken for 0.0.4', () => {
    const node = { ...common, type: 7, attribute: [{ name: 'runtime', type: 3, i: 12 }] };
    const { trace, schema } = readBytes(frames(ATTRIBUTES_003_AUGUST, {}, [node]));
    expect(schema).toBe('0.0.3+');
    expect([...trace.durationMicros]).toEqual([12]);
  });

  test('ids and numbers are exact to 64 bits, lists packed or not', () => {
    const packed = ATTRIBUTES_003_AUGUST.replace('parent = 4', 'parent = 4 [packed = true]').replace(
      'uints = 11',
      'uints = 11 [packed = true]',
    );
    const largest = '18446744073709551615';
    const node = {
      ...common,
      id: '9007199254740993',
      parent: [largest, '3'],
      attribute: [
        { name: 'runtime', type: 3, i: '9007199254740991' },
        { name: 'u', type: 2, u: largest },
        { name: 'us', type: 7, uints: [largest, '0'] },
        { name: 'i', type: 3, i: '-9223372036854775808' },
        { name: 'comm_type', type: 3, i: '4294967296' },
        { name: 'comm_tag', type: 3, i: '2147483648' },
        { name: 'is_cpu_op', type: 2, u: '1', doc_string: 'side' },
      ],
    };
    for (const schema of [ATTRIBUTES_003_AUGUST, packed]) {
      const { trace } = readBytes(frames(schema, {}, [node]));
      const [converted] = decodeFrames(encodeChakraEt(trace)).nodes;
      expect(converted).toMatchObject({
        id: '9007199254740993',
        data_deps: [largest, '3'],
        duration_micros: '9007199254740991',
      });
      expect(converted.attr).toEqual([
        { name: 'u', uint64_val: largest },
        { name: 'us', uint64_list: { values: [largest, '0'] } },
        { name: 'i', int64_val: '-9223372036854775808' },
        { name: 'legacy_comm_type', int64_val: '4294967296' },
        { name: 'comm_tag', int64_val: '2147483648' },
        { name: 'is_cpu_op', doc_string: 'side', bool_val: true },
      ]);
    }
  });

  test('fields that a schema does not have are counted, on nodes and on attributes', () => {
    const extended = ATTRIBUTES_002.replace(
      'repeated Attribute attribute = 11;',
      '$& optional int32 more = 12;',
    ).replace('optional float f = 4;', '$& optional string unit = 20;');
    const node = { ...common, type: 4, more: 5, attribute: [{ name: 'runtime', type: 1, i: 12, unit: 'us' }] };
    const { trace, findings } = readBytes(frames(extended, undefined, [node, node]));
    expect(findings[0].message).toMatch(/; 4 fields that the schema does not have are left out$/);
    expect([...trace.durationMicros]).toEqual([12, 12]);
  });

  test('a node that is none of its schema says where', () => {
    const bytes = frames(ATTRIBUTES_002, undefined, [sends, sends]);
    const second = 1 + bytes[0];
    bytes[second + 1] = 0x0f; // in place of the id: field 1 with wire type 7, which does not exist
    expect(() => readBytes(bytes)).toThrow(`test.0.et: frame 1 at byte ${second}: not a message of this schema (`);
  });

  test('a cut file says where', () => {
    const bytes = frames(ATTRIBUTES_002, undefined, [sends, sends]);
    const second = 1 + bytes[0];
    expect(() => readBytes(bytes.subarray(0, bytes.length - 1))).toThrow(
      `test.0.et: frame 1 at byte ${second}: it announces ${bytes[second]} bytes, ${bytes[second] - 1} are left`,
    );
  });
});

describe('what is no Chakra trace of any schema', () => {
  test.each([
    ['JSON text', new TextEncoder().encode(' \n{"schema": "1.0.1", "nodes": []}'), /is JSON text/],
    ['a JSON list', new TextEncoder().encode('[1]'), /is JSON text/],
    ['a node before the metadata', buildEt([{ name: 'n', type: 4 }]).subarray(8), /first frame is a node/],
    [
      'a node with an id and an attribute before the metadata',
      buildEt([{ id: 1, name: 'n', type: 4, attr: { a: { int64_val: 1 } } }]).subarray(8),
      /first frame is a node/,
    ],
  ])('%s', (_, bytes, message) => {
    expect(() => readBytes(bytes)).toThrow(message);
  });
});
