import type { Span } from '../../../src/base/stopwatch.js';
import { timingLines } from '../../../src/records/timing/timing-lines.js';
import { timingOfSpans } from '../../../src/records/timing/timing-of-spans.js';

function span(
  executor: string,
  name: string,
  [startMs, endMs]: [number, number | null],
  more: Partial<Span> = {},
): Span {
  return { executor, name, path: '', bytes: null, startMs, endMs, within: -1, ...more };
}

/** A command from 1,000 to 1,100 ms of its clock. */
const spans = [
  span('load', 'rank 0', [1005, 1015], { path: 'job.0.et', bytes: 2e6 }),
  span('load', 'rank 1', [1015, 1035], { path: 'job.1.et', bytes: 3e6 }),
  span('replay', 'run', [1040, 1080]),
  span('replay', 'settle', [1050, 1060], { within: 2 }),
  span('replay', 'tally', [1080, 1085]),
  span('write', 'chakra-perf', [1090, 1098], { path: 'out/job-chakra-perf-0.csv', bytes: 4e6 }),
];

describe('timing of spans', () => {
  test('executors by their first span, one line a span, time outside all of them', () => {
    const { test: whole, executors } = timingOfSpans('simulate', { spans, startMs: 1000, endMs: 1100 });
    expect(executors.map(({ name, timePs, bytes }) => [name, timePs, bytes])).toEqual([
      ['load', 30e9, 5e6],
      ['replay', 45e9, null],
      ['write', 8e9, 4e6],
    ]);
    // 2 MB in 10 ms, 3 MB in 20 ms: 0.2 and 0.15 GB/s; 5 MB in 30 ms.
    expect(executors[0].transfers.map(({ bytesPerNs, path }) => [bytesPerNs, path])).toEqual([
      [0.2, 'job.0.et'],
      [expect.closeTo(0.15, 12), 'job.1.et'],
    ]);
    expect(executors[0].sumBytesPerNs).toBeCloseTo(0.35, 12);
    expect(executors[0].bytesPerNs).toBeCloseTo(1 / 6, 12);
    expect(executors[1].transfers.map(({ name, depth, path, timePs }) => [name, depth, path, timePs])).toEqual([
      ['run', 0, 'replay -> run', 40e9],
      ['settle', 1, 'replay -> run -> settle', 10e9],
      ['tally', 0, 'replay -> tally', 5e9],
    ]);
    // 100 − max(30, 45, 8) ms; 100 − 30 − 45 − 8 ms.
    expect(whole).toMatchObject({ clock: 'wall', timePs: 100e9, bytes: 9e6, overheadPs: 55e9, outsidePs: 17e9 });
  });

  test('the last line says what lies outside', () => {
    const lines = timingLines(timingOfSpans('simulate', { spans, startMs: 1000, endMs: 1100 }), { boxes: false });
    expect(lines.slice(-4)).toEqual([
      'Aggregate (wall clock)  0.090 GB/s  100.000 ms  9,000,000 bytes  Overhead 55.000 ms',
      'Test time             = 100.000 ms',
      'Overhead              = 100.000 - MAX(30.000, 45.000, 8.000) = 55.000 ms',
      'Outside all executors = 17.000 ms',
    ]);
    expect(lines.find((line) => line.includes('settle'))).toMatch(/^ {8}settle/);
  });

  test('bytes of a part count in what holds it, once', () => {
    const parts = [
      span('load', 'all', [0, 10], { bytes: 1 }),
      span('load', 'rank 0', [0, 4], { within: 0, bytes: 30 }),
      span('load', 'names', [1, 2], { within: 1, bytes: 5 }),
      span('load', 'rank 1', [4, 10], { within: 0 }),
    ];
    const [load] = timingOfSpans('x', { spans: parts, startMs: 0, endMs: 10 }).executors;
    expect(load.transfers.map(({ name, bytes, depth }) => [name, bytes, depth])).toEqual([
      ['all', 36, 0],
      ['rank 0', 35, 1],
      ['names', 5, 2],
      ['rank 1', null, 1],
    ]);
    expect(load).toMatchObject({ bytes: 36, timePs: 10e9 });
  });

  test('spans side by side count their common time once', () => {
    const parallel = [span('load', 'a', [0, 8], { bytes: 8 }), span('load', 'b', [2, 10], { bytes: 8 })];
    const { test: whole, executors } = timingOfSpans('x', { spans: parallel, startMs: 0, endMs: 12 });
    expect(executors[0]).toMatchObject({ timePs: 10e9, bytes: 16 });
    expect(executors[0].sumBytesPerNs).toBeGreaterThan(executors[0].bytesPerNs!);
    expect(whole).toMatchObject({ outsidePs: 2e9, overheadPs: 2e9 });
  });

  test('what still runs is unfinished and ran until the reading', () => {
    const running = [span('load', 'a', [1, null], { bytes: 5 }), span('load', 'b', [2, 3], { within: 0, bytes: 6 })];
    const { executors } = timingOfSpans('x', { spans: running, startMs: 0, endMs: 7 });
    expect(executors[0]).toMatchObject({ timePs: 6e9, bytes: 11, unfinished: 1 });
    expect(executors[0].transfers[0]).toMatchObject({ timePs: null, bytes: 11, bytesPerNs: null });
  });

  test('times of a clock with fractions add up exactly', () => {
    const fractions = [span('a', 'x', [0.1, 0.3]), span('b', 'y', [0.3, 0.7])];
    const { test: whole } = timingOfSpans('x', { spans: fractions, startMs: 0.1, endMs: 0.7 });
    expect(whole).toMatchObject({ timePs: 600e6, overheadPs: 200e6, outsidePs: 0 });
  });
});
