import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '../../../../src/base/finding.js';
import type { ValidationOptions } from '../../../support/validation.js';
import { validateTraceset } from '../../../../src/pipeline/validate-traceset.js';
import { newFolder } from '../../../support/folders.js';
import { readBytes, buildEt, type MetadataObject, type NodeObject } from '../../../support/traces.js';
import { collective, compute, receive, send, validateNodes, validateRead } from '../../../support/validation.js';

const groups = { 1: [0, 1] };
const named = { pg_name: { string_val: '1' } };
const FULL = { num_ops: { int64_val: 8 }, tensor_size: { uint64_val: 8 }, inputs: { string_list: ['a', '8'] }, outputs: { string_list: ['b', '8'] } }; // prettier-ignore

/** A compute node that says all that any mode of ASTRA-sim asks of it. */
function full(id: number, more: Partial<NodeObject> = {}): NodeObject {
  return { id, name: `op${id}`, type: 'COMP_NODE', duration_micros: 1, attr: FULL, ...more };
}

function astra(ranks: NodeObject[][], options: ValidationOptions = {}): Finding[] {
  return validateNodes(ranks, { target: 'astra-sim', ...options }).filter(({ code }) => code.startsWith('ASTRA'));
}

/** `code severity rank nodes` of what is no note. */
function told(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ code, severity, rank, nodes }) => [code, severity, rank ?? '-', (nodes ?? []).join(',')].join(' ').trim());
}

const twice = (...nodes: NodeObject[]): NodeObject[][] => [nodes, nodes];

test('what ASTRA-sim runs has no finding, and without a target nothing of it is looked at', () => {
  const ranks = [
    [full(1), collective(2, 0, 8, { ...named, ...FULL }), send(3, 1, 5, 8, FULL)],
    [full(1), collective(2, 0, 8, { ...named, ...FULL }), receive(3, 0, 5, 8, FULL)],
  ];
  expect(astra(ranks, { groups })).toEqual([]);
  const broken = twice(compute(1, [], [77]));
  expect(validateNodes(broken).map(({ code }) => code)).toEqual(['DANGLING_CONTROL', 'DANGLING_CONTROL']);
});

describe('files', () => {
  const plain = { gzip: false, format: 'chakra-et', schema: '0.0.4', bytes: 9 };
  const one = (file: string, rank = 0): ReturnType<typeof readBytes> => {
    const read = readBytes(buildEt([full(1)]), rank);
    return { ...read, trace: { ...read.trace, file } };
  };
  const codes = (files: string[], stored = plain): string[] =>
    told(
      validateRead(
        files.map((file, rank) => one(file, rank)),
        { target: 'astra-sim', stored },
      ),
    );

  test('ASTRA_FILE_NAME: <prefix>.<rank>.et, one prefix', () => {
    expect(codes(['t/job.0.et', 't/job.1.et'])).toEqual([]);
    expect(codes(['t/job.0.et', 't/job_1.et'])).toEqual(['ASTRA_FILE_NAME error 1']);
    expect(codes(['t/job.0.et', 't/job.01.et'])).toEqual(['ASTRA_FILE_NAME error 1']);
    expect(codes(['t/job.0.et', 't/job.1.et.gz'])).toEqual(['ASTRA_FILE_NAME error 1']);
    expect(codes(['t/.0.et', 't/job.1.et'])).toEqual(['ASTRA_FILE_NAME error 0']);
    expect(codes(['t/job.0.et', 'u/job.1.et'])).toEqual(['ASTRA_FILE_NAME error -']);
  });

  test('a name is told with <rank> in the place of its number', () => {
    const [finding] = validateRead([one('t/run2.0.job-0.et')], { target: 'astra-sim' });
    expect(finding.message).toBe('rank 0: the file is named run2.0.job-<rank>.et, expected <prefix>.<rank>.et');
  });

  test('ASTRA_GZIP and ASTRA_SCHEMA', () => {
    const files = ['t/job.0.et', 't/job.1.et'];
    expect(codes(files, { ...plain, gzip: true })).toEqual(['ASTRA_GZIP error 0', 'ASTRA_GZIP error 1']);
    expect(codes(files, { ...plain, schema: '0.0.3' })).toEqual(['ASTRA_SCHEMA error 0', 'ASTRA_SCHEMA error 1']);
    expect(codes(files, { ...plain, format: 'chakra-jsonl' })).toHaveLength(2);
  });

  test('ASTRA_ALONE, but not for a rank that came through a pipe', () => {
    expect(codes(['t/job.0.et'])).toEqual(['ASTRA_ALONE warning -']);
    expect(codes(['stdin'])).toEqual([]);
  });
});

