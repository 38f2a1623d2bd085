import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { timingLines } from '../../../src/records/timing/timing-lines.js';
import { timingOfRun } from '../../../src/records/timing/timing-of-run.js';
import {
  timingReport,
  type MeasuredExecutor,
  type MeasuredTransfer,
} from '../../../src/records/timing/timing-report.js';
import { compute, receive, run, send, traces } from '../../support/jobs.js';
import { REPOSITORY } from '../../support/repository.js';

const job = traces(
  [compute(1, 5), send(2, 1, 1000, 0, [1]), send(3, 1, 3000, 1, [1])],
  [receive(1, 0, 1000, 0), receive(2, 0, 3000, 1)],
);

function transfer(name: string, bytes: number | null, timePs: number | null): MeasuredTransfer {
  const unfinished = timePs === null ? 1 : 0;
  return { name, path: `to ${name}`, count: 1, bytes, timePs, unfinished, unfinishedBytes: 7 * unfinished, depth: 0 };
}

function nic(name: string, timePs: number, transfers: MeasuredTransfer[] = []): MeasuredExecutor {
  return { name, timePs, transfers };
}

const simulated = (timePs: number): { name: string; clock: 'simulated'; timePs: number } => ({
  name: 'simulate',
  clock: 'simulated',
  timePs,
});

/** The cells of the lines that begin with a text, in plain form. */
function cells(lines: readonly string[], begin: string): string[][] {
  return lines.filter((line) => line.trimStart().startsWith(begin)).map((line) => line.trim().split(/ {2,}/));
}

