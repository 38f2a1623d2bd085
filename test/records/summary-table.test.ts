import { planCollectives } from '../../src/collectives/build-plan.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import { summaryTable } from '../../src/records/summary-table.js';
import { collective, compute, memory, run, traces } from '../support/jobs.js';
import { groupsOf } from '../support/preparation.js';

describe('summary table', () => {
  test('a run of two ranks', () => {
    const job = traces(
      [compute(1, 5), collective(2, 0, 2000, 'tp', [1])],
      [compute(1, 8), collective(2, 0, 2000, 'tp', [1])],
    );
    const plan = planCollectives(job.map(surveyRank), groupsOf({ tp: [0, 1] }), {});
    // The table of section 7: rank 0 communicates 5–11, rank 1 8–12 µs, both end at 13.
    expect(summaryTable(run(job, { plan }))).toEqual([
      'status        finished at 13.000 µs',
      'network       analytical-unaware',
      'ranks         2, all finished',
      'transfers     4 with 4.00 kB',
      'collectives   1',
      'events        6',
      'time went to  compute 50.0 %, exposed communication 38.5 %, waiting 11.5 %',
      '',
      'rank        end   compute  communication   exposed     sent  received  nodes',
      '0     13.000 µs  5.000 µs       6.000 µs  6.000 µs  2.00 kB   2.00 kB    2/2',
      '1     13.000 µs  8.000 µs       4.000 µs  4.000 µs  2.00 kB   2.00 kB    2/2',
      '',
      'group  collective  algorithm  ranks  count  transfers    bytes     least    median      most',
      'tp     AllReduce   ring           2      1          4  4.00 kB  5.000 µs  5.000 µs  5.000 µs',
    ]);
  });

  test("R-041 the time before StartTime is nobody's", () => {
    const job = traces([compute(1, 5)], [compute(1, 10)]);
    const lines = summaryTable(run(job, { startPs: 1e9 }));
    expect(lines).toContain('status        finished at 1.010 ms');
    expect(lines).toContain('time went to  compute 75.0 %, exposed communication 0.0 %, waiting 25.0 %');
    expect(summaryTable(run(traces([], []), { startPs: 7 }))).toContain('time went to  nothing, the run takes no time');
  });

  test('many ranks are three rows', () => {
    const job = traces(...Array.from({ length: 21 }, (_, rank) => [memory(1, rank)]));
    const lines = summaryTable(run(job));
    expect(lines.slice(-4).map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['rank', 'end'],
      ['least', '0 ps'],
      ['median', '10.000 µs'],
      ['most', '20.000 µs'],
    ]);
  });

  test('a run that does not finish says so for the ranks it concerns', () => {
    const job = traces([memory(1, 5)], [memory(1, 1, [2]), memory(2, 1, [1])], []);
    const lines = summaryTable(run(job));
    expect(lines[0]).toBe('status        stalled at 5.000 µs');
    expect(lines[2]).toBe('ranks         2 of 3 finished');
    expect(lines.find((line) => line.startsWith('1 '))).toMatch(/0\/2 {2}stalled$/);
  });

  test('a job of nothing', () => {
    expect(summaryTable(run(traces([], [])))).toContain('time went to  nothing, the run takes no time');
  });

  const packets = {
    ...{ data: 1792, control: 112, retransmissions: 0, timeouts: 0, lost: 0, dropped: 0 },
    ...{ trimmed: 0, marked: 0, pauses: 0, lastingPauses: 0, pausedPs: 0 },
  };

  test('a packet network has a line of what its packets went through', () => {
    const line = (changed: Partial<typeof packets>): string | undefined =>
      summaryTable(run(traces([compute(1, 5)])), { ...packets, ...changed }).find((text) => text.startsWith('packets'));
    expect(line({})).toBe('packets       1,792 data, 112 control; none lost, dropped, trimmed, marked or paused');
    expect(line({ trimmed: 62, retransmissions: 62 })).toBe(
      'packets       1,792 data, 112 control; 62 trimmed, 62 sent again',
    );
    expect(line({ lost: 3, dropped: 4, marked: 5, pauses: 1, pausedPs: 12_340_000, timeouts: 1 })).toBe(
      'packets       1,792 data, 112 control; 3 lost on links, 4 dropped, 5 marked, 1 pause of 12.340 µs in all, 1 timeout',
    );
    expect(line({ pauses: 10, lastingPauses: 10 })).toBe(
      'packets       1,792 data, 112 control; 10 pauses, 10 not over',
    );
  });
});
