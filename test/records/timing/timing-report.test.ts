import { timingLines } from '../../../src/records/timing/timing-lines.js';
import { timingReport, type MeasuredTransfer, type TimingReport } from '../../../src/records/timing/timing-report.js';

const PS_PER_MS = 1e9;

function transfer(name: string, bytes: number | null, timePs: number | null, path = ''): MeasuredTransfer {
  return { name, path, count: 1, bytes, timePs, unfinished: 0, unfinishedBytes: 0, depth: 0 };
}

/** The example output of TransferBench: two executors with two transfers each. */
function transferBench(ms: { test: number; cpu: number; gpu: number; transfers: number[] }): TimingReport {
  const at = (place: number): number => ms.transfers[place] * PS_PER_MS;
  return timingReport({ name: '1', clock: 'wall', timePs: ms.test * PS_PER_MS }, [
    {
      name: 'CPU 00',
      timePs: ms.cpu * PS_PER_MS,
      transfers: [
        transfer('Transfer 0', 1048576, at(0), 'C0 -> C0:4 -> N'),
        transfer('Transfer 1', 1048576, at(1), 'G0 -> C0:4 -> N'),
      ],
    },
    {
      name: 'GPU 00',
      timePs: ms.gpu * PS_PER_MS,
      transfers: [
        transfer('Transfer 2', 33554432, at(2), 'G0 -> G0:4 -> G0'),
        transfer('Transfer 3', 33554432, at(3), 'G0 -> G0:4 -> G1'),
      ],
    },
  ]);
}

/** As printed there, three decimals. */
const PRINTED = { test: 77.688, cpu: 77.492, gpu: 0.689, transfers: [0.234, 77.359, 0.415, 0.687] };

