import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../src/base/finding.js';
import { discoverTraceset } from '../../src/formats/discover.js';
import { runHere } from '../support/in-process.js';
import { describeShared, hasShared, shared } from '../support/shared.js';

/** What `validate` says of an input below shared/traces, and why that is right. */
interface Verdict {
  /** A folder stands for the traces in it and their group file. */
  readonly input: string;
  /** More options. */
  readonly options?: readonly string[];
  readonly exit: 0 | 1 | 3;
  /** `severity CODE`, each once, errors first, then in the order of the alphabet. */
  readonly codes: readonly string[];
  readonly why: string;
}

/** Tracesets, and traces that stand alone. */
const TRACES: readonly Verdict[] = [
  {
    input: 'astra-sim-artifacts/T1D-analytical',
    exit: 0,
    codes: ['note GROUP_FILE_FOUND'],
    why: 'one all-reduce on every rank, its group declared; ASTRA-sim completes it',
  },
  {
    input: 'astra-sim-artifacts/T2D-analytical',
    exit: 1,
    codes: ['error GROUP_UNDECLARED', 'note GROUP_FILE_FOUND'],
    why: 'groups are named "0.0" to "3.0", the file declares "0" to "3"; ASTRA-sim reads the integer before the point, which here stays a guess',
  },
  {
    input: 'astra-sim-artifacts/T3D-analytical',
    exit: 0,
    codes: ['note GROUP_FILE_FOUND'],
    why: 'declared groups that agree; that "0" is a subset matters to ASTRA-sim alone',
  },
  {
    input: 'astra-sim-examples/all_gather_8npus_1MB',
    exit: 0,
    codes: ['note GROUP_WORLD'],
    why: 'one collective on every rank, alike, over the world',
  },
  {
    input: 'astra-sim-examples/all_reduce_4npus_1MB',
    exit: 0,
    codes: ['note GROUP_WORLD'],
    why: 'one collective on every rank, alike, over the world',
  },
  {
    input: 'astra-sim-examples/all_to_all_4npus_1MB',
    exit: 0,
    codes: ['note GROUP_WORLD'],
    why: 'one collective on every rank, alike, over the world',
  },
  {
    input: 'astra-sim-examples/custom_ring_allreduce_8npus_1MB',
    exit: 0,
    codes: ['note KEY_SHARED'],
    why: '14 messages a pair, all with tag 0: each receive depends on the one before, so they cannot change places',
  },
  {
    input: 'astra-sim-examples/reduce_scatter_16npus_1MB',
    exit: 0,
    codes: ['note GROUP_WORLD'],
    why: 'one collective on every rank, alike, over the world',
  },
  {
    input: 'astra-sim-tutorials/MLP_ModelParallel',
    exit: 0,
    codes: ['note GROUP_WORLD'],
    why: 'text converter: collectives without a group run over the world',
  },
  {
    input: 'astra-sim-tutorials/allreduce_involved_dim2',
    exit: 0,
    codes: ['note GROUP_WORLD'],
    why: 'involved_dim says nothing that is read here',
  },
  {
    input: 'hybrid-parallelism-2groups',
    exit: 0,
    codes: ['note GROUP_FILE_FOUND', 'note NODE_IDLE'],
    why: 'groups declared beside the traces; the converter cut durations below 1 µs to 0, so most CPU operations do nothing',
  },
  {
    input: 'jinsun-yoo-astra-sim/pernode_validate',
    exit: 1,
    codes: ['error GROUP_UNDECLARED', 'warning GROUP_INFERRED', 'note GROUP_WORLD'],
    why: 'groups "1" and "2" are used and declared nowhere; "0" is the world by custom',
  },
  {
    input: 'stage/llama_dp2tp2pp2',
    exit: 0,
    codes: ['warning ATTRIBUTE_ARM', 'note DURATIONS_ABSENT', 'note GROUP_FILE_FOUND', 'note SIDE_PARTIAL'],
    why: 'STAGE: is_cpu_op in int32_val and on communication only, no durations; forward references are legal',
  },
  {
    input: 'stage/llama_json_pp2dp2',
    exit: 0,
    codes: ['warning ATTRIBUTE_ARM', 'note DURATIONS_ABSENT', 'note GROUP_FILE_FOUND', 'note SIDE_PARTIAL'],
    why: 'protobuf although the files end in .json; else as the other STAGE sets',
  },
  {
    input: 'stage/llama_json_real',
    exit: 0,
    codes: ['note DURATIONS_ABSENT', 'note GROUP_FILE_FOUND', 'note SIDE_PARTIAL'],
    why: 'the same job in STAGE JSON, which has no arms',
  },
  {
    input: 'stage/llama_legacy_tp4',
    exit: 0,
    codes: ['note DURATIONS_ABSENT', 'note GROUP_FILE_FOUND'],
    why: 'older STAGE: comm_group for pg_name, no is_cpu_op at all',
  },
  {
    input: 'stage/moe_dp2tp2ep2',
    exit: 0,
    codes: ['warning ATTRIBUTE_ARM', 'note DURATIONS_ABSENT', 'note GROUP_FILE_FOUND', 'note SIDE_PARTIAL'],
    why: 'STAGE, as above',
  },
  {
    input: 'mlcommons-chakra/chakra.0.et.gz',
    exit: 1,
    codes: [
      'error CYCLE',
      'error NODES_NEVER_START',
      'warning COMM_ON_CPU',
      'warning COMM_SIZE_MISSING',
      'warning COMM_TYPE_MISSING',
      'warning DANGLING_CONTROL',
      'warning SELF_CONTROL',
      'note GROUP_WORLD',
      'note NODE_IDLE',
      'note ROOT_ASSUMED',
    ],
    why: 'control dependencies record nesting: 428 circles of them, 1,277 on 210 missing ids, 383 nodes their own parent; 14 collectives are copies on the CPU side without type and size',
  },
  {
    input: 'mlcommons-chakra/chakra.0.et.gz',
    options: ['--deps', 'data'],
    exit: 0,
    codes: [
      'warning COMM_ON_CPU',
      'warning COMM_SIZE_MISSING',
      'warning COMM_TYPE_MISSING',
      'note CYCLE',
      'note DANGLING_CONTROL',
      'note GROUP_WORLD',
      'note NODE_IDLE',
      'note ROOT_ASSUMED',
      'note SELF_CONTROL',
    ],
    why: 'its data dependencies alone are sound',
  },
  {
    input: 'mlcommons-chakra/chakra.0.json.gz',
    exit: 0,
    codes: [
      'warning COMM_ON_CPU',
      'warning COMM_SIZE_MISSING',
      'warning COMM_TYPE_MISSING',
      'warning FEEDER_KEY_MISSING',
      'note FEEDER_KEY_MISSING',
      'note NODE_IDLE',
    ],
    why: 'feeder JSON has no control dependencies here; the 21 collectives have neither type nor size, 157 nodes no runtime',
  },
  {
    input: 'mlcommons-chakra/small_chakra.0.json',
    exit: 0,
    codes: [
      'warning COMM_ON_CPU',
      'warning COMM_SIZE_MISSING',
      'warning COMM_TYPE_MISSING',
      'warning DANGLING_CONTROL',
      'warning FEEDER_KEY_MISSING',
      'note FEEDER_KEY_UNREAD',
    ],
    why: '7 nodes cut out of the file above, with control dependencies on what was cut off',
  },
  {
    input: 'mlcommons-chakra-old/twoCompNodesDependent.0.eg',
    exit: 0,
    codes: ['note SCHEMA_CONVERTED'],
    why: 'schema 0.0.1, without a metadata frame',
  },
  {
    input: 'edge-cases/allcycle.et',
    exit: 1,
    codes: ['error CYCLE', 'error NO_INITIAL_NODE', 'note RANK_ASSUMED'],
    why: 'two nodes that wait for each other, and nothing else',
  },
  {
    input: 'edge-cases/cycle.et',
    exit: 1,
    codes: ['error CYCLE', 'error NODES_NEVER_START', 'note RANK_ASSUMED'],
    why: 'a free node, and two behind each other',
  },
  {
    input: 'edge-cases/dangling.et',
    exit: 1,
    codes: ['error DANGLING_DATA', 'note RANK_ASSUMED'],
    why: 'a data dependency on id 9, which is not there',
  },
  {
    input: 'edge-cases/danglingctrl.et',
    exit: 0,
    codes: ['warning DANGLING_CONTROL', 'note RANK_ASSUMED'],
    why: 'control dependencies on the dropped root, as converters leave them',
  },
  {
    input: 'edge-cases/dup.et',
    exit: 1,
    codes: ['error DUPLICATE_ID', 'note RANK_ASSUMED'],
    why: 'two nodes with id 1',
  },
  {
    input: 'edge-cases/emptymeta.et',
    exit: 0,
    codes: ['note RANK_ASSUMED'],
    why: 'an empty metadata frame is legal',
  },
  {
    input: 'edge-cases/gz.et',
    exit: 1,
    codes: ['error DUPLICATE_ID', 'note RANK_ASSUMED'],
    why: 'dup.et packed: gzip content is legal under any name, the doubled id is not',
  },
  {
    input: 'edge-cases/repeated.et',
    exit: 0,
    codes: ['note RANK_ASSUMED'],
    why: 'an id twice in one list counts once (R-040)',
  },
  {
    input: 'edge-cases/star.et.gz',
    exit: 0,
    codes: ['note RANK_ASSUMED'],
    why: '30,000 nodes that wait for the last one of the file: any order is legal',
  },
  {
    input: 'edge-cases/trunc.et',
    exit: 3,
    codes: ['error FRAME_TRUNCATED'],
    why: 'cut in its third frame: nothing of a rank cut short is used',
  },
  {
    input: 'edge-cases/zeronode.et',
    exit: 0,
    codes: ['warning NODE_TYPE_INVALID', 'note RANK_ASSUMED'],
    why: 'a node that takes no bytes: id 0, no name, type INVALID',
  },
  {
    input: 'schema-history/resnet50_dp.empty-metadata.0.et',
    exit: 0,
    codes: ['note GROUP_WORLD'],
    why: 'current schema without a version',
  },
  {
    input: 'schema-history/resnet50_dp.schema-0.0.1.0.eg',
    exit: 0,
    codes: ['note GROUP_WORLD', 'note SCHEMA_CONVERTED'],
    why: 'the same graph in an older schema',
  },
  {
    input: 'schema-history/resnet50_dp.schema-0.0.2.0.et',
    exit: 0,
    codes: ['note GROUP_WORLD', 'note SCHEMA_CONVERTED'],
    why: 'the same graph in an older schema',
  },
  {
    input: 'schema-history/resnet50_dp.schema-0.0.3-aug2023.0.et',
    exit: 0,
    codes: ['note GROUP_WORLD', 'note SCHEMA_CONVERTED'],
    why: 'the same graph in an older schema, which parses under the current one as nonsense',
  },
  {
    input: 'schema-history/resnet50_dp.schema-0.0.3-jul2023.0.et',
    exit: 0,
    codes: ['note GROUP_WORLD', 'note SCHEMA_CONVERTED'],
    why: 'the same graph in an older schema',
  },
  {
    input: 'schema-history/resnet50_dp.schema-0.0.4-uint64size.0.et',
    exit: 0,
    codes: ['warning ATTRIBUTE_ARM', 'note GROUP_WORLD'],
    why: 'sizes in uint64_val, as producers wrote them until September 2024',
  },
  {
    input: 'schema-history/resnet50_dp.schema-0.0.4.0.et',
    exit: 0,
    codes: ['note GROUP_WORLD'],
    why: 'the current schema',
  },
];

