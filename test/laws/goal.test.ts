import fc from 'fast-check';
import { MemorySource } from '../../src/base/byte-source.js';
import { GOAL_BINARY_TARGET, GOAL_TEXT_TARGET } from '../../src/exchange/goal/goal-targets.js';
import { readGoalBinary } from '../../src/exchange/goal/read-binary.js';
import { readGoalText } from '../../src/exchange/goal/read-text.js';
import type { GoalRank, GoalSchedule } from '../../src/exchange/goal/schedule.js';
import { binaryJob, etOf, textJob, tracesOf, writtenAs } from '../support/goal.js';

interface Operation {
  readonly text: string;
  readonly requires: readonly number[];
  readonly irequires: readonly number[];
}

const RANKS = 3;
const rank = fc.nat(RANKS - 1);
const tag = fc.oneof(fc.nat(3), fc.constant(2 ** 32 - 2));
const index = fc.oneof(fc.constant(0), fc.nat(255));
const operation: fc.Arbitrary<Operation> = fc
  .record({
    kind: fc.constantFrom('send', 'recv', 'calc'),
    peer: rank,
    anySource: fc.boolean(),
    anyTag: fc.boolean(),
    amount: fc.oneof(fc.nat(3000), fc.nat(2 ** 31)),
    tag,
    cpu: index,
    nic: index,
    requires: fc.array(fc.nat(20), { maxLength: 3 }),
    irequires: fc.array(fc.nat(20), { maxLength: 2 }),
  })
  .map(({ kind, peer, anySource, anyTag, amount, tag: number, cpu, nic, requires, irequires }) => ({
    text:
      kind === 'calc'
        ? `calc ${amount} cpu ${cpu}`
        : kind === 'send'
          ? `send ${amount}b to ${peer} tag ${number} cpu ${cpu} nic ${nic}`
          : `recv ${amount}b from ${anySource ? -1 : peer} tag ${anyTag ? -1 : number} cpu ${cpu} nic ${nic}`,
    requires,
    irequires,
  }));

/** Text of a schedule in which operations wait for earlier ones only, as every one that ends can be written. */
const schedule = fc.array(fc.array(operation, { maxLength: 12 }), { minLength: RANKS, maxLength: RANKS }).map(
  (ranks) =>
    `num_ranks ${RANKS}\n${ranks
      .map((operations, number) => {
        const lines = operations.flatMap(({ text, requires, irequires }, at) => {
          const earlier = (others: readonly number[]): number[] =>
            at === 0 ? [] : [...new Set(others.map((other) => other % at))];
          return [
            `l${at + 1}: ${text}`,
            ...earlier(requires).map((other) => `l${at + 1} requires l${other + 1}`),
            ...earlier(irequires).map((other) => `l${at + 1} irequires l${other + 1}`),
          ];
        });
        return `rank ${number} {\n${lines.join('\n')}\n}\n`;
      })
      .join('')}`,
);

const all = (read: GoalSchedule): GoalRank[] => Array.from({ length: RANKS }, (_, number) => read.rank(number));
const ranksOfText = (text: string): GoalRank[] =>
  all(readGoalText(new MemorySource(Buffer.from(text), 'job.goal'), []));

test('through traces and back, text and binary keep every operation and every dependency', () => {
  fc.assert(
    fc.property(schedule, (text) => {
      const job = textJob(text);
      const asBinary = Buffer.from(writtenAs(GOAL_BINARY_TARGET, tracesOf(job)).files['job.bin'], 'latin1');
      expect(all(readGoalBinary(new MemorySource(asBinary, 'job.bin'), []))).toEqual(ranksOfText(text));
      const again = binaryJob(asBinary);
      for (let number = 0; number < RANKS; number++) expect(etOf(again, number).equals(etOf(job, number))).toBe(true);
      expect(again.findings).toEqual(job.findings);
      const asText = writtenAs(GOAL_TEXT_TARGET, tracesOf(again)).files['job.goal'];
      expect(ranksOfText(asText)).toEqual(ranksOfText(text));
    }),
    { numRuns: 50 },
  );
});
