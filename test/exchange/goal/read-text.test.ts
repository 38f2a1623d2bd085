import { MemorySource } from '../../../src/base/byte-source.js';
import type { Finding } from '../../../src/base/finding.js';
import { readGoalText } from '../../../src/exchange/goal/read-text.js';
import type { GoalRank } from '../../../src/exchange/goal/schedule.js';
import { EXAMPLE, linesOf, textJob, told } from '../../support/goal.js';

function read(text: string): { ranks: GoalRank[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const schedule = readGoalText(new MemorySource(Buffer.from(text), 'job.goal'), findings);
  return { ranks: Array.from({ length: schedule.rankCount }, (_, rank) => schedule.rank(rank)), findings };
}

/** What is wrong with a text. */
function fault(text: string): string {
  try {
    read(text);
  } catch (error) {
    return `${(error as { code: string }).code} ${(error as Error).message}`;
  }
  return 'nothing';
}

/** A schedule whose rank 0 has these lines. */
function lines(...text: string[]): string {
  return `num_ranks 2\nrank 0 {\n${text.join('\n')}\n}\nrank 1 {\n}\n`;
}

const operation = ({ kind, peer, amount, tag, cpu, nic }: GoalRank, at: number): number[] =>
  [kind, peer, amount, tag, cpu, nic].map((column) => column[at]);

test('every freedom of the grammar gives the same schedule', () => {
  const free = `
    // a comment that begins the file
    /* and one
       over lines */ num_ranks 2
    rank 0{ l1:calc 100 cpu 1 // behind an operation

    l2:send 10 b to 1 tag 5
    \t l2 requires l1
    l3: recv 8bfrom 1 tag 6 cpu 0 nic 0
    /* between */
    l3 irequires l2 }
    rank 1
    {
    _a: calc 0
    }`;
  // A label begins with a letter.
  expect(fault(free)).toBe('GOAL_MALFORMED job.goal: expected "b", found "bfrom" (line 9, column 15)');
  const mended = free
    .replace('8bfrom', '8b from')
    .replace('_a: calc 0', 'a: recv 10b from 0 tag 5\nb: send 8b to 0 tag 6\nb requires a');
  expect(read(mended).ranks).toEqual(read(EXAMPLE).ranks);
  expect(read(EXAMPLE.replaceAll('\n', '\r\n')).ranks).toEqual(read(EXAMPLE).ranks);
  expect(read(`\ufeff${EXAMPLE}`).ranks).toEqual(read(EXAMPLE).ranks);
});

test('defaults, any source and any tag', () => {
  const { ranks } = read(
    lines('send 4b to 1', 'recv 5b from -1 tag -1', 'recv 6b from 1 nic 3', 'calc 7', 'calc 8 cpu 255'),
  );
  // kind, peer, amount, tag, cpu, nic
  expect([0, 1, 2, 3, 4].map((at) => operation(ranks[0], at))).toEqual([
    [1, 1, 4, 0, 0, 0],
    [2, 0xffffffff, 5, 0xffffffff, 0, 0],
    [2, 1, 6, 0, 0, 3],
    [3, 0, 7, 0, 0, 0],
    [3, 0, 8, 0, 255, 0],
  ]);
});

test('operations may be called as keywords, and labels may be anything that is a word', () => {
  const { ranks } = read(lines('tag: calc 1', 'l01: calc 2', 'l1: calc 3', 'tag requires l1', 'l1 irequires l01'));
  expect([...ranks[0].requiresStart]).toEqual([0, 1, 1, 1]);
  expect([...ranks[0].requires]).toEqual([2]);
  expect([...ranks[0].irequiresStart]).toEqual([0, 0, 0, 1]);
  expect([...ranks[0].irequires]).toEqual([1]);
});

test.each([
  ['num_rank 2', 'expected "num_ranks", found "num_rank" (line 1, column 1)'],
  ['num_ranks two', 'expected the number of ranks, found "two" (line 1, column 11)'],
  ['num_ranks 0', 'the schedule has no rank (line 1, column 11)'],
  ['num_ranks 1\nrank 1 {\n}', 'rank 1 comes where rank 0 is expected (line 2, column 6)'],
  ['num_ranks 1', 'expected "rank", found the end of the file (line 1, column 12)'],
  [lines('l1: calc'), 'expected a time, found the end of the line (line 3, column 9)'],
  [lines('l1: wait 5'), 'expected send, recv or calc, found "wait" (line 3, column 5)'],
  [lines('l1 calc 5'), 'expected ":", requires or irequires, found "calc" (line 3, column 4)'],
  [lines('l1 requires l2'), 'no operation of rank 0 above this line has the label l1 (line 3, column 1)'],
  [lines('l1: calc 5', 'l1 needs l1'), 'expected ":", requires or irequires, found "needs" (line 4, column 4)'],
  [
    lines('l1: calc 5', 'l1 requires l2', 'l2: calc 5'),
    'no operation of rank 0 above this line has the label l2 (line 4, column 13)',
  ],
  [lines('calc 5 nic 1'), 'expected the end of the line, found "nic" (line 3, column 8)'],
  [lines('calc 5 cpu 256'), 'an index is above 255 (line 3, column 12)'],
  [lines('calc 99999999999999999999'), 'a time is above 9007199254740991 (line 3, column 6)'],
  [lines('send 5 to 1'), 'expected "b", found "to" (line 3, column 8)'],
  [lines('send 5b to 2'), 'there is no rank 2: the schedule has ranks 0 to 1 (line 3, column 12)'],
  [lines('send 5b to -1'), 'expected a rank, found "-" (line 3, column 12)'],
  [lines('recv 5b from -2'), 'a rank is below 0 and not -1 (line 3, column 14)'],
  [lines('recv 5b to 1'), 'expected "from", found "to" (line 3, column 9)'],
  [lines('send 5b to 1 cpu 1 tag 2'), 'expected the end of the line, found "tag" (line 3, column 20)'],
  [lines('5: calc 5'), 'expected an operation, a label or "}", found "5" (line 3, column 1)'],
  [lines('/ calc 5'), 'expected // or /* after the "/" (line 3, column 1)'],
  [lines('/* calc 5'), 'the comment that begins in line 3 has no end (line 7, column 1)'],
  [lines('calc \u00e9'), 'expected a time, found the byte 195 (line 3, column 6)'],
])('%j', (text, message) => {
  expect(fault(text)).toBe(`GOAL_MALFORMED job.goal: ${message}`);
});

test('a text that ends early is one error with a line, wherever it ends', () => {
  const text = EXAMPLE.trimEnd();
  for (let length = 0; length < text.length; length++) {
    expect(fault(text.slice(0, length))).toMatch(/^GOAL_MALFORMED job\.goal: [^\n]+ \(line \d+, column \d+\)$/);
  }
  expect(fault(text)).toBe('nothing');
});

test('of two definitions of a label the first counts, and what follows the last rank is not read', () => {
  const { ranks, findings } = read(
    `${lines('l1: calc 1', 'l2: calc 2', 'l1: calc 3', 'l2: calc 4', 'l2 requires l1')}\n\nrank 2 {\n}\n`,
  );
  expect([...ranks[0].requiresStart]).toEqual([0, 0, 1, 1, 1]);
  expect(told(findings)).toEqual([
    'GOAL_LABEL_REPEATED: 2 operations of rank 0 have labels that an earlier one has, first l1 in line 5; dependencies on it mean the earlier one',
    'GOAL_TRAILING: job.goal: what follows rank 1, the last one, is not read: line 13 and on',
  ]);
});

test('a rank longer than a window of the reader is read as a whole, and its faults have their lines', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `l${at}: calc ${at}`);
  const { ranks } = read(lines(...many));
  expect(ranks[0].length).toBe(20_000);
  expect(ranks[0].amount[19_999]).toBe(19_999);
  expect(fault(lines(...many, 'l7 requires none'))).toBe(
    'GOAL_MALFORMED job.goal: no operation of rank 0 above this line has the label none (line 20003, column 13)',
  );
});

