import fc from 'fast-check';

import { MemorySource } from '../../src/base/byte-source.js';
import { jsonLinesToEt, JsonLinesWriter, writeJsonLines } from '../../src/formats/chakra-jsonl.js';
import { newMetadata } from '../../src/formats/et/metadata.js';
import { NodeType } from '../../src/trace/node-type.js';
import { RankTraceBuilder } from '../../src/trace/rank-trace-builder.js';
import { describeShared, sharedFiles } from '../support/shared.js';
import { sharedBytes, traceFacts } from '../support/trace-facts.js';
import { buildEt, readBytes } from '../support/traces.js';

function toLines(et: Uint8Array, chunkBytes = et.length): string[] {
  let text = '';
  const writer = new JsonLinesWriter((part) => {
    expect(part.at(-1)).toBe(0x0a);
    text += Buffer.from(part).toString();
  });
  for (let start = 0; start < et.length; start += chunkBytes) writer.push(et.subarray(start, start + chunkBytes));
  writer.finish();
  return text.split('\n').slice(0, -1);
}

function toEt(lines: readonly string[], windowBytes?: number): Uint8Array {
  return jsonLinesToEt(new MemorySource(Buffer.from(lines.join('\n')), 'job.0.jsonl'), windowBytes);
}

/** A frame of these bytes, whose length is below 128. */
function frame(...message: number[]): number[] {
  return [message.length, ...message];
}

const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
const attribute = (...fields: number[]): number[] => [0x52, fields.length, ...fields];

