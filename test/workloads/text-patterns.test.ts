import { shownNodes, workloadJob } from '../support/text-workloads.js';

/** Node lists are worked out by hand from the table of docs/converters.md. */

const TWO = [
  'a -1 1 ALLGATHER 8 2 ALLREDUCE 16 3 REDUCESCATTER 32 0',
  'b -1 4 ALLREDUCE 24 5 ALLGATHER 40 6 ALLREDUCE 48 0',
];

test('MICRO: weight-gradient collectives alone, NONE left out', () => {
  const job = workloadJob(['MICRO', '3', ...TWO, 'c -1 1 NONE 0 1 NONE 0 1 NONE 0 0'], { ranks: 2, passes: 2 });
  expect(shownNodes(job, 1)).toEqual([
    '0 a_REDUCESCATTER 32B #0',
    '1 b_ALLREDUCE 48B #1',
    '2 a_REDUCESCATTER 32B #2',
    '3 b_ALLREDUCE 48B #3',
  ]);
});

test('DATA: where a layer has no weight-gradient collective, its next forward waits for the compute', () => {
  const job = workloadJob(['DATA', '2', TWO[0], 'b -1 4 NONE 0 5 NONE 0 6 NONE 0 0'], { ranks: 2, passes: 2 });
  expect(shownNodes(job, 0)).toEqual([
    '0 a_FWD 1us',
    '1 b_FWD < 0 4us',
    '2 b_BWD_WG < 1 6us',
    '3 b_BWD_IG < 2 5us',
    '4 a_BWD_WG < 3 3us',
    '5 a_REDUCESCATTER < 4 32B #0',
    '6 a_FWD < 5 1us',
    '7 b_FWD < 6,2 4us',
    '8 b_BWD_WG < 7 6us',
    '9 b_BWD_IG < 8 5us',
    '10 a_BWD_WG < 9 3us',
    '11 a_REDUCESCATTER < 10 32B #1',
  ]);
});

test('MODEL: without a collective the next layer waits for the compute', () => {
  const job = workloadJob(['MODEL', '2', 'a -1 1 NONE 0 2 ALLREDUCE 16 3 NONE 0 0', TWO[1]], { ranks: 2, passes: 2 });
  const pass = [
    '0 a_FWD 1us',
    '1 b_FWD < 0 4us',
    '2 b_ALLREDUCE < 1 24B #0',
    '3 b_BWD_IG < 2 5us',
    '4 b_ALLGATHER < 3 40B #1',
    '5 b_BWD_WG < 3 6us',
    '6 a_BWD_IG < 5,4 2us',
    '7 a_BWD_WG < 6 3us',
  ];
  expect(shownNodes(job, 0).slice(0, 8)).toEqual(pass);
  // The second pass: each forward waits for its weight-gradient compute and for the layer before.
  expect(shownNodes(job, 0).slice(8, 11)).toEqual([
    '8 a_FWD < 7 1us',
    '9 b_FWD < 5,8 4us',
    '10 b_ALLREDUCE < 9 24B #2',
  ]);
});

test('HYBRID_MODEL_DATA: model-parallel groups are neighbours, data-parallel ones stand across', () => {
  const job = workloadJob(['HYBRID_MODEL_DATA', '2', ...TWO], { ranks: 4, modelParallel: 2, passes: 2 });
  expect([...job.groups]).toEqual([
    ['1', [0, 1]],
    ['2', [2, 3]],
    ['3', [0, 2]],
    ['4', [1, 3]],
  ]);
  const pass = [
    '0 a_FWD 1us',
    '1 a_ALLGATHER < 0 8B @2 #0',
    '2 b_FWD < 1 4us',
    '3 b_ALLREDUCE < 2 24B @2 #1',
    '4 b_BWD_IG < 3 5us',
    '5 b_ALLGATHER < 4 40B @2 #2',
    '6 b_BWD_WG < 4 6us',
    '7 b_ALLREDUCE < 6 48B @4 #0',
    '8 a_BWD_IG < 6,5 2us',
    '9 a_BWD_WG < 8 3us',
    '10 a_REDUCESCATTER < 9 32B @4 #1',
  ];
  expect(shownNodes(job, 3).slice(0, 11)).toEqual(pass);
  expect(shownNodes(job, 3).slice(11, 14)).toEqual([
    '11 a_FWD < 10 1us',
    '12 a_ALLGATHER < 11 8B @2 #3',
    '13 b_FWD < 7,12 4us',
  ]);
});