test('operations that wait in a circle come last and are told', () => {
  const job = textJob(
    lines(
      'a: calc 1000',
      'b: send 1b to 1',
      'c: calc 2000',
      'd: calc 3000',
      'b requires c',
      'c irequires b',
      'a requires d',
    ),
  );
  expect(told(job.findings)).toEqual([
    'GOAL_CYCLE: 2 operations of rank 0 never run: waiting in a circle, or behind one; first node 3, a send',
    'GOAL_START_DEPENDENCY: 1 dependency on the start of an operation (irequires), first on rank 0: each became control dependencies on what that operation waits for; the attribute goal_irequires keeps it',
  ]);
  // d has to come before a; b and c wait for each other.
  expect(
    linesOf(job, 0)
      .slice(1)
      .map(({ id, durationMicros, dataDeps }) => [id, durationMicros, dataDeps]),
  ).toEqual([
    [1, 3, undefined],
    [2, 1, [1]],
    [3, undefined, [4]],
    [4, 2, undefined],
  ]);
});

test('a receive from any source gets the sender that is left', () => {
  const job = textJob(`num_ranks 3
rank 0 {
send 1b to 2 tag 7
send 1b to 2 tag 7
}
rank 1 {
send 1b to 2 tag 7
send 1b to 2 tag 3000000000
}
rank 2 {
recv 1b from -1 tag 7
recv 1b from 0 tag 7
recv 1b from 0 tag 7
recv 1b from -1 tag -1
recv 1b from 1 tag 3000000000
}
`);
  // Rank 0's two messages are taken by name, so the only one of tag 7 that is left comes from rank 1; it fits the last one too.
  const attributes = linesOf(job, 2)
    .slice(1)
    .map(({ attr }) =>
      (attr as { name: string }[])
        .filter(({ name }) => /comm_src|comm_tag|any/.test(name))
        .map((one) => Object.values(one).join(' ')),
    );
  expect(attributes).toEqual([
    ['comm_src 1', 'comm_tag 7', 'goal_any_source true'],
    ['comm_src 0', 'comm_tag 7'],
    ['comm_src 0', 'comm_tag 7'],
    ['comm_src 1', 'comm_tag 7', 'goal_any_source true', 'goal_any_tag true'],
    ['comm_src 1', 'comm_tag 3000000000'],
  ]);
  expect(told(job.findings)).toEqual([
    'TAG_WIDE: 2 sends and receives with a tag above 2^31 − 1, first rank 1 node 2: comm_tag is an int64 there',
    'GOAL_SOURCE_FOUND: 2 receives from any source or of any tag, first rank 2 node 1: only one sender and tag fits, and is written',
  ]);
});

test('a receive that two senders fit stays open', () => {
  const job = textJob(
    'num_ranks 3\nrank 0 {\nsend 1b to 2\n}\nrank 1 {\nsend 1b to 2\n}\nrank 2 {\nrecv 1b from -1\nrecv 1b from -1\n}\n',
  );
  const [, first] = linesOf(job, 2);
  expect(first.name).toBe('receive from any');
  expect((first.attr as { name: string }[]).map(({ name }) => name)).toEqual([
    'is_cpu_op',
    'comm_size',
    'comm_tag',
    'goal_any_source',
    'goal_cpu',
    'goal_nic',
  ]);
  expect(told(job.findings)).toEqual([
    'GOAL_SOURCE_OPEN: 2 receives from any source or of any tag, first rank 2 node 1: not one sender and tag fits, so a replay has no partner for it',
  ]);
});