/** Files that are no traces: exit 3, `WRONG_KIND`, and the kind that is named. */
const OTHER_KINDS: readonly (readonly [kind: string, files: readonly string[]])[] = [
  ['is of no known format', ['PROVENANCE.md']],
  [
    'is a process group file',
    [
      'astra-sim-artifacts/T1D-analytical/comm_group.json',
      'astra-sim-artifacts/T2D-analytical/comm_group.json',
      'astra-sim-artifacts/T3D-analytical/comm_group.json',
      'hybrid-parallelism-2groups/comm_group.json',
      'stage/llama_dp2tp2pp2/workload.json',
      'stage/llama_json_pp2dp2/workload.json',
      'stage/llama_json_real/workload.json',
      'stage/llama_legacy_tp4/workload.json',
      'stage/moe_dp2tp2ep2/workload.json',
    ],
  ],
  [
    'is a text workload (ASTRA-sim 1.0, SimAI)',
    [
      'astra-sim-text/DLRM_HybridParallel.txt',
      'astra-sim-text/MLP_HybridParallel_Data_Model.txt',
      'astra-sim-text/MLP_ModelParallel.txt',
      'astra-sim-text/Resnet50_DataParallel.txt',
      'astra-sim-text/Transformer_HybridParallel.txt',
      'astra-sim-text/microAllReduce.txt',
      'simai-text/microAllReduce.txt',
      'simai-text/workload_analytical.txt.gz',
    ],
  ],
  [
    'is a PyTorch host execution trace',
    [
      'astra-sim-tutorials/host_json/pytorch_et_0.json.gz',
      'astra-sim-tutorials/host_json/pytorch_et_1.json.gz',
      'hta/simple_add/host_0.json.gz',
      'mlcommons-chakra/1.0.2-chakra.0.0.4.json.gz',
      'param/dlrm_8gpu/dlrm_eg_0.json.gz',
      'param/dlrm_8gpu/dlrm_eg_1.json.gz',
      'param/dlrm_8gpu/dlrm_eg_2.json.gz',
      'param/dlrm_8gpu/dlrm_eg_3.json.gz',
      'param/linear_1gpu/linear_et.json.gz',
      'param/pt2_1.1.1/pt2_et.json',
      'param/resnet_1gpu_1.1.1/resnet_1gpu_et.json.gz',
      'param/resnet_2gpu_1.1.0/rank1_et.json.gz',
      'resnet_pair/host_0.json.gz',
    ],
  ],
  [
    'is a Kineto device trace (Chrome trace events)',
    [
      'hta/kineto/cpu_only_rank34_gloo.json.gz',
      'hta/kineto/event_sync.json.gz',
      'hta/kineto/mi250.json.gz',
      'hta/kineto_2_of_128_ranks/rank-0.json.gz',
      'hta/kineto_2_of_128_ranks/rank-1.json.gz',
      'hta/simple_add/device_0.json.gz',
      'param/dlrm_8gpu/worker0.pt.trace.json.gz',
      'param/dlrm_8gpu/worker1.pt.trace.json.gz',
      'param/dlrm_8gpu/worker2.pt.trace.json.gz',
      'param/dlrm_8gpu/worker3.pt.trace.json.gz',
      'param/linear_1gpu/linear_kineto.json.gz',
      'resnet_pair/device_0.json.gz',
    ],
  ],
];

