import type { Communication, RankCommunications } from '../../src/pytorch/communication.js';
import { settleCommunications } from '../../src/pytorch/settle-communications.js';
import { CollectiveType } from '../../src/trace/collective-type.js';

const { allReduce, broadcast, allToAll } = CollectiveType;

function collective(group: string, type: number = allReduce, bytes = 100, root = -1): Partial<Communication> {
  return { kind: 'collective', type, group, bytes, rootPosition: root };
}

function send(group: string, position: number, peer = -1): Partial<Communication> {
  return { kind: 'send', group, peerPosition: position, peer };
}

function receive(group: string, position: number, peer = -1): Partial<Communication> {
  return { kind: 'receive', group, peerPosition: position, peer };
}

/** A rank that issues the communications in the order given, one a kernel. */
function rankOf(
  rank: number,
  communications: readonly Partial<Communication>[],
  {
    groups = {},
    sizes = {},
    worldSize = NaN,
  }: { groups?: Record<string, number[]>; sizes?: Record<string, number>; worldSize?: number } = {},
): RankCommunications {
  const next = new Map<string, number>();
  const onDevice = new Map<number, readonly Communication[]>();
  communications.forEach((communication, place) => {
    const group = communication.group ?? '';
    const order = next.get(group) ?? 0;
    next.set(group, order + 1);
    onDevice.set(place * 3, [
      {
        ...{
          kind: 'collective',
          type: -1,
          bytes: NaN,
          group,
          root: -1,
          rootPosition: -1,
          sendSplits: [],
          receiveSplits: [],
        },
        ...{ peer: -1, peerPosition: -1, order, record: -1 },
        ...communication,
      },
    ]);
  });
  return {
    ...{ rank, onDevice, onHost: new Map(), tallies: [], findings: [], worldSize },
    groups: new Map(Object.entries(groups)),
    groupSizes: new Map(Object.entries(sizes)),
  };
}

function messages(ranks: readonly RankCommunications[]): string[] {
  return settleCommunications(ranks).findings.map(({ code, message }) => `${code}: ${message}`);
}

describe('groups', () => {
  test('are the union of what ranks declare; those that nobody uses are left out', () => {
    const { groups, findings } = settleCommunications([
      rankOf(0, [collective('1')], { groups: { 1: [0, 1], 7: [0] } }),
      rankOf(1, [collective('1')], { groups: { 1: [0, 1] } }),
      rankOf(2, [collective('2')], { groups: { 2: [2, 3] } }),
      rankOf(3, [collective('2')], { groups: { 2: [2, 3] } }),
    ]);
    expect([...groups]).toEqual([
      ['1', [0, 1]],
      ['2', [2, 3]],
    ]);
    expect(findings).toEqual([]);
  });

  test('that ranks declare differently are a conflict, also in the order of members', () => {
    expect(
      messages([
        rankOf(0, [collective('1')], { groups: { 1: [0, 1] } }),
        rankOf(1, [collective('1')], { groups: { 1: [1, 0] } }),
      ]),
    ).toEqual([
      'GROUP_CONFLICT: group "1" is ranks 0, 1 in the traces of rank 0 and ranks 1, 0 in the traces of rank 1; the order of members counts',
    ]);
  });

  test('that nobody declares are the ranks that use them, where these agree', () => {
    const ranks = [
      rankOf(2, [collective('5'), collective('5', broadcast, 10, 1)]),
      rankOf(6, [collective('5'), collective('5', broadcast, 10, 1)]),
    ];
    const { groups, roots } = settleCommunications(ranks);
    expect(groups.get('5')).toEqual([2, 6]);
    expect([...roots.get(2)!]).toEqual([-1, 6]);
    expect(messages(ranks)).toEqual([
      'GROUP_INFERRED: group "5", used by ranks 2, 6, is not declared; taken as ranks 2, 6: these ranks use it, with the same collectives',
    ]);
  });

  test.each([
    ['rank 2 runs 1 collective in it, and rank 6 runs 2', [collective('5')], {}],
    ['rank 2 runs 2 collectives in it, and rank 6 runs others', [collective('5'), collective('5', broadcast)], {}],
    ['it has 4 members, and 2 of the given ranks use it', [collective('5'), collective('5')], { 5: 4 }],
  ])('stay unknown where they do not: %s', (reason, first, sizes) => {
    const ranks = [rankOf(2, first, { sizes }), rankOf(6, [collective('5'), collective('5')], { sizes })];
    const { groups, findings } = settleCommunications(ranks);
    expect(groups.has('5')).toBe(false);
    expect(findings[0]).toMatchObject({
      code: 'GROUP_UNDECLARED',
      severity: 'warning',
      message: `group "5", used by ranks 2, 6, is not declared, and its members stay unknown: ${reason}`,
    });
  });

  test('of one user are not known: members without traces may use it too', () => {
    const ranks = [rankOf(0, [collective('5'), collective('5', broadcast, 1, 1), send('5', 1)])];
    expect(settleCommunications(ranks).groups.size).toBe(0);
    expect(messages(ranks)).toEqual([
      'GROUP_UNDECLARED: group "5", used by rank 0, is not declared, and its members stay unknown: one rank alone uses it',
      'COMMUNICATION_PEER_UNKNOWN: 1 send or receive without the other end: the members of group "5" are not known',
      'COMMUNICATION_ROOT_UNKNOWN: 1 collective without a root: the members of group "5" are not known',
    ]);
  });

  test('"0" that nobody declares is all ranks of the job', () => {
    const ranks = [rankOf(0, [collective('0')], { worldSize: 4 }), rankOf(1, [collective('0')], { worldSize: 4 })];
    expect(settleCommunications(ranks).groups.get('0')).toEqual([0, 1, 2, 3]);
    expect(messages(ranks)).toEqual([
      'GROUP_INFERRED: group "0", used by ranks 0, 1, is not declared; taken as ranks 0–3: it is the default group',
      'COMMUNICATION_MEMBERS_MISSING: 1 group has members without traces: "0" lacks ranks 2, 3',
    ]);
  });

  test('"0" must not be some ranks only', () => {
    const groups = { 0: [0, 1] };
    expect(
      messages([
        rankOf(0, [collective('0')], { groups, worldSize: 4 }),
        rankOf(1, [collective('0')], { groups, worldSize: 4 }),
      ]),
    ).toEqual([
      'COMMUNICATION_ZERO_GROUP: group "0" is ranks 0, 1 of 4; ASTRA-sim takes a group of that name as all ranks',
    ]);
  });

  test('members without traces are said once, not for each group and collective', () => {
    const groups = { 1: [0, 1], 2: [0, 2], 3: [0, 3], 4: [0, 4] };
    expect(
      messages([rankOf(0, [collective('1'), collective('2'), collective('3'), collective('4')], { groups })]),
    ).toEqual([
      'COMMUNICATION_MEMBERS_MISSING: 4 groups have members without traces: "1" lacks rank 1; "2" lacks rank 2; "3" lacks rank 3; and 1 more',
    ]);
  });
});