describe('dependencies, data and control whatever --deps says', () => {
  test.each(['both', 'data'] as const)('ASTRA_DEPENDENCY_DANGLING with --deps %s', (deps) => {
    expect(told(astra(twice(full(1, { ctrl_deps: [77] })), { deps }))).toEqual([
      'ASTRA_DEPENDENCY_DANGLING error 0 1',
      'ASTRA_DEPENDENCY_DANGLING error 1 1',
    ]);
  });

  test('a dangling data dependency is an error of the common rules', () => {
    expect(told(astra(twice(full(1, { data_deps: [77] }))))).toEqual([]);
  });

  test('ASTRA_CYCLE: a self control dependency, which is a warning, and any control cycle under --deps data', () => {
    const self = twice(full(1), full(2, { ctrl_deps: [2] }), full(3, { data_deps: [2] }));
    const findings = astra(self);
    expect(told(findings)).toEqual(['ASTRA_CYCLE error 0 2', 'ASTRA_CYCLE error 1 2']);
    expect(findings[0]).toMatchObject({ count: 2 }); // node 2 and node 3 behind it
    const pair = twice(full(1), full(2, { ctrl_deps: [3] }), full(3, { data_deps: [2] }));
    expect(told(astra(pair))).toEqual([]); // CYCLE says it
    expect(told(astra(pair, { deps: 'data' }))).toEqual(['ASTRA_CYCLE error 0 2', 'ASTRA_CYCLE error 1 2']);
  });

  test('ASTRA_NO_FREE_NODE: no nodes, or none free of control dependencies under --deps data', () => {
    expect(told(astra([[], []]))).toEqual(['ASTRA_NO_FREE_NODE error 0', 'ASTRA_NO_FREE_NODE error 1']);
    const stuck = twice(full(1, { ctrl_deps: [2] }), full(2, { ctrl_deps: [1] }));
    expect(told(astra(stuck))).toEqual([]); // NO_INITIAL_NODE says it
    expect(told(astra(stuck, { deps: 'data' }))).toEqual(['ASTRA_NO_FREE_NODE error 0', 'ASTRA_NO_FREE_NODE error 1']);
  });
});

