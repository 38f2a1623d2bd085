import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FindingCode } from '../../src/base/catalogue.js';
import { compute, receive, send } from './jobs.js';
import { buildEt, type Attributes, type MetadataObject, type NodeObject } from './traces.js';

/** What makes a code of a finding appear: files in the folder at hand, and words behind `chakra-prep`. */
export interface ExampleCase {
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  readonly words: readonly string[];
  /** Command lines that run before, each with words behind `chakra-prep`. */
  readonly before?: readonly (readonly string[])[];
  /** Files that are copied after those, from → to. */
  readonly copied?: Readonly<Record<string, string>>;
}

const NETWORK = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'];
const VALIDATE = ['validate', 'traces'];
const GROUPS = '{"tp": [0, 1]}';

type Files = ExampleCase['files'];

/** `traces/job.<rank>.et` of each rank. */
function job(...ranks: readonly NodeObject[][]): Record<string, Uint8Array> {
  return Object.fromEntries(ranks.map((nodes, rank) => [`traces/job.${rank}.et`, buildEt(nodes)]));
}

/** The same with a `comm_group.json` beside them. */
function grouped(groups: string, ...ranks: readonly NodeObject[][]): Files {
  return { ...job(...ranks), 'traces/comm_group.json': groups };
}

function validated(files: Files, ...words: string[]): ExampleCase {
  return { files, words: [...VALIDATE, ...words] };
}

function prepared(files: Files, ...words: string[]): ExampleCase {
  return { files, words: [...words, '-o', 'out'] };
}

/** A collective of group "tp" with other attributes; those that are `undefined` are left out. */
function coll(id: number, type: number | undefined, size: number | undefined, more: Attributes = {}): NodeObject {
  const attr: Attributes = {
    ...(type === undefined ? {} : { comm_type: { int64_val: type } }),
    ...(size === undefined ? {} : { comm_size: { int64_val: size } }),
    pg_name: { string_val: 'tp' },
    ...more,
  };
  return { id, name: 'all-reduce', type: 'COMM_COLL_NODE', attr };
}

/** A collective without a group. */
function worldwide(id: number, type: number, size: number): NodeObject {
  const attr = { comm_type: { int64_val: type }, comm_size: { int64_val: size } };
  return { id, name: 'all-reduce', type: 'COMM_COLL_NODE', attr };
}

const gemm = (id: number, micros = 5, dataDeps: number[] = []): NodeObject => ({
  ...compute(id, micros, dataDeps),
  name: 'gemm',
});

function controlled(node: NodeObject, ...controlDeps: number[]): NodeObject {
  return { ...node, ctrl_deps: controlDeps };
}

function group(id: number, text: string): NodeObject {
  return { id, name: '## process_group:init ##', type: 'METADATA_NODE', inputs: { values: text } };
}

const root = (rank: number): Attributes => ({ root: { int32_val: rank } });
const order = (place: number): Attributes => ({ issue_order: { int64_val: place } });
const splits = (...bytes: number[]): Attributes => ({ send_split_bytes: { int64_list: bytes } });
const metadata = (object: MetadataObject, nodes: NodeObject[] = [gemm(1)]): Uint8Array => buildEt(nodes, object);

const SOUND = gemm(1);
const ALL_REDUCE = 0;
const ALL_TO_ALL = 6;
const BROADCAST = 5;
const pair = (a: NodeObject, b: NodeObject): Files => grouped(GROUPS, [a], [b]);

