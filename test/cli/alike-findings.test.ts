import fc from 'fast-check';
import { finding, type FindingCode } from '../../src/base/catalogue.js';
import type { Finding } from '../../src/base/finding.js';
import { alikeFindings } from '../../src/cli/alike-findings.js';
import { newFolder, writeRanks } from '../support/folders.js';
import { runHere } from '../support/in-process.js';
import { describeShared, shared } from '../support/shared.js';
import type { NodeObject } from '../support/traces.js';

function of(code: FindingCode, messages: readonly (readonly [message: string, facts: Partial<Finding>])[]): Finding[] {
  return messages.map(([message, facts]) => finding(code, message, facts));
}

function texts(findings: readonly Finding[]): string[] {
  return alikeFindings(findings).flatMap(({ line, more }) => (more === undefined ? [line] : [line, more]));
}

test('what several ranks have in common is one line', () => {
  const findings = of(
    'NO_NODES',
    [0, 1, 2, 5].map((rank) => [`rank ${rank}: the trace has no nodes`, { rank }]),
  );
  expect(texts(findings)).toEqual(['ranks 0–2, 5: the trace has no nodes']);
});

test('of two that are alike both are said', () => {
  const findings = of(
    'PEER_SELF',
    [0, 1].map((rank) => [`rank ${rank}: 1 send: node ${7 + rank}`, { rank }]),
  );
  expect(texts(findings)).toEqual(['rank 0: 1 send: node 7', 'rank 1: 1 send: node 8']);
});

test('of more the first is said, then how many are like it, on which ranks, and the first places', () => {
  const findings = of(
    'PEER_SELF',
    [0, 1, 2, 3, 4, 5, 9].map((rank) => [
      `rank ${rank}: 1 send to the rank itself: node ${100 * rank + 4} "send"`,
      { rank, nodes: [100 * rank + 4] },
    ]),
  );
  expect(texts(findings)).toEqual([
    'rank 0: 1 send to the rank itself: node 4 "send"',
    '… and 6 more like this, on ranks 1–5, 9: rank 1 node 104, rank 2 node 204, rank 3 node 304, …',
  ]);
});

test('counts of folded findings are added up', () => {
  const findings = of('PEER_SELF', [
    ['rank 0: 3 sends: nodes 1, 2 and 3', { rank: 0, nodes: [1, 2, 3], count: 3 }],
    ['rank 1: 1 send: node 7', { rank: 1, nodes: [7] }],
    ['rank 2: 12,000 sends: nodes 1 "a", 2, 3 and 11,997 more', { rank: 2, nodes: [1, 2, 3], count: 12_000 }],
  ]);
  expect(texts(findings)).toEqual([
    'rank 0: 3 sends: nodes 1, 2 and 3',
    '… and 2 more like this (12,004 in all), on ranks 1, 2: rank 1 node 7, rank 2 node 1',
  ]);
});

test('names of nodes, lengths of cycles and of their chains make no difference', () => {
  const findings = of('CYCLE', [
    [
      'rank 0: cycle of 2 nodes in data dependencies: 1 "a" waits for 2 "b(0)" waits for 1 "a"',
      { rank: 0, nodes: [1, 2] },
    ],
    [
      'rank 0: cycle of 3 nodes in data dependencies: 4 waits for 5 waits for 6 "c" waits for 4',
      { rank: 0, nodes: [4, 5] },
    ],
    [
      'rank 0: cycle of 9 nodes in data dependencies: 10 waits for 11 waits for … 7 nodes more … waits for 10',
      { rank: 0, nodes: [10, 11] },
    ],
    ['rank 0: cycle of 2 nodes in control dependencies: 20 waits for 21 waits for 20', { rank: 0, nodes: [20, 21] }],
  ]);
  expect(texts(findings)).toEqual([
    findings[0].message,
    '… and 2 more like this, on rank 0: node 4, node 10',
    findings[3].message,
  ]);
});