describe('nodes', () => {
  test('ASTRA_METADATA_NODE, with the share of exits of expanded collectives', () => {
    const exit = { ...collective(2, 0, 8, { ...named, collective_instance: { int64_val: 0 } }), type: 'METADATA_NODE' };
    const init = { id: 3, name: 'x', type: 'METADATA_NODE' };
    const of = (...nodes: NodeObject[]): string => astra([nodes, []])[0].message;
    expect(of(full(1), exit)).toBe('rank 0: 1 METADATA node, the exit of an expanded collective: node 2 "coll2"');
    expect(of(full(1), init)).toBe('rank 0: 1 METADATA node: node 3 "x"');
    expect(of(exit, init)).toBe(
      'rank 0: 2 METADATA nodes, 1 of them exits of expanded collectives: nodes 2 "coll2" and 3',
    );
  });

  test('ASTRA_NODE_TYPE', () => {
    expect(told(astra(twice(full(1, { type: 8 }))))).toEqual([
      'ASTRA_NODE_TYPE error 0 1',
      'ASTRA_NODE_TYPE error 1 1',
    ]);
  });

  test('ASTRA_NODE_SKIPPED only where another node waits for the INVALID one; ASTRA_STATISTICS in any case', () => {
    const alone = [full(1), full(2, { type: 0 })];
    const before = [full(1, { data_deps: [2] }), full(2, { type: 0 })];
    expect(told(astra([alone, before]))).toEqual([
      'ASTRA_STATISTICS warning 0',
      'ASTRA_NODE_SKIPPED error 1 2',
      'ASTRA_STATISTICS warning 1',
    ]);
  });

  test('ASTRA_STATISTICS and ASTRA_REMOTE_MEMORY: host and memory nodes', () => {
    const nodes = [full(1, { attr: { ...FULL, is_cpu_op: { bool_val: true } } }), full(2, { type: 'MEM_LOAD_NODE' })];
    const findings = astra([nodes, [full(1)]]);
    expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'ASTRA_STATISTICS rank 0: statistics fail at 1 CPU operation, 1 memory node',
      'ASTRA_REMOTE_MEMORY rank 0: 1 memory node needs a remote memory',
    ]);
  });

  test('ASTRA_ROOFLINE and ASTRA_LOCAL_MEMORY are notes; host compute needs no operations', () => {
    const host = full(3, { attr: { is_cpu_op: { bool_val: true }, inputs: FULL.inputs, outputs: FULL.outputs } });
    const empty = full(4, { attr: { ...FULL, tensor_size: { uint64_val: 0 } } });
    const findings = astra([[full(1), compute(2), host, empty], []]).filter(({ severity }) => severity === 'note');
    expect(findings.map(({ code, message, nodes }) => [code, message, nodes])).toEqual([
      ['ASTRA_ROOFLINE', 'rank 0: 1 device compute node without num_ops or tensor_size', [2]],
      ['ASTRA_ROOFLINE', 'rank 0: 1 compute node with a tensor_size of 0', [4]],
      ['ASTRA_LOCAL_MEMORY', 'rank 0: 1 node without inputs or outputs', [2]],
    ]);
  });
});

