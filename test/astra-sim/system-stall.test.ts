import type { SystemStall } from '../../src/astra-sim/outcome.js';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute, receive, send } from '../support/jobs.js';
import { everyRank, networkOf, systemOf, systemRun, type RunParts } from '../support/system-runs.js';

/** Why ranks did not finish: for each what it waits for, and what there is instead. */

const { allReduce, allGather } = CollectiveType;
const TWO = networkOf('Switch 2');

function stallOf(parts: RunParts): SystemStall {
  const { stall } = simulateSystem(systemRun(parts));
  if (stall === undefined) throw new Error('all ranks finished');
  return stall;
}

function reasons(parts: RunParts): string[] {
  return stallOf(parts).reasons.map(({ code, count }) => `${code} ${count}`);
}

test('a run that finishes has none', () => {
  expect(simulateSystem(systemRun({ nodes: everyRank(2, compute(1, 5)), network: TWO })).stall).toBeUndefined();
});

describe('a receive', () => {
  const waiting = [receive(1, 1, 64, 5)];
  const line = (nodes: Parameters<typeof stallOf>[0]['nodes'], cause: string, text: string): void => {
    const { reasons: found, ranks, lines } = stallOf({ nodes, network: TWO });
    expect(found.map(({ code }) => code)).toEqual(cause === '' ? [] : [cause]);
    expect(ranks[0].nodes[0]).toEqual({
      node: 1,
      name: 'receive 1',
      type: 'COMM_RECV_NODE',
      state: 'running',
      waitsFor: 'transfer',
      transfer: { tag: 5, sender: 1, receiver: 0 },
      text: `node 1 "receive 1" waits for 64 bytes with tag 5 from rank 1; ${text}`,
    });
    expect(lines).toContain(`  ${ranks[0].nodes[0].text}`);
  };

  test('for which nothing was sent', () => {
    line([waiting, [compute(1, 5)]], 'unmatched-receive', 'it has sent nothing and has finished');
  });

  test('for which a message of another size, or of another tag, was sent', () => {
    line(
      [waiting, [send(1, 0, 32, 5), send(2, 0, 64, 3)]],
      'size-mismatch',
      'it sent 32 bytes with that tag, which nobody received',
    );
    line([waiting, [send(1, 0, 64, 3)]], 'unmatched-receive', 'it sent 64 bytes with tag 3, which nobody received');
  });

  test('that two ranks have first, each with the send behind it', () => {
    const nodes = [
      [receive(1, 1, 64, 5), send(2, 1, 64, 6, [1])],
      [receive(1, 0, 64, 6), send(2, 0, 64, 5, [1])],
    ];
    line(nodes, '', 'node 2 "send 2" there, which sends it, has not started');
  });

  test('under rendezvous a send waits too', () => {
    const nodes = [[compute(1, 5)], [send(1, 0, 64, 5), compute(2, 5, [1])]];
    expect(stallOf({ nodes, network: TWO, options: { rendezvous: true } }).lines).toEqual([
      'stalled: 2 nodes on 1 rank cannot finish',
      'rank 1: 2 of 2 nodes not finished',
      '  node 1 "send 1" sends 64 bytes with tag 5 to rank 0, which does not ask for it',
      '  … and 1 behind dependencies',
    ]);
  });
});

