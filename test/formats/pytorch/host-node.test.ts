import fc from 'fast-check';
import { MemorySource } from '../../../src/base/byte-source.js';
import { HostNodeReader, type HostAttribute } from '../../../src/formats/pytorch/host-node.js';
import { PythonBytes } from '../../../src/formats/pytorch/python-bytes.js';
import { readHostTrace } from '../../../src/formats/pytorch/read-host-trace.js';
import { slowPython } from '../../support/slow-python.js';

const utf8 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function printed(json: string): string {
  const bytes = Buffer.from(json);
  const python = new PythonBytes();
  python.value(bytes, 0, bytes.length);
  return utf8(python.bytes.subarray(0, python.length));
}

// Expected values are what Python 3.11 prints for str(json.loads(text)).
test.each([
  [
    '[[[15,5,0,1073741824,4,"cuda:0"]],[4,false],["1","undefined"]]',
    "[[[15, 5, 0, 1073741824, 4, 'cuda:0']], [4, False], ['1', 'undefined']]",
  ],
  ['[ ]', '[]'],
  ['[\n  1,\n  null\n]', '[1, None]'],
  [
    '[1e-5,0.1,1e16,-0.0,1.0,0.00001,0.0001,1E3,1.50,-0,12345678901234567890]',
    '[1e-05, 0.1, 1e+16, -0.0, 1.0, 1e-05, 0.0001, 1000.0, 1.5, 0, 12345678901234567890]',
  ],
  ['[0.1000000000000000055511151231257827,1234567890123456.7,1e400]', '[0.1, 1234567890123456.8, inf]'],
  ['[NaN,Infinity,-Infinity,nan,-nan,inf,-inf]', '[nan, inf, -inf, nan, nan, inf, -inf]'],
  [
    '["it\'s","\\"x\\"","a\\\\b","\\u0041","\\ud83d\\ude00","\\ud800","tab\\t"]',
    "[\"it's\", '\"x\"', 'a\\\\b', 'A', '😀', '\\ud800', 'tab\\t']",
  ],
  ['["C:\\dir"]', "['C:\\\\dir']"],
  ['{"a":[true],"b":{}}', "{'a': [True], 'b': {}}"],
  ['"plain \'text\'"', "plain 'text'"],
  ['7', '7'],
])('%s', (json, expected) => {
  expect(printed(json)).toBe(expected);
});

test('the twin prints the same of random values', () => {
  const leaf = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.boolean(),
    fc.constant(null),
    fc.string(),
    fc.string({ unit: fc.constantFrom("'", '"', '\\', '\n', 'a', '\x7f', 'é', '\ud800') }),
  );
  const { tree } = fc.letrec((tie) => ({ tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree'))) }));
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
    // A float of a whole number keeps its fraction, as recorders write it.
    if (typeof value === 'number' && Object.is(value, -0)) return '-0.0';
    return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  };
  fc.assert(
    fc.property(tree, (value) => {
      const json = write([value]);
      expect(printed(json)).toBe(slowPython(json));
    }),
    { numRuns: 2000, seed: 7 },
  );
});

const FLAT = {
  ...{ name: 'aten::add', id: 7, rf_id: 4, parent: 3, fw_parent: 0, seq_id: -1, scope: 0, tid: 1, fw_tid: 0 },
  ...{ op_schema: 'aten::add(Tensor a) -> "x"', inputs: [[1, 2, 0, 4, 4, 'cuda:0'], 1.5] },
  ...{ input_shapes: [[4], []], input_types: ['Tensor(float)', 'Double'] },
  ...{ outputs: [], output_shapes: [], output_types: [] },
};
const LATER = {
  ...{ id: 9, name: 'aten::mul', ctrl_deps: 7, inputs: { values: [], shapes: [], types: [], strides: [[1]] } },
  ...{ outputs: { values: [[5, 6]], shapes: [[[], []]], types: ['GenericList[Int,Int]'] } },
  attrs: [
    { name: 'rf_id', type: 'uint64', value: 12 },
    { value: 'late name', type: 'string', name: 'op_schema' },
    { name: 'flag', type: 'bool', value: true },
    { name: 'ratio', type: 'double', value: 0.25 },
    { name: 'nothing', type: 'string', value: null },
    { name: 'ranks', type: 'list', value: [0, 'a'] },
  ],
};

function reader(json: string): HostNodeReader {
  return new HostNodeReader(readHostTrace(new MemorySource(Buffer.from(json), 'host.json')));
}

function attributes({ attributes, attributeCount }: HostNodeReader): unknown[] {
  return attributes
    .slice(0, attributeCount)
    .map(({ name, type, kind, number, large, text }: HostAttribute) => [
      ...[name, type, kind],
      kind === 'text' ? utf8(text) : (large ?? number),
    ]);
}

test('flat keys of 1.0.1 are attributes, with the types of later schemas', () => {
  const node = reader(JSON.stringify({ schema: '1.0.1', nodes: [FLAT] }));
  node.read(0);
  expect(attributes(node)).toEqual([
    ['rf_id', 'uint64', 'integer', 4],
    ['fw_parent', 'uint64', 'integer', 0],
    ['seq_id', 'int64', 'integer', -1],
    ['scope', 'uint64', 'integer', 0],
    ['tid', 'uint64', 'integer', 1],
    ['fw_tid', 'uint64', 'integer', 0],
    ['op_schema', 'string', 'text', 'aten::add(Tensor a) -> "x"'],
  ]);
  expect([node.inputs.values, node.inputs.shapes, node.inputs.types].map(utf8)).toEqual([
    "[[1, 2, 0, 4, 4, 'cuda:0'], 1.5]",
    '[[4], []]',
    "['Tensor(float)', 'Double']",
  ]);
  expect([node.outputs.values, node.outputs.shapes, node.outputs.types].map(utf8)).toEqual(['[]', '[]', '[]']);
});

test('attributes of later schemas keep name, type, kind and value, in the order of the file', () => {
  const node = reader(JSON.stringify({ nodes: [FLAT, LATER] }));
  node.read(1);
  expect(attributes(node)).toEqual([
    ['rf_id', 'uint64', 'integer', 12],
    ['op_schema', 'string', 'text', 'late name'],
    ['flag', 'bool', 'boolean', 1],
    ['ratio', 'double', 'float', 0.25],
    ['nothing', 'string', 'null', NaN],
    ['ranks', 'list', 'text', "[0, 'a']"],
  ]);
  expect(utf8(node.outputs.values)).toBe('[[5, 6]]');
});

test('an integer above 2^53 is exact', () => {
  const attrs = [{ name: 'seed', type: 'uint64', value: 0 }];
  const json = JSON.stringify({ nodes: [{ id: 1, attrs }] }).replace('"value":0', '"value":18446744073709551615');
  const node = reader(json);
  node.read(0);
  expect(attributes(node)).toEqual([['seed', 'uint64', 'integer', 18446744073709551615n]]);
});

test('nodes are read in any order, what the one before had is gone', () => {
  const node = reader(JSON.stringify({ nodes: [FLAT, LATER, { id: 11 }] }));
  node.read(1);
  node.read(0);
  expect(node.attributeCount).toBe(7);
  node.read(2);
  expect(node.attributeCount).toBe(0);
  expect(node.inputs.values.length + node.outputs.types.length).toBe(0);
  node.read(1);
  expect(node.attributeCount).toBe(6);
});
