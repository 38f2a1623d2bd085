import { MemorySource } from '../../../src/base/byte-source.js';
import type { Finding } from '../../../src/base/finding.js';
import { GOAL_BINARY_TARGET } from '../../../src/exchange/goal/goal-targets.js';
import { readGoalBinary } from '../../../src/exchange/goal/read-binary.js';
import { readGoalText } from '../../../src/exchange/goal/read-text.js';
import { EXAMPLE, textJob, told, tracesOf, writtenAs } from '../../support/goal.js';

const bytes = Buffer.from(writtenAs(GOAL_BINARY_TARGET, tracesOf(textJob(EXAMPLE))).files['job.bin'], 'latin1');

/** The bytes with some of them replaced. */
function changed(at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
}

function read(file: Uint8Array) {
  const findings: Finding[] = [];
  const schedule = readGoalBinary(new MemorySource(file, 'job.bin'), findings);
  return { ranks: Array.from({ length: schedule.rankCount }, (_, rank) => schedule.rank(rank)), findings };
}

/** What is wrong with a file. */
function fault(file: Uint8Array): string {
  try {
    read(file);
  } catch (error) {
    return `${(error as { code: string }).code} ${(error as Error).message}`;
  }
  return 'nothing';
}

const ofText = (() => {
  const schedule = readGoalText(new MemorySource(Buffer.from(EXAMPLE), 'job.goal'), []);
  return [schedule.rank(0), schedule.rank(1)];
})();

test('the bytes hold the schedule of the text', () => {
  const { ranks, findings } = read(bytes);
  expect(ranks).toEqual(ofText);
  expect(findings).toEqual([]);
});

test('a file that a simulator consumed gives the same schedule', () => {
  // Magic 2342, and the counts of operations 1 and 2 of rank 0 at 0x61 and 0x88 counted down.
  const consumed = changed(0, 0x26, 0x09);
  consumed.set([0], 0x61);
  consumed.set([0], 0x88);
  const { ranks, findings } = read(consumed);
  expect(ranks).toEqual(ofText);
  expect(told(findings)).toEqual([
    'GOAL_CONSUMED: job.bin was consumed by a simulator run that mapped it: its predecessor counts were counted down, and are worked out again from the successors',
  ]);
});

test('counts and roots that disagree with the successors are told', () => {
  const message =
    'GOAL_COUNTS: job.bin: the predecessor counts or roots of 1 rank disagree with the successors, first of rank 0; the successors count';
  expect(told(read(changed(0x61, 2)).findings)).toEqual([message]); // a count
  expect(told(read(changed(0x36, 1)).findings)).toEqual([message]); // the root
});

test.each([
  [changed(0, 1), 'the magic number is 4097, expected 4223 (byte 0)'],
  [changed(8, 0), 'the schedule has no rank (byte 8)'],
  [changed(8, 20), 'the jump table of 20 ranks ends at byte 334, the file at 277 (byte 14)'],
  [changed(0x16, 0x0e, 1), 'rank 0 is said to be at bytes 46 to 278, the file has blocks at 46 to 277 (byte 14)'],
  [changed(0x0e, 0x25), 'rank 0 is said to be at bytes 45 to 183, the file has blocks at 46 to 277 (byte 14)'],
  [changed(0x2e, 4), '4 operations and 1 root of rank 0 do not fit its block of 137 bytes (byte 46)'],
  [changed(0x3e, 4), 'operation 0 of rank 0 has kind 4, expected 1 to 3 (byte 58)'],
  [changed(0x66, 2), 'operation 1 of rank 0 has rank 2 as partner, there are ranks 0 to 1 (byte 97)'],
  [changed(0x6a, 255, 255, 255, 255, 255, 255, 255), 'operation 1 of rank 0 has a size above 2^53 (byte 97)'],
  [changed(0x51, 3), 'operation 0 of rank 0 has successors up to place 3 of the appendix, which has 2 (byte 81)'],
  [changed(0xaf, 3), 'operation 0 of rank 0 has successor 3, there are 3 (byte 175)'],
])('a damaged file is one error with the byte: %#', (file, message) => {
  expect(fault(file)).toBe(`GOAL_MALFORMED job.bin: ${message}`);
});

test('a file that ends early is one error with the byte, wherever it ends', () => {
  for (let length = 0; length < bytes.length; length++) {
    expect(fault(bytes.subarray(0, length))).toMatch(/^GOAL_MALFORMED job\.bin: [^\n]+ \(byte \d+\)$/);
  }
});