describe('sends and receives', () => {
  const groups = { 1: [0, 1], 2: [1, 0] };

  test('of a pair have one tag at both ends, in the order of issue', () => {
    const { peers, tags, findings } = settleCommunications([
      rankOf(0, [send('1', 1, 1), receive('1', 1, 1), send('1', 1, 1), collective('1')], { groups }),
      rankOf(1, [receive('1', 0, 0), receive('1', 0, 0), send('1', 0, 0), collective('1')], { groups }),
    ]);
    expect([...peers.get(0)!]).toEqual([1, 1, 1, -1]);
    expect([...tags.get(0)!]).toEqual([0, 0, 1, -1]);
    expect([...tags.get(1)!]).toEqual([0, 1, 0, -1]);
    expect(findings).toEqual([]);
  });

  test('of one pair in two groups never share a tag', () => {
    const { tags } = settleCommunications([
      rankOf(0, [send('1', 1, 1), send('2', 0, 1), send('1', 1, 1)], { groups }),
      // The other group first: order between groups is not that of the sender.
      rankOf(1, [receive('2', 1, 0), receive('1', 0, 0), receive('1', 0, 0)], { groups }),
    ]);
    expect([...tags.get(0)!]).toEqual([0, 2, 1]);
    expect([...tags.get(1)!]).toEqual([2, 0, 1]);
  });

  test('find the other end through members that other ranks tell', () => {
    const { peers } = settleCommunications([
      rankOf(4, [send('9', 1), collective('9')]),
      rankOf(6, [receive('9', 0), collective('9')]),
    ]);
    expect([...peers.get(4)!]).toEqual([6, -1]);
    expect([...peers.get(6)!]).toEqual([4, -1]);
  });

  test('that do not meet are said with the counts of both sides', () => {
    expect(
      messages([
        rankOf(0, [send('1', 1, 1), send('1', 1, 1), send('1', 1, 1)], { groups }),
        rankOf(1, [receive('1', 0, 0)], { groups }),
      ]),
    ).toEqual(['COMMUNICATION_UNMATCHED: group "1": rank 0 sends 3 times to rank 1, which receives 1 time']);
  });

  test('to a rank without traces are no fault', () => {
    const { tags, findings } = settleCommunications([rankOf(0, [send('1', 1, 1), send('1', 1, 1)], { groups })]);
    expect([...tags.get(0)!]).toEqual([0, 1]);
    expect(findings.map(({ code }) => code)).toEqual(['COMMUNICATION_MEMBERS_MISSING']);
  });
});

describe('ranks that disagree', () => {
  const groups = { 1: [0, 1, 2] };

  test.each([
    [
      'group "1": 2 collectives on ranks 0, 2; 1 on rank 1',
      [[collective('1'), collective('1')], [collective('1')], [collective('1'), collective('1')]],
    ],
    [
      'group "1": collective 1 is AllReduce on rank 0 and Broadcast on rank 2',
      [
        [collective('1'), collective('1')],
        [collective('1'), collective('1')],
        [collective('1'), collective('1', broadcast)],
      ],
    ],
    [
      'group "1": collective 0, AllReduce, has 1,000 B on rank 0 and 100 B on rank 1',
      [[collective('1', allReduce, 1000)], [collective('1')], [collective('1')]],
    ],
  ])('%s', (text, uses) => {
    expect(messages(uses.map((list, rank) => rankOf(rank, list, { groups })))).toEqual([
      `COMMUNICATION_RANKS_DISAGREE: ${text}`,
    ]);
  });

  test('members of an all-to-all may send different sizes', () => {
    const sizes = [10, 20, 30];
    expect(messages(sizes.map((bytes, rank) => rankOf(rank, [collective('1', allToAll, bytes)], { groups })))).toEqual(
      [],
    );
  });
});
