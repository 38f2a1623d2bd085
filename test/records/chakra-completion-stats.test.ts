import { chakraCompletionStats } from '../../src/records/chakra-completion-stats.js';
import { compute, receive, run, traces } from '../support/jobs.js';
import { linesOf, runningExample } from '../support/records.js';

test('R-154 with a limit of 22 µs', () => {
  expect(linesOf(chakraCompletionStats, runningExample({ stopPs: 22_000_000 }))).toEqual([
    'metric_path,chakra_app_logical_id,chakra_trace_completion_time_us,chakra_full_payload_bytes_sent,chakra_full_payload_bytes_received,num_chakra_sends_completed,num_chakra_receives_completed,num_chakra_sends_fully_acked,num_chakra_computations_completed,total_chakra_computation_time_us,post_annotated_results_path',
    'ChakraGenerator.ChakraApp,0,22.000000,1048576,0,1,0,0,0,0.000000,post_annotated/job.0.json',
    'ChakraGenerator.ChakraApp,1,22.000000,0,0,0,0,0,0,0.000000,post_annotated/job.1.json',
  ]);
});

test('R-154 with enough time both rows show 23.356600 (R-140)', () => {
  expect(linesOf(chakraCompletionStats, runningExample()).slice(1)).toEqual([
    'ChakraGenerator.ChakraApp,0,23.356600,1048576,0,1,0,1,0,0.000000,post_annotated/job.0.json',
    'ChakraGenerator.ChakraApp,1,23.356600,0,1048576,0,1,0,0,0.000000,post_annotated/job.1.json',
  ]);
});

test('R-154 and R-055 rows in the order of the ends, unfinished ranks last; computation sums durations', () => {
  const job = traces([compute(1, 10), compute(2, 10)], [receive(1, 0, 8, 1)], [compute(1, 3, [], true)], []);
  const rows = linesOf(chakraCompletionStats, run(job)).slice(1);
  expect(rows.map((row) => row.split(',').slice(1, 3).concat(row.split(',').slice(8, 10)))).toEqual([
    ['3', '0.000000', '0', '0.000000'],
    ['2', '3.000000', '1', '3.000000'],
    ['0', '20.000000', '2', '20.000000'],
    ['1', '20.000000', '0', '0.000000'],
  ]);
});

test('R-154 times count from StartTime; a rank that did not end has the stop', () => {
  const outcome = runningExample();
  const ranks = [
    { ...outcome.ranks[0], state: 'stalled' as const, ended: false, endPs: 6_000_000 },
    { ...outcome.ranks[1], endPs: 9_000_000 },
  ];
  const times = (stopPs: number): string[] =>
    linesOf(chakraCompletionStats, { ...outcome, ranks, startPs: 5_000_000, endPs: 9_000_000, stopPs })
      .slice(1)
      .map((line) => line.split(',').slice(1, 3).join(' '));
  expect(times(30_000_000)).toEqual(['1 4.000000', '0 25.000000']);
  expect(times(Infinity)).toEqual(['1 4.000000', '0 4.000000']);
});

test('R-055 a sum of durations beyond 2^53 ps is exact', () => {
  const outcome = runningExample();
  const ranks = [{ ...outcome.ranks[0], computationMicros: 9_007_199_254_740_991 }];
  expect(linesOf(chakraCompletionStats, { ...outcome, ranks })[1].split(',')[9]).toBe('9007199254740991.000000');
});
