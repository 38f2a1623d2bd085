import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { FileSource } from '../../../src/base/byte-source.js';
import { PrepError } from '../../../src/base/errors.js';
import { idForJson } from '../../../src/base/ids.js';
import { readChakraEt } from '../../../src/formats/et/decode.js';
import { NodeFlag } from '../../../src/trace/rank-trace.js';
import { columnsOf } from '../../support/et-frames.js';
import { describeShared, shared, sharedFiles } from '../../support/shared.js';
import { randomAttributes, randomNode } from '../../support/random-nodes.js';
import { slowColumns } from '../../support/slow-twin.js';
import { buildEt, type NodeObject, readBytes, traceOf } from '../../support/traces.js';

/** Integer arms with a value each and what an attribute that must be a whole number ≥ 0 reads there. */
const INTEGER_ARMS: [string, number | bigint][] = [
  ['int32_val', 2147483647],
  ['int64_val', 9007199254740991n],
  ['uint32_val', 4294967295],
  ['uint64_val', 9007199254740991n],
  ['sint32_val', 2147483647],
  ['sint64_val', 9007199254740991n],
  ['fixed32_val', 4294967295],
  ['fixed64_val', 9007199254740991n],
  ['sfixed32_val', 2147483647],
  ['sfixed64_val', 9007199254740991n],
];
const NO_INTEGER_ARMS: Record<string, number | string | boolean | Uint8Array | number[]>[] = [
  { double_val: 5 },
  { float_val: 5 },
  { string_val: '5' },
  { bytes_val: Uint8Array.of(5) },
  { bool_val: true },
  { int64_list: [5] },
  {},
];