describe('lines for people', () => {
  test('a trace as text', () => {
    const et = buildEt([
      {
        id: 17,
        name: 'send',
        type: 'COMM_SEND_NODE',
        ctrl_deps: [12],
        data_deps: [9, 2n ** 64n - 1n],
        duration_micros: 5,
        inputs: { values: '[1]' },
        attr: {
          comm_size: { int64_val: 125 },
          involved_dim: { bool_list: [true, false] },
          seq_id: { int64_val: -1 },
          big: { uint64_val: 2n ** 53n },
          outputs: {},
        },
      },
      {},
    ]);
    expect(toLines(et)).toEqual([
      '{"schema":"chakra-prep/trace/1","version":"0.0.4"}',
      '{"id":17,"name":"send","type":"COMM_SEND_NODE","ctrlDeps":[12],"dataDeps":[9,"18446744073709551615"],' +
        '"durationMicros":5,"inputs":{"values":"[1]"},"attr":[{"name":"comm_size","int64":125},' +
        '{"name":"involved_dim","bool":[true,false]},{"name":"seq_id","int64":-1},' +
        '{"name":"big","uint64":"9007199254740992"},{"name":"outputs"}]}',
      '{"id":0,"type":"INVALID_NODE"}',
    ]);
  });

  // float32: 0.1 is 3dcccccd; protobuf stores it little-endian
  test.each<[string, number[]]>([
    ['{"name":"f","float":0.1}', [0x2d, 0xcd, 0xcc, 0xcc, 0x3d]],
    ['{"name":"f","float":"-0"}', [0x2d, 0, 0, 0, 0x80]],
    ['{"name":"f","float":"Infinity"}', [0x2d, 0, 0, 0x80, 0x7f]],
    ['{"name":"f","float":"NaN"}', [0x2d, 0, 0, 0xc0, 0x7f]],
    ['{"name":"f","double":"-Infinity"}', [0x19, 0, 0, 0, 0, 0, 0, 0xf0, 0xff]],
    ['{"name":"f","double":"-0"}', [0x19, 0, 0, 0, 0, 0, 0, 0, 0x80]],
    ['{"name":"f","double":5e-324}', [0x19, 1, 0, 0, 0, 0, 0, 0, 0]],
    ['{"name":"f","sint32":-2147483648}', [0x78, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ['{"name":"f","sint64":"-9223372036854775808"}', [0x88, 1, ...Array<number>(9).fill(0xff), 1]],
    ['{"name":"f","int64":"-9223372036854775808"}', [0x48, ...Array<number>(9).fill(0x80), 1]],
    ['{"name":"f","fixed64":"18446744073709551615"}', [0xa9, 1, ...Array<number>(8).fill(0xff)]],
    ['{"name":"f","sfixed32":-1}', [0xbd, 1, 0xff, 0xff, 0xff, 0xff]],
    ['{"name":"f","uint32":4294967295}', [0x58, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ['{"name":"f","bytes":"/wA="}', [0xfa, 1, 2, 0xff, 0]],
    ['{"name":"f","string":["a",""]}', [0xf2, 1, 5, 0x0a, 1, 0x61, 0x0a, 0]],
    ['{"name":"f","int32":[]}', [0x42, 0]],
    ['{"name":"f","double":[0.5]}', [0x22, 10, 0x0a, 8, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f]],
  ])('%s', (line, value) => {
    const et = Uint8Array.from([...frame(), ...frame(8, 1, ...attribute(0x0a, 1, 0x66, ...value))]);
    const lines = toLines(et);
    expect(lines).toEqual(['{"schema":"chakra-prep/trace/1"}', `{"id":1,"type":"INVALID_NODE","attr":[${line}]}`]);
    expect([...toEt(lines)]).toEqual([...et]);
  });
});

test('a trace that passes built is written with its new nodes', () => {
  const builder = new RankTraceBuilder(0, 'job.0.et');
  const receive = builder.addNode(7, 1, NodeType.receive, 0);
  builder.commSize[receive] = 125;
  builder.commTag[receive] = 5;
  builder.peer[receive] = 3;
  const trace = builder.finish(newMetadata({ passes: ['expand'] }), undefined);
  const lines: string[] = [];
  writeJsonLines(trace, (part) => lines.push(...part.split('\n').slice(0, -1)));
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0])).toMatchObject({ attr: [{ name: 'chakra_prep_passes', string: ['expand'] }] });
  // 2^32 + 7
  expect(JSON.parse(lines[1])).toMatchObject({
    id: 4294967303,
    type: 'COMM_RECV_NODE',
    attr: expect.arrayContaining([
      { name: 'comm_src', int32: 3 },
      { name: 'comm_tag', int32: 5 },
      { name: 'comm_size', int64: 125 },
    ]) as unknown,
  });
});

describe('et → lines → et gives the same bytes', () => {
  const comm = [0x0a, ...text('c'), 0x48, 5];
  // What the plain form of a line does not say comes with the frame.
  test.each<[string, boolean, number[]]>([
    ['a node that is a zero-length frame', false, []],
    ['a value-less attribute', false, [8, 1, ...attribute(0x0a, 1, 0x66)]],
    [
      'attributes of one name',
      false,
      [8, 1, ...attribute(...comm), ...attribute(0x0a, 1, 0x66), ...attribute(...comm)],
    ],
    ['empty inputs', false, [8, 1, 0x42, 0]],
    ['type 9', false, [8, 1, 0x18, 9]],
    ['a byte order mark in a name', false, [8, 1, 0x12, 3, 0xef, 0xbb, 0xbf]],
    ['unpacked dependencies', true, [8, 1, 0x28, 5, 0x28, 6]],
    ['an empty packed list', true, [8, 1, 0x2a, 0]],
    ['fields in another order', true, [0x18, 4, 8, 1]],
    ['a default that is written', true, [8, 0]],
    ['a longer varint', true, [8, 0x81, 0]],
    ['an id twice', true, [8, 1, 8, 2]],
    ['two values of an attribute', true, [8, 1, ...attribute(...comm, 0x38, 5)]],
    ['a value before its name', true, [8, 1, ...attribute(0x48, 5, 0x0a, ...text('c'))]],
    ['an unknown field', true, [8, 1, 0xa0, 6, 1]],
    ['an unknown field of an attribute', true, [8, 1, ...attribute(...comm, 0xa0, 6, 1)]],
    ['a name that is not UTF-8', true, [8, 1, 0x12, 1, 0xff]],
    ['a bool of 2', true, [8, 1, ...attribute(0x0a, 1, 0x66, 0xd8, 1, 2)]],
    ['a NaN with a payload', true, [8, 1, ...attribute(0x0a, 1, 0x66, 0x2d, 1, 0, 0xc0, 0x7f)]],
    ['an int32 beyond 32 bits', true, [8, 1, ...attribute(0x0a, 1, 0x66, 0x38, 0xff, 0xff, 0xff, 0xff, 0x7f)]],
    ['a group', true, [8, 1, 0xa3, 6, 8, 1, 0xa4, 6]],
    ['bytes that are no message', true, [8]],
    ['a list cut inside a number', true, [8, 1, 0x2a, 1, 0x80]],
  ])('%s (frame kept: %s)', (_, kept, message) => {
    for (const et of [
      [...frame(0x0a, ...text('0.0.4')), ...frame(...message), ...frame(8, 2)],
      // the message at the end, and its length in two bytes
      [...frame(), message.length | 0x80, 0, ...message],
    ]) {
      const lines = toLines(Uint8Array.from(et));
      expect([...toEt(lines)]).toEqual(et);
    }
    const [, line] = toLines(Uint8Array.from([...frame(), ...frame(...message)]));
    expect(line.includes('"frame":')).toBe(kept);
  });

  test('metadata with unknown fields, and bytes behind the last frame', () => {
    const et = [...frame(0x18, 1, 0x0a, ...text('1.0.0')), ...frame(8, 1), 9, 8, 2];
    const lines = toLines(Uint8Array.from(et));
    expect(lines[2]).toBe('{"undecoded":"the frame is cut short","frame":"CQgC"}');
    expect([...toEt(lines)]).toEqual(et);
  });

  test('a message longer than 16 KiB, which takes a length of three bytes', () => {
    const et = buildEt([{ id: 1, name: 'x'.repeat(20000), attr: { n: { string_val: 'y'.repeat(200) } } }]);
    const lines = toLines(et);
    expect(lines[1]).not.toContain('"frame"');
    expect([...toEt(lines)]).toEqual([...et]);
  });

  test('random bytes, in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        (messages, size) => {
          const et = Uint8Array.from(messages.flatMap((message) => frame(...message)));
          fc.pre(et.length > 0);
          expect([...toEt(toLines(et, size), size)]).toEqual([...et]);
        },
      ),
      { seed: 4, numRuns: 500 },
    );
  });
});

