import type { Finding } from '../../../../src/base/finding.js';
import { MemorySource } from '../../../../src/base/byte-source.js';
import { readTrace } from '../../../../src/formats/read-trace.js';
import type { ValidationOptions } from '../../../support/validation.js';
import { buildEt, readBytes, type NodeObject } from '../../../support/traces.js';
import { collective, receive, send, validateNodes, validateRead } from '../../../support/validation.js';

const PLAIN = { gzip: false, format: 'chakra-et', schema: '0.0.4', bytes: 9 };

/** A compute node with everything a feeder can be asked for. */
function full(id: number, more: Partial<NodeObject> = {}): NodeObject {
  const attr = { is_cpu_op: { bool_val: false }, tensor_size: { uint64_val: 8 } };
  return { id, name: `op${id}`, type: 'COMP_NODE', duration_micros: 1, attr, ...more };
}

const side = { is_cpu_op: { bool_val: false }, comm_priority: { int32_val: 0 } };
const groups = { pg: [0] };

function told(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ code }) => code.startsWith('FEEDER'))
    .map(({ code, severity, nodes }) => `${code} ${severity} ${(nodes ?? []).join(',')}`.trim());
}

function feeder(nodes: NodeObject[], options: ValidationOptions = {}): string[] {
  return told(validateNodes([nodes], { target: 'feeder', groups, ...options }));
}

test('what both feeders hand out alike has no finding', () => {
  expect(feeder([full(1), full(2, { data_deps: [1] }), collective(3, 0, 8, side)])).toEqual([]);
});

describe('files', () => {
  const named = (file: string, stored = PLAIN): string[] => {
    const read = readBytes(buildEt([full(1)]));
    return told(validateRead([{ ...read, trace: { ...read.trace, file } }], { target: 'feeder', stored }));
  };

  test('FEEDER_FILE_NAME: WrapperNode goes by the ending', () => {
    expect(named('job.0.et')).toEqual([]);
    expect(named('anything.et')).toEqual([]);
    expect(named('stdin')).toEqual([]);
    expect(named('job.0.eg')).toEqual(['FEEDER_FILE_NAME warning']);
    expect(named('job.0.json')).toEqual(['FEEDER_FILE_NAME warning']);
  });

  test('FEEDER_GZIP and FEEDER_FORMAT', () => {
    expect(named('job.0.et', { ...PLAIN, gzip: true })).toEqual(['FEEDER_GZIP error']);
    expect(named('job.0.et', { ...PLAIN, schema: '0.0.1' })).toEqual(['FEEDER_FORMAT error']);
  });

  test('FEEDER_EMPTY_FRAME: a node that encodes to zero bytes', () => {
    expect(feeder([full(1), {}])).toEqual(['FEEDER_EMPTY_FRAME warning 0']);
  });
});

describe('dependencies', () => {
  test('FEEDER_REPEATED_DEPENDENCY in the data list of one node; control lists are not read', () => {
    expect(feeder([full(1), full(2, { data_deps: [1, 1] })])).toEqual(['FEEDER_REPEATED_DEPENDENCY error 2']);
    expect(feeder([full(1), full(2, { data_deps: [1] }), full(3, { data_deps: [1] })])).toEqual([]);
    expect(feeder([full(1), full(2, { ctrl_deps: [1, 1] })])).toEqual([]);
  });

  test('FEEDER_DEPENDENCY_DANGLING, FEEDER_CYCLE, FEEDER_NO_FREE_NODE: what v3 does with control dependencies', () => {
    expect(feeder([full(1, { ctrl_deps: [77] })])).toEqual(['FEEDER_DEPENDENCY_DANGLING error 1']);
    expect(feeder([full(1), full(2, { ctrl_deps: [2] })])).toEqual(['FEEDER_CYCLE error 2']);
    expect(feeder([])).toEqual(['FEEDER_NO_FREE_NODE error']);
  });

  test('FEEDER_FORWARD_REFERENCE from 10 million retries on, with their number', () => {
    const chain = (count: number): NodeObject[] => [
      ...Array.from({ length: count }, (_, id) => full(id + 1, { data_deps: [9999] })),
      full(9999),
    ];
    // Node k of 4,472 waits for 4,473 − k nodes to be read: 4,472 · 4,473 / 2 = 10,001,628; 4,471 · 4,472 / 2 is 9,997,156.
    const findings = validateNodes([chain(4472)], { target: 'feeder' });
    expect(findings).toEqual([
      expect.objectContaining({
        code: 'FEEDER_FORWARD_REFERENCE',
        severity: 'warning',
        count: 4472,
        retries: 10_001_628,
      }),
    ]);
    expect(validateNodes([chain(4471)], { target: 'feeder' })).toEqual([]);
  });
});