describe('communication', () => {
  const run = (more: Parameters<typeof collective>[3], type = 0, size = 8): string[] =>
    told(astra(twice(collective(1, type, size, { ...named, ...more })), { groups })).filter((line) =>
      line.includes(' 0 '),
    );

  test('ASTRA_COMM_ON_CPU', () => {
    expect(run({ is_cpu_op: { bool_val: true } })).toEqual(['ASTRA_COMM_ON_CPU error 0 1']);
  });

  test.each([
    [0, []],
    [1, ['ASTRA_COLLECTIVE_TYPE error 0 1']],
    [2, []],
    [3, ['ASTRA_COLLECTIVE_TYPE error 0 1']],
    [4, ['ASTRA_COLLECTIVE_TYPE error 0 1']],
    [5, ['ASTRA_BROADCAST warning 0 1']],
    [6, []],
    [7, []],
    [8, ['ASTRA_COLLECTIVE_TYPE error 0 1']],
    [9, ['ASTRA_COLLECTIVE_TYPE error 0 1']],
    [42, ['ASTRA_COLLECTIVE_TYPE error 0 1']],
  ])('comm_type %i: %j', (type, expected) => {
    expect(run({}, type, 4096)).toEqual(expected);
  });

  test('ASTRA_ATTRIBUTE_MISSING: type, size and tag, and the tensor of a memory node; a barrier too needs its size', () => {
    expect(run({ comm_type: undefined })).toEqual(['ASTRA_ATTRIBUTE_MISSING error 0 1']);
    expect(run({ comm_size: undefined })).toEqual(['ASTRA_ATTRIBUTE_MISSING error 0 1']);
    const ranks = [
      [send(1, 1, 0, 8, { comm_tag: undefined }), { id: 2, name: 'm', type: 'MEM_STORE_NODE' }],
      [receive(1, 0, 0, 8, { comm_tag: undefined })],
    ];
    expect(told(astra(ranks)).filter((line) => line.includes('MISSING'))).toEqual([
      'ASTRA_ATTRIBUTE_MISSING error 0 1',
      'ASTRA_ATTRIBUTE_MISSING error 0 2',
      'ASTRA_ATTRIBUTE_MISSING error 1 1',
    ]);
  });

  test('ASTRA_ARM: any integer arm is as good; a float, a text and nothing are not', () => {
    expect(run({ comm_size: { uint64_val: 8 }, is_cpu_op: { int32_val: 0 }, comm_type: { fixed32_val: 0 } })).toEqual(
      [],
    );
    expect(run({ comm_size: { double_val: 8 } })).toEqual(['ASTRA_ARM error 0 1']);
    expect(run({ comm_size: { string_val: '8' } })).toEqual(['ASTRA_ARM error 0 1']);
    expect(run({ comm_size: {} })).toEqual(['ASTRA_ARM error 0 1']);
    expect(run({ pg_name: { int32_val: 1 } })).toEqual(['ASTRA_ARM error 0 1']);
    expect(run({ something_else: { double_val: 8 } })).toEqual([]);
  });

  test('ASTRA_END: the own end of a transfer', () => {
    const ranks = [
      [send(1, 1, 0, 8, { comm_src: { int32_val: 0 } }), send(2, 1, 1, 8, { comm_src: { int32_val: 1 } })],
      [receive(1, 0, 0), receive(2, 0, 1, 8, { comm_dst: { int32_val: 0 } })],
    ];
    expect(told(astra(ranks))).toEqual(['ASTRA_END error 0 2', 'ASTRA_END error 1 2']);
  });

  test('ASTRA_SIZE_ZERO on messages and all-gathers, and ASTRA_GATHER_SMALL below 64 bytes', () => {
    expect(run({}, 0, 0)).toEqual([]);
    expect(run({}, 2, 0)).toEqual(['ASTRA_SIZE_ZERO error 0 1']);
    expect(run({}, 2, 63)).toEqual(['ASTRA_GATHER_SMALL warning 0 1']);
    expect(run({}, 2, 64)).toEqual([]);
    expect(told(astra([[send(1, 1, 0, 0)], [receive(1, 0, 0, 0)]]))).toEqual([
      'ASTRA_SIZE_ZERO error 0 1',
      'ASTRA_SIZE_ZERO error 1 1',
    ]);
  });

  test('ASTRA_DIMENSIONS: no list of booleans, or none true in a collective over all ranks', () => {
    const world = { pg_name: undefined };
    expect(run({ involved_dim: { bool_list: [true, false] }, ...world })).toEqual([]);
    expect(run({ involved_dim: { bool_list: [false, false] }, ...world })).toEqual(['ASTRA_DIMENSIONS error 0 1']);
    expect(run({ involved_dim: { bool_list: [] }, ...world })).toEqual(['ASTRA_DIMENSIONS error 0 1']);
    expect(run({ involved_dim: { int32_list: [1] }, ...world })).toEqual(['ASTRA_DIMENSIONS error 0 1']);
  });

  test('ASTRA_TAG: what 32 bits modulo 500,000,000 change', () => {
    const pair = (tag: number): string[] => told(astra([[send(1, 1, tag)], [receive(1, 0, tag)]]));
    expect(pair(499_999_999)).toEqual([]);
    expect(pair(500_000_000)).toEqual(['ASTRA_TAG warning 0 1', 'ASTRA_TAG warning 1 1']);
    expect(pair(-1)).toHaveLength(2);
  });

  test('ASTRA_TRANSFER_SIZE where no receive has the size; equal sizes pair first', () => {
    const ranks = [
      [send(1, 1, 5, 8), send(2, 1, 5, 16)],
      [receive(3, 0, 5, 16), receive(4, 0, 5, 9)],
    ];
    expect(told(astra(ranks))).toEqual(['ASTRA_TRANSFER_SIZE error 1 4']);
  });

  test('ASTRA_PEER_SELF', () => {
    expect(told(astra([[send(1, 0, 5), receive(2, 0, 5)], []])).filter((line) => line.includes('PEER'))).toEqual([
      'ASTRA_PEER_SELF error 0 1,2',
    ]);
  });
});

