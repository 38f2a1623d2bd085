import fc from 'fast-check';
import type { Finding } from '../../../src/base/finding.js';
import { CollectiveType } from '../../../src/trace/collective-type.js';
import { attributes, collective, groupsOf, prepareAll } from '../../support/preparation.js';
import { codes, validateNodes, validateRead } from '../../support/validation.js';
import { traceOf, type NodeObject } from '../../support/traces.js';

const GH = { G: [0, 1], H: [0, 1] };

const compute = (id: number, ...after: number[]): NodeObject => ({ id, type: 'COMP_NODE', data_deps: after });
const send = (id: number, to: number, tag: number, after: number[] = [], more = {}): NodeObject => ({
  id,
  type: 'COMM_SEND_NODE',
  data_deps: after,
  attr: attributes({ to, tag, size: 8, ...more }),
});
const receive = (id: number, from: number, tag: number, after: number[] = []): NodeObject => ({
  id,
  type: 'COMM_RECV_NODE',
  data_deps: after,
  attr: attributes({ from, tag, size: 8 }),
});

const stalls = (ranks: NodeObject[][], options: Parameters<typeof validateNodes>[1] = {}): Finding[] =>
  validateNodes(ranks, options).filter(({ code }) => code === 'WAIT_CYCLE' || code === 'STALL_POSSIBLE');

describe('what simulate adds to the order', () => {
  const broadcast = { type: CollectiveType.broadcast, size: 8, root: 0 };
  // The root of both passes without the others.
  const opposite = [
    [collective(1, { ...broadcast, group: 'G' }), collective(2, { ...broadcast, group: 'H' }, { data_deps: [1] })],
    [collective(1, { ...broadcast, group: 'H' }), collective(2, { ...broadcast, group: 'G' }, { data_deps: [1] })],
  ];

  test('R-093 barriers alone close a circle: said, with --no-sync', () => {
    const [found] = stalls(opposite, { groups: GH });
    expect(found).toMatchObject({ code: 'WAIT_CYCLE', severity: 'error', closedBy: 'sync' });
    expect(found.message).toMatch(
      /^once barriers stand before the collectives, as simulate does by default: groups "G"/,
    );
    expect(found.advice).toBe('issue the collectives in one order on all ranks, or use --no-sync');
    expect(stalls(opposite, { groups: GH, addedOrder: { serialize: true, sync: false } })).toEqual([]);
  });

  test('R-093 barriers before collectives that were expanded close the same circle', () => {
    const { traces } = prepareAll(
      opposite.map((nodes, rank) => traceOf(nodes, rank)),
      { expand: true, groups: groupsOf(GH) },
    );
    const read = traces.map((trace) => ({ trace, findings: [] }));
    const [found] = validateRead(read, { groups: GH });
    // Of each group: a barrier, the other rank's entry to it, and the exit and a transfer of the collective before that.
    expect(found).toMatchObject({ code: 'WAIT_CYCLE', closedBy: 'sync', cycleLength: 8 });
    expect(found.message).toContain('(barrier before Broadcast 0 of G)');
    const ordered = prepareAll(traces, { serialize: true, sync: true, groups: groupsOf(GH) }).traces;
    const [asItIs] = validateRead(
      ordered.map((trace) => ({ trace, findings: [] })),
      { groups: GH },
    );
    expect(asItIs).toMatchObject({ code: 'WAIT_CYCLE' });
    expect(asItIs).not.toHaveProperty('closedBy');
  });

  test('R-092 the chain alone closes a circle: said, with --no-serialize', () => {
    const recorded = (id: number, group: string, order: number, after: number[] = []): NodeObject =>
      collective(id, { type: CollectiveType.allReduce, size: 8, group, order }, { data_deps: after });
    // Rank 1 issues G#1 before G#0 by its dependencies.
    const ranks = [
      [recorded(1, 'G', 0), recorded(2, 'G', 1)],
      [recorded(1, 'G', 0, [2]), recorded(2, 'G', 1)],
    ];
    const [found] = stalls(ranks, { groups: GH });
    expect(found).toMatchObject({ code: 'WAIT_CYCLE', closedBy: 'serialize', cycleLength: 2 });
    expect(found.message).toBe(
      'once collectives are chained in their order of issue, as simulate does by default: ' +
        'rank 1 node 2 (AllReduce 1 of G) by the order of issue first has to finish node 1 (AllReduce 0 of G), ' +
        'which first has to finish node 2',
    );
    expect(found.advice).toContain('--no-serialize');
  });

  test('the chain and the barriers together close a circle that neither closes alone', () => {
    // The send joins the chain of G behind the broadcast; its receiver enters the broadcast after it.
    const first = { ...broadcast, group: 'G', order: 0 };
    const ranks = [
      [collective(1, first), send(2, 1, 5, [], { group: 'G', order: 1 })],
      [receive(1, 0, 5), collective(2, first, { data_deps: [1] })],
    ];
    const [found] = stalls(ranks, { groups: GH });
    expect(found).toMatchObject({ code: 'WAIT_CYCLE', closedBy: 'serialize and sync' });
    expect(found.advice).toContain('--no-serialize or --no-sync');
    for (const addedOrder of [
      { serialize: true, sync: false },
      { serialize: false, sync: true },
    ]) {
      expect(stalls(ranks, { groups: GH, addedOrder })).toEqual([]);
    }
  });

  test('a traceset that says the pass ran on a rank gets nothing added', () => {
    const metadata = opposite.map(() => ({ attr: { chakra_prep_passes: { string_val: 'sync' } } }));
    expect(codes(stalls(opposite, { groups: GH, metadata }))).toEqual([]);
  });
});

