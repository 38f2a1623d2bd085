import { PrepError } from '../../src/base/errors.js';
import { officialCase, OFFICIAL_CASES } from '../../src/workloads/official-cases.js';
import { micros, run } from '../support/jobs.js';
import { jsonLines, rankBytes, tracesOf, type NodeLine } from '../support/made-jobs.js';
import { describeShared } from '../support/shared.js';
import { sharedBytes } from '../support/trace-facts.js';
import { codes, validateRead } from '../support/validation.js';
import { readBytes } from '../support/traces.js';

const RANKS = 8;

function official(name: string, rank: number): NodeLine[] {
  return jsonLines(sharedBytes('reference', 'chakra-tools', 'generator_npus8', `${name}.${rank}.et`)).nodes;
}

/** The official nodes with ids from 0: theirs go on over ranks and cases. */
function renumbered(nodes: readonly NodeLine[]): NodeLine[] {
  const first = nodes[0].id;
  return nodes.map((node) => ({
    ...node,
    id: node.id - first,
    ...(node.dataDeps && { dataDeps: node.dataDeps.map((id) => id - first) }),
  }));
}

/** What is added to the attributes of the official node, in order. */
function added(name: string, rank: number): NodeLine['attr'] {
  const issueOrder = { name: 'issue_order', int64: 0 };
  const size = { name: 'comm_size', int64: 1024 };
  const tag = { name: 'comm_tag', int32: 0 };
  if (name === 'BROADCAST') return [{ name: 'root', int64: 0 }, issueOrder];
  if (name === name.toUpperCase()) return [issueOrder];
  if (name === 'one_comm_send_node') return [size, { name: 'comm_dst', int32: (rank + 1) % 8 }, tag];
  if (name === 'one_comm_recv_node') return [size, { name: 'comm_src', int32: (rank + 7) % 8 }, tag];
  return [];
}

describeShared('the official generator for 8 ranks', () => {
  test.each(OFFICIAL_CASES)('%s has the same nodes on every rank, and what a simulator needs', (name) => {
    const job = officialCase(name, { ranks: RANKS });
    expect(job).toMatchObject({ rankCount: RANKS, prefix: name, findings: [] });
    for (let rank = 0; rank < RANKS; rank++) {
      const theirs = renumbered(official(name, rank));
      for (const node of theirs) node.attr!.push(...added(name, rank)!);
      const { metadata, nodes } = jsonLines(rankBytes(job, rank));
      // A send has its receive behind it, a receive its send: the official case has none.
      const partner = nodes.splice(theirs.length);
      expect(nodes).toEqual(theirs);
      expect(partner.map(({ id, type }) => [id, type])).toEqual(
        name === 'one_comm_send_node'
          ? [[1, 'COMM_RECV_NODE']]
          : name === 'one_comm_recv_node'
            ? [[1, 'COMM_SEND_NODE']]
            : [],
      );
      expect(metadata.attr).toEqual([
        { name: 'rank', int64: rank },
        { name: 'world_size', int64: RANKS },
      ]);
    }
  });
});

test('there are 14 cases, and defaults are the official ones', () => {
  expect(OFFICIAL_CASES).toHaveLength(14);
  expect(officialCase('one_comp_node').rankCount).toBe(64);
  const { nodes } = jsonLines(rankBytes(officialCase('one_comp_node', { runtimeMicros: 7 }), 0));
  expect(nodes[0].durationMicros).toBe(7);
});

test.each(OFFICIAL_CASES)('validate finds no error and no warning in %s but what the case is made of', (name) => {
  const job = officialCase(name, { ranks: 4 });
  const read = Array.from({ length: 4 }, (_, rank) => readBytes(rankBytes(job, rank), rank));
  const found = codes(validateRead(read)).filter((code) => !code.endsWith(' note'));
  expect(found).toEqual([]);
});

test.each(['one_comm_send_node', 'one_comm_recv_node'])('%s runs: 1,024 bytes at 1 B/ns and 1 µs', (name) => {
  const ranks = tracesOf(officialCase(name, { ranks: 4 }));
  const outcome = run(ranks);
  const times = micros(outcome, ranks, 3);
  // All four transfers leave at 0; received at 1,000 ns + 1,024 ns.
  const receive = name === 'one_comm_send_node' ? 1 : 0;
  expect(times[receive]).toEqual([0, 2.024]);
});

test.each<[string, Record<string, number>, RegExp]>([
  ['one_comp', {}, /no official case is called one_comp \(known: one_metadata_node_all_types, .*one_comm_recv_node\)/],
  ['one_comm_send_node', { ranks: 1 }, /case one_comm_send_node: ranks 1: expected a whole number from 2/],
  ['ALL_REDUCE', { commBytes: -1 }, /comm size \(bytes\) -1: expected a whole number from 0/],
  ['one_comp_node', { runtimeMicros: 0.5 }, /runtime \(µs\) 0.5/],
])('%s with %j is refused', (name, parameters, message) => {
  expect(() => officialCase(name, parameters)).toThrow(PrepError);
  expect(() => officialCase(name, parameters)).toThrow(message);
});