describe('a collective', () => {
  test('that a member never begins', () => {
    const member = [collective(1, allReduce, 4096, '1')];
    const nodes = [member, member, [compute(1, 5)], [receive(1, 2, 8, 3), collective(2, allReduce, 4096, '1', [1])]];
    const { reasons: found, ranks } = stallOf({ nodes, network: networkOf('Switch 4'), groups: { '1': [0, 1, 3] } });
    expect(found).toEqual([
      { code: 'missing-participant', count: 2, text: '2 members in collectives that another member never begins' },
      { code: 'unmatched-receive', count: 1, text: '1 receive nobody sends to' },
    ]);
    // 4096 bytes over 3 ranks: messages of 1365.
    expect(ranks[0].nodes[0]).toMatchObject({
      type: 'COMM_COLL_NODE',
      waitsFor: 'collective',
      collective: { group: '1', type: 'AllReduce', instance: 0, missing: [3] },
      text: 'node 1 "collective 1" waits in AllReduce 0 of group "1" (4,096 bytes, ring) for 1,365 bytes from rank 3 (chunk 1 of 1, phase 1 of 1); rank 3 has not begun it',
    });
  });

  test('whose members have another one in its place: that comes first', () => {
    const nodes = [[collective(1, allReduce, 4096, '')], [collective(1, allGather, 512, '')]];
    const { reasons: found, ranks } = stallOf({ nodes, network: TWO });
    expect(found).toEqual([
      {
        code: 'crossed-collectives',
        count: 1,
        text: '1 collective begun in different orders: collective 0 over all ranks: rank 0 begins AllReduce of 4,096 bytes (ring), rank 1 AllGather of 512 bytes (ring)',
      },
    ]);
    expect(ranks[1].nodes[0].text).toBe(
      'node 1 "collective 1" waits in AllGather 0 over all ranks (512 bytes, ring) for 512 bytes from rank 0 (chunk 1 of 1, phase 1 of 1); rank 0 is in AllReduce 0 over all ranks (4,096 bytes, ring)',
    );
  });

  test('whose members are in another one of other ranks, which waits for them', () => {
    // Rank 0 has group "1" ready first, as its world collective waits for 5 µs of compute; rank 1 begins with the smaller id.
    const nodes = [
      [compute(1, 5), collective(2, allReduce, 64, '', [1]), collective(3, allReduce, 128, '1')],
      [collective(2, allReduce, 64, ''), collective(3, allReduce, 128, '1')],
      [collective(2, allReduce, 64, '')],
    ];
    const parts = { nodes, network: networkOf('Switch 3'), groups: { '1': [0, 1] } };
    const { reasons: found, ranks } = stallOf(parts);
    expect(found).toEqual([
      {
        code: 'crossed-collectives',
        count: 2,
        text: '2 collectives begun in different orders: rank 1 has not begun AllReduce 0 of group "1" (128 bytes, ring), it is in AllReduce 0 over all ranks (64 bytes, ring)',
      },
    ]);
    expect(ranks[2].nodes[0].text).toMatch(
      /; rank 0 has not begun it, it is in AllReduce 0 of group "1" \(128 bytes, ring\)$/,
    );
  });

  test('with an algorithm of its own on one rank only', () => {
    const nodes = everyRank(2, collective(1, allReduce, 4096, ''));
    nodes[1] = [collective(7, allReduce, 4096, '')];
    const system = systemOf('ring', { customByNode: new Map([[7n, 'star']]) });
    const custom = { 'star.1': [receive(1, 0, 8, 5), compute(2, 5, [1])] };
    const parts = { nodes, network: TWO, system, custom };
    expect(reasons(parts)).toEqual(['crossed-collectives 1']);
    expect(stallOf(parts).ranks[1].nodes[0].text).toBe(
      'node 7 "collective 7" waits in AllReduce 0 over all ranks (4,096 bytes, star), 2 nodes of its trace left, among them a receive of 8 bytes with tag 5 from rank 0',
    );
  });

  test('over two dimensions', () => {
    const nodes = everyRank(4, collective(1, CollectiveType.allGather, 64, '1'));
    nodes[3] = [compute(1, 5)];
    nodes[2] = [compute(1, 5)];
    const system = systemOf('ring ring');
    const { ranks } = stallOf({ nodes, network: networkOf('Ring 2', 'Ring 2'), system, groups: { '1': [0, 1, 2, 3] } });
    // All-gathers take the last dimension first: ranks 0 and 2, 1 and 3.
    expect(ranks[0].nodes[0].text).toContain(
      'for 64 bytes from rank 2 (chunk 1 of 1, phase 1 of 2); ranks 2, 3 have not begun it',
    );
  });
});

test('nodes for which there is no slot, and those behind dependencies, are counted', () => {
  const nodes = [
    [collective(1, allReduce, 8, ''), collective(2, allReduce, 8, ''), compute(3, 5, [2]), compute(4, 5, [3])],
    [compute(1, 5)],
  ];
  expect(stallOf({ nodes, network: TWO }).lines.slice(-1)).toEqual([
    '  … and 1 ready, for which there is no slot, 2 behind dependencies',
  ]);
});

test('ten ranks are named, the others counted', () => {
  const nodes = everyRank(12, receive(1, 12, 8, 5));
  const { ranks, lines } = stallOf({ nodes: [...nodes, [compute(1, 5)]], network: networkOf('Switch 13') });
  expect(ranks.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(lines.slice(-1)).toEqual(['… and 2 more ranks']);
});

describe('at a stop', () => {
  test('what ran is said, and nobody is blamed', () => {
    const nodes = [[compute(1, 9), send(2, 1, 8, 7, [1])], [receive(1, 0, 8, 7)]];
    expect(stallOf({ nodes, network: TWO, options: { stopNs: 5000 } }).lines).toEqual([
      'stop reached: 3 nodes on 2 ranks had not finished',
      '  2 nodes ran or had a transfer under way',
      'rank 0: 2 of 2 nodes not finished',
      '  node 1 "compute 1" was running',
      '  … and 1 behind dependencies',
      'rank 1: 1 of 1 node not finished',
      '  node 1 "receive 1" waits for 8 bytes with tag 7 from rank 0',
    ]);
  });

  test('the same where one rank stands for all', () => {
    const parts = { nodes: everyRank(4, collective(1, allReduce, 1_048_576, '')), network: networkOf('Ring 4') };
    const options = { stopNs: 1000 };
    const folded = stallOf({ ...parts, options });
    const whole = stallOf({ ...parts, options: { ...options, everyRank: true } });
    expect(folded.reasons).toEqual(whole.reasons);
    expect(folded.lines.slice(0, 4)).toEqual(whole.lines.slice(0, 4));
    expect(folded.lines.slice(4)).toEqual(['… and 3 more ranks']);
  });
});
