import { pairCollectives } from '../../src/collectives/build-plan.js';
import { surveyCollectives } from '../../src/collectives/survey.js';
import { chainEdges, issuedSends, jointedChain, type JointedChain } from '../../src/passes/serialize.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { attributes, collective, groupsOf, nodeTexts, prepareAll } from '../support/preparation.js';
import { traceOf, type NodeObject } from '../support/traces.js';

const allReduce = { type: CollectiveType.allReduce, size: 8 };
const groups = groupsOf({ g: [0, 1], h: [0, 1] });

const send = (id: number, order: number | undefined, group: string | undefined): NodeObject => ({
  id,
  type: 'COMM_SEND_NODE',
  attr: attributes({ to: 1, size: 4, tag: id, ...(order !== undefined && { order }), ...(group && { group }) }),
});

/** The same nodes on both ranks; serialization does not look at the other end of a send. */
function serialized(nodes: NodeObject[], more: Parameters<typeof prepareAll>[1] = {}) {
  const traces = [0, 1].map((rank) => traceOf(nodes, rank));
  const result = prepareAll(traces, { serialize: true, groups, ...more });
  return { ...result, texts: nodeTexts(result.traces[0]) };
}

test('R-092 each collective waits for the one issued before it in its group, sends join, other groups overlap', () => {
  const { texts, balance } = serialized([
    collective(4, { ...allReduce, group: 'g', order: 2 }),
    send(3, 1, 'g'),
    collective(2, { ...allReduce, group: 'g', order: 0 }),
    collective(1, { ...allReduce, group: 'h', order: 0 }),
  ]);
  expect(texts).toEqual([
    'COMM_COLL_NODE 4, data 3',
    'send 3 to 1, 4 B, tag 3, data 2',
    'COMM_COLL_NODE 2',
    'COMM_COLL_NODE 1',
  ]);
  expect(balance.chainDependencies).toBe(4);
  expect(balance.findings).toEqual([]);
});

test('R-092 receives, sends without group or order, and transfers of collectives join no chain', () => {
  const { texts } = serialized([
    collective(1, { ...allReduce, group: 'g', order: 0 }),
    send(2, 1, undefined),
    send(3, undefined, 'g'),
    { id: 4, type: 'COMM_RECV_NODE', attr: attributes({ from: 1, size: 4, tag: 9, order: 2, group: 'g' }) },
  ]);
  expect(texts.filter((text) => text.includes('data'))).toEqual([]);
});

test('R-092 sends with one place in the order are a batch and stay concurrent', () => {
  const { texts } = serialized([
    collective(1, { ...allReduce, group: 'g', order: 0 }),
    send(2, 1, 'g'),
    send(3, 1, 'g'),
    collective(4, { ...allReduce, group: 'g', order: 2 }),
  ]);
  expect(texts.slice(1)).toEqual([
    'send 2 to 1, 4 B, tag 2, data 1',
    'send 3 to 1, 4 B, tag 3, data 1',
    'COMM_COLL_NODE 4, data 2 3',
  ]);
});

test('R-092 no recorded order: nothing added, and the balance says so', () => {
  const nodes = [
    collective(1, { ...allReduce, group: 'g' }),
    collective(2, { ...allReduce, group: 'g' }),
    send(3, 5, 'g'),
  ];
  const { texts, balance } = serialized(nodes);
  expect(texts.filter((text) => text.includes('data'))).toEqual([]);
  expect(balance.unchainedGroups).toEqual(['g']);
  expect(balance.findings.map(({ code }) => code)).toEqual(['ORDER_ABSENT']);
});

test('--order ids chains the collectives without recorded order by id, and their sends stay free', () => {
  const nodes = [
    collective(2, { ...allReduce, group: 'g' }),
    collective(1, { ...allReduce, group: 'g' }),
    send(3, 5, 'g'),
    collective(5, { ...allReduce, group: 'h', order: 1 }),
    collective(6, { ...allReduce, group: 'h', order: 0 }),
  ];
  const { texts, balance } = serialized(nodes, { order: 'ids' });
  expect(texts).toEqual([
    'COMM_COLL_NODE 2, data 1',
    'COMM_COLL_NODE 1',
    'send 3 to 1, 4 B, tag 3',
    'COMM_COLL_NODE 5, data 6',
    'COMM_COLL_NODE 6',
  ]);
  expect(balance.findings).toEqual([]);
});

test('an order on some members only is used for nothing, with a warning', () => {
  const order = [{ order: 1 }, {}];
  const traces = [0, 1].map((rank) =>
    traceOf(
      [
        collective(1, { ...allReduce, group: 'g', ...order[rank] }),
        collective(2, { ...allReduce, group: 'g', ...(rank === 0 && { order: 0 }) }),
      ],
      rank,
    ),
  );
  const { traces: prepared, balance } = prepareAll(traces, { serialize: true, groups });
  expect(nodeTexts(prepared[0])).toEqual(['COMM_COLL_NODE 1', 'COMM_COLL_NODE 2']);
  expect(balance.findings.map(({ code, severity, group }) => [code, severity, group])).toEqual([
    ['ORDER_PARTIAL', 'warning', 'g'],
  ]);
});

