import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { MemorySource } from '../../src/base/byte-source.js';
import { Losses } from '../../src/base/losses.js';
import { encodeChakraEt } from '../../src/formats/et/encode.js';
import { jsonizerToEt } from '../../src/formats/jsonizer-json.js';
import { JSONIZER_TARGET } from '../../src/formats/jsonizer/jsonizer-target.js';
import { readTrace } from '../../src/formats/read-trace.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { describeShared, shared } from '../support/shared.js';
import { buildEt, traceOf, type NodeObject } from '../support/traces.js';

function toEt(text: string): Buffer {
  return Buffer.from(jsonizerToEt(new MemorySource(Buffer.from(text), 'x.json'), 'x.json'));
}

function written(trace: RankTrace): { text: string; losses: Losses } {
  const losses = new Losses();
  const parts: Buffer[] = [];
  JSONIZER_TARGET.write(trace, (bytes) => parts.push(Buffer.from(bytes)), losses);
  return { text: Buffer.concat(parts).toString(), losses };
}

const stored = (path: string): Buffer => {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
};

/** What chakra_jsonizer printed, and the trace that it was given (`index.json` beside it). */
const REFERENCE: readonly [printed: string, trace: string][] = [
  ['ALL_TO_ALL.1.json', 'reference/chakra-tools/generator_npus8/ALL_TO_ALL.1.et'],
  ['BARRIER.0.json', 'reference/chakra-tools/generator_npus8/BARRIER.0.et'],
  ['one_metadata_node_all_types.0.json', 'reference/chakra-tools/generator_npus8/one_metadata_node_all_types.0.et'],
  ['two_comp_nodes_dependent.1.json', 'reference/chakra-tools/generator_npus8/two_comp_nodes_dependent.1.et'],
  ['custom_allreduce.0.json', 'traces/astra-sim-examples/custom_ring_allreduce_8npus_1MB/custom_allreduce.0.et'],
  ['host102.0.json.gz', 'reference/chakra-tools/pytorch-converter/host_1.0.2.0.et.gz'],
  ['emptymeta.json', 'traces/schema-history/resnet50_dp.empty-metadata.0.et'],
];

describeShared('what chakra_jsonizer printed', () => {
  test.each(REFERENCE)('%s is read as the bytes of its trace', (printed, trace) => {
    const path = shared('reference/chakra-tools/jsonizer', printed);
    const bytes = jsonizerToEt(new MemorySource(stored(path), path), path);
    expect(Buffer.compare(bytes, stored(shared(trace)))).toBe(0);
  });

  test.each(REFERENCE)('%s is what is written of its trace', (printed, trace) => {
    const source = new MemorySource(stored(shared(trace)), trace);
    const { text, losses } = written(readTrace(source, { rank: 0, file: trace }).trace);
    expect(text).toBe(stored(shared('reference/chakra-tools/jsonizer', printed)).toString());
    expect(losses.kinds).toEqual([]);
  });

  test('of schema 0.0.3 it printed nonsense; the parents are data dependencies and the times are there', () => {
    const path = shared('traces/schema-history/resnet50_dp.schema-0.0.3-aug2023.0.et');
    const { text } = written(readTrace(new MemorySource(stored(path), path), { rank: 0, file: path }).trace);
    expect(text).toContain(
      '"name": "COMP_NODE_layer_64_1_conv4_FWD",\n  "type": "COMP_NODE",\n  "dataDeps": [\n    "0"\n  ]',
    );
    expect(text).toContain('"durationMicros": "3456"');
  });
});