describe('reading lines', () => {
  const first = '{"schema":"chakra-prep/trace/1"}';

  test('blank lines, CRLF, a byte order mark, and members in any order', () => {
    const lines = `\ufeff${first}\r\n\r\n  \n{"attr":[{"uint64":"5","name":"a"}],"type":5,"id":"1"}\r\n`;
    expect([...jsonLinesToEt(new MemorySource(Buffer.from(lines), 'x'))]).toEqual([
      ...frame(),
      ...frame(8, 1, 0x18, 5, ...attribute(0x0a, 1, 0x61, 0x68, 5)),
    ]);
  });

  test.each<[string, string]>([
    ['', 'job.0.jsonl: has no line, not even the metadata'],
    ['{"id":1}', 'job.0.jsonl, line 1, schema: the first line must say "schema": "chakra-prep/trace/1", got nothing'],
    [`${first}\n{"id":1,}`, 'job.0.jsonl, line 2, column 9: not JSON: expected a key in double quotes'],
    [`${first}\n\n{"id":1}{"id":2}`, 'job.0.jsonl, line 3: expected one JSON object'],
    [`${first}\n[1]`, 'job.0.jsonl, line 2: expected a JSON object'],
    [
      `${first}\n{"id":9007199254740993}`,
      'job.0.jsonl, line 2, id: 9007199254740992 has no exact value as a JSON number; write integers beyond 2^53 as text',
    ],
    [`${first}\n{"id":-1}`, 'job.0.jsonl, line 2, id: expected an integer from 0 to 18446744073709551615, got -1'],
    [
      `${first}\n{"id":"18446744073709551616"}`,
      'job.0.jsonl, line 2, id: expected an integer from 0 to 18446744073709551615, got 18446744073709551616',
    ],
    [`${first}\n{"id":1.5}`, 'job.0.jsonl, line 2, id: expected an integer, got 1.5'],
    [`${first}\n{"id":null}`, 'job.0.jsonl, line 2, id: expected an integer, got null'],
    [`${first}\n{"type":"SEND"}`, 'job.0.jsonl, line 2, type: no node type is called "SEND"'],
    [
      `${first}\n{"commSize":5}`,
      'job.0.jsonl, line 2, commSize: no member has this name (known: id, name, type, ctrlDeps, dataDeps, startTimeMicros, durationMicros, inputs, outputs, attr, frame)',
    ],
    [`${first}\n{"dataDeps":[1,"x"]}`, 'job.0.jsonl, line 2, dataDeps[1]: expected an integer, got "x"'],
    [
      `${first}\n{"attr":[{"name":"a","int32":2147483648}]}`,
      'job.0.jsonl, line 2, attr[0].int32: expected an integer from -2147483648 to 2147483647, got 2147483648',
    ],
    [
      `${first}\n{"attr":[{"name":"a","int32":1,"bool":true}]}`,
      'job.0.jsonl, line 2, attr[0].bool: an attribute has one value',
    ],
    [
      `${first}\n{"attr":[{"name":"a","float":1e39}]}`,
      'job.0.jsonl, line 2, attr[0].float: the number is too large for a float',
    ],
    [
      `${first}\n{"attr":[{"name":"a","double":1e999}]}`,
      'job.0.jsonl, line 2, attr[0].double: the number is too large for a double',
    ],
    [
      `${first}\n{"attr":[{"name":"a","bytes":"a"}]}`,
      'job.0.jsonl, line 2, attr[0].bytes: expected base64 text, got "a"',
    ],
    [`${first}\n{"name":"\\ud800"}`, 'job.0.jsonl, line 2, name: expected a text, got "\\ud800"'],
    [
      `${first}\n{"inputs":{"value":""}}`,
      'job.0.jsonl, line 2, inputs.value: no member has this name (known: values, shapes, types)',
    ],
    // the frame of node 1 (02 08 01) on a line that was edited to node 2
    [
      `${first}\n{"id":2,"type":"INVALID_NODE","frame":"AggB"}`,
      'job.0.jsonl, line 2, frame: says something else than the rest of the line; take it out to keep an edit',
    ],
  ])('%s', (lines, message) => {
    expect(() => toEt(lines === '' ? [] : [lines])).toThrow(
      expect.objectContaining({ code: 'JSON_LINES_MALFORMED', exitStatus: 3, message }) as Error,
    );
  });

  test('a line that is not UTF-8', () => {
    const bytes = Buffer.from([...Buffer.from(`${first}\n{"name":"`), 0xff, ...Buffer.from('"}')]);
    expect(() => jsonLinesToEt(new MemorySource(bytes, 'x'))).toThrow('x, line 2, column 9: not UTF-8');
  });
});

