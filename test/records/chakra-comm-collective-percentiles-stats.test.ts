import {
  chakraCommCollectivePercentilesStats,
  nearestRank,
} from '../../src/records/chakra-comm-collective-percentiles-stats.js';
import type { CollectiveOutcome } from '../../src/replay/outcome.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { factsOf, linesOf, runningExample } from '../support/records.js';

/** A ring AllReduce of 1 GiB over 8 ranks that takes so many µs. */
function instance(micros: number, other: Partial<CollectiveOutcome> = {}): CollectiveOutcome {
  return {
    group: 'tp',
    type: CollectiveType.allReduce,
    instance: 0,
    algorithm: 'ring',
    size: 2 ** 30,
    groupSize: 8,
    startPs: 7_000_000,
    endPs: 7_000_000 + micros * 1_000_000,
    transfers: 112,
    bytes: 14 * 2 ** 30,
    membersFinished: 8,
    ...other,
  };
}

function rows(collectives: CollectiveOutcome[], linkBytesPerNs?: number): string[] {
  const outcome = { ...runningExample(), collectives };
  return linesOf(chakraCommCollectivePercentilesStats, outcome, factsOf({ linkBytesPerNs })).slice(1);
}

test('R-157 run times 1 … 10 µs: p50 = 5, p99 = 10', () => {
  const shuffled = [4, 10, 1, 7, 3, 9, 2, 8, 5, 6].map((micros) => instance(micros));
  expect(rows(shuffled)).toEqual([
    'AllReduce,ring,1073741824,8,10,5.500000,5.000000,10.000000,10.000000,10.000000,NA,NA,NA,NA,NA',
  ]);
  const outcome = { ...runningExample(), collectives: [] };
  expect(linesOf(chakraCommCollectivePercentilesStats, outcome)).toEqual([
    'comm_type,expansion_algo,comm_size,pg_size,count,mean_run_time_us,p50_run_time_us,p99_run_time_us,p99_9_run_time_us,p100_run_time_us,mean_ideal_ratio,p50_ideal_ratio,p99_ideal_ratio,p99_9_ideal_ratio,p100_ideal_ratio',
  ]);
});

test('R-157 ratios to the ideal of 37,580.963840 µs at 400 Gbit/s', () => {
  // Twice and four times the ideal: the mean is three times.
  expect(rows([instance(150_323.85536), instance(75_161.92768)], 50)).toEqual([
    'AllReduce,ring,1073741824,8,2,112742.891520,75161.927680,150323.855360,150323.855360,150323.855360,3.000000,2.000000,4.000000,4.000000,4.000000',
  ]);
});

test('R-157 a mean is rounded halves up to whole ps', () => {
  const [row] = rows([instance(1), instance(1.000001)]);
  expect(row.split(',')[5]).toBe('1.000001');
});

test('R-157 a Barrier has no ideal', () => {
  const barrier = instance(2, { type: CollectiveType.barrier, size: 0 });
  expect(rows([barrier], 50)).toEqual([
    'Barrier,ring,0,8,1,2.000000,2.000000,2.000000,2.000000,2.000000,NA,NA,NA,NA,NA',
  ]);
});

test('R-157 a row for each type, algorithm, size and group size; groups with other names are one', () => {
  const collectives = [
    instance(1),
    instance(2, { group: 'dp' }),
    instance(3, { algorithm: 'tree' }),
    instance(4, { size: 1000 }),
    instance(5, { groupSize: 4 }),
    instance(6, { type: CollectiveType.allGather }),
  ];
  expect(rows(collectives).map((row) => row.split(',').slice(0, 6).join())).toEqual([
    'AllReduce,ring,1073741824,8,2,1.500000',
    'AllReduce,tree,1073741824,8,1,3.000000',
    'AllReduce,ring,1000,8,1,4.000000',
    'AllReduce,ring,1073741824,4,1,5.000000',
    'AllGather,ring,1073741824,8,1,6.000000',
  ]);
});

test('R-157 instances that are not valid, or that the limit cut off, are left out', () => {
  const collectives = [
    instance(1, { membersFinished: 0 }),
    instance(1, { endPs: NaN }),
    instance(1, { startPs: 9_000_000 }), // the last member started after anything had arrived
    instance(3),
  ];
  expect(rows(collectives).map((row) => row.split(',').slice(4, 6).join())).toEqual(['1,3.000000']);
  expect(rows(collectives.slice(0, 3))).toEqual([]);
});

test('R-157 the percentile is the nearest rank', () => {
  const to = (n: number): number[] => Array.from({ length: n }, (_, place) => place + 1);
  expect([nearestRank(to(10), 500), nearestRank(to(10), 990), nearestRank(to(1), 500)]).toEqual([5, 10, 1]);
  // ceil(0.99 × 100) = 99, ceil(0.999 × 1000) = 999, ceil(0.5 × 11) = 6.
  expect([nearestRank(to(100), 990), nearestRank(to(1000), 999), nearestRank(to(11), 500)]).toEqual([99, 999, 6]);
});
