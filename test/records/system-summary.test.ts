import { summaryTable } from '../../src/records/summary-table.js';
import { systemSummary } from '../../src/records/system-summary.js';
import { exampleH, systemCollective, systemOutcome, systemRank } from '../support/system-outcomes.js';

test('example H as the table of a replay shows it', () => {
  expect(summaryTable(systemSummary(exampleH()))).toEqual([
    'status        finished at 130.000 µs',
    'network       analytical-unaware',
    'ranks         4, all finished',
    'transfers     24 with 6.29 MB',
    'collectives   1',
    'events        7',
    'time went to  compute 100.0 %, exposed communication 0.0 %, waiting 0.0 %',
    '',
    'rank         end     compute  communication  exposed     sent  received  nodes',
    ...[0, 1, 2, 3].map(
      (rank) => `${rank}     130.000 µs  130.000 µs      33.829 µs     0 ps  1.57 MB   1.57 MB    3/3`,
    ),
    '',
    'group  collective  algorithm  ranks  count  transfers    bytes      least     median       most',
    'world  AllReduce   ring           4      1         24  6.29 MB  33.829 µs  33.829 µs  33.829 µs',
  ]);
});

test('a rank that waits, and a collective that never started', () => {
  // Rank 0 computes 250 of 1,000 ns and is done; rank 1 waits on from 500.
  const ranks = [
    systemRank(0, 1000, { exposedCommunicationNs: 750, statistics: { wallNs: 1000, gpuNs: 250, overlapNs: -750 } }),
    systemRank(1, 500, { state: 'stalled', nodesFinished: 0 }),
  ];
  const collectives = [systemCollective({ startNs: NaN, endNs: NaN, messages: 0, bytes: 0 })];
  const lines = summaryTable(systemSummary(systemOutcome(ranks, { status: 'stalled', collectives })));
  expect(lines[0]).toBe('status        stalled at 1.000 µs');
  expect(lines[2]).toBe('ranks         1 of 2 finished');
  // Of 2,000 ns: 250 compute, 750 + 500 exposed, 500 nothing.
  expect(lines[6]).toBe('time went to  compute 12.5 %, exposed communication 62.5 %, waiting 25.0 %');
  expect(lines.at(-1)).toMatch(/^world {2}AllReduce .*–.*–.*–$/);
});

test('an exposed communication below 0 has a unit', () => {
  const rank = systemRank(0, 1000, { exposedCommunicationNs: -2500 });
  expect(summaryTable(systemSummary(systemOutcome([rank]))).at(-1)).toContain(' -2.500 µs ');
});
