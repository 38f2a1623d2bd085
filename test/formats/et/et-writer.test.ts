import { MemorySource } from '../../../src/base/byte-source.js';
import { Arm } from '../../../src/formats/et/attribute-arms.js';
import { attributeHead, EtWriter } from '../../../src/formats/et/et-writer.js';
import { newMetadata } from '../../../src/formats/et/metadata.js';
import { JsonLinesWriter } from '../../../src/formats/chakra-jsonl.js';
import { jsonLinesToEt } from '../../../src/formats/chakra-jsonl.js';

/** What a writer wrote. */
function written(fill: (out: EtWriter) => void): Buffer {
  const parts: Buffer[] = [];
  const out = new EtWriter((bytes) => parts.push(Buffer.from(bytes)));
  out.metadata(newMetadata());
  fill(out);
  out.finish();
  return Buffer.concat(parts);
}

/** The nodes of a trace as JSON lines. */
function lines(bytes: Uint8Array): unknown[] {
  let text = '';
  const writer = new JsonLinesWriter((piece) => (text += Buffer.from(piece).toString()));
  writer.push(bytes);
  writer.finish();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

test('the bytes of a small node are those of the wire format', () => {
  const bytes = written((out) => {
    out.begin(0, '', 4); // id 0 and no name are not on the wire
    out.end();
    out.begin(300, 'a', 4);
    out.data([1, 300]);
    out.durationMicros(5);
    out.end();
  });
  // metadata: 0a 05 "0.0.4"; type 4 is 18 04; id 300 is 08 ac 02; name 12 01 61; data 2a 03 01 ac 02; duration 38 05
  expect(bytes.toString('hex')).toBe('070a05302e302e34' + '021804' + '0f08ac021201611804' + '2a0301ac02' + '3805');
});

test('every kind of field comes back as it was written', () => {
  const bytes = written((out) => {
    out.begin(2n ** 64n - 1n, Buffer.from('näme'), 7);
    out.control([0, 5]);
    out.data([1, 2, 3], 1, 3);
    out.startMicros(2 ** 40);
    out.durationMicros(7);
    out.io('inputs', '[1]', '', "['Int']");
    out.io('outputs', '', '', '');
    out.integer(attributeHead('comm_size', Arm.int64), 2 ** 33);
    out.integer(attributeHead('seq_id', Arm.int64), -1);
    out.integer(attributeHead('is_cpu_op', Arm.bool), 0);
    out.text(attributeHead('pg_name', Arm.string), '3');
    out.integers(attributeHead('send_split_bytes', Arm.int64List), [1, 200, 0]);
    out.integers(attributeHead('none', Arm.int64List), []);
    out.texts(attributeHead('inputs', Arm.stringList), ['a', '']);
    out.attribute(attributeHead('unset', Arm.unset).bytes);
    out.end();
  });
  expect(lines(bytes)[1]).toEqual({
    id: '18446744073709551615',
    name: 'näme',
    type: 'COMM_COLL_NODE',
    ctrlDeps: [0, 5],
    dataDeps: [2, 3],
    startTimeMicros: 2 ** 40,
    durationMicros: 7,
    inputs: { values: '[1]', types: "['Int']" },
    outputs: {},
    attr: [
      { name: 'comm_size', int64: 2 ** 33 },
      { name: 'seq_id', int64: -1 },
      { name: 'is_cpu_op', bool: false },
      { name: 'pg_name', string: '3' },
      { name: 'send_split_bytes', int64: [1, 200, 0] },
      { name: 'none', int64: [] },
      { name: 'inputs', string: ['a', ''] },
      { name: 'unset' },
    ],
  });
});

test('a long job goes out in pieces, the same bytes as from its lines', () => {
  const bytes = written((out) => {
    for (let id = 0; id < 30_000; id++) {
      out.begin(id, `node ${id}`, 4);
      if (id > 0) out.data([id - 1]);
      out.text(attributeHead('op_schema', Arm.string), 'x'.repeat(id % 300));
      out.end();
    }
  });
  let text = '';
  const writer = new JsonLinesWriter((piece) => (text += Buffer.from(piece).toString()));
  writer.push(bytes);
  writer.finish();
  expect(Buffer.compare(jsonLinesToEt(new MemorySource(Buffer.from(text), 'lines')), bytes)).toBe(0);
});
