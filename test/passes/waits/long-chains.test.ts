import { pairCollectives } from '../../../src/collectives/build-plan.js';
import { findStalls } from '../../../src/passes/waits/stalls.js';
import { surveyWaits } from '../../../src/passes/waits/wait-survey.js';
import { findCyclicComponents, shortestCycle } from '../../../src/trace/cycles.js';
import { NodeType } from '../../../src/trace/node-type.js';
import { RankTraceBuilder } from '../../../src/trace/rank-trace-builder.js';
import type { RankTrace } from '../../../src/trace/rank-trace.js';

const LENGTH = 200_000;
const { send, receive } = NodeType;

interface Chain {
  kind: 'data' | 'control';
  /** Whether the file has the last node of the chain first. */
  reversed: boolean;
  type?: (link: number) => number;
  peer?: number;
  /** Whether the first node waits for the last. */
  closed?: boolean;
}

/** Node k of the chain, with id k, waits for the one before it. */
function chain(
  rank: number,
  { kind, reversed, type = () => NodeType.compute, peer = -1, closed = false }: Chain,
): RankTrace {
  const builder = new RankTraceBuilder(rank, 'chain', LENGTH, LENGTH, LENGTH);
  for (let place = 0; place < LENGTH; place++) {
    const link = reversed ? LENGTH - 1 - place : place;
    const before = link > 0 ? link - 1 : closed ? LENGTH - 1 : -1;
    builder.addNode(link, 0, type(link), 0);
    builder.peer[place] = peer;
    builder.commTag[place] = 0;
    builder.commSize[place] = 8;
    if (before >= 0) (kind === 'data' ? builder.data : builder.control).add(reversed ? LENGTH - 1 - before : before);
  }
  return builder.finish({ version: '', kept: new Uint8Array(0), passes: [] }, undefined);
}

const shapes = (['data', 'control'] as const).flatMap((kind) => [false, true].map((reversed) => ({ kind, reversed })));

describe.each(shapes)('200,000 nodes in a chain of $kind dependencies, reversed in the file: $reversed', (shape) => {
  test('have no cycle and leave nothing in the skeleton', () => {
    const trace = chain(0, shape);
    expect(findCyclicComponents(trace, 'both').count).toBe(0);
    expect(surveyWaits(trace, 'both').skeleton.node.length).toBe(0);
  });

  test('closed to a circle are one cycle of all of them', () => {
    const trace = chain(0, { ...shape, closed: true });
    const components = findCyclicComponents(trace, 'both');
    expect([components.count, components.neverStart]).toEqual([1, LENGTH]);
    expect(shortestCycle(trace, components, 0).nodes).toHaveLength(LENGTH);
    expect(surveyWaits(trace, 'both').skeleton.node.length).toBeGreaterThan(0);
  });
});

test.each([shapes[0], shapes[3]])('200,000 messages of one key in chains, %j: they pass in order', (shape) => {
  const plan = pairCollectives([], new Map(), {}, 2);
  const pair = (isEdge: (link: number) => boolean) => [
    surveyWaits(chain(0, { ...shape, peer: 1, type: (link) => (isEdge(link) ? receive : send) }), 'both'),
    surveyWaits(chain(1, { ...shape, peer: 0, type: (link) => (isEdge(LENGTH - 1 - link) ? send : receive) }), 'both'),
  ];
  const sound = pair(() => false);
  expect(sound[1].turns.place).toHaveLength(0);
  expect(findStalls(sound, plan, { sync: true })).toEqual([]);
  // The sender waits for an answer before its first message; the receiver sends it after its last.
  const [found] = findStalls(
    pair((link) => link === 0),
    plan,
    { sync: true },
  );
  expect([found.code, found.cycleLength]).toEqual(['WAIT_CYCLE', LENGTH + 2]);
  expect(found.cycle).toHaveLength(100);
});
