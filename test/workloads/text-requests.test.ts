import type { ConversionOptions } from '../../src/formats/conversion.js';
import { wholeMicros } from '../../src/workloads/text/write-rank.js';
import { jsonLines, rankBytes } from '../support/made-jobs.js';
import { workloadJob } from '../support/text-workloads.js';

const LAYER = 'fc -1 5 NONE 0 6 NONE 0 7 ALLREDUCE 64 0';
const TRANSFORMER = 'HYBRID_TRANSFORMER_FWD_IN_BCKWD';

function job(header: string, options: ConversionOptions = {}, layers: readonly string[] = [LAYER]) {
  return workloadJob([header, String(layers.length), ...layers], options);
}

test.each<[string, string, ConversionOptions, string, string]>([
  ['ranks nowhere', 'DATA', {}, 'OPTION_MISSING', '--ranks is missing'],
  ['model-parallel ranks nowhere', 'HYBRID_DATA_MODEL', { ranks: 4 }, 'OPTION_MISSING', '--model-parallel is missing'],
  ['model-parallel ranks nowhere', TRANSFORMER, { ranks: 4 }, 'OPTION_MISSING', '--model-parallel is missing'],
  [
    'ranks that do not fill groups',
    'HYBRID_DATA_MODEL',
    { ranks: 6, modelParallel: 4 },
    'WORKLOAD_RANKS',
    'job.txt: 6 ranks: expected a multiple of 4 model-parallel ranks',
  ],
  [
    'ranks that do not fill stages',
    `${TRANSFORMER} model_parallel_NPU_group: 2 pp: 4 all_gpus: 12`,
    {},
    'WORKLOAD_RANKS',
    'job.txt: 12 ranks: expected a multiple of 2 model-parallel ranks × 4 stages',
  ],
  [
    'experts that do not fill data-parallel ranks',
    `${TRANSFORMER} model_parallel_NPU_group: 2 ep: 4 all_gpus: 12`,
    {},
    'WORKLOAD_RANKS',
    'job.txt:1:61: ep: 4: expected a divisor of the 6 data-parallel ranks (12 ranks by 2 model-parallel ranks)',
  ],
  [
    'interleaved stages',
    `${TRANSFORMER} model_parallel_NPU_group: 1 pp: 2 vpp: 2 all_gpus: 2 pp_comm 8`,
    {},
    'WORKLOAD_UNSUPPORTED',
    'job.txt:1:67: vpp: 2: interleaved stages cannot be expanded',
  ],
  [
    'stages without bytes',
    `${TRANSFORMER} model_parallel_NPU_group: 1 pp: 2 all_gpus: 2`,
    {},
    'WORKLOAD_MALFORMED',
    'job.txt:1:61: pp: 2 needs pp_comm',
  ],
  [
    'more nodes than a rank can have',
    'DATA',
    { ranks: 2, passes: 10_000_000 },
    'WORKLOAD_UNSUPPORTED',
    'job.txt: 1 layer, 1 micro-batch and 10,000,000 passes make up to 60,000,000 nodes a rank, expected at most 50,000,000',
  ],
  [
    'a bottom layer without top',
    'HYBRID_DLRM 0',
    { ranks: 2 },
    'WORKLOAD_MALFORMED',
    'job.txt:1:13: HYBRID_DLRM 0: the last bottom layer has a layer behind it, of 1 layer: expected two layers at least',
  ],
  [
    'a layer without checkpoint',
    `${TRANSFORMER} model_parallel_NPU_group: 1 checkpoint_initiates: 1 0`,
    { ranks: 2 },
    'WORKLOAD_MALFORMED',
    'job.txt:1:61: checkpoint_initiates: layer 0 has no checkpoint at or before it',
  ],
])('%s: %s with %j is refused', (_what, header, options, code, message) => {
  expect(() => job(header, options)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

/** `code severity count` of what is found. */
function found(...of: Parameters<typeof job>): string[] {
  return job(...of).findings.map(
    ({ code, severity, count }) => `${code} ${severity}${count === undefined ? '' : ` ${count}`}`,
  );
}

test('a workload of which all is used says how it was read, nothing else', () => {
  const { findings } = job('DATA', { ranks: 4, passes: 2 });
  expect(findings.map(({ message }) => message)).toEqual([
    'job.txt: DATA; 1 layer; 2 passes; 4 ranks; times taken as µs, as chakra_converter does: 18 us of compute a pass',
  ]);
});

test.each<[string, string[], string, string[]]>([
  [
    'collectives that DATA does not run',
    ['fc -1 5 ALLGATHER 8 6 ALLREDUCE 8 7 NONE 0 0'],
    'DATA',
    ['WORKLOAD_COLUMN_UNUSED warning 1', 'WORKLOAD_COLUMN_UNUSED warning 1'],
  ],
  [
    'weight-gradient collectives in MODEL',
    ['a -1 5 NONE 0 6 NONE 0 7 ALLREDUCE 8 0', 'b -1 5 NONE 0 6 NONE 0 7 ALLREDUCE 8 0'],
    'MODEL',
    ['WORKLOAD_COLUMN_UNUSED warning 2'],
  ],
  [
    'the first input-gradient collective in MODEL',
    ['a -1 5 NONE 0 6 ALLREDUCE 8 7 NONE 0 0', 'b -1 5 NONE 0 6 ALLREDUCE 8 7 NONE 0 0'],
    'MODEL',
    ['WORKLOAD_COLUMN_UNUSED note 1'],
  ],
  ['compute in MICRO', [LAYER], 'MICRO', ['WORKLOAD_COLUMN_UNUSED note 1']],
  ['update times', ['fc -1 5 NONE 0 6 NONE 0 7 NONE 0 9'], 'DATA', ['WORKLOAD_COLUMN_UNUSED note 1']],
  [
    'forward collectives but all-to-all in DLRM',
    ['e -1 5 ALLGATHER 8 6 ALLTOALL 8 7 NONE 0 0', 't -1 5 ALLTOALL 8 6 ALLTOALL 8 7 NONE 0 0'],
    'HYBRID_DLRM 0',
    ['WORKLOAD_COLUMN_UNUSED warning 1', 'WORKLOAD_COLUMN_UNUSED warning 1'],
  ],
  [
    'collectives without bytes',
    ['fc -1 5 NONE 0 6 NONE 0 7 ALLREDUCE 0 0'],
    'DATA',
    ['WORKLOAD_EMPTY_COLLECTIVES note 1'],
  ],
  [
    'a reserved column in use, and NONE with bytes',
    ['fc 0 5 NONE 3 6 NONE 0 7 NONE 0 0'],
    'DATA',
    ['WORKLOAD_COLUMN_UNUSED warning 1', 'WORKLOAD_COLUMN_UNUSED warning 1'],
  ],
  ['keys of groups in DATA', [LAYER], 'DATA model_parallel_NPU_group: 2', ['WORKLOAD_HEADER_UNUSED warning']],
  [
    'checkpoints where nothing is done again',
    [LAYER],
    'HYBRID_TRANSFORMER model_parallel_NPU_group: 2 checkpoints: 1 0',
    ['WORKLOAD_HEADER_UNUSED warning'],
  ],
])('%s are told', (_what, layers, header, expected) => {
  expect(found(header, { ranks: 2, passes: 1 }, layers)).toEqual([...expected, 'WORKLOAD_READ note']);
});

test('options win over line 1, and that is told', () => {
  const header = `${TRANSFORMER} model_parallel_NPU_group: 2 all_gpus: 8`;
  const layers = ['fc -1 0 NONE 0 0 NONE 0 0 ALLREDUCE 64 0'];
  expect(found(header, { ranks: 8, modelParallel: 2 }, layers)).toEqual(['WORKLOAD_READ note']);
  const overridden = job(header, { ranks: 4, modelParallel: 4 }, layers);
  expect(overridden.rankCount).toBe(4);
  expect(overridden.groups.size).toBe(4); // data-parallel groups of one rank
  expect(overridden.findings.map(({ code }) => code)).toEqual([
    'WORKLOAD_HEADER_OVERRIDDEN',
    'WORKLOAD_HEADER_OVERRIDDEN',
    'WORKLOAD_READ',
  ]);
});

test.each([
  [0, 0],
  [499, 0],
  [500, 1],
  [1499, 1],
  [1500, 2],
  [2 ** 53 - 1, 9_007_199_254_741], // 9,007,199,254,740,991 ns
])('%d ns are %d µs', (ns, micros) => {
  expect(wholeMicros(ns)).toBe(micros);
});

test('times of SimAI are ns: the duration is rounded, duration_ns is exact', () => {
  const { nodes } = jsonLines(rankBytes(job('DATA all_gpus: 2', {}, ['fc -1 1500 NONE 0 0 NONE 0 499 NONE 0 0']), 1));
  expect(nodes.map(({ durationMicros, attr }) => [durationMicros, attr])).toEqual([
    [
      2,
      [
        { name: 'is_cpu_op', bool: false },
        { name: 'duration_ns', int64: 1500 },
      ],
    ],
    [
      undefined,
      [
        { name: 'is_cpu_op', bool: false },
        { name: 'duration_ns', int64: 499 },
      ],
    ],
  ]);
});

test('metadata has the rank, the ranks, and the groups of the rank', () => {
  const { metadata } = jsonLines(rankBytes(job('HYBRID_MODEL_DATA', { ranks: 4, modelParallel: 2 }), 3));
  expect(metadata).toMatchObject({
    version: '0.0.4',
    attr: [
      { name: 'rank', int64: 3 },
      { name: 'world_size', int64: 4 },
      { name: 'process_groups', string: '{"2":[1,3]}' }, // no collective runs over a model-parallel group
    ],
  });
});