test('an unexpanded collective is passed over by the chain', () => {
  const { texts } = serialized([
    collective(1, { ...allReduce, group: 'g', order: 0 }),
    collective(2, { type: CollectiveType.allReduce, group: 'g', order: 1 }),
    collective(3, { ...allReduce, group: 'g', order: 2 }),
  ]);
  expect(texts).toEqual(['COMM_COLL_NODE 1', 'COMM_COLL_NODE 2', 'COMM_COLL_NODE 3, data 1']);
});

test('after sync the chain attaches to the entry of the barrier, after expand to that of the share', () => {
  const nodes = [
    collective(1, { ...allReduce, group: 'g', order: 0 }),
    collective(2, { ...allReduce, group: 'g', order: 1 }),
  ];
  const traces = [0, 1].map((rank) => traceOf(nodes, rank));
  const synced = prepareAll(traces, { sync: true, groups }).traces;
  expect(nodeTexts(prepareAll(synced, { serialize: true, groups }).traces[0])).toEqual([
    'receive 3 from 1, 0 B, tag 0, sync',
    'send 4 to 1, 0 B, tag 1, sync, data 3',
    'COMM_COLL_NODE 1, data 3 4',
    'receive 5 from 1, 0 B, tag 65536, sync, data 1',
    'send 6 to 1, 0 B, tag 65537, sync, data 5',
    'COMM_COLL_NODE 2, data 5 6',
  ]);
  const expanded = prepareAll(traces, { expand: true, groups, algorithms: { allreduce: 'tree' } }).traces;
  expect(nodeTexts(prepareAll(expanded, { serialize: true, groups }).traces[1]).slice(3)).toEqual([
    'send 5 to 0, 8 B, tag 65536, data 1',
    'receive 6 from 0, 8 B, tag 65537, data 5',
    'METADATA_NODE 2, data 5 6',
  ]);
});

test('serializing twice, or where the trace has the dependency already, adds nothing', () => {
  const nodes = [
    collective(1, { ...allReduce, group: 'g', order: 0 }),
    collective(2, { ...allReduce, group: 'g', order: 1 }, { data_deps: [1] }),
  ];
  const once = serialized(nodes);
  expect(once.texts).toEqual(['COMM_COLL_NODE 1', 'COMM_COLL_NODE 2, data 1']);
  expect(once.balance.chainDependencies).toBe(0);
  const twice = prepareAll(once.traces, { serialize: true, groups });
  expect(twice.traces.map(nodeTexts)).toEqual(once.traces.map(nodeTexts));
});

test('the chain as data, for the search of wait cycles', () => {
  const nodes = [
    collective(1, { ...allReduce, group: 'g', order: 0 }),
    send(2, 1, 'g'),
    send(3, 1, 'g'),
    collective(4, { ...allReduce, group: 'g', order: 2 }),
  ];
  const traces = [0, 1].map((rank) => traceOf(nodes, rank));
  const pairing = pairCollectives(traces.map(surveyCollectives), groups, {});
  const { from, to } = chainEdges(traces[1], pairing, 'recorded');
  expect([...from].map((before, edge) => `${to[edge]} after ${before}`)).toEqual([
    '1 after 0',
    '2 after 0',
    '3 after 1',
    '3 after 2',
  ]);
});

describe('R-092 with joints, for the search for stalls', () => {
  /** Edges that go through joints, without them. */
  function without({ from, to, joints }: JointedChain): string[] {
    const edges = Array.from(to, (node, edge) => [from[edge], node]);
    const direct = edges.filter(([before, after]) => before >= 0 && after >= 0);
    for (let joint = 0; joint < joints; joint++) {
      for (const [before] of edges.filter(([, after]) => after === -1 - joint)) {
        for (const [, after] of edges.filter(([earlier]) => earlier === -1 - joint)) direct.push([before, after]);
      }
    }
    return direct.map(([before, after]) => `${after} waits for ${before}`).sort();
  }

  test('they say what the chain says, in as many edges as there are sends', () => {
    const nodes = [
      ...Array.from({ length: 9 }, (_, place) => send(place + 1, Math.floor(place / 3), 'g')),
      collective(10, { ...allReduce, group: 'g', order: 3 }),
      send(11, 4, 'g'),
      send(12, 4, 'g'),
    ];
    const traces = [0, 1].map((rank) => traceOf(nodes, rank));
    const surveys = traces.map(surveyCollectives);
    const pairing = pairCollectives(surveys, groups, {});
    const jointed = jointedChain(surveys[0], issuedSends(traces[0]), pairing, 'recorded');
    const chain = chainEdges(traces[0], pairing, 'recorded');
    expect(jointed.joints).toBe(2);
    // Two times 3 to a joint and 3 from it, 3 before the collective, 2 behind it; all pairs are 2 × 9 + 3 + 2.
    expect([jointed.to.length, chain.to.length]).toEqual([17, 23]);
    expect(without(jointed)).toEqual(without({ ...chain, joints: 0 }));
  });
});