describe('attributes', () => {
  test('FEEDER_ARM: v1 reads one arm and takes the others as 0, which is right for a 0', () => {
    const coll = (more: Parameters<typeof collective>[3]): string[] =>
      feeder([collective(1, 0, 8, { ...side, ...more })]);
    expect(coll({ comm_size: { uint64_val: 8 } })).toEqual(['FEEDER_ARM error 1']);
    expect(coll({ comm_type: { int32_val: 6 } })).toEqual(['FEEDER_ARM error 1']);
    expect(coll({ is_cpu_op: { int32_val: 0 }, comm_type: { int32_val: 0 } })).toEqual([]);
    expect(coll({ comm_priority: { int64_val: 3 } })).toEqual(['FEEDER_ARM error 1']);
    expect(coll({ comm_size: {} })).toEqual(['FEEDER_ARM error 1']);
    expect(coll({ pg_name: { int32_val: 1 } })).toEqual(['FEEDER_ARM error 1']);
  });

  test('FEEDER_ARM: the arm of each attribute is that of chakra-format section 18', () => {
    const [finding] = validateNodes([[full(1, { attr: { ...full(1).attr, num_ops: { uint64_val: 5 } } })]], {
      target: 'feeder',
    });
    expect(finding).toMatchObject({ code: 'ATTRIBUTE_ARM' });
    const wrong = {
      comm_dst: { int64_val: 1 },
      comm_tag: { uint32_val: 5 },
      comm_src: { sint32_val: 3 },
    };
    const findings = validateNodes([[send(1, 1, 5, 8, { ...side, ...wrong })], [receive(1, 0, 5, 8, side)]], {
      target: 'feeder',
    });
    const arms = findings.filter(({ code }) => code === 'FEEDER_ARM').map(({ attribute, arm }) => [attribute, arm]);
    expect(arms).toEqual([
      ['comm_dst', 'int64_val'],
      ['comm_tag', 'uint32_val'],
      ['comm_src', 'sint32_val'],
    ]);
  });

  test('FEEDER_ATTRIBUTE_ABSENT and FEEDER_OPTIONAL_ABSENT: uninitialised in v1', () => {
    const nothing = { comm_type: undefined, comm_size: undefined };
    expect(feeder([collective(1, 0, 8, { ...side, ...nothing })])).toEqual([
      'FEEDER_ATTRIBUTE_ABSENT error 1',
      'FEEDER_ATTRIBUTE_ABSENT error 1',
    ]);
    expect(feeder([{ id: 1, name: 'm', type: 'MEM_LOAD_NODE', attr: { is_cpu_op: { bool_val: false } } }])).toEqual([
      'FEEDER_ATTRIBUTE_ABSENT error 1',
    ]);
    expect(feeder([collective(1, 0, 8, { is_cpu_op: { bool_val: false } })])).toEqual([
      'FEEDER_OPTIONAL_ABSENT note 1',
    ]);
    const [absent] = validateNodes(
      [[send(1, 1, 0, 8, { ...side, comm_tag: undefined })], [receive(1, 0, 0, 8, side)]],
      {
        target: 'feeder',
      },
    );
    expect(absent).toMatchObject({ code: 'FEEDER_ATTRIBUTE_ABSENT', attribute: 'comm_tag' });
  });

  test('FEEDER_SIDE_ABSENT: host in v1, device in v3', () => {
    expect(feeder([full(1, { attr: { tensor_size: { uint64_val: 8 } } })])).toEqual(['FEEDER_SIDE_ABSENT warning 1']);
  });

  test('FEEDER_ATTRIBUTE_REPEATED: v1 takes the last of a name, v3 the first', () => {
    // Name and value of `comm_size` as int64: 0a 09 "comm_size" 48 <value>, 13 bytes in an attribute of a node.
    const attribute = (value: number): number[] => [0x52, 13, 0x0a, 9, ...Buffer.from('comm_size'), 0x48, value];
    const node = (...values: number[]): Buffer => Buffer.from([0x08, 1, 0x18, 7, ...values.flatMap(attribute)]);
    const file = (message: Buffer): Uint8Array => Uint8Array.from([0, message.length, ...message]);
    const of = (...values: number[]): string[] =>
      told(validateRead([readBytes(file(node(...values)))], { target: 'feeder' })).filter((line) =>
        line.includes('REPEATED'),
      );
    expect(of(8, 9)).toEqual(['FEEDER_ATTRIBUTE_REPEATED error 1']);
    expect(of(8, 8)).toEqual([]);
    expect(of(8)).toEqual([]);
  });

  test('FEEDER_GROUP_UNREAD', () => {
    const old = { ...side, pg_name: undefined, comm_group: { int32_val: 1 } };
    expect(feeder([collective(1, 0, 8, old)], { groups: { 1: [0] } })).toEqual(['FEEDER_GROUP_UNREAD error 1']);
  });
});

describe('feeder JSON', () => {
  const stored = { ...PLAIN, format: 'feeder-json' };
  const json = (nodes: object[], bytes = 9): string[] => {
    const source = new MemorySource(Buffer.from(JSON.stringify({ workload_graph: nodes })), 'job.0.json');
    const read = readTrace(source, { rank: 0, file: 'job.0.json' });
    return told(validateRead([read], { target: 'feeder', stored: { ...stored, bytes } })).filter(
      (line) => !line.startsWith('FEEDER_KEY'),
    );
  };
  const node = (Id: number, data_deps: number[]): object => ({
    ...{ Id, Name: `op${Id}`, NodeType: 4, is_cpu_op: false, runtime: 5, data_deps },
  });

  test('FEEDER_JSON_JOIN: the four-node diamond of feeder-behaviour.json', () => {
    expect(json([node(1, []), node(2, [1]), node(3, [1]), node(4, [2, 3])])).toEqual(['FEEDER_JSON_JOIN error 4']);
    expect(json([node(1, []), node(2, [1]), node(3, [1])])).toEqual([]);
  });

  test('FEEDER_JSON_KEY', () => {
    expect(json([{ ...node(1, []), is_cpu_op: undefined }])).toEqual(['FEEDER_JSON_KEY error 1']);
  });

  test('FEEDER_JSON_SIZE from a billion bytes on', () => {
    const nodes = [node(1, []), node(2, [1])];
    expect(json(nodes, 500_000_000)).toEqual(['FEEDER_JSON_SIZE warning']);
    expect(json(nodes, 499_999_999)).toEqual([]);
  });
});
