import { planCollectives } from '../../src/collectives/build-plan.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import { chakraCompletionStats } from '../../src/records/chakra-completion-stats.js';
import { chakraPerf } from '../../src/records/chakra-perf.js';
import { TransferLog } from '../../src/replay/transfer-log.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, memory, receive, run, send, traces } from '../support/jobs.js';
import { groupsOf } from '../support/preparation.js';
import { factsOf, linesOf, runningExample } from '../support/records.js';

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

test('R-095 the path has the size of the trace, flow_comm_size the scaled one', () => {
  const log = new TransferLog();
  const row = log.add(0, 1, 0, 62, 125, 7, -1, false);
  log.setTimes(row, 1_000_000, 2_000_000, 3_000_000, 4_000_000);
  expect(linesOf(chakraPerf, { ...runningExample(), transferLog: log })[1]).toBe(
    '1970-01-01T00:00:00Z,ChakraFCT,0.000004000000,3.000000,ChakraFCT.Send.GroupSize0.CommSize125Bytes,-1,0.000001000000,false,7,-1,62,ChakraApp-0,ChakraApp-1',
  );
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

test('R-005 with the wall clock time_utc is the real time of writing', () => {
  const wallClock = { startedMs: 0, nowMs: () => Date.UTC(2026, 1, 3, 4, 5, 6, 789) };
  const lines = linesOf(chakraPerf, runningExample(), factsOf({ wallClock }));
  expect(lines[1].split(',')[0]).toBe('2026-02-03T04:05:06.789Z');
});

test('it needs the transfers', () => {
  expect(() => linesOf(chakraPerf, runningExample({ recordTransfers: false }))).toThrow('recordTransfers');
});