test('HYBRID_DATA_MODEL: the same, but for the name of the input-gradient collective', () => {
  const job = workloadJob(['HYBRID_DATA_MODEL', '2', ...TWO], { ranks: 4, modelParallel: 2 });
  expect(shownNodes(job, 0)[5]).toBe('5 b_IG_COMM__ALLGATHER < 4 40B @1 #2');
});

test('HYBRID_DLRM: layer 0 has no all-to-all, and one on another layer that nobody waits for', () => {
  const lines = [
    'HYBRID_DLRM 1',
    '3',
    'e -1 1 NONE 0 2 NONE 0 3 NONE 0 0',
    'b -1 4 ALLTOALL 8 5 NONE 0 6 NONE 0 0',
    't -1 7 NONE 0 8 NONE 0 9 ALLREDUCE 4 0',
  ];
  const job = workloadJob(lines, { ranks: 2 });
  expect(shownNodes(job, 0)).toEqual([
    '0 e_FWD 1us',
    '1 b_FWD < 0 4us',
    '2 b_ALLTOALL < 1 8B #0',
    '3 t_FWD < 1 7us',
    '4 t_BWD_WG < 3 9us',
    '5 t_ALLREDUCE < 4 4B #1',
    '6 t_BWD_IG < 4 8us',
    '7 b_BWD_WG < 6 6us',
    '8 b_BWD_IG < 7 5us',
    '9 e_BWD_WG < 8 3us',
  ]);
});

test('HYBRID_CUSTOMIZED: each layer by its own mode', () => {
  const lines = [
    'HYBRID_CUSTOMIZED',
    '3',
    `${TWO[0]} DATA`,
    `${TWO[1]} MODEL`,
    'c -1 7 ALLGATHER 56 8 ALLREDUCE 64 9 ALLREDUCE 72 0 HYBRID_DATA_MODEL',
  ];
  const job = workloadJob(lines, { ranks: 4, modelParallel: 2 });
  expect(shownNodes(job, 2)).toEqual([
    '0 a_FWD 1us',
    '1 b_FWD < 0 4us',
    '2 b_ALLREDUCE < 1 24B #0',
    '3 c_FWD < 2 7us',
    '4 c_ALLGATHER < 3 56B @2 #0',
    '5 c_BWD_IG < 4 8us',
    '6 c_ALLREDUCE < 5 64B @2 #1',
    '7 c_BWD_WG < 5 9us',
    '8 c_ALLREDUCE < 7 72B @3 #0',
    '9 b_BWD_IG < 7,6 5us',
    '10 b_ALLGATHER < 9 40B #1',
    '11 b_BWD_WG < 9 6us',
    '12 a_BWD_WG < 11,10 3us',
    '13 a_REDUCESCATTER < 12 32B #2',
  ]);
});

test('HYBRID_CUSTOMIZED without hybrid layers needs no groups', () => {
  const job = workloadJob(['HYBRID_CUSTOMIZED', '1', `${TWO[0]} DATA`], { ranks: 4 });
  expect(job.groups.size).toBe(0);
});

const TRANSFORMER = 'HYBRID_TRANSFORMER model_parallel_NPU_group: 2';

test('HYBRID_TRANSFORMER: as the hybrid modes, with the first input-gradient collective', () => {
  const job = workloadJob([TRANSFORMER, '2', ...TWO], { ranks: 4 });
  expect(shownNodes(job, 0).slice(8)).toEqual([
    '8 a_BWD_IG < 6,5 2us',
    '9 a_ALLREDUCE < 8 16B @1 #3',
    '10 a_BWD_WG < 8 3us',
    '11 a_REDUCESCATTER < 10 32B @3 #1',
  ]);
});