describe('timing lines', () => {
  test('without boxes: aligned columns, an empty line between executors', () => {
    expect(timingLines(timingOfRun(run(job, { recordTransfers: true })), { boxes: false })).toEqual([
      'Test: simulate',
      'Executor: rank 0 NPU                 –   5.000 µs            –  1 node',
      '',
      'Executor: rank 0 NIC        1.000 GB/s   4.000 µs  4,000 bytes  1.250 GB/s (sum)',
      '    send 2                  0.500 GB/s   2.000 µs  1,000 bytes  rank 0 -> NIC -> rank 1',
      '    send 3                  0.750 GB/s   4.000 µs  3,000 bytes  rank 0 -> NIC -> rank 1',
      '',
      'Aggregate (simulated time)  0.400 GB/s  10.000 µs  4,000 bytes  Overhead 5.000 µs',
      'Test time = 10.000 µs',
      'Overhead  = 10.000 - MAX(5.000, 4.000) = 5.000 µs',
    ]);
  });

  test('the page about timing shows this run as it is printed', () => {
    const page = readFileSync(join(REPOSITORY, 'docs/timing.md'), 'utf8');
    const lines = timingLines(timingOfRun(run(job, { recordTransfers: true })), { boxes: true });
    expect(page).toContain(`\`\`\`text\n${lines.join('\n')}\n\`\`\``);
  });

  test('the slowest of each kind are shown, so that ports do not vanish behind processors', () => {
    const executors = [0, 1, 2].flatMap((rank) => [
      nic(`rank ${rank} NPU`, 100 + rank),
      nic(`rank ${rank} NIC`, 10 + rank, [transfer('a', 5, 5)]),
    ]);
    const lines = timingLines(timingReport(simulated(200), executors), { boxes: false, executors: 3 });
    expect(cells(lines, 'Executor:').map(([name]) => name)).toEqual([
      'Executor: rank 1 NPU',
      'Executor: rank 2 NPU',
      'Executor: rank 2 NIC',
    ]);
    expect(cells(lines, '… and 3 more executors')).toHaveLength(1);
  });

  test('what is unfinished is said on its line, its executor and the aggregate', () => {
    const lines = timingLines(timingOfRun(run(job, { recordTransfers: true, stopPs: 8e6 })), { boxes: false });
    expect(lines.slice(3)).toEqual([
      'Executor: rank 0 NIC        0.333 GB/s    3.000 µs  1,000 bytes  0.500 GB/s (sum), 1 unfinished with 3,000 bytes',
      '    send 2                  0.500 GB/s    2.000 µs  1,000 bytes  rank 0 -> NIC -> rank 1',
      '    send 3                           –  unfinished      0 bytes  rank 0 -> NIC -> rank 1, 1 unfinished with 3,000 bytes',
      '',
      'Aggregate (simulated time)  0.125 GB/s    8.000 µs  1,000 bytes  Overhead 3.000 µs, 1 unfinished with 3,000 bytes',
      'Test time = 8.000 µs',
      'Overhead  = 8.000 - MAX(5.000, 3.000) = 3.000 µs',
    ]);
  });

  test('one unit and one number of decimals a table, so many that the smallest value shows two digits', () => {
    // The test takes 2 s, one transfer of 10 B takes 34.5 ns: 0.0000000345 s, of which two digits; 0.29 GB/s.
    const report = timingReport(simulated(2e12), [
      nic('a', 2e12, [transfer('x', 10, 34_500), transfer('y', 1e9, 2e12)]),
    ]);
    const lines = timingLines(report, { boxes: false });
    expect(cells(lines, 'x')[0].slice(1, 3)).toEqual(['0.290 GB/s', '0.000000034 s']);
    expect(cells(lines, 'y')[0].slice(1, 3)).toEqual(['0.500 GB/s', '2.000000000 s']);
    expect(lines.at(-1)).toBe('Overhead  = 2.000000000 - MAX(2.000000000) = 0.000000000 s');
  });

  test.each([
    [1, '1 ps'],
    [999, '999 ps'],
    [1000, '1.000 ns'],
    [1.5e6, '1.500 µs'],
    [2.25e9, '2.250 ms'],
    [3e12, '3.000 s'],
  ])('a test of %d ps is printed as %s', (timePs, text) => {
    expect(timingLines(timingReport(simulated(timePs), []), { boxes: false })).toContain(`Test time = ${text}`);
  });

  test('a bandwidth below a thousandth of a GB/s still shows', () => {
    const report = timingReport(simulated(1e12), [nic('a', 1e12, [transfer('x', 1234, 1e12)])]);
    // 1,234 B in a second are 0.000001234 GB/s.
    expect(cells(timingLines(report, { boxes: false }), 'x')[0][1]).toBe('0.0000012 GB/s');
  });

  test('only the slowest are shown, in their order; a line sums up the others', () => {
    // Ten transfers of 100 … 1,000 B that take 1 … 10 ns but for the fourth, which does not finish: 0.1 GB/s … each 100 B/ns.
    const transfers = Array.from({ length: 10 }, (_, at) =>
      transfer(`t${at + 1}`, at === 3 ? 0 : 100 * (at + 1), at === 3 ? null : 1000 * (at + 1)),
    );
    const executors = [nic('a', 10_000, transfers), nic('b', 3000), nic('c', 1000, [transfer('z', 500, 1000)])];
    const lines = timingLines(timingReport(simulated(12_000), executors), { boxes: false, executors: 1, transfers: 3 });
    expect(cells(lines, 't').map(([name]) => name)).toEqual(['t4', 't9', 't10']);
    // 1 + 2 + 3 + 5 + 6 + 7 + 8 = 32 hundred bytes at 7 × 100 GB/s, the longest 8 ns.
    expect(cells(lines, '… and 7 more')).toEqual([
      ['… and 7 more', '700.000 GB/s', '8.000 ns', '3,200 bytes', 'sums, longest time'],
    ]);
    expect(cells(lines, 'Executor')).toHaveLength(1);
    expect(cells(lines, '… and 2 more executors')).toEqual([
      ['… and 2 more executors', '500.000 GB/s', '3.000 ns', '500 bytes', 'sums, longest time'],
    ]);
    expect(lines.at(-1)).toBe('Overhead  = 12.000 - MAX(10.000, 3.000, 1.000) = 2.000 ns');
  });

  test('unfinished among those that are not shown is counted', () => {
    const transfers = [transfer('x', 0, null), transfer('y', 0, null), transfer('w', 0, null)];
    const lines = timingLines(timingReport(simulated(5000), [nic('a', 5000, transfers)]), {
      boxes: false,
      transfers: 1,
    });
    expect(cells(lines, 'x')).toHaveLength(1);
    expect(cells(lines, '… and 2 more')[0].at(-1)).toBe('sums, longest time, 2 unfinished with 14 bytes');
  });

  test('many executors: 1,024, of which 16 are shown, and how the overhead comes about', () => {
    const executors = Array.from({ length: 1024 }, (_, rank) => nic(`rank ${rank} NIC`, 1000 + rank));
    const lines = timingLines(timingReport(simulated(3000), executors), { boxes: true });
    expect(cells(lines, 'Executor').map(([name]) => name.split(' │')[0].trim())).toEqual(
      Array.from({ length: 16 }, (_, at) => `Executor: rank ${1008 + at} NIC`),
    );
    expect(lines.some((line) => line.startsWith('… and 1,008 more executors'))).toBe(true);
    expect(lines.at(-1)).toBe('Overhead  = 3.000 - MAX(1,024 executors: 2.023) = 0.977 ns');
  });

  test('colours mark executors and what is unfinished, and change no text', () => {
    const report = timingOfRun(run(job, { recordTransfers: true, stopPs: 8e6 }));
    const lines = timingLines(report, { boxes: true, colour: true });
    expect(lines.map((line) => line.replaceAll(/\u001b\[\d+m/g, ''))).toEqual(timingLines(report, { boxes: true }));
    expect(lines.find((line) => line.includes('rank 0 NPU'))).toMatch(/^\u001b\[1m.*\u001b\[0m$/);
    expect(lines.find((line) => line.includes('send 3'))).toMatch(/^\u001b\[33m.*\u001b\[0m$/);
    expect(lines.find((line) => line.includes('send 2'))).not.toContain('\u001b');
  });

  test('a run of nothing', () => {
    expect(timingLines(timingReport(simulated(0), []), { boxes: false })).toEqual([
      'Test: simulate',
      'Aggregate (simulated time)  –  0 ps  –  Overhead 0 ps',
      'Test time = 0 ps',
      'Overhead  = 0 - MAX(0) = 0 ps',
    ]);
  });
});
