import fc from 'fast-check';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { Implementation } from '../../src/astra-sim/system-configuration.js';
import type { NodeObject } from '../support/traces.js';
import { randomSystemRun, systemRunOf, type RandomSystemRun } from './random-system-run.js';

/** The run with the nodes of rank 0 on every rank, without what one rank cannot stand for. */
function alike(drawn: RandomSystemRun): RandomSystemRun {
  const { system, options, memory } = drawn;
  const left = drawn.nodes[0].filter(({ type }) => type !== 'COMM_SEND_NODE' && type !== 'COMM_RECV_NODE');
  const ids = new Set(left.map(({ id }) => id));
  const kept = (list: NodeObject['data_deps']): NodeObject['data_deps'] => list?.filter((id) => ids.has(id));
  const nodes = left.map(({ attr, ...node }) => {
    const { pg_name, ...others } = attr ?? {};
    void pg_name;
    return { ...node, data_deps: kept(node.data_deps) ?? [], ctrl_deps: kept(node.ctrl_deps) ?? [], attr: others };
  });
  const byRing = (implementation: Implementation): Implementation =>
    implementation.algorithm === 'doubleBinaryTree' ? { algorithm: 'ring', whole: false } : implementation;
  const implementations = Object.fromEntries(
    Object.entries(system.implementations).map(([name, list]) => [name, list.map(byRing)]),
  );
  const isShared = memory.kind === 'MEMORY_POOL' || memory.kind === 'PER_NODE_MEMORY_EXPANSION';
  return {
    ...drawn,
    system: { ...system, implementations, customImplementations: {}, customByNode: [] },
    options: { ...options, rendezvous: false },
    memory: isShared ? { ...memory, kind: 'PER_NPU_MEMORY_EXPANSION' } : memory,
    nodes: drawn.nodes.map(() => nodes),
  };
}

test('one rank that stands for all gives what all ranks give', () => {
  let folded = 0;
  let runs = 0;
  fc.assert(
    fc.property(randomSystemRun, (drawn) => {
      const run = systemRunOf(alike(drawn));
      fc.pre(alike(drawn).nodes[0].some(({ data_deps, ctrl_deps }) => !data_deps?.length && !ctrl_deps?.length));
      const whole = simulateSystem({ ...run, options: { ...run.options, everyRank: true } });
      const one = simulateSystem(run);
      runs++;
      if (one.ranksSimulated === 1) folded++;
      expect(whole.ranksSimulated).toBe(run.rankCount);
      expect({ ...one, finishOrder: [], events: 0, ranksSimulated: 0 }).toEqual({
        ...whole,
        finishOrder: [],
        events: 0,
        ranksSimulated: 0,
      });
    }),
    { numRuns: 600 },
  );
  // Otherwise nothing has been compared.
  expect(folded).toBeGreaterThan(runs / 3);
});