test('micro-batches run forward and backward in turn, and weights are reduced behind the last', () => {
  const job = workloadJob(
    [`${TRANSFORMER} ga: 2 all_gpus: 4`, '1', 'a -1 1000 NONE 0 2000 ALLREDUCE 16 3000 ALLREDUCE 32 0'],
    { passes: 2 },
  );
  expect(shownNodes(job, 0)).toEqual([
    '0 a_FWD 1us',
    '1 a_BWD_IG < 0 2us',
    '2 a_ALLREDUCE < 1 16B @1 #0',
    '3 a_BWD_WG < 1 3us',
    '4 a_FWD < 3,2 1us',
    '5 a_BWD_IG < 4 2us',
    '6 a_ALLREDUCE < 5 16B @1 #1',
    '7 a_BWD_WG < 5 3us',
    '8 a_ALLREDUCE < 7 32B @3 #0',
    // The next pass waits for the reduced weights, whose compute is behind it, and for the collective beside it.
    '9 a_FWD < 8,6 1us',
    '10 a_BWD_IG < 9 2us',
    '11 a_ALLREDUCE < 10 16B @1 #2',
    '12 a_BWD_WG < 10 3us',
    '13 a_FWD < 12,11 1us',
    '14 a_BWD_IG < 13 2us',
    '15 a_ALLREDUCE < 14 16B @1 #3',
    '16 a_BWD_WG < 14 3us',
    '17 a_ALLREDUCE < 16 32B @3 #1',
  ]);
});

test('two stages and three micro-batches: one forward one backward, sends and receives in pairs', () => {
  const lines = [
    'HYBRID_TRANSFORMER model_parallel_NPU_group: 1 pp: 2 ga: 3 all_gpus: 2 pp_comm 64',
    '1',
    'a -1 1000 NONE 0 2000 NONE 0 3000 NONE 0 0',
  ];
  const job = workloadJob(lines);
  // Stage 0 is one forward ahead: F0 F1 B0 F2 B1 B2.
  expect(shownNodes(job, 0)).toEqual([
    '0 a_FWD 1us',
    '1 ACTIVATION_0 to 1 < 0 64B tag 0',
    '2 a_FWD < 0 1us',
    '3 ACTIVATION_1 to 1 < 2 64B tag 2',
    '4 GRADIENT_0 from 1 < 2 64B tag 1',
    '5 a_BWD_IG < 4 2us',
    '6 a_BWD_WG < 5 3us',
    '7 a_FWD < 6 1us',
    '8 ACTIVATION_2 to 1 < 7 64B tag 4',
    '9 GRADIENT_1 from 1 < 7 64B tag 3',
    '10 a_BWD_IG < 9 2us',
    '11 a_BWD_WG < 10 3us',
    '12 GRADIENT_2 from 1 < 11 64B tag 5',
    '13 a_BWD_IG < 12 2us',
    '14 a_BWD_WG < 13 3us',
  ]);
  // The last stage has nobody to wait for: F0 B0 F1 B1 F2 B2.
  expect(shownNodes(job, 1).slice(0, 7)).toEqual([
    '0 ACTIVATION_0 from 0 64B tag 0',
    '1 a_FWD < 0 1us',
    '2 a_BWD_IG < 1 2us',
    '3 a_BWD_WG < 2 3us',
    '4 GRADIENT_0 to 0 < 3 64B tag 1',
    '5 ACTIVATION_1 from 0 < 3 64B tag 2',
    '6 a_FWD < 5 1us',
  ]);
});

test('FWD_IN_BCKWD: from the checkpoint to the layer before, the forward pass is done again', () => {
  const lines = [
    'HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 checkpoints: 2 0 1 checkpoint_initiates: 1 2',
    '3',
    'a -1 1 NONE 0 2 NONE 0 3 NONE 0 0',
    'b -1 4 ALLREDUCE 8 5 NONE 0 6 NONE 0 0',
    'c -1 7 NONE 0 8 NONE 0 9 NONE 0 0',
  ];
  expect(shownNodes(workloadJob(lines, { ranks: 2 }), 0)).toEqual([
    '0 a_FWD 1us',
    '1 b_FWD < 0 4us',
    '2 b_ALLREDUCE < 1 8B @1 #0',
    '3 c_FWD < 2 7us',
    // Layer 2 initiates; the nearest checkpoint is layer 1.
    '4 b_FWD_IN_BCKWD < 3 4us',
    '5 b_ALLREDUCE < 4 8B @1 #1',
    '6 c_BWD_IG < 5 8us',
    '7 c_BWD_WG < 6 9us',
    '8 b_BWD_IG < 7 5us',
    '9 b_BWD_WG < 8 6us',
    '10 a_BWD_IG < 9 2us',
    '11 a_BWD_WG < 10 3us',
  ]);
});

