import fc from 'fast-check';
import { ByteWriter } from '../../../src/formats/jsonl/byte-writer.js';
import { nodeLine } from '../../../src/formats/jsonl/frame-line.js';
import { FrameCutter } from '../../../src/formats/jsonl/frames.js';
import { writeNodeFrame } from '../../../src/formats/jsonl/line-frame.js';
import { PlainLines } from '../../../src/formats/jsonl/plain-line.js';
import { MalformedWire } from '../../../src/formats/et/wire.js';
import { describeShared } from '../../support/shared.js';
import { sharedBytes, traceFacts } from '../../support/trace-facts.js';
import { buildEt } from '../../support/traces.js';

/** Frames of a trace behind the metadata. */
function nodeFrames(et: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  const cutter = new FrameCutter((frame) => frames.push(frame.slice()));
  cutter.push(et);
  return frames.slice(1);
}

/** The line by the way through objects; undefined where the frame is not what the line is written back as. */
function slowLine(frame: Uint8Array): string | undefined {
  let line: string | undefined;
  try {
    new FrameCutter((whole, start) => {
      const read = nodeLine(whole.subarray(start));
      const again = new ByteWriter();
      writeNodeFrame(again, { ...read });
      if (Buffer.compare(again.bytes, whole) === 0) line = `${JSON.stringify(read)}\n`;
    }).push(frame);
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
  }
  return line;
}

/** The line bytes to bytes; undefined where the frame is left to the caller. */
function fastLine(lines: PlainLines, frame: Uint8Array): string | undefined {
  lines.clear();
  return lines.addNode(frame) ? Buffer.from(lines.bytes).toString() : undefined;
}

const integer = fc.oneof(fc.nat(200), fc.bigInt(0n, 2n ** 64n - 1n));
const value = fc.oneof(
  fc.record({ int64_val: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n) }),
  fc.record({ int64_val: fc.bigInt(-3n, 3n) }),
  fc.record({ uint64_val: fc.bigInt(0n, 2n ** 64n - 1n) }),
  fc.record({ int32_val: fc.integer() }),
  fc.record({ uint32_val: fc.nat() }),
  fc.record({ sint32_val: fc.integer() }),
  fc.record({ fixed64_val: fc.bigInt(0n, 2n ** 64n - 1n) }),
  fc.record({ double_val: fc.double() }),
  fc.record({ float_val: fc.float() }),
  fc.record({ bool_val: fc.boolean() }),
  fc.record({ string_val: fc.string({ unit: 'grapheme' }) }),
  fc.record({ bytes_val: fc.uint8Array() }),
  fc.record({ bool_list: fc.array(fc.boolean(), { maxLength: 4 }) }),
  fc.record({ int64_list: fc.array(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), { maxLength: 4 }) }),
  fc.record({ string_list: fc.array(fc.string(), { maxLength: 3 }) }),
  fc.record({ double_list: fc.array(fc.double(), { maxLength: 3 }) }),
  fc.constant({}),
);
const io = fc.record(
  { values: fc.string({ unit: 'binary' }), shapes: fc.string(), types: fc.string() },
  { requiredKeys: [] },
);
const node = fc.record(
  {
    id: integer,
    name: fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 80 })),
    type: fc.nat(9),
    ctrl_deps: fc.array(integer, { maxLength: 3 }),
    data_deps: fc.array(integer, { maxLength: 3 }),
    start_time_micros: integer,
    duration_micros: integer,
    inputs: io,
    outputs: io,
    attr: fc.dictionary(fc.constantFrom('comm_size', 'comm_tag', 'a', 'op_schema', 'ä', ''), value, { maxKeys: 5 }),
  },
  { requiredKeys: ['id'] },
);

test('the line of a frame is the one by way of objects, byte for byte', () => {
  const lines = new PlainLines();
  let plain = 0;
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 4 }), (nodes) => {
      for (const frame of nodeFrames(buildEt(nodes))) {
        const fast = fastLine(lines, frame);
        if (fast === undefined) continue;
        plain++;
        expect(fast).toBe(slowLine(frame));
      }
    }),
    { numRuns: 2_000 },
  );
  expect(plain).toBeGreaterThan(1_000);
});

test('a frame with any byte changed is either left alone or still told right', () => {
  const lines = new PlainLines();
  fc.assert(
    fc.property(node, fc.nat(), fc.integer({ min: 0, max: 255 }), (one, place, byte) => {
      const [frame] = nodeFrames(buildEt([one]));
      if (frame.length < 2) return;
      frame[place % frame.length] = byte;
      const fast = fastLine(lines, frame);
      if (fast !== undefined) expect(fast).toBe(slowLine(frame));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['a length longer than need be', [0x82, 0x00, 0x08, 0x01]],
  ['an id longer than need be', [0x03, 0x08, 0x81, 0x00]],
  ['a default that is written out', [0x02, 0x08, 0x00]],
  ['fields in another order', [0x04, 0x18, 0x04, 0x08, 0x01]],
  ['a field twice', [0x04, 0x08, 0x01, 0x08, 0x02]],
  ['an unpacked dependency', [0x04, 0x08, 0x01, 0x28, 0x02]],
  ['an unknown field', [0x04, 0x08, 0x01, 0x58, 0x02]],
  ['text that is not UTF-8', [0x05, 0x08, 0x01, 0x12, 0x01, 0xff]],
  ['a length beyond the end', [0x04, 0x08, 0x01, 0x12, 0x05]],
])('%s is left to the caller', (_, frame) => {
  expect(fastLine(new PlainLines(), Uint8Array.from(frame))).toBeUndefined();
});

describeShared('real traces', () => {
  test('every node of the official converter is plain', () => {
    const names = traceFacts()
      .map(([name]) => name)
      .filter((name) => name.startsWith('hybrid-parallelism') && name.includes('.et'));
    expect(names).toHaveLength(2);
    const lines = new PlainLines();
    for (const name of names) {
      const frames = nodeFrames(sharedBytes('traces', name));
      expect(frames.length).toBeGreaterThan(1_500);
      for (const frame of frames) expect(fastLine(lines, frame)).toBe(slowLine(frame));
    }
  });
});
