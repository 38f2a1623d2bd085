import { planCollectives } from '../../src/collectives/build-plan.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import { chakraCommCollectiveStats } from '../../src/records/chakra-comm-collective-stats.js';
import { chakraCompletionStats } from '../../src/records/chakra-completion-stats.js';
import { chakraPerf } from '../../src/records/chakra-perf.js';
import { collectiveHash } from '../../src/records/collective-hash.js';
import { csvField, micros, seconds } from '../../src/records/number-formats.js';
import type { RecordFile } from '../../src/records/record.js';
import type { NetworkFactory } from '../../src/network/network.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import type { ReplayOptions } from '../../src/replay/replay-options.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute, memory, receive, run, send, traces } from '../support/jobs.js';
import { groupsOf } from '../support/preparation.js';

function linesOf(file: RecordFile, outcome: ReplayOutcome): string[] {
  let text = '';
  file.write(outcome, (piece) => (text += piece), { prefix: 'job' });
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}

/** The transfer of R-063: 1 MiB is sent by 21.26848 µs, received at 22.35156 µs and acknowledged at 23.3566 µs. */
const R063: NetworkFactory = (_ranks, kernel, listener) => ({
  name: 'R-063',
  post: (transfer, _source, _destination, _bytes, now) => {
    const at = (timePs: number, handler: (transfer: number, timePs: number) => void): void =>
      kernel.schedule(
        now + timePs,
        0,
        0,
        kernel.addHandler(() => handler(transfer, now + timePs)),
        transfer,
      );
    at(21_268_480, (...told) => listener.sent(...told));
    at(22_351_560, (...told) => listener.received(...told));
    at(23_356_600, (...told) => listener.acknowledged(...told));
  },
});

function runningExample(options: Partial<ReplayOptions> = {}): ReplayOutcome {
  const job = traces([send(1, 1, 1_048_576, 0)], [receive(1, 0, 1_048_576, 0)]);
  return run(job, { network: R063, recordTransfers: true, ...options });
}

describe('number formats', () => {
  test('seconds have 12 decimals, microseconds 6, both exact', () => {
    expect(seconds(23_356_600)).toBe('0.000023356600');
    expect(seconds(9_007_199_254_740_991)).toBe('9007.199254740991');
    expect(micros(23_356_600)).toBe('23.356600');
    expect(micros(0)).toBe('0.000000');
  });

  test('a field with a separator or a quote is quoted', () => {
    expect([csvField('tp'), csvField('a,b'), csvField('say "x"')]).toEqual(['tp', '"a,b"', '"say ""x"""']);
  });
});

describe('chakra-perf', () => {
  test('R-153 the running example', () => {
    expect(linesOf(chakraPerf, runningExample())).toEqual([
      'time_utc,metric_name,sim_time_sec,perf_metric_usec,metric_path,metric_aggregation_id,start_time_sec,is_added_synchronization_flow,comm_tag,group_size,flow_comm_size,sending_app_name,receiving_app_name',
      '1970-01-01T00:00:00Z,ChakraFCT,0.000023356600,23.356600,ChakraFCT.Send.GroupSize0.CommSize1048576Bytes,-1,0.000000000000,false,0,-1,1048576,ChakraApp-0,ChakraApp-1',
    ]);
  });

  test('R-153 no row before the acknowledgment', () => {
    expect(linesOf(chakraPerf, runningExample({ stopPs: 22_000_000 }))).toHaveLength(1);
  });

  test('R-153 rows come in the order of acknowledgment, ties by sender, then node', () => {
    const job = traces(
      [memory(1, 1), send(2, 1, 1000, 1, [1]), send(3, 1, 2000, 2)],
      [send(1, 0, 1000, 3), send(2, 0, 1000, 4), receive(3, 0, 1000, 1), receive(4, 0, 2000, 2)],
      [],
    );
    const lines = linesOf(chakraPerf, run(job, { recordTransfers: true }));
    const rows = lines.slice(1).map((line) => line.split(','));
    expect(rows.map((row) => [row[2], row[8], row[11]])).toEqual([
      ['0.000003000000', '3', 'ChakraApp-1'],
      ['0.000003000000', '4', 'ChakraApp-1'],
      ['0.000004000000', '1', 'ChakraApp-0'],
      ['0.000004000000', '2', 'ChakraApp-0'],
    ]);
    // The time counts from the start of the send node.
    expect(rows.map((row) => row[3])).toEqual(['3.000000', '3.000000', '3.000000', '4.000000']);
  });

  test('R-094 a ring AllReduce of 4 with synchronization: 24 + 6 rows, 24 sends in the completion rows', () => {
    const job = traces(...Array.from({ length: 4 }, () => [collective(1, CollectiveType.allReduce, 1000, 'tp')]));
    const plan = planCollectives(job.map(surveyRank), groupsOf({ tp: [0, 1, 2, 3] }), {});
    const outcome = run(job, { plan, sync: true, recordTransfers: true });
    const rows = linesOf(chakraPerf, outcome)
      .slice(1)
      .map((line) => line.split(','));
    expect(rows.filter((row) => row[7] === 'false')).toHaveLength(24);
    expect(rows.filter((row) => row[7] === 'true')).toHaveLength(6);
    // Barrier transfers carry the type, size and id of their collective.
    expect(new Set(rows.map((row) => row[4]))).toEqual(new Set(['ChakraFCT.AllReduce.GroupSize4.CommSize1000Bytes']));
    expect(new Set(rows.map((row) => row[5]))).toEqual(new Set(['7208551405332016940']));
    expect(new Set(rows.filter((row) => row[7] === 'true').map((row) => row[10]))).toEqual(new Set(['0']));
    const sends = linesOf(chakraCompletionStats, outcome)
      .slice(1)
      .map((line) => Number(line.split(',')[5]));
    expect(sends).toEqual([6, 6, 6, 6]);
  });

  test('it needs the transfers', () => {
    expect(() => linesOf(chakraPerf, runningExample({ recordTransfers: false }))).toThrow('recordTransfers');
  });
});

