import { astraSimReport } from '../../src/records/astra-sim-report.js';
import { exampleH, systemOutcome, systemRank } from '../support/system-outcomes.js';

/** The lines without their time. */
function lines(...call: Parameters<typeof astraSimReport>): string[] {
  return astraSimReport(...call).map((line) => line.replace('[1970-01-01 00:00:00.000] ', ''));
}

describe('section 16: what is printed', () => {
  test('example H: a block a rank, then Exiting', () => {
    const printed = astraSimReport(exampleH());
    expect(printed.slice(0, 7)).toEqual([
      '[1970-01-01 00:00:00.000] [workload] [info] sys[0] finished, 130000 cycles, exposed communication 0 cycles.',
      '[1970-01-01 00:00:00.000] [statistics] [info] sys[0]. Post statistics processing start.',
      '[1970-01-01 00:00:00.000] [statistics] [info] sys[0]. Post statistics processing end.',
      '[1970-01-01 00:00:00.000] [statistics] [info] sys[0], Wall time: 130000',
      '[1970-01-01 00:00:00.000] [statistics] [info] sys[0], GPU time: 130000',
      '[1970-01-01 00:00:00.000] [statistics] [info] sys[0], Comm time: 33829',
      '[1970-01-01 00:00:00.000] [statistics] [info] sys[0], Total compute-communication overlap: 33829',
    ]);
    expect(printed).toHaveLength(4 * 7 + 1);
    expect(printed.at(-1)).toBe('[1970-01-01 00:00:00.000] [system] [warning] Exiting');
  });

  test('example D: blocks in the order in which ranks finish', () => {
    const ranks = [86_069, 66_028, 86_069, 44_022].map((endNs, rank) => systemRank(rank, endNs));
    const printed = lines(systemOutcome(ranks, { finishOrder: [3, 1, 0, 2] }));
    expect(printed.filter((line) => line.includes('finished')).map((line) => line.slice(18, 42))).toEqual([
      'sys[3] finished, 44022 c',
      'sys[1] finished, 66028 c',
      'sys[0] finished, 86069 c',
      'sys[2] finished, 86069 c',
    ]);
  });

  test('a rank that does not finish is silent', () => {
    const ranks = [systemRank(0, 500, { state: 'stalled', nodesFinished: 0 }), systemRank(1, 700)];
    const printed = lines(systemOutcome(ranks, { status: 'stalled' }));
    expect(printed.filter((line) => line.includes('sys[0]'))).toEqual([]);
    expect(printed).toContain('[workload] [info] sys[1] finished, 700 cycles, exposed communication 700 cycles.');
    expect(printed.at(-1)).toBe('[system] [warning] Exiting');
  });

  test('every kind of operator, in one order', () => {
    const statistics = {
      wallNs: 90,
      invalidNs: 1,
      remoteMemoryNs: 2,
      communicationNs: 30,
      gpuNs: 60,
      cpuNs: 5,
      overlapNs: 0,
    };
    expect(lines(systemOutcome([systemRank(0, 90, { statistics })])).slice(3)).toEqual([
      '[statistics] [info] sys[0], Wall time: 90',
      '[statistics] [info] sys[0], CPU time: 5',
      '[statistics] [info] sys[0], GPU time: 60',
      '[statistics] [info] sys[0], Comm time: 30',
      '[statistics] [info] sys[0], Remote mem time: 2',
      '[statistics] [info] sys[0], Invalid time: 1',
      '[system] [warning] Exiting',
    ]);
  });

  test('numbers below 0 are those of 64 unsigned bits', () => {
    // 2^64 = 18446744073709551616; an idle rank overlaps by 300 + 200 − 1000, and CPU nodes hid 7 ns.
    const statistics = { wallNs: 1000, gpuNs: 300, communicationNs: 200, overlapNs: -500 };
    const printed = lines(systemOutcome([systemRank(0, 1000, { statistics, exposedCommunicationNs: -7 })]));
    expect(printed[0]).toContain('exposed communication 18446744073709551609 cycles.');
    expect(printed).toContain('[statistics] [info] sys[0], Total compute-communication overlap: 18446744073709551116');
  });

  test.each([
    [0.86799, '86.799%'],
    [1, '100.000%'],
    [0, '0.000%'],
    [0.30748, '30.748%'],
  ])('roofline: the fraction %d is %s', (fraction, text) => {
    const roofline = {
      computeBound: fraction,
      computeUtilization: fraction,
      memoryUtilization: fraction,
      operationIntensity: 0,
    };
    const statistics = { wallNs: 1, gpuNs: 1, overlapNs: 0, roofline };
    expect(lines(systemOutcome([systemRank(0, 1, { statistics })])).slice(5, 9)).toEqual([
      `[statistics] [info] sys[0], Compute bound percentage: ${text}`,
      `[statistics] [info] sys[0], Average compute utilization: ${text}`,
      `[statistics] [info] sys[0], Average memory utilization: ${text}`,
      '[statistics] [info] sys[0], Average operation intensity: 0.000',
    ]);
  });

  // C++ takes the even one of two neighbours at the same distance.
  test.each([
    [12.0625, '12.062'],
    [12.1875, '12.188'],
    [0.0625, '0.062'],
    [0.9375, '0.938'],
    [7.5, '7.500'],
    [1024.0004, '1024.000'],
    [2 / 3, '0.667'],
  ])('the intensity %d is %s', (operationIntensity, text) => {
    const roofline = { computeBound: 0, computeUtilization: 0, memoryUtilization: 0, operationIntensity };
    const statistics = { wallNs: 1, gpuNs: 1, overlapNs: 0, roofline };
    const [line] = lines(systemOutcome([systemRank(0, 1, { statistics })])).slice(8);
    expect(line).toBe(`[statistics] [info] sys[0], Average operation intensity: ${text}`);
  });

  test('R-005 with WallClock the lines begin with the real time, UTC', () => {
    const wallClock = { startedMs: 0, nowMs: () => Date.UTC(2026, 0, 31, 23, 59, 58, 7) };
    expect(astraSimReport(systemOutcome([systemRank(0, 1)]), wallClock).at(-1)).toBe(
      '[2026-01-31 23:59:58.007] [system] [warning] Exiting',
    );
  });
});