describe('timing report', () => {
  const report = transferBench(PRINTED);
  const [cpu, gpu] = report.executors;

  /**
   * The example was computed from times with more digits than it prints. A printed time t stands for t ± 0.0005 ms, so a
   * bandwidth of t may differ by the share 0.0005 / t, and the printed bandwidth was rounded by up to 0.0005 GB/s itself.
   */
  const tolerance = (bytesPerNs: number, ms: number): number => (bytesPerNs * 0.0005) / (ms - 0.0005) + 0.0005;

  test.each<[string, number | null, number, number]>([
    ['executor CPU 00', cpu.bytesPerNs, 0.027, 77.492],
    ['transfer 0', cpu.transfers[0].bytesPerNs, 4.476, 0.234],
    ['transfer 1', cpu.transfers[1].bytesPerNs, 0.014, 77.359],
    ['executor GPU 00', gpu.bytesPerNs, 97.436, 0.689],
    ['transfer 2', gpu.transfers[0].bytesPerNs, 80.886, 0.415],
    ['transfer 3', gpu.transfers[1].bytesPerNs, 48.807, 0.687],
    ['aggregate', report.test.bytesPerNs, 0.891, 77.688],
  ])('bandwidth of the TransferBench example: %s', (_name, got, printed, ms) => {
    expect(Math.abs(got! - printed)).toBeLessThanOrEqual(tolerance(printed, ms));
    expect(tolerance(printed, ms)).toBeLessThan(0.0025 * printed + 0.0005); // so that the comparison says something
  });

  test('sums of bandwidths of the TransferBench example', () => {
    // Each summand within its own tolerance; the printed sum was rounded once, not once a summand.
    expect(Math.abs(cpu.sumBytesPerNs! - 4.489)).toBeLessThanOrEqual(
      tolerance(4.476, 0.234) + tolerance(0.014, 77.359) - 0.0005,
    );
    expect(Math.abs(gpu.sumBytesPerNs! - 129.692)).toBeLessThanOrEqual(
      tolerance(80.886, 0.415) + tolerance(48.807, 0.687) - 0.0005,
    );
  });

  test('bytes and overhead of the TransferBench example', () => {
    expect([cpu.bytes, gpu.bytes, report.test.bytes]).toEqual([2097152, 67108864, 69206016]);
    // 77.688 − 77.492 is 0.196; 0.197 is printed there, from two unrounded times: each stands for ± 0.0005 ms.
    expect(report.test.overheadPs).toBeCloseTo(196e6, 0);
    expect(Math.abs(report.test.overheadPs / PS_PER_MS - 0.197)).toBeLessThanOrEqual(0.0015);
  });

  test('times with more digits, which round to the printed ones, give every printed number', () => {
    // 1,048,576 B at 4.4757 GB/s are 0.2342820 ms, 33,554,432 B at 80.8856 and 48.8066 GB/s 0.4148381 and 0.6874979 ms,
    // 67,108,864 B at 97.436 GB/s 0.6887481 ms; 4.4757 + 0.01355 = 4.48925, 80.8856 + 48.8066 = 129.6922.
    const digits = { test: 77.6882, cpu: 77.4916, gpu: 0.6887481, transfers: [0.234282, 77.359, 0.4148381, 0.6874979] };
    const lines = timingLines(transferBench(digits), { boxes: true });
    expect(lines).toEqual([
      'Test: 1',
      '───────────────────────┬─────────────┬───────────┬──────────────────┬───────────────────',
      'Executor: CPU 00       │  0.027 GB/s │ 77.492 ms │  2,097,152 bytes │ 4.489 GB/s (sum)',
      '───────────────────────┼─────────────┼───────────┼──────────────────┼───────────────────',
      '    Transfer 0         │  4.476 GB/s │  0.234 ms │  1,048,576 bytes │ C0 -> C0:4 -> N',
      '    Transfer 1         │  0.014 GB/s │ 77.359 ms │  1,048,576 bytes │ G0 -> C0:4 -> N',
      '───────────────────────┼─────────────┼───────────┼──────────────────┼───────────────────',
      'Executor: GPU 00       │ 97.436 GB/s │  0.689 ms │ 67,108,864 bytes │ 129.692 GB/s (sum)',
      '───────────────────────┼─────────────┼───────────┼──────────────────┼───────────────────',
      '    Transfer 2         │ 80.886 GB/s │  0.415 ms │ 33,554,432 bytes │ G0 -> G0:4 -> G0',
      '    Transfer 3         │ 48.807 GB/s │  0.687 ms │ 33,554,432 bytes │ G0 -> G0:4 -> G1',
      '───────────────────────┼─────────────┼───────────┼──────────────────┼───────────────────',
      'Aggregate (wall clock) │  0.891 GB/s │ 77.688 ms │ 69,206,016 bytes │ Overhead 0.197 ms',
      '───────────────────────┴─────────────┴───────────┴──────────────────┴───────────────────',
      'Test time = 77.688 ms',
      'Overhead  = 77.688 - MAX(77.492, 0.689) = 0.197 ms',
    ]);
  });

  test('what takes no time, carries nothing by its nature or is unfinished has no bandwidth and adds to no sum', () => {
    const { test: whole, executors } = timingReport({ name: 'x', clock: 'simulated', timePs: 0 }, [
      { name: 'a', timePs: 0, transfers: [transfer('instant', 5, 0), transfer('unfinished', 0, null)] },
      { name: 'b', timePs: 0, nodes: { count: 3, unfinished: 1 }, transfers: [] },
      { name: 'c', timePs: 4000, transfers: [transfer('phase', null, 4000), transfer('empty', 0, 2000)] },
    ]);
    expect(executors[0]).toMatchObject({ bytes: 5, bytesPerNs: null, sumBytesPerNs: null });
    expect(executors[0].transfers.map(({ bytesPerNs }) => bytesPerNs)).toEqual([null, null]);
    expect(executors[1]).toMatchObject({ bytes: null, bytesPerNs: null, sumBytesPerNs: null, nodes: 3, unfinished: 1 });
    expect(executors[2].transfers.map(({ bytesPerNs }) => bytesPerNs)).toEqual([null, 0]);
    expect(executors[2]).toMatchObject({ bytes: 0, bytesPerNs: 0, sumBytesPerNs: 0 });
    expect(whole).toMatchObject({ bytes: 5, bytesPerNs: null, overheadPs: -4000, outsidePs: null, unfinished: 1 });
  });

  test('a part of a line counts in no sum', () => {
    const part = { ...transfer('part', 40, 1000), depth: 1 };
    const { executors } = timingReport({ name: 'x', clock: 'wall', timePs: 10_000 }, [
      { name: 'a', timePs: 4000, transfers: [transfer('whole', 100, 4000), part] },
    ]);
    expect(executors[0]).toMatchObject({ bytes: 100, bytesPerNs: 25, sumBytesPerNs: 25 });
    expect(executors[0].transfers[1].bytesPerNs).toBe(40);
  });
});