describeShared('public traces', () => {
  for (const [path] of traceFacts(/^et$/)) {
    test(`${path} through the trace`, () => {
      const et = sharedBytes('traces', path);
      let text = '';
      writeJsonLines(readBytes(et).trace, (part) => (text += part));
      expect(text).toBe(`${toLines(et).join('\n')}\n`);
    });
  }

  const traces = traceFacts(/^et|error/).map(([path]) => `traces/${path}`);
  const outputs = sharedFiles('reference/chakra-tools', /\.et(\.gz)?$/);
  for (const path of [...traces, ...outputs]) {
    test(path, () => {
      const et = sharedBytes(path);
      const lines = toLines(et);
      expect(Buffer.compare(toEt(lines), et)).toBe(0);
      // Every producer of the current schema writes fields in order, so its lines need no frames.
      const current = !/schema-0\.0\.[123]|\.eg$|trunc/.test(path);
      if (current) expect(lines.filter((line) => line.includes('"frame":'))).toEqual([]);
    });
  }

  test('read and written 7 bytes at a time', () => {
    const et = sharedBytes('traces/stage/llama_dp2tp2pp2/workload.0.et.gz');
    const lines = toLines(et, 7);
    expect(lines).toEqual(toLines(et));
    expect(Buffer.compare(toEt(lines, 7), et)).toBe(0);
  });
});
