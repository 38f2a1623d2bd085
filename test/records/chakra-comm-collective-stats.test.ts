import { planCollectives } from '../../src/collectives/build-plan.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import { chakraCommCollectiveStats } from '../../src/records/chakra-comm-collective-stats.js';
import { collectiveHash } from '../../src/records/collective-hash.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, memory, receive, run, traces } from '../support/jobs.js';
import { groupsOf } from '../support/preparation.js';
import { linesOf } from '../support/records.js';

test('R-156 the hash of tp|AllReduce|0', () => {
  expect(collectiveHash('tp', CollectiveType.allReduce, 0)).toBe(7_208_551_405_332_016_940n);
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

test('R-156 times that were not reached are absent', () => {
  const job = traces(
    [collective(1, CollectiveType.allGather, 1000, 'tp'), collective(3, CollectiveType.broadcast, 8, 'tp', [1])],
    [collective(1, CollectiveType.allGather, 1000, 'tp'), collective(3, CollectiveType.broadcast, 8, 'tp', [1])],
  );
  const plan = planCollectives(job.map(surveyRank), groupsOf({ tp: [0, 1] }), {});
  // The AllGather's transfers are sent at 1 µs and received at 2 µs, when the broadcast starts.
  const rows = linesOf(chakraCommCollectiveStats, run(job, { plan, stopPs: 1_500_000 })).slice(1);
  expect(rows.map((row) => row.split(',').slice(5).join())).toEqual(['0.000000,,1,0', ',,1,0']);
});