function thrown(action: () => unknown): PrepError {
  try {
    action();
  } catch (error) {
    if (error instanceof PrepError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** A file from raw frames: an empty metadata frame and one node a message. */
function framed(...messages: number[][]): Uint8Array {
  return Uint8Array.from([0, ...messages.flatMap((message) => [message.length, ...message])]);
}

const text = (value: string): number[] => [...new TextEncoder().encode(value)];
const field = (tag: number, content: number[]): number[] => [tag, content.length, ...content];

describe('against protobufjs', () => {
  test('random nodes give the columns of the slow twin, through any window', () => {
    fc.assert(
      fc.property(fc.array(randomNode, { maxLength: 12 }), fc.integer({ min: 1, max: 400 }), (nodes, windowBytes) => {
        const bytes = buildEt(nodes);
        const expected = slowColumns(bytes);
        fc.pre(expected.step.every((step) => step < 2 ** 31));
        expect(columnsOf(readBytes(bytes).trace)).toEqual(expected);
        expect(columnsOf(readBytes(bytes, 0, windowBytes).trace)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  test('transfers whose attributes begin like those of the last one give the columns of the slow twin', () => {
    const transfer = fc.tuple(fc.constantFrom(5, 5, 6, 6, 4), randomAttributes(2), fc.boolean());
    fc.assert(
      fc.property(randomAttributes(20), fc.array(transfer, { maxLength: 20 }), fc.nat(400), (common, row, window) => {
        const nodes = row.map(([type, own, first], id) => ({
          id,
          type,
          attr: first ? { ...own, ...common } : { ...common, ...own },
        }));
        const bytes = buildEt(nodes);
        const expected = slowColumns(bytes);
        fc.pre(expected.step.every((step) => step < 2 ** 31));
        expect(columnsOf(readBytes(bytes).trace)).toEqual(expected);
        expect(columnsOf(readBytes(bytes, 0, 1 + window).trace)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ['longer', 2, 300],
    ['shorter', 300, 2],
  ])('a file whose nodes become %s', (_, first, then) => {
    // The sizes of the first nodes say nothing about how many there are.
    const nodes = Array.from({ length: 3000 }, (_, id) => ({
      id,
      name: 'n'.repeat(id < 1500 ? first : then),
      data_deps: Array.from({ length: id < 1500 ? first % 10 : then % 10 }, (_, back) => Math.max(0, id - back)),
    }));
    const bytes = buildEt(nodes);
    const expected = JSON.stringify(inOrder(slowColumns(bytes)));
    expect(JSON.stringify(inOrder(columnsOf(readBytes(bytes).trace)))).toBe(expected);
    expect(JSON.stringify(inOrder(columnsOf(readBytes(bytes, 0, 5000).trace)))).toBe(expected);
  });

  test('cutting and changing bytes gives columns or an error with a place, never anything else', () => {
    const change = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(randomNode, { minLength: 1, maxLength: 4 }), change, fc.nat(), (nodes, changes, cut) => {
        const bytes = buildEt(nodes);
        for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
        try {
          readBytes(bytes.subarray(0, bytes.length - (cut % 3)));
        } catch (error) {
          expect(error).toBeInstanceOf(PrepError);
          expect((error as PrepError).message).toMatch(/^(test\.0\.et|rank 0)/);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describeShared('real traces', () => {
  const files = [...sharedFiles('traces', /\.et(\.gz)?$/), ...sharedFiles('reference/chakra-tools', /\.et(\.gz)?$/)]
    .filter((path) => !/schema-0\.0\.[123]|trunc|star/.test(path))
    .map((path) => [path]);

  test.each(files)('%s gives the columns of the slow twin', (path) => {
    const raw = readFileSync(shared(path));
    const bytes = new Uint8Array(raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw);
    // As text, because comparing arrays of thousands of entries one by one takes seconds.
    const expected = JSON.stringify(inOrder(slowColumns(bytes)));
    expect(JSON.stringify(inOrder(columnsOf(readBytes(bytes).trace)))).toBe(expected);
    expect(JSON.stringify(inOrder(columnsOf(readBytes(bytes, 0, 7).trace)))).toBe(expected);
  });

  test('a file is read the same through windows of 7 bytes', () => {
    const file = shared('traces/edge-cases/dup.et');
    const source = new FileSource(file, 7);
    const { trace } = readChakraEt(source, { rank: 0, file }, { windowBytes: 7 });
    expect(columnsOf(trace)).toEqual(slowColumns(new Uint8Array(readFileSync(file))));
    source.close();
  });

  test('30,000 references to nodes that come later', () => {
    const bytes = gunzipSync(readFileSync(shared('traces/edge-cases/star.et.gz')));
    const { trace } = readBytes(new Uint8Array(bytes));
    expect([trace.length, trace.dataTarget.length, trace.danglingLow.length]).toEqual([30001, 30000, 0]);
  });
});

function inOrder(columns: object): object {
  return Object.fromEntries(Object.entries(columns).sort(([one], [other]) => (one < other ? -1 : 1)));
}

describeShared('edge cases', () => {
  const read = (name: string) => readBytes(new Uint8Array(readFileSync(shared('traces/edge-cases', name))));

  test('a frame of no bytes is a node of id 0 and type INVALID', () => {
    const { trace } = read('zeronode.et');
    expect(trace.length).toBe(3);
    expect([...trace.type].filter((type) => type === 0)).toHaveLength(1);
    expect([...trace.idLow]).toContain(0);
  });

  test('a cut file names frame, offset and bytes', () => {
    const error = thrown(() => read('trunc.et'));
    expect([error.code, error.exitStatus]).toEqual(['FRAME_TRUNCATED', 3]);
    expect(error.message).toMatch(/^test\.0\.et: frame \d+ at byte \d+: it announces \d+ bytes, \d+ are left$/);
  });

  test.each([
    ['dangling.et', 1, 0],
    ['danglingctrl.et', 0, 2],
  ])('%s keeps the ids of missing nodes', (name, data, control) => {
    const { trace } = read(name);
    expect(trace.danglingLow).toHaveLength(1);
    expect([...trace.dataTarget].filter((target) => target < 0)).toHaveLength(data);
    expect([...trace.controlTarget].filter((target) => target < 0)).toHaveLength(control);
  });

  test('of two nodes with one id the first is the target', () => {
    const { trace } = read('dup.et');
    expect(trace.length).toBe(3);
    expect([...trace.dataTarget]).toEqual([[...trace.idLow].indexOf(trace.idLow[trace.dataTarget[0]])]);
  });

  test('repeated dependencies stay repeated', () => {
    const { trace } = read('repeated.et');
    expect(trace.dataTarget).toHaveLength(2);
    expect(trace.dataTarget[0]).toBe(trace.dataTarget[1]);
  });
});

describe('ids', () => {
  test('are exact up to 2^64 − 1, as are dependencies on them', () => {
    const ids = [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n];
    const trace = traceOf(
      ids.map((id, place) => ({ id, type: 4, data_deps: ids.slice(0, place), ctrl_deps: [7n << 60n] })),
    );
    expect(ids.map((_, node) => idForJson(trace.idLow[node], trace.idHigh[node]))).toEqual([
      '9007199254740992',
      '9007199254740993',
      '9223372036854775808',
      '18446744073709551615',
    ]);
    expect([...trace.dataTarget]).toEqual([0, 0, 1, 0, 1, 2]);
    expect([...trace.danglingHigh]).toEqual([0x70000000]);
  });

  test('dependencies are read packed, unpacked and in pieces', () => {
    const bytes = framed([0x08, 1], [0x08, 2], [0x08, 3, 0x28, 1, 0x2a, 1, 2, 0x28, 0x82, 0, 0x20, 1, 0x20, 2]);
    const { trace } = readBytes(bytes);
    expect([...trace.dataTarget]).toEqual([0, 1, 1]);
    expect([...trace.controlTarget]).toEqual([0, 1]);
  });
});

describe('attributes', () => {
  test.each(INTEGER_ARMS)('comm_size is read from %s', (arm, value) => {
    const { trace, findings } = readBytes(buildEt([{ id: 4, type: 7, attr: { comm_size: { [arm]: value } } }]));
    expect(trace.commSize[0]).toBe(Number(value));
    const usual = arm === 'int64_val';
    expect(trace.flags[0]).toBe(usual ? 0 : NodeFlag.otherArm);
    expect(findings).toEqual(
      usual
        ? []
        : [
            {
              code: 'ATTRIBUTE_ARM',
              severity: 'warning',
              message: `comm_size is in ${arm} on 1 node, expected int64_val`,
              advice: expect.any(String) as string,
              nodes: [4],
              count: 1,
              attribute: 'comm_size',
              arm,
              rank: 0,
              file: 'test.0.et',
            },
          ],
    );
  });

  test.each([
    ['sint32_val', -5],
    ['sint64_val', -(2 ** 40)],
    ['sfixed32_val', -1],
    ['sfixed64_val', -(2 ** 33)],
    ['int32_val', -7],
    ['int64_val', -(2 ** 53 - 1)],
  ])('a negative tag is read from %s', (arm, value) => {
    expect(traceOf([{ type: 5, attr: { comm_tag: { [arm]: value } } }]).commTag[0]).toBe(value);
  });

  test.each(NO_INTEGER_ARMS)('comm_size in %p counts as absent', (value) => {
    const { trace, findings } = readBytes(buildEt([{ type: 7, attr: { comm_size: value } }]));
    expect(trace.commSize[0]).toBeNaN();
    expect(trace.flags[0]).toBe(NodeFlag.notNumber);
    const [arm = 'UNSET'] = Object.keys(value);
    expect(findings.map((found) => [found.code, found.arm])).toEqual([
      [arm === 'UNSET' ? 'ATTRIBUTE_EMPTY' : 'ATTRIBUTE_NOT_NUMBER', arm],
    ]);
  });

  test('a negative comm_size counts as absent', () => {
    const { trace, findings } = readBytes(buildEt([{ id: 3, type: 7, attr: { comm_size: { int64_val: -1 } } }]));
    expect(trace.commSize[0]).toBeNaN();
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ['NUMBER_INVALID', 'comm_size is -1 on node 3, expected a whole number of 0 or more'],
    ]);
  });

  test.each([
    ['int32_val', -5, '-5'],
    ['int64_val', -(2n ** 60n), '-1152921504606846976'],
    ['double_val', NaN, 'NaN'],
    ['double_val', -Infinity, '-Infinity'],
    ['float_val', 1.5, '1.5'],
    ['float_val', -2, '-2'],
  ])('root in %s of %p cannot be a rank', (arm, value, text) => {
    const { findings } = readBytes(buildEt([{ id: 3, type: 7, attr: { root: { [arm]: value } } }]));
    expect(findings.map(({ code, severity, message }) => [code, severity, message])).toEqual([
      ['NUMBER_INVALID', 'error', `root is ${text} on node 3, expected a whole number of 0 or more`],
    ]);
  });

  test('a partner or tag below 0 cannot be meant on a send or receive, and means nothing elsewhere', () => {
    const attr = { comm_dst: { int32_val: -1 }, comm_src: { int32_val: -2 }, comm_tag: { int32_val: -3 } };
    const nodes = [4, 5, 6, 7].map((type) => ({ id: type, type, attr }));
    expect(readBytes(buildEt(nodes)).findings.map(({ message }) => message)).toEqual([
      'comm_dst is -1 on node 5, expected a whole number of 0 or more',
      'comm_tag is not a whole number of 0 or more on nodes 5 and 6, the first is -3',
      'comm_src is -2 on node 6, expected a whole number of 0 or more',
    ]);
  });

  test('a value of another kind is shown, with what to do', () => {
    const attr = {
      comm_type: { string_val: 'ALL_REDUCE' },
      comm_size: { double_val: 8 },
      pg_name: { bytes_val: new Uint8Array(2) },
      is_cpu_op: { string_val: 'x'.repeat(50) },
    };
    const { findings } = readBytes(buildEt([{ id: 3, type: 7, attr }]));
    const rest = 'on node 3 and not used there, expected';
    expect(findings.map(({ message, advice }) => [message, advice])).toEqual([
      [`comm_type is string_val "ALL_REDUCE" ${rest} int64_val`, 'write it as an integer'],
      [`comm_size is double_val 8 ${rest} int64_val`, 'write it as an integer'],
      [`pg_name is bytes_val ${rest} string_val`, 'write it as a text'],
      [`is_cpu_op is string_val "${'x'.repeat(39)}…" ${rest} bool_val`, 'write it as true or false'],
    ]);
  });

  test('an attribute without a value that nobody reads is legal', () => {
    expect(readBytes(buildEt([{ id: 3, type: 4, attr: { outputs: {}, inputs: {} } }])).findings).toEqual([]);
  });

  test('a negative duration is refused, whatever the schema calls it', () => {
    const bytes = buildEt([{ id: 3, type: 4, duration_micros: 2n ** 64n - 5n }]);
    expect(() => readBytes(bytes)).toThrow(
      expect.objectContaining({
        code: 'NUMBER_INVALID',
        message:
          'rank 0, node 3: duration_micros is 18446744073709551611 (-5 as a signed number), expected a duration of 0 or more',
      }) as Error,
    );
  });

  test('the same on many nodes is one finding with a count', () => {
    const attr = { comm_size: { uint64_val: 5 }, is_cpu_op: { int32_val: 0 } };
    const { findings } = readBytes(buildEt(Array.from({ length: 20 }, (_, id) => ({ id, type: 7, attr }))));
    expect(findings.map(({ attribute, arm, count }) => [attribute, arm, count])).toEqual([
      ['comm_size', 'uint64_val', 20],
      ['is_cpu_op', 'int32_val', 20],
    ]);
  });

  test('a tag above 2^31 − 1 belongs in int64', () => {
    const { trace, findings } = readBytes(buildEt([{ type: 5, attr: { comm_tag: { int64_val: 2 ** 31 } } }]));
    expect([trace.commTag[0], findings]).toEqual([2 ** 31, []]);
  });

  test('comm_type outside 0 … 9 is unknown, an absent one absent', () => {
    const types = [0, 9, 10, -1].map((type) => ({ type: 7, attr: { comm_type: { int64_val: type } } }));
    expect([...traceOf([...types, { type: 7 }]).commType]).toEqual([0, 9, -2, -2, -1]);
  });

  test.each([
    'comm_sizf',
    'comm_siz',
    'comm_sizes',
    'xomm_size',
    'comm-size',
    'COMM_SIZE',
    'pg_nama',
    'roof',
    'is_cpu_oq',
  ])('%s is no name of ours', (name) => {
    const trace = traceOf([{ type: 7, attr: { [name]: { int64_val: 5 } } }]);
    expect([trace.commSize[0], trace.flags[0], trace.group[0], trace.root.size]).toEqual([NaN, 0, -1, 0]);
  });

  test('of attributes with one name the first counts', () => {
    const attribute = (value: number): number[] => field(0x52, [...field(0x0a, text('comm_size')), 0x48, value]);
    expect(readBytes(framed([...attribute(5), ...attribute(6)])).trace.commSize[0]).toBe(5);
  });

  test('value before name, doc string and unknown fields are read too; of two values the last counts', () => {
    const attribute = [0x48, 5, ...field(0x12, text('doc')), 0x48, 6, ...field(0x0a, text('comm_size')), 0xf8, 0x3f, 1];
    expect(readBytes(framed(field(0x52, attribute))).trace.commSize[0]).toBe(6);
  });

  test('groups by pg_name, by a number, by comm_group; the empty name is none', () => {
    const long = 'g'.repeat(40);
    const names = [{ string_val: 'tp' }, { int32_val: 12 }, { string_val: '' }, { string_val: long }];
    const nodes: NodeObject[] = names.map((name) => ({
      type: 7,
      attr: { pg_name: name, comm_group: { int32_val: 3 } },
    }));
    const trace = traceOf([...nodes, { type: 7, attr: { comm_group: { int32_val: 3 } } }]);
    expect([...trace.group].map((group) => trace.groupNames[group])).toEqual(['tp', '12', undefined, long, '3']);
  });

  test('hundreds of groups in turns keep their names', () => {
    const names = Array.from({ length: 600 }, (_, place) => `${place % 300}`);
    const trace = traceOf(names.map((name) => ({ type: 7, attr: { pg_name: { string_val: name } } })));
    expect([...trace.group].map((group) => trace.groupNames[group])).toEqual(names);
  });

  test('the peer is comm_dst of a send and comm_src of a receive', () => {
    const attr = { comm_src: { int32_val: 1 }, comm_dst: { int32_val: 2 } };
    expect([...traceOf([5, 6, 7].map((type) => ({ type, attr }))).peer]).toEqual([2, 1, -1]);
  });

  test('root and root_rank, issue order and splits', () => {
    const trace = traceOf([
      { type: 7, attr: { root: { int32_val: 3 }, root_rank: { int32_val: 4 }, issue_order: { int64_val: 8 } } },
      { type: 7, attr: { root_rank: { int32_val: 4 }, send_split_bytes: { int64_list: [5, 0, 300] } } },
      { type: 7, attr: { send_split_bytes: { fixed32_list: [7] } } },
      { type: 7, attr: { send_split_bytes: { int64_list: [-1] } } },
    ]);
    expect([...trace.root]).toEqual([
      [0, 3],
      [1, 4],
    ]);
    expect([...trace.issueOrder]).toEqual([[0, 8]]);
    expect([...trace.splits]).toEqual([
      [1, [5, 0, 300]],
      [2, [7]],
    ]);
    expect(trace.flags[3]).toBe(NodeFlag.notNumber);
  });
});

describe('numbers above 2^53 are refused', () => {
  const attribute = (name: string, arm: string) => ({ attr: { [name]: { [arm]: 2n ** 53n } } });
  test.each([
    ['duration_micros', { duration_micros: 2n ** 53n }],
    ['comm_size', attribute('comm_size', 'int64_val')],
    ['comm_size', attribute('comm_size', 'fixed64_val')],
    ['comm_tag', attribute('comm_tag', 'uint64_val')],
    ['collective_size', attribute('collective_size', 'int64_val')],
    ['collective_step', { attr: { collective_step: { int64_val: 2n ** 31n } } }],
    ['send_split_bytes', { attr: { send_split_bytes: { int64_list: [1, 2n ** 53n] } } }],
  ])('%s in %j', (name, node) => {
    const error = thrown(() => readBytes(buildEt([{ id: 1 }, { ...node, id: 2n ** 60n }]), 3));
    expect([error.code, error.exitStatus]).toEqual(['NUMBER_TOO_LARGE', 1]);
    expect(error.message).toContain(`rank 3, node 1152921504606846976: ${name} `);
    expect(error.findings).toMatchObject([{ code: 'NUMBER_TOO_LARGE', rank: 3, nodes: ['1152921504606846976'] }]);
  });

  test('2^53 − 1 is not', () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const trace = traceOf([{ duration_micros: largest, attr: { comm_size: { uint64_val: largest } } }]);
    expect([trace.durationMicros[0], trace.commSize[0]]).toEqual([largest, largest]);
  });
});

describe('files that cannot be read', () => {
  test('an empty file', () => {
    expect(thrown(() => readBytes(new Uint8Array(0)))).toMatchObject({ code: 'FILE_EMPTY', exitStatus: 3 });
  });

  test('every cut inside a frame is found, every cut between frames is a shorter trace', () => {
    const node: NodeObject = {
      id: 300,
      name: 'n'.repeat(150),
      type: 4,
      data_deps: [300, 5],
      attr: { comm_size: { int64_val: 9 } },
    };
    const bytes = buildEt([node, { id: 1, name: 'last', type: 4 }]);
    const first = 8; // behind the metadata frame: a length byte and `0a 05 0.0.4`
    const second = first + 2 + bytes[first] - 128 + (bytes[first + 1] << 7);
    for (let cut = 1; cut < bytes.length; cut++) {
      const frame = cut < first ? 0 : cut < second ? 1 : 2;
      if (cut === first || cut === second) expect(readBytes(bytes.subarray(0, cut)).trace.length).toBe(frame - 1);
      else {
        const offset = [0, first, second][frame];
        const error = thrown(() => readBytes(bytes.subarray(0, cut)));
        expect([cut, error.code, error.message]).toEqual([
          cut,
          'FRAME_TRUNCATED',
          expect.stringContaining(`test.0.et: frame ${frame} at byte ${offset}: it`) as string,
        ]);
      }
    }
  });

  test.each([
    ['a varint of eleven bytes', [0x08, ...Array<number>(10).fill(0xff), 1]],
    ['a varint that runs out of its node', [0x18, 0x84]],
    ['a field number 0', [0x00, 1]],
    ['a text longer than its node', [0x12, 5, 0x61]],
    ['a list longer than its node', [0x2a, 5, 1]],
    ['a list that ends inside a varint', [0x2a, 1, 0x81, 0x18, 4]],
    ['an attribute longer than its node', [0x52, 9, 0x0a, 0]],
    ['a name longer than its attribute', [0x52, 3, 0x0a, 9, 0x61, 0x18, 4]],
    ['a value longer than its attribute', [0x52, 6, 0x0a, 1, 0x61, 0xea, 0x01, 9]],
    ['a fixed value longer than its attribute', [0x52, 5, 0x0a, 1, 0x61, 0x19, 1]],
    ['wire type 6', [0x66, 1]],
    ['the end of a group that was not opened', [0x64]],
    ['a group without an end', [0x63, 0x08, 1]],
  ])('%s', (_, message) => {
    const error = thrown(() => readBytes(framed([0x08, 1], message, [0x08, 2])));
    expect([error.code, error.exitStatus]).toEqual(['FRAME_MALFORMED', 3]);
    expect(error.message).toMatch(/^test\.0\.et: frame 2 at byte 4: .* \(byte \d+\)$/);
  });

  test('unknown fields of every wire type are passed over', () => {
    const unknown = [0x60, 0x81, 1, 0x61, 1, 2, 3, 4, 5, 6, 7, 8, 0x62, 1, 9, 0x65, 1, 2, 3, 4, 0x63, 0x08, 1, 0x64];
    expect([...readBytes(framed([...unknown, 0x08, 7, 0xe0, 0x7d, 3])).trace.idLow]).toEqual([7]);
  });

  test('node types above 7 are kept, above 254 they are 255', () => {
    const types = [8, 127, 128, 254, 255, 300, -1];
    expect([...traceOf(types.map((type) => ({ type }))).type]).toEqual([8, 127, 128, 254, 255, 255, 255]);
  });
});