interface Document {
  readonly findings: readonly Finding[];
}

async function validated(...words: string[]): Promise<Document & { status: number | null }> {
  const { status, stdout } = await runHere(['validate', ...words, '--json']);
  return { status, ...(JSON.parse(stdout) as Document) };
}

const WORST_FIRST = ['error', 'warning', 'note'];

function codesOf({ findings }: Document): string[] {
  const codes = [...new Set(findings.map(({ severity, code }) => `${severity} ${code}`))];
  const place = (code: string): string => `${WORST_FIRST.indexOf(code.split(' ')[0])}${code}`;
  return codes.sort((left, right) => (place(left) < place(right) ? -1 : 1));
}

describeShared('every file of shared/traces has its verdict', () => {
  test.each(TRACES)('$input, exit $exit: $why', async ({ input, options = [], exit, codes }) => {
    const verdict = await validated(shared('traces', input), ...options);
    expect({ codes: codesOf(verdict), exit: verdict.status }).toEqual({ codes: [...codes], exit });
  });

  test.each(OTHER_KINDS.flatMap(([kind, files]) => files.map((file) => [file, kind])))('%s %s', async (file, kind) => {
    const { status, findings } = await validated(shared('traces', file));
    expect({ status, codes: findings.map(({ code }) => code) }).toEqual({ status: 3, codes: ['WRONG_KIND'] });
    expect(findings[0].message).toContain(` ${kind}, expected `);
  });

  test('no file is left out', async () => {
    const covered = new Set(OTHER_KINDS.flatMap(([, files]) => files).map((file) => shared('traces', file)));
    for (const { input } of TRACES) {
      const { files, groupFile } = await discoverTraceset([shared('traces', input)]);
      for (const { path } of files) covered.add(path);
      if (groupFile !== undefined) covered.add(groupFile);
    }
    const all = hasShared ? readdirSync(shared('traces'), { recursive: true, withFileTypes: true }) : [];
    const paths = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(paths.filter((path) => !covered.has(path))).toEqual([]);
  });
});