describe('chakra-completion-stats', () => {
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
});

describe('chakra-comm-collective-stats', () => {
  test('R-156 the hash of tp|AllReduce|0', () => {
    expect(collectiveHash('tp', CollectiveType.allReduce, 0)).toBe('7208551405332016940');
  });

  test.each([
    [true, '8.000000'],
    [false, '5.000000'],
  ])('R-156 the table of section 7, latest start: %s', (useMaxAsStart, start) => {
    const job = traces(
      [memory(1, 5), collective(2, CollectiveType.allReduce, 2000, 'tp', [1])],
      [memory(1, 8), collective(2, CollectiveType.allReduce, 2000, 'tp', [1])],
    );
    const plan = planCollectives(job.map(surveyRank), groupsOf({ tp: [0, 1] }), {});
    expect(linesOf(chakraCommCollectiveStats, run(job, { plan, useMaxAsStart }))).toEqual([
      'collective_hash,comm_type,comm_size,pg_name,pg_size,simulation_start_time_us,simulation_end_time_us,use_max_as_collective_start_time,is_valid',
      `7208551405332016940,AllReduce,2000,tp,2,${start},13.000000,${useMaxAsStart ? 1 : 0},1`,
    ]);
  });

  test('R-156 by first start; N = 1 gives no row; without a finished member is_valid is 0', () => {
    const { allGather, allReduce, barrier } = CollectiveType;
    const both = [memory(2, 9), collective(3, allReduce, 10, 'b,c', [2]), collective(4, barrier, 0, 'a')];
    // Rank 1 waits for a transfer that never comes before it takes part in the AllGather.
    const job = traces(
      [collective(1, allGather, 10, 'self'), ...both, collective(6, allGather, 10, 'a')],
      [...both, receive(5, 0, 8, 1), collective(6, allGather, 10, 'a', [5])],
    );
    const groups = groupsOf({ 'b,c': [0, 1], a: [0, 1], self: [0] });
    const outcome = run(job, { plan: planCollectives(job.map(surveyRank), groups, {}) });
    expect(outcome.status).toBe('stalled');
    const rows = linesOf(chakraCommCollectiveStats, outcome)
      .slice(1)
      .map((line) => line.slice(line.indexOf(',') + 1));
    // Barrier: two steps of 1 µs and an acknowledgment. AllReduce: two steps of 1.005 µs. AllGather: rank 0's send of
    // 10 B is acknowledged 2 µs after it has left, its receive waits.
    expect(rows).toEqual([
      'Barrier,0,a,2,0.000000,3.000000,1,1',
      'AllGather,10,a,2,0.000000,2.010000,1,0',
      'AllReduce,10,"b,c",2,9.000000,12.010000,1,1',
    ]);
  });
});