test('micro-batches that the lines list are not repeated: all forward, then all backward', () => {
  const lines = [
    'HYBRID_TRANSFORMER model_parallel_NPU_group: 1 ga: 2 all_gpus: 2',
    '4',
    'g -1 1000 NONE 0 1000 NONE 0 1000 ALLREDUCE 8 0',
    'a -1 2000 NONE 0 3000 NONE 0 4000 ALLREDUCE 16 0',
    'a -1 2000 NONE 0 3000 NONE 0 4000 NONE 0 0',
    'h -1 5000 NONE 0 6000 NONE 0 7000 NONE 0 0',
  ];
  const job = workloadJob(lines);
  expect(job.findings).toContainEqual(expect.objectContaining({ code: 'WORKLOAD_MICRO_BATCHES_LISTED', count: 2 }));
  expect(shownNodes(job, 1)).toEqual([
    '0 g_FWD 1us',
    '1 a_FWD < 0 2us',
    '2 a_FWD < 1 2us',
    '3 h_FWD < 2 5us',
    '4 h_BWD_IG < 3 6us',
    '5 h_BWD_WG < 4 7us',
    '6 a_BWD_IG < 5 3us',
    '7 a_BWD_WG < 6 4us',
    '8 a_BWD_IG < 7 3us',
    '9 a_BWD_WG < 8 4us',
    '10 a_ALLREDUCE < 9 16B @1 #0',
    '11 g_BWD_IG < 9 1us',
    '12 g_BWD_WG < 11 1us',
    '13 g_ALLREDUCE < 12 8B @1 #1',
  ]);
});

test('groups of 16 ranks: 2 model-parallel × 4 data-parallel × 2 stages, experts over 2', () => {
  const lines = [
    'HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 2 pp: 2 all_gpus: 16 pp_comm 8',
    '1',
    'a -1 1 ALLREDUCE 8 2 ALLTOALL_EP 8 3 ALLREDUCE 8 0',
    'b -1 1 NONE 0 2 NONE 0 3 ALLREDUCE_DP_EP 8 0',
  ];
  const job = workloadJob(lines);
  expect(Object.fromEntries(job.groups)).toEqual({
    1: [0, 1],
    2: [2, 3],
    3: [4, 5],
    4: [6, 7],
    5: [8, 9],
    6: [10, 11],
    7: [12, 13],
    8: [14, 15],
    9: [0, 2, 4, 6],
    10: [1, 3, 5, 7],
    11: [8, 10, 12, 14],
    12: [9, 11, 13, 15],
    13: [0, 2],
    14: [1, 3],
    15: [4, 6],
    16: [5, 7],
    17: [8, 10],
    18: [9, 11],
    19: [12, 14],
    20: [13, 15],
    21: [0, 4],
    22: [1, 5],
    23: [2, 6],
    24: [3, 7],
    25: [8, 12],
    26: [9, 13],
    27: [10, 14],
    28: [11, 15],
  });
  // Rank 13 = position 1 of the model-parallel ranks, 2 of the data-parallel ones, stage 1; its peer is 8 ranks below.
  expect(shownNodes(job, 13)).toEqual([
    '0 ACTIVATION_0 from 5 8B tag 0',
    '1 a_FWD < 0 0us',
    '2 a_ALLREDUCE < 1 8B @7 #0',
    '3 b_FWD < 2 0us',
    '4 b_BWD_IG < 3 0us',
    '5 b_BWD_WG < 4 0us',
    '6 b_ALLREDUCE_DP_EP < 5 8B @26 #0',
    '7 a_BWD_IG < 5 0us',
    '8 a_ALLTOALL_EP < 7 8B @20 #0',
    '9 a_BWD_WG < 7 0us',
    '10 a_ALLREDUCE < 9 8B @12 #0',
    '11 GRADIENT_0 to 5 < 9,8 8B tag 1',
  ]);
});