describe('reading', () => {
  const nodes: NodeObject[] = [
    { id: 7, name: 'a', type: 'COMP_NODE', duration_micros: 5 },
    { id: 8, name: 'b', type: 'COMM_SEND_NODE', data_deps: [7], attr: { comm_size: { int64_val: 125 } } },
  ];
  const METADATA = '{"version":"0.0.4"}';
  const A = '{"id":"7","name":"a","type":"COMP_NODE","durationMicros":"5"}';
  const B =
    '{"id":"8","name":"b","type":"COMM_SEND_NODE","dataDeps":["7"],"attr":[{"name":"comm_size","int64Val":"125"}]}';

  test.each([
    ['back to back', METADATA + A + B],
    ['one a line', [METADATA, A, B, ''].join('\n')],
    ['lines of Windows, with a byte order mark', `\ufeff${[METADATA, A, B].join('\r\n')}`],
    [
      "the schema's own names, numbers for texts, null for nothing",
      `${METADATA}{"id":7,"name":"a","type":4,"ctrl_deps":null,"duration_micros":5.0}` +
        '{"id":8,"name":"b","type":"COMM_SEND_NODE","data_deps":[7],"attr":[{"name":"comm_size","int64_val":125}]}',
    ],
  ])('%s', (_, text) => {
    expect(toEt(text)).toEqual(Buffer.from(buildEt(nodes)));
  });

  test('an object without members is a node of which everything is a default', () => {
    // A frame of length 0, at which chakra_jsonizer stops.
    expect(toEt(`{}{}${A}`)).toEqual(Buffer.concat([Buffer.from([0, 0]), toEt(METADATA + A).subarray(8)]));
  });

  test('special numbers, both alphabets of base64, and 64 bits', () => {
    const attr = {
      a: { double_list: [NaN, Infinity, -Infinity] },
      b: { bytes_val: Uint8Array.from([0xfb, 0xff]) },
      c: { sint64_val: -(2n ** 63n) },
      d: { float_val: -0 },
    };
    const text =
      '{"attr":[{"name":"a","doubleList":{"values":["NaN","Infinity","-Infinity"]}},{"name":"b","bytesVal":"-_8"},' +
      '{"name":"c","sint64Val":"-9223372036854775808"},{"name":"d","floatVal":-0.0}]}';
    expect(toEt(METADATA + text)).toEqual(Buffer.from(buildEt([{ attr }])));
  });

  const AFTER = METADATA.length;
  test.each([
    ['', 'x.json: has no object, not even the metadata'],
    [`${METADATA}[]`, `x.json: metadata, byte ${AFTER}: expected an object`],
    [`${METADATA}{"id": "7"`, `x.json: node 0, byte ${AFTER + 10}: ends in the middle of a value`],
    [`${METADATA}{"id": NaN}`, `x.json: node 0, byte ${AFTER + 7}: "NaN" is not a value`],
    [`${METADATA}{"id": 1, "id": 2}`, `x.json: node 0, byte ${AFTER + 10}: the key "id" is there twice`],
    [
      `${METADATA}{"ctrlDeps": [], "ctrl_deps": []}`,
      `x.json: node 0, byte ${AFTER}, ctrl_deps: the field is there twice`,
    ],
    [`${METADATA}{"name": "\\u12"}`, `x.json: node 0, byte ${AFTER + 9}: malformed escape in a string`],
    [`${METADATA}{"colour": 1}`, `x.json: node 0, byte ${AFTER}, colour: the schema has no such field`],
    [`${METADATA}{"type": "COMPUTE"}`, `x.json: node 0, byte ${AFTER}, type: no node type is called "COMPUTE"`],
    [`${METADATA}{"id": "-1"}`, `x.json: node 0, byte ${AFTER}, id: expected an integer from 0`],
    [`${METADATA}{"id": 1.5}`, `x.json: node 0, byte ${AFTER}, id: expected an integer, got 1.5`],
    [
      `${METADATA}{"attr": [{"int32Val": 2147483648}]}`,
      `x.json: node 0, byte ${AFTER}, attr[0].int32Val: expected an integer from -2147483648`,
    ],
    [
      `${METADATA}{"attr": [{"int32List": {"values": [1, 2147483648]}}]}`,
      `x.json: node 0, byte ${AFTER}, attr[0].int32List.values[1]: expected an integer from -2147483648`,
    ],
    [`${METADATA}{"attr": [{"boolVal": 1}]}`, `x.json: node 0, byte ${AFTER}, attr[0].boolVal: expected true or false`],
    [
      `${METADATA}{"attr": [{"boolVal": true, "int32Val": 1}]}`,
      `x.json: node 0, byte ${AFTER}, attr[0].int32Val: an attribute has one value`,
    ],
    ['{"id": "7", "type": "COMP_NODE"}', 'x.json: metadata, byte 0, id: the schema has no such field'],
  ])('%s is refused', (text, message) => {
    expect(() => toEt(text)).toThrow(
      expect.objectContaining({
        code: 'JSON_MALFORMED',
        exitStatus: 3,
        message: expect.stringContaining(message) as string,
      }) as Error,
    );
  });
});

describe('writing', () => {
  test('a trace without anything that the mapping leaves out', () => {
    const nodes: NodeObject[] = [
      {
        id: 2n ** 64n - 1n,
        name: 'é "q"',
        type: 9,
        ctrl_deps: [1],
        start_time_micros: 3,
        inputs: { values: '[]', types: '' },
        outputs: {},
        attr: { none: {}, empty: { int64_list: [] }, f: { float_val: 0.1 }, b: { bytes_val: Uint8Array.from([1]) } },
      },
    ];
    const trace = traceOf(nodes);
    const { text, losses } = written(trace);
    expect(text).toBe(
      [
        '{\n  "version": "0.0.4"\n}{\n  "id": "18446744073709551615",\n  "name": "\\u00e9 \\"q\\"",\n  "type": 9,',
        '  "ctrlDeps": [\n    "1"\n  ],\n  "startTimeMicros": "3",\n  "inputs": {\n    "values": "[]"\n  },\n  "outputs": {},',
        '  "attr": [\n    {\n      "name": "none"\n    },\n    {\n      "name": "empty",\n      "int64List": {}\n    },',
        '    {\n      "name": "f",\n      "floatVal": 0.1\n    },\n    {\n      "name": "b",\n      "bytesVal": "AQ=="\n    }\n  ]\n}',
      ].join('\n'),
    );
    expect(losses.kinds).toEqual([]);
    expect(toEt(text)).toEqual(Buffer.from(encodeChakraEt(trace)));
  });

  test('what only bytes say is counted', () => {
    // Node 1: a field 15, its name as bytes that are no UTF-8; node 2: its id as a varint of two bytes.
    const frames = [[0], [9, 0x08, 1, 0x12, 2, 0xc3, 0x28, 0x78, 7, 0x08], [5, 0x08, 0x82, 0x00, 0x18, 4]];
    frames[1] = [8, 0x08, 1, 0x12, 2, 0xc3, 0x28, 0x78, 7];
    const source = new MemorySource(Uint8Array.from(frames.flat()), 'job.3.et');
    const { losses } = written(readTrace(source, { rank: 3, file: 'job.3.et' }).trace);
    expect(losses.kinds.map(({ what, count, example }) => [what, count, example])).toEqual([
      ['fields that the schema does not have', 1, 'rank 3 node 1'],
      ['bytes of texts that are not UTF-8', 1, 'rank 3 node 1'],
      ['encodings other than the shortest', 1, 'rank 3 node 2'],
    ]);
  });
});