/** Cases that are small enough to be understood from their line alone; the other codes take theirs from a golden case. */
export const EXAMPLE_CASES: Partial<Record<FindingCode, ExampleCase>> = {
  ACKS_SPARSE: {
    files: {
      ...job([send(1, 1, 8, 0)], [receive(1, 0, 8, 0)]),
      'pair.txt': '3 1 2\n2\n0 2 400Gbps 500ns 0\n1 2 400Gbps 500ns 0\n',
    },
    words: ['simulate', 'traces', '--network', 'pair.txt', '--nic', 'uet', '--set', 'AckEvery=100'],
  },
  FILE_EMPTY: validated({ ...job([SOUND], [SOUND]), 'traces/job.1.et': '' }),
  FRAME_TRUNCATED: validated({ ...job([SOUND], [SOUND]), 'traces/job.1.et': buildEt([SOUND]).subarray(0, 20) }),
  FRAME_MALFORMED: validated({
    ...job([SOUND], [SOUND]),
    'traces/job.1.et': Uint8Array.from([...buildEt([]), 2, 0x0f, 0x01]),
  }),
  WRONG_KIND: validated({ ...job([SOUND], [SOUND]), 'traces/job.1.et': '{"traceEvents": []}' }),
  RANK_MISSING: validated({ ...job([SOUND], [SOUND]), 'traces/job.3.et': buildEt([SOUND]) }),
  RANK_DOUBLED: validated({ ...job([SOUND], [SOUND]), 'traces/job.01.et': buildEt([SOUND]) }),
  RANK_ASSUMED: { files: { 'trace.et': buildEt([SOUND]) }, words: ['validate', 'trace.et'] },
  FILE_SKIPPED: validated({ ...job([SOUND], [SOUND]), 'traces/notes.json': '{"author": "me"}' }),
  GROUP_FILE_FOUND: validated(pair(coll(1, ALL_REDUCE, 1024), coll(1, ALL_REDUCE, 1024))),
  SCHEMA_MIXED: validated({ 'traces/job.0.et': buildEt([SOUND]), 'traces/job.1.et': metadata({ version: '1.0.0' }) }),
  FEEDER_KEY_MISSING: {
    files: {
      'job.0.json':
        '{"workload_graph": [{"Id": 1, "Name": "send", "NodeType": 5, "comm_size": 8, "ctrlDeps": [], "data_deps": [], "is_cpu_op": false, "runtime": 1, "comm_dst": 0}]}',
    },
    words: ['validate', 'job.0.json'],
  },
  FEEDER_KEY_UNREAD: {
    files: {
      'job.0.json':
        '{"workload_graph": [{"Id": 1, "Name": "gemm", "NodeType": 4, "ctrlDeps": [], "data_deps": [], "is_cpu_op": false, "runtime": 1, "colour": "red"}]}',
    },
    words: ['validate', 'job.0.json'],
  },
  RANKS_DIFFER: validated(job([send(1, 1, 8, 5)], [receive(1, 0, 8, 5)], [SOUND])),
  DUPLICATE_ID: validated(job([gemm(7), gemm(7)])),
  NODE_TYPE_UNKNOWN: validated(job([SOUND, { id: 2, name: 'barrier', type: 12 }])),
  NODE_TYPE_INVALID: validated(job([SOUND, { id: 2, name: 'op', type: 0 }])),
  NO_NODES: validated(job([SOUND], [])),
  NODE_IDLE: validated(job([gemm(1), gemm(2, 0)])),
  NO_INITIAL_NODE: validated(job([gemm(1, 5, [2]), gemm(2, 5, [1])])),
  NODES_NEVER_START: validated(job([gemm(1, 5, [2]), gemm(2, 5, [1]), gemm(3)])),
  DANGLING_DATA: validated(job([gemm(7, 5, [3])])),
  DANGLING_CONTROL: validated(job([controlled(gemm(7), 3)])),
  SELF_DATA: validated(job([gemm(1), gemm(7, 5, [7])])),
  SELF_CONTROL: validated(job([gemm(1), controlled(gemm(7), 7)])),
  CYCLE: validated(job([gemm(1), gemm(2, 5, [3]), gemm(3, 5, [2])])),
  ATTRIBUTE_ARM: validated(
    pair(coll(1, ALL_REDUCE, undefined, { comm_size: { uint64_val: 1024 } }), coll(1, ALL_REDUCE, 1024)),
  ),
  ATTRIBUTE_NOT_NUMBER: validated(
    pair(coll(1, ALL_REDUCE, undefined, { comm_size: { string_val: '1 KiB' } }), coll(1, ALL_REDUCE, 1024)),
  ),
  NUMBER_INVALID: validated(pair(coll(1, ALL_REDUCE, -1), coll(1, ALL_REDUCE, 1024))),
  ATTRIBUTE_EMPTY: validated(pair(coll(1, ALL_REDUCE, undefined, { comm_size: {} }), coll(1, ALL_REDUCE, 1024))),
  SIDE_PARTIAL: validated(job([{ ...gemm(1), attr: { is_cpu_op: { bool_val: false } } }, gemm(2)])),
  START_TIMES_PARTIAL: validated(job([{ ...gemm(1), start_time_micros: 7 }, gemm(2)])),
  NUMBER_TOO_LARGE: validated({ ...job([SOUND], [gemm(2, 2 ** 60)]) }),
  COMM_SIZE_MISSING: validated(pair(coll(1, ALL_REDUCE, undefined), coll(1, ALL_REDUCE, undefined))),
  COMM_SIZE_ZERO: validated(pair(coll(1, ALL_REDUCE, 1024), coll(1, ALL_REDUCE, 0))),
  COMM_TYPE_MISSING: validated(pair(coll(1, undefined, 1024), coll(1, ALL_REDUCE, 1024))),
  COMM_TYPE_UNKNOWN: validated(pair(coll(1, 42, 1024), coll(1, ALL_REDUCE, 1024))),
  COMM_ON_CPU: validated(pair(coll(1, ALL_REDUCE, 1024, { is_cpu_op: { bool_val: true } }), coll(1, ALL_REDUCE, 1024))),
  DURATIONS_ABSENT: validated(job([gemm(1, 0), gemm(2, 0)])),
  GROUP_UNDECLARED: validated(job([coll(1, ALL_REDUCE, 1024)], [coll(1, ALL_REDUCE, 1024)])),
  GROUP_INFERRED: prepared(job([coll(1, ALL_REDUCE, 1024)], [coll(1, ALL_REDUCE, 1024)]), 'expand', 'traces'),
  GROUP_WORLD: validated(job([worldwide(1, ALL_REDUCE, 1024)], [worldwide(1, ALL_REDUCE, 1024)])),
  GROUP_EMPTY: validated(grouped('{"tp": []}', [SOUND], [SOUND])),
  GROUP_MEMBER_TWICE: validated(grouped('{"tp": [0, 1, 1]}', [SOUND], [SOUND])),
  GROUP_MEMBER_OUT_OF_RANGE: validated(grouped('{"tp": [0, 1, 2]}', [SOUND], [SOUND])),
  GROUP_CONFLICT: validated(
    grouped(GROUPS, [group(9, '[{"pg_name": "tp", "ranks": [1, 0], "group_size": 2}]'), SOUND], [SOUND]),
  ),
  GROUP_MALFORMED: validated(grouped('{"tp": "all"}', [SOUND], [SOUND])),
  GROUP_CUT: validated(
    job([group(9, '[{"pg_name": "tp", "ranks": [0, 1], "group_size": 2}, {"pg_name": "dp", "ra'), SOUND], [SOUND]),
  ),
  GROUP_SINGLE: validated(grouped('{"tp": [0]}', [coll(1, ALL_REDUCE, 1024)], [SOUND])),
  RANK_OUTSIDE_GROUP: validated(grouped('{"tp": [0]}', [coll(1, ALL_REDUCE, 1024)], [coll(1, ALL_REDUCE, 1024)])),
  COLLECTIVE_COUNT: validated(
    grouped(GROUPS, [coll(1, ALL_REDUCE, 1024), coll(2, ALL_REDUCE, 1024)], [coll(1, ALL_REDUCE, 1024)]),
  ),
  COLLECTIVE_TYPE: validated(pair(coll(1, ALL_REDUCE, 1024), coll(1, BROADCAST, 1024))),
  COLLECTIVE_SIZE: validated(pair(coll(1, ALL_REDUCE, 1024), coll(1, ALL_REDUCE, 2048))),
  COLLECTIVE_ROOT: validated(pair(coll(1, BROADCAST, 1024, root(0)), coll(1, BROADCAST, 1024, root(1)))),
  ROOT_NOT_MEMBER: validated(pair(coll(1, BROADCAST, 1024, root(5)), coll(1, BROADCAST, 1024, root(5)))),
  ROOT_ASSUMED: validated(pair(coll(1, BROADCAST, 1024), coll(1, BROADCAST, 1024))),
  ALGORITHM_GROUP_SIZE: validated(
    grouped('{"tp": [0, 1, 2]}', ...[0, 1, 2].map(() => [coll(1, ALL_REDUCE, 1024)])),
    '--allreduce',
    'halving-doubling',
  ),
  SPLITS_DISAGREE: validated(pair(coll(1, ALL_TO_ALL, 1024, splits(8, 8, 8)), coll(1, ALL_TO_ALL, 1024, splits(8, 8)))),
  SPLITS_MISSING: validated(pair(coll(1, ALL_TO_ALL, 1024, splits(8, 8)), coll(1, ALL_TO_ALL, 1024))),
  WAIT_CYCLE: validated(
    job([receive(1, 1, 8, 5), send(2, 1, 8, 6, [1])], [receive(1, 0, 8, 6), send(2, 0, 8, 5, [1])]),
  ),
  PEER_MISSING: validated(job([{ ...send(1, 1, 8, 5), attr: { comm_size: { int64_val: 8 } } }], [SOUND])),
  PEER_OUT_OF_RANGE: validated(job([send(1, 7, 8, 5)], [SOUND])),
  PEER_SELF: validated(job([send(1, 0, 8, 5), receive(2, 0, 8, 5)])),
  RECEIVE_UNMATCHED: validated(job([SOUND], [receive(1, 0, 8, 5)])),
  SEND_UNMATCHED: validated(job([send(1, 1, 8, 5)], [SOUND])),
  TRANSFER_SIZE: validated(job([send(1, 1, 1000, 5)], [receive(1, 0, 900, 5)])),
  KEY_SHARED: validated(
    job([send(1, 1, 8, 5), send(2, 1, 8, 5, [1])], [receive(1, 0, 8, 5), receive(2, 0, 8, 5, [1])]),
  ),
  PREPARED_PARTLY: {
    files: pair(coll(1, ALL_REDUCE, 1024), coll(1, ALL_REDUCE, 1024)),
    before: [['expand', 'traces', '-o', 'mixed']],
    copied: { 'traces/job.1.et': 'mixed/job.1.et' },
    words: ['validate', 'mixed'],
  },
  PASS_RAN: {
    files: pair(coll(1, ALL_REDUCE, 1024), coll(1, ALL_REDUCE, 1024)),
    before: [['expand', 'traces', '-o', 'expanded']],
    words: ['expand', 'expanded', '-o', 'out'],
  },
  EXITS_LEFT_OUT: {
    files: pair(coll(1, ALL_REDUCE, 1024), coll(1, ALL_REDUCE, 1024)),
    before: [['expand', 'traces', '--for', 'astra-sim', '-o', 'expanded']],
    words: ['sync', 'expanded', '-o', 'out'],
  },
  ORDER_ABSENT: prepared(pair(coll(1, ALL_REDUCE, 1024), coll(1, ALL_REDUCE, 1024)), 'prepare', 'traces'),
  ORDER_PARTIAL: validated(grouped(GROUPS, [coll(1, ALL_REDUCE, 1024, order(0))], [coll(1, ALL_REDUCE, 1024)])),
  FEEDER_FORMAT: validated(
    {
      'traces/job.0.jsonl':
        '{"schema":"chakra-prep/trace/1","version":"0.0.4"}\n{"id":1,"name":"gemm","type":"COMP_NODE","durationMicros":5}\n',
    },
    '--for',
    'feeder',
  ),
  FEEDER_NO_FREE_NODE: validated(job([SOUND], []), '--for', 'feeder'),
  SETTING_UNUSED: { files: job([SOUND]), words: ['simulate', 'traces', ...NETWORK, '--profiling', '1us'] },
  MAPPING_IGNORED: {
    files: { ...job([SOUND]), 'run.yaml': 'UseMapping: false\n', 'ranks.map': '0, 0\n' },
    words: ['simulate', 'traces', ...NETWORK, '--config', 'run.yaml', '--mapping', 'ranks.map'],
  },
  MAPPING_GROUP_UNUSED: {
    files: { ...job([SOUND]), 'ranks.map': '0, 0\n@\n0, 800, 100, 100\n' },
    words: ['simulate', 'traces', ...NETWORK, '--mapping', 'ranks.map'],
  },
};

/** Makes what a case needs in the folder at hand, and gives the words of its command. */
export async function writeCase(
  { files, words, before = [], copied = {} }: ExampleCase,
  run: (words: readonly string[]) => Promise<void>,
): Promise<readonly string[]> {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  for (const each of before) await run(each);
  for (const [from, to] of Object.entries(copied)) copyFileSync(from, to);
  return words;
}