test('groups with the same fault are told by their names', () => {
  const findings = of(
    'COLLECTIVE_COUNT',
    ['0', 'dp', 'tp 1', 'x'].map((group) => [`${group}: 2 collectives on rank 0, 1 on rank 1`, { group }]),
  );
  expect(texts(findings)).toEqual([
    'group 0: 2 collectives on rank 0, 1 on rank 1',
    '… and 3 more like this: group dp, group tp 1, group x',
  ]);
});

test('another text in quotes is another finding', () => {
  const findings = of('GROUP_SINGLE', [
    ['the group "a" is odd', {}],
    ['the group "b" is odd', {}],
    ['the group "c" is odd', {}],
  ]);
  expect(texts(findings)).toEqual(findings.map(({ message }) => message));
});

test('every finding is in exactly one line, and the numbers of all lines add up', () => {
  const message = fc.constantFrom('1 send: node 4', '2 sends: nodes 4 and 5', 'has no nodes', 'id 3 "x" is odd', '');
  const rank = fc.option(fc.nat(70), { nil: undefined });
  fc.assert(
    fc.property(fc.array(fc.tuple(message, rank, fc.nat(3)), { maxLength: 60 }), (made) => {
      const findings = made.map(([text, at, number]) =>
        finding(
          'PEER_SELF',
          at === undefined ? `${text} ${number}` : `rank ${at}: ${text} ${number}`,
          at === undefined ? {} : { rank: at },
        ),
      );
      const groups = alikeFindings(findings);
      const held = groups.flatMap((group) => [...group.findings]);
      expect(new Set(held)).toEqual(new Set(findings));
      expect(held).toHaveLength(findings.length);
    }),
  );
});

/** 64 ranks, each with the same four faults at nodes of its own, and lists of other lengths. */
function faultyRanks(): NodeObject[][] {
  return Array.from({ length: 64 }, (_, rank) => {
    const first = 1 + 100 * rank;
    const many = 1 + (rank % 5);
    return [
      { id: first, name: 'a', type: 'COMP_NODE', duration_micros: 5, data_deps: [first + 1] },
      { id: first + 1, name: 'b', type: 'COMP_NODE', duration_micros: 5, data_deps: [first] },
      { id: first + 2, name: `dangling ${rank}`, type: 'COMP_NODE', data_deps: [90_000 + rank] },
      ...Array.from({ length: many }, (__, place) => ({
        id: first + 10 + place,
        name: `send ${place}`,
        type: 'COMM_SEND_NODE',
        attr: {
          comm_dst: { int32_val: (rank + 1) % 64 },
          comm_tag: { int32_val: place },
          is_cpu_op: { bool_val: true },
        },
      })),
    ];
  });
}

describe('the printed form stays within a screen', () => {
  test('64 ranks with the same faults at other nodes', async () => {
    const folder = writeRanks(newFolder(), faultyRanks());
    const { stderr, stdout, status } = await runHere(['validate', folder]);
    expect(status).toBe(1);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    // 64 × (cycle, dangling, never start) are errors, 64 × (no size, CPU, unmatched) warnings, and notes beside them.
    expect(stdout).toMatch(/^64 ranks, 382 nodes: 192 errors, 192 warnings, 128 notes\n/);
    expect(lines.filter((line) => line.startsWith('error CYCLE'))).toHaveLength(1);
    expect(lines).toContain(
      '  … and 63 more like this, on ranks 1–63: rank 1 node 101, rank 2 node 201, rank 3 node 301, …',
    );
    expect(lines.filter((line) => line.includes('COMM_ON_CPU'))).toHaveLength(1);
  });

  describeShared('the official feeder test, with its 12 findings of cycles', () => {
    test('takes two lines a kind', async () => {
      const { stderr } = await runHere(['validate', shared('traces', 'mlcommons-chakra')]);
      const lines = stderr.trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(24);
      expect(lines.filter((line) => line.startsWith('error CYCLE'))).toHaveLength(4);
      expect(lines.filter((line) => /^ {2}… and 4 more like this, on rank 0: node \d+, /.test(line))).toHaveLength(2);
    });
  });
});