describe('groups', () => {
  const use = (name: string, ranks = 2, options: ValidationOptions = {}): string[] =>
    astra(
      Array.from({ length: ranks }, () => [collective(1, 0, 8, { pg_name: { string_val: name } })]),
      options,
    )
      .filter(({ severity }) => severity !== 'note')
      .map(({ code, severity, group }) => `${code} ${severity} ${group ?? ''}`.trim());

  test('ASTRA_GROUP_NAME: what the C++ function stoi reads, also of names that are not used', () => {
    expect(use('1', 2, { groups: { 1: [0, 1] } })).toEqual([]);
    expect(use('tp', 2, { groups: { tp: [0, 1] } })).toEqual(['ASTRA_GROUP_NAME error tp']);
    expect(use('1', 2, { groups: { 1: [0, 1], spare: [0, 1] } })).toEqual(['ASTRA_GROUP_NAME error spare']);
    expect(use('2147483648', 2, { groups: { 2147483648: [0, 1] } })).toEqual(['ASTRA_GROUP_NAME error 2147483648']);
    expect(use('1x', 2, { groups: { '1x': [0, 1] } })).toEqual([]);
    expect(use('1', 2, { groups: { 1: [0, 1], '01': [0] } })).toEqual(['ASTRA_GROUP_NAME error 01']);
  });

  test('ASTRA_GROUP_ZERO: a group "0" of some ranks', () => {
    expect(use('0', 2, { groups: { 0: [1, 0] } })).toEqual([]);
    expect(astra([[collective(1, 0, 8, { pg_name: { string_val: '0' } })], []], { groups: { 0: [0] } })).toContainEqual(
      expect.objectContaining({ code: 'ASTRA_GROUP_ZERO', severity: 'error', group: '0' }),
    );
  });

  /** Two ranks with a collective of group 1 in a new folder. */
  async function inFolder(metadata: MetadataObject, groupFile?: string): Promise<string[]> {
    const folder = newFolder();
    const nodes = [collective(1, 0, 8, { pg_name: { string_val: '1' } })];
    for (const rank of [0, 1]) writeFileSync(join(folder, `job.${rank}.et`), buildEt(nodes, metadata));
    const file = groupFile === undefined ? undefined : join(folder, groupFile);
    if (file !== undefined) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '{"1": [0, 1]}');
    }
    const groups = file === undefined ? {} : { groups: file };
    const request = { inputs: [folder], deps: 'both', algorithms: {}, target: 'astra-sim', ...groups } as const;
    const { findings } = await validateTraceset(request);
    return findings
      .filter(({ severity }) => severity === 'error')
      .map(({ code, group }) => `${code} ${group ?? ''}`.trim());
  }

  test('ASTRA_GROUP_UNKNOWN: declared in the traces only', async () => {
    expect(await inFolder({ attr: { process_groups: { string_val: '{"1":[0,1]}' } } })).toEqual([
      'ASTRA_GROUP_UNKNOWN 1',
    ]);
    expect(await inFolder({}, 'groups/comm_group.json')).toEqual([]);
    expect(await inFolder({})).toEqual(['GROUP_UNDECLARED 1']); // the common rule says it
  });

  test('ASTRA_GROUP_FILE: a path with the word empty', async () => {
    expect(await inFolder({}, 'not-empty/comm_group.json')).toEqual(['ASTRA_GROUP_FILE']);
  });

  test('ASTRA_GROUP_UNREAD: comm_group of older STAGE files', () => {
    const old = { pg_name: undefined, comm_group: { int32_val: 1 } };
    expect(told(astra(twice(collective(1, 0, 8, old)), { groups }))).toEqual([
      'ASTRA_GROUP_UNREAD error 0 1',
      'ASTRA_GROUP_UNREAD error 1 1',
    ]);
  });

  test('ASTRA_WORLD_AFTER_GROUP: ranks with different numbers of group collectives before', () => {
    const of = (id: number, name: string): NodeObject => collective(id, 0, 8, { pg_name: { string_val: name } });
    const halves = { 1: [0], 2: [1] };
    const even = [
      [of(1, '1'), of(2, '')],
      [of(1, '2'), of(2, '')],
    ];
    expect(told(astra(even, { groups: halves }))).toEqual([]);
    const uneven = [[of(1, '1'), of(2, '')], [of(2, '')]];
    const [finding] = astra(uneven, { groups: halves }).filter(({ severity }) => severity !== 'note');
    expect(finding).toMatchObject({ code: 'ASTRA_WORLD_AFTER_GROUP', severity: 'warning' });
    expect(finding.message).toBe(
      'collective 0 over all ranks comes behind no collective of a group on rank 1, and behind 1 on rank 0',
    );
  });
});
