import { constants } from 'node:buffer';
import { truncateSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { StopCode } from '../../src/base/stop-codes.js';
import type { ExampleCase } from './example-cases.js';
import { collective, compute, receive, send } from './jobs.js';
import { buildEt, type NodeObject } from './traces.js';

/** A command line that an error stops. */
export interface StopCase extends ExampleCase {
  readonly stdin?: Uint8Array;
  /** What files alone cannot say, in the folder at hand. */
  readonly prepare?: () => void;
}

const NETWORK = ['--network', 'alpha-beta:latency=1us,bandwidth=50GB/s'];
const SIMULATE = ['simulate', 'traces', ...NETWORK];
const ALL_REDUCE = 0;

type Files = Record<string, Uint8Array | string>;

/** `traces/job.<rank>.et` of each rank. */
function job(...ranks: readonly NodeObject[][]): Files {
  return Object.fromEntries(ranks.map((nodes, rank) => [`traces/job.${rank}.et`, buildEt(nodes)]));
}

const SOUND = [compute(1, 5)];
const PAIR = job(SOUND, SOUND);

function stop(words: readonly string[], files: Files = PAIR): StopCase {
  return { files, words };
}

/** `simulate` with a configuration of these lines. */
function configured(text: string, ...words: string[]): StopCase {
  return stop([...SIMULATE, '--config', 'run.yaml', ...words], { ...PAIR, 'run.yaml': text });
}

/** `simulate` with a mapping file of these lines. */
function mapped(text: string, ...words: string[]): StopCase {
  return stop([...SIMULATE, '--mapping', 'ranks.map', ...words], { ...PAIR, 'ranks.map': text });
}

const LAYER = 'fc -1 5 NONE 0 5 NONE 0 5 NONE 0 0\n';

/** `convert` of a text workload. */
function workload(text: string, ...words: string[]): StopCase {
  return stop(['convert', 'mlp.txt', '--to', 'et', '-o', 'out', ...words], { 'mlp.txt': text });
}

function ordered(id: number, group: string, place: number, dataDeps: number[] = []): NodeObject {
  const node = collective(id, ALL_REDUCE, 8, group, dataDeps);
  return { ...node, attr: { ...node.attr, issue_order: { int64_val: place } } };
}

const ANALYTICAL = 'topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n';

/** `simulate` on ASTRA-sim's system layer with these files; those of the network and of the system are sound. */
function systemLayer(files: Files, ...words: string[]): StopCase {
  const network = ANALYTICAL.replace('[ 4 ]', '[ 2 ]').replace('Ring', 'Switch');
  const sound = { ...PAIR, 'network.yml': network, 'system.json': '{"preferred-dataset-splits": 1}' };
  const command = ['simulate', 'traces', '--network', 'network.yml', '--backend', 'analytical-unaware'];
  return stop([...command, ...words], { ...sound, ...files });
}

/** Two ranks with one all-reduce on the system layer, which runs as the system file says. */
function systemAllReduce(system: string, files: Files = {}): StopCase {
  const nodes = [collective(1, ALL_REDUCE, 8, '0')];
  return systemLayer({ ...job(nodes, nodes), 'system.json': system, ...files }, '--system', 'system.json');
}

/** One op, in traces of two runs. */
const HOST_TRACE = JSON.stringify({
  schema: '1.1.1-chakra.0.0.4',
  nodes: [{ id: 1, name: 'aten::add', ctrl_deps: 1, attrs: [{ name: 'rf_id', type: 'uint64', value: 1 }] }],
});
const DEVICE_TRACE = JSON.stringify({
  traceEvents: [
    { ph: 'X', cat: 'cpu_op', name: 'aten::mul', pid: 1, tid: 1, ts: 1, dur: 1, args: { 'Record function id': 1 } },
  ],
});

/** For every code that a command line can be stopped by: one that is. */
export const STOP_CASES: Partial<Record<StopCode, StopCase>> = {
  SERIALIZE_DEADLOCK: stop(['serialize', 'traces', '-o', 'out'], {
    // Rank 0 receives before, rank 1 sends behind its collective, once the chain of group "g" is there.
    ...job(
      [receive(1, 1, 8, 5), { ...ordered(2, 'g', 0), data_deps: [1] }],
      [ordered(2, 'g', 0), { ...send(4, 0, 8, 5), data_deps: [2] }],
    ),
    'traces/comm_group.json': '{"g": [0, 1]}',
  }),
  TRACESET_INCOMPLETE: stop(['prepare', 'traces', '-o', 'out'], { 'traces/job.1.et': buildEt(SOUND) }),
  TRACES_REFUSED: stop(['prepare', 'traces', '-o', 'out'], job([compute(1, 5, [9])])),
  WARNING_ABORTS: stop(['prepare', 'traces', '-o', 'out', '--config', 'run.yaml'], {
    ...job([send(1, 1, 8, 5)], SOUND),
    'run.yaml': 'AbortOnChakraWarning: true\n',
  }),
  ID_SPACE: stop(['expand', 'traces', '-o', 'out'], {
    ...job(
      ...[0, 1].map(() => [{ ...compute(1, 5), id: 2n ** 64n - 1n } as NodeObject, collective(2, ALL_REDUCE, 8, 'g')]),
    ),
    'traces/comm_group.json': '{"g": [0, 1]}',
  }),

  COLLECTIVE_NOT_EXPANDED: stop(
    ['convert', 'traces', '--to', 'goal', '-o', 'out'],
    job([collective(1, ALL_REDUCE, 8, 'g')], [collective(1, ALL_REDUCE, 8, 'g')]),
  ),
  GOAL_MALFORMED: stop(['convert', 'job.goal', '--to', 'et', '-o', 'out'], { 'job.goal': 'num_ranks 1\nrank 0 {\n' }),
  JOB_STALLS: stop(
    ['convert', 'traces', '--to', 'htsim-cm', '-o', 'out'],
    job([receive(1, 1, 8, 0), send(2, 1, 8, 0, [1])], [receive(1, 0, 8, 0), send(2, 0, 8, 0, [1])]),
  ),

  ALGORITHM_UNKNOWN: stop(['expand', 'traces', '-o', 'out', '--allreduce', 'rings']),
  ASSUMPTION_UNKNOWN: stop(['validate', 'traces', '--assume', 'allgather=total']),
  BANDWIDTH_MALFORMED: stop(['simulate', 'traces', '--network', 'alpha-beta:latency=1us,bandwidth=fast']),
  CODE_UNKNOWN: stop(['explain', 'CYCEL']),
  COMMAND_UNKNOWN: stop(['expnd', 'traces']),
  INPUT_MIXED: stop(['validate', '-', 'traces']),
  MAX_FINDINGS_MALFORMED: stop(['validate', 'traces', '--max-findings', 'few']),
  NODE_FILTER_MALFORMED: stop(['inspect', 'traces', '--type', 'kernel']),
  OPTION_MALFORMED: stop(['convert', 'traces', '--to', 'stage', '-o', 'out', '--ranks', 'many']),
  OPTION_MISSING: stop(['expand', 'traces']),
  OPTION_NOT_TAKEN: stop(['convert', 'traces', '--to', 'stage', '-o', 'out', '--passes', '2']),
  OUTPUT_AMBIGUOUS: stop(['expand', 'traces', '-o', '-']),
  OUTPUT_IS_INPUT: stop(['expand', 'traces', '-o', './traces/../traces']),
  RANKS_MALFORMED: stop(['expand', 'traces', '-o', 'out', '--only', '0-']),
  RANK_ABSENT: stop(['expand', 'traces', '-o', 'out', '--only', '7']),
  SCALE_OUT_OF_RANGE: stop(['scale', 'traces', '-o', 'out', '--factor', '1.5']),
  SYSTEM_CONTRADICTED: stop([...SIMULATE, '--system', 'system.json', '--allreduce', 'tree']),
  SYSTEM_MISSING: stop([...SIMULATE, '--memory', 'memory.json']),
  TARGET_REQUEST: stop(['convert', 'traces', '--to', 'jsonl', '--for', 'astra-sim', '-o', 'out']),
  THREADS_MALFORMED: stop(['validate', 'traces', '--threads', '0']),
  USAGE: stop(['validate']),

  CONFIG_INVALID: configured('AllReduceAlgorithm: rings\n'),
  CONFIG_UNREADABLE: stop([...SIMULATE, '--config', 'nowhere.yaml']),
  MAPPING_MALFORMED: mapped('0\t7\n1 8\n'),
  MAPPING_MISSING: configured('UseMapping: true\n'),
  MAPPING_RANK_COUNT: mapped('0 0\n1 1\n2 2\n'),
  MAPPING_UNREADABLE: stop([...SIMULATE, '--mapping', 'nowhere.map']),
  RANK_COUNT: configured('NumOfChakraFiles: 3\n'),
  STOP_BEFORE_START: stop([...SIMULATE, '--start-time', '5us', '--until', '1us']),
  TIME_MALFORMED: stop([...SIMULATE, '--until', 'soon']),
  TIME_TOO_LARGE: stop([...SIMULATE, '--until', '9008s']),

  LINK_HOST_MISSING: stop(['link', 'in', '-o', 'out'], {
    'in/host_0.json': HOST_TRACE,
    'in/host_1.json': HOST_TRACE,
    'in/device_2.json': DEVICE_TRACE,
  }),
  LINK_PAIR_REFUSED: stop(['link', 'in', '-o', 'out'], {
    'in/host_0.json': HOST_TRACE,
    'in/device_0.json': DEVICE_TRACE,
  }),
  LINK_RANK_DOUBLED: stop(['link', 'in', '-o', 'out'], { 'in/host_0.json': HOST_TRACE, 'in/rank0.json': HOST_TRACE }),
  WORKLOAD_MALFORMED: workload('DATA\n1\nfc -1 5 NONE 0 5 NONE 0 5 ALL_REDUCE 64 0\n', '--ranks', '4'),
  WORKLOAD_RANKS: workload(`HYBRID_DATA_MODEL\n1\n${LAYER}`, '--ranks', '6', '--model-parallel', '4'),
  WORKLOAD_UNSUPPORTED: workload(
    `HYBRID_TRANSFORMER model_parallel_NPU_group: 1 pp: 2 vpp: 2 all_gpus: 2 pp_comm: 8\n1\n${LAYER}`,
  ),

  NETWORK_MALFORMED: stop(['simulate', 'traces', '--network', 'alpha-beta:latency=1us,bandwith=50GB/s']),
  NETWORK_MISSING: stop(['simulate', 'traces']),
  NETWORK_NO_ROUTE: stop(['simulate', 'traces', '--network', 'apart.txt'], {
    ...job([send(1, 1, 8, 0)], [receive(1, 0, 8, 0)]),
    'apart.txt': '4 2 2\n2 3\n0 2 400Gbps 500ns 0\n1 3 400Gbps 500ns 0\n',
  }),
  TRANSFER_TOO_LARGE: stop(['simulate', 'traces', '--network', 'pair.txt'], {
    ...job([send(1, 1, 2 ** 31 * 4096, 0)], [receive(1, 0, 2 ** 31 * 4096, 0)]),
    'pair.txt': '2 0 1\n\n0 1 400Gbps 500ns 0\n',
  }),
  RECORD_TOO_LARGE: stop(
    ['simulate', 'traces', '--network', 'pair.txt', '--set', 'NDStatsReportInterval=1ps', '-o', 'out'],
    { ...PAIR, 'pair.txt': '2 0 1\n\n0 1 400Gbps 500ns 0\n' },
  ),
  NETWORK_NOT_ANALYTICAL: stop(['simulate', 'traces', '--network', 'pair.txt', '--backend', 'analytical-aware'], {
    ...PAIR,
    'pair.txt': '3 1 2\n2\n0 2 400Gbps 500ns 0\n1 2 400Gbps 500ns 0\n',
  }),
  NETWORK_NOT_PACKET: stop([...SIMULATE, '--backend', 'packet']),
  NETWORK_SIZE: systemLayer({ 'network.yml': ANALYTICAL }, '--system', 'system.json'),
  NETWORK_UNKNOWN: stop(['simulate', 'traces', '--network', 'beta:latency=1us,bandwidth=50GB/s']),
  NETWORK_WITHOUT_LINKS: stop([...SIMULATE, '--backend', 'analytical-aware']),
  NETWORK_UNREADABLE: stop(['simulate', 'traces', '--network', 'nowhere.yml']),
  TOPOLOGY_GENERATOR: stop(['topology', 'generate', 'fat-tree', '-k', '3', '--gbps', '400', '--delay-ns', '500'], {}),
  TOPOLOGY_MALFORMED: stop(['topology', 'show', 'fabric.txt'], { 'fabric.txt': '3 1 2\n2\n0 2 400Gbps 500ns 0\n' }),
  TOPOLOGY_RANKS: stop(['topology', 'show', 'links.txt'], { 'links.txt': '0 2 100 1.0 0\n1 2 100 1.0 0\n' }),
  TOPOLOGY_UNKNOWN: stop(['topology', 'show', 'notes.txt'], { 'notes.txt': 'no links here\n' }),
  MEMORY_MALFORMED: systemLayer(
    { 'memory.json': '{"memory-type": "MEMORY_POOL"}' },
    ...['--system', 'system.json', '--memory', 'memory.json'],
  ),
  MEMORY_UNREADABLE: systemLayer({}, '--system', 'system.json', '--memory', 'nowhere.json'),
  SYSTEM_CUSTOM: systemAllReduce(
    '{"preferred-dataset-splits": 1, "all-reduce-implementation-custom": ["custom/ring"]}',
    { 'custom/ring.0.et': buildEt([{ id: 1, name: 'init', type: 'METADATA_NODE' }]) },
  ),
  SYSTEM_IMPLEMENTATION: systemAllReduce('{"preferred-dataset-splits": 1}'),
  SYSTEM_MALFORMED: systemLayer({ 'system.json': '{"endpoint-delay": 10}' }, '--system', 'system.json'),
  SYSTEM_PATH_MISSING: systemLayer(
    { 'system.json': '{"preferred-dataset-splits": 1, "all-reduce-implementation-custom": ["custom/ring"]}' },
    ...['--system', 'system.json'],
  ),
  SYSTEM_UNREADABLE: systemLayer({}, '--system', 'nowhere.json'),
  SERVER_COUNT: stop(['simulate', 'traces', '--network', 'network.yml'], { ...PAIR, 'network.yml': ANALYTICAL }),
  SERVER_UNKNOWN: stop(
    ['simulate', 'traces', '--network', 'network.yml', '--allow-extra-servers', '--mapping', 'r.map'],
    {
      ...PAIR,
      'network.yml': ANALYTICAL,
      'r.map': '0 0\n1 9\n',
    },
  ),

  DRAWING_NODE_ABSENT: stop(['visualize', 'traces', '-o', 'near.svg', '--around', '77']),
  DRAWING_OPTION: stop(['visualize', 'traces', '-o', 'near.svg', '--hops', '3']),

  PREFIXES_MIXED: stop(['validate', 'traces'], { ...PAIR, 'traces/other.0.et': buildEt(SOUND) }),
  RANK_UNNAMED: stop(['validate', 'traces'], { ...PAIR, 'traces/job.et': buildEt(SOUND) }),
  FILE_TOO_LARGE: {
    ...stop(['inspect', 'large.json'], { 'large.json': '{"traceEvents": [' }),
    prepare: () => truncateSync('large.json', constants.MAX_STRING_LENGTH + 1), // a hole, which takes no space
  },
  FILE_UNREADABLE: stop(['prepare', 'traces', '-o', 'out', '--groups', 'nowhere.json']),
  GZIP_BROKEN: stop(['validate', 'job.0.et.gz'], { 'job.0.et.gz': gzipSync(buildEt(SOUND)).subarray(0, 20) }),
  INPUT_NOT_FOUND: stop(['validate', 'nowhere']),
  JSON_LINES_MALFORMED: stop(['prepare', 'job.0.jsonl', '-o', 'out'], {
    'job.0.jsonl': '{"schema":"chakra-prep/trace/1","version":"0.0.4"}\n{"id":1,\n',
  }),
  JSON_MALFORMED: stop(['inspect', 'device.json'], { 'device.json': '{"traceEvents": [' }),
  NO_TRACES: stop(['validate', 'traces'], { 'traces/notes.txt': 'none here\n' }),
  OUTPUT_UNWRITABLE: stop(['expand', 'traces', '-o', 'file/below'], { ...PAIR, file: '' }),
};