describe('R-104 a member of a reduce ring waits for those before it in the ring', () => {
  // Root 0: data go from rank 1 over rank 2 to rank 0. Rank 2 tells rank 1 to begin once it is done.
  const ranks = (type: number): NodeObject[][] => {
    const rooted = { type, size: 8, root: 0, group: 'G' };
    return [
      [collective(1, rooted)],
      [receive(1, 2, 5), collective(2, rooted, { data_deps: [1] })],
      [collective(1, rooted), send(2, 1, 5, [1])],
    ];
  };
  const options = { groups: { G: [0, 1, 2] }, addedOrder: { serialize: true, sync: false } };

  test('so it may wait for itself', () => {
    const [found] = stalls(ranks(CollectiveType.reduce), options);
    expect(found).toMatchObject({ code: 'WAIT_CYCLE', cycleLength: 4 });
    expect(found.message).toContain('rank 1 node 1 (receive from rank 2, tag 5) waits for rank 2 (node 2)');
  });

  test('of a gather, for nobody', () => expect(stalls(ranks(CollectiveType.gather), options)).toEqual([]));
});

describe('STALL_POSSIBLE', () => {
  const sender = [send(1, 1, 0), receive(2, 1, 9, [1]), send(3, 1, 0, [2])];
  const open = [compute(1), receive(2, 0, 0, [1]), send(3, 0, 9, [2]), compute(4), receive(5, 0, 0, [4])];

  test('names the key, its receives, and who waits for whom', () => {
    const [found] = stalls([sender, open]);
    expect(found).toMatchObject({
      code: 'STALL_POSSIBLE',
      severity: 'error',
      ...{ rank: 1, nodes: [2, 5], tag: 0, sender: 0, receiver: 1 },
    });
    expect(found.message).toContain('rank 1 has 2 receives from rank 0 with tag 0 (nodes 2, 5)');
    expect(found.cycle).toEqual([
      { rank: 0, node: 2, what: 'receive from rank 1, tag 9', waitsFor: 'send' },
      { rank: 1, node: 3, what: 'send to rank 0, tag 9', waitsFor: 'dependency' },
      { rank: 1, node: 2, what: 'receive from rank 0, tag 0', waitsFor: 'send' },
      { rank: 0, node: 3, what: 'send to rank 1, tag 0', waitsFor: 'dependency' },
    ]);
  });

  test('is gone once the second receive depends on the first', () => {
    expect(stalls([sender, [...open.slice(0, 4), receive(5, 0, 0, [4, 2])]])).toEqual([]);
  });

  test('is gone once both messages are sent whatever happens', () => {
    expect(stalls([[send(1, 1, 0), receive(2, 1, 9, [1]), send(3, 1, 0)], open])).toEqual([]);
  });
});

test('every order in which receives can start: no finding where none stalls, WAIT_CYCLE only where all do', () => {
  const transfer = fc.record({ from: fc.nat(1), to: fc.nat(1), tag: fc.nat(1) });
  const wishes = fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }), { minLength: 12, maxLength: 12 });
  const keys = fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 });
  let possible = 0;
  fc.assert(
    fc.property(fc.array(transfer, { minLength: 2, maxLength: 5 }), wishes, keys, (transfers, wanted, order) => {
      const ranks = [0, 1].map((rank) => {
        const ends = transfers.flatMap(({ from, to, tag }, at) => [
          ...(from === rank ? [{ sends: true, peer: to, tag, key: order[2 * at] }] : []),
          ...(to === rank ? [{ sends: false, peer: from, tag, key: order[2 * at + 1] }] : []),
        ]);
        ends.sort((left, right) => left.key - right.key);
        // A compute node before each, so that no two become ready together.
        return ends.flatMap(({ sends, peer, tag }, at): NodeObject[] => {
          const after = [...new Set(wanted[(at + 5 * rank) % 12].map((back) => 2 * (at - back) + 1))].filter(
            (id) => id > 0,
          );
          const own = [...after, 2 * at];
          return [compute(2 * at), sends ? send(2 * at + 1, peer, tag, own) : receive(2 * at + 1, peer, tag, own)];
        });
      });
      const found = stalls(ranks).map(({ code }) => code);
      const [some, all] = explored(ranks);
      expect({ found, silent: found.length === 0 && some }).toEqual({ found, silent: false });
      expect({ found, wrong: found[0] === 'WAIT_CYCLE' && !all }).toEqual({ found, wrong: false });
      if (found[0] === 'STALL_POSSIBLE') possible++;
    }),
    { numRuns: 400 },
  );
  expect(possible).toBeGreaterThan(0);
});

/** Tries every order in which nodes can start: whether some of the runs stall, and whether all do. */
function explored(ranks: readonly NodeObject[][]): [some: boolean, all: boolean] {
  const nodes = ranks.flatMap((list, rank) =>
    list
      .filter(({ type }) => type !== 'COMP_NODE')
      .map(({ id, type, data_deps: after, attr }) => ({
        name: `${rank}.${id as number}`,
        after: (after as number[]).filter((each) => each % 2 === 1).map((each) => `${rank}.${each}`),
        sends: type === 'COMM_SEND_NODE',
        key:
          type === 'COMM_SEND_NODE'
            ? `${String(attr!.comm_tag.int32_val)} ${rank} ${String(attr!.comm_dst.int32_val)}`
            : `${String(attr!.comm_tag.int32_val)} ${String(attr!.comm_src.int32_val)} ${rank}`,
      })),
  );
  const seen = new Set<string>();
  let [stalled, finished] = [false, false];
  // Sends that have started, and receives in the order they started, by key; that says what has finished.
  const visit = (sent: readonly string[], started: readonly string[]): void => {
    const state = `${[...sent].sort().join()} ${started.join()}`;
    if (seen.has(state)) return;
    seen.add(state);
    const done = new Set(sent);
    for (const key of new Set(nodes.map((node) => node.key))) {
      const messages = nodes.filter((node) => node.key === key && sent.includes(node.name)).length;
      const receives = started.filter((name) => nodes.find((node) => node.name === name)!.key === key);
      for (const name of receives.slice(0, messages)) done.add(name);
    }
    const ready = nodes.filter(
      ({ name, after }) => !sent.includes(name) && !started.includes(name) && after.every((each) => done.has(each)),
    );
    for (const { name, sends } of ready) visit(sends ? [...sent, name] : sent, sends ? started : [...started, name]);
    if (ready.length > 0) return;
    if (done.size === nodes.length) finished = true;
    else stalled = true;
  };
  visit([], []);
  return [stalled, !finished];
}

test('R-092 a circle through two batches of sends is told without the joint between them', () => {
  // Rank 0 sends 3 and 4 only once 1 and 2 are sent; 2 waits for an answer to 3.
  const issued = (id: number, order: number, after: number[] = []): NodeObject =>
    send(id, 1, id, after, { order, group: 'G' });
  const ranks = [
    [issued(1, 0), receive(5, 1, 9), issued(2, 0, [5]), issued(3, 1), issued(4, 1)],
    [receive(3, 0, 3), send(9, 0, 9, [3]), receive(1, 0, 1), receive(2, 0, 2), receive(4, 0, 4)],
  ];
  const [found, ...others] = stalls(ranks, { groups: GH });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: 'WAIT_CYCLE', closedBy: 'serialize', cycleLength: 5 });
  const cycle = found.cycle as { rank: number; node: number; waitsFor: string }[];
  expect(cycle.map(({ rank, node, waitsFor }) => `${rank} ${node} ${waitsFor}`)).toEqual([
    '0 5 send',
    '1 9 dependency',
    '1 3 send',
    '0 3 order',
    '0 2 dependency',
  ]);
});
