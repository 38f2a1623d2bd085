import type { SystemConfiguration } from '../../../src/astra-sim/system-configuration.js';
import { CollectiveType } from '../../../src/trace/collective-type.js';
import { compute, receive, send } from '../../support/jobs.js';
import { collective } from '../../support/preparation.js';
import {
  algorithmsOf,
  expandWith,
  meshes,
  shareLines,
  systemWith,
  type SystemExpansion,
} from '../../support/system-expansions.js';
import { traceOf, type NodeObject } from '../../support/traces.js';

const { allReduce } = CollectiveType;

/** Position 0 gets 5 bytes of each other one, computes for 3 µs, and sends 7 to each. */
function star(count: number): NodeObject[][] {
  const others = Array.from({ length: count - 1 }, (_, other) => other + 1);
  return Array.from({ length: count }, (_, position) =>
    position === 0
      ? [
          ...others.map((other) => receive(other, other, 5, 900)),
          compute(10, 3, others),
          ...others.map((other) => send(10 + other, other, 7, 900, [10])),
        ]
      : [send(1, 0, 5, 900), receive(2, 0, 7, 900, [1])],
  );
}

function how(
  positions: readonly NodeObject[][],
  system: Partial<SystemConfiguration> = {},
  more: Partial<SystemExpansion> = {},
): SystemExpansion {
  return {
    network: meshes(3),
    system: systemWith(['ring'], { customImplementations: { allReduce: '/somewhere/star' }, ...system }),
    withCustomTrace: (prefix, position, use) => {
      expect(prefix).toBe('/somewhere/star');
      return use(traceOf(positions[position], position));
    },
    ...more,
  };
}

const world = [0, 1, 2].map((rank) => traceOf([collective(4, { type: allReduce, size: 1000 })], rank));

describe('section 10 custom collectives', () => {
  test('sends and receives as they are; what waited for a compute node waits for what that waited for', () => {
    const [algorithm] = algorithmsOf(world, how(star(3)));
    expect(algorithm.name).toBe('astra-sim:star');
    expect(shareLines(algorithm, 0)).toEqual([
      '0: receive 1, 5 B, index 0',
      '1: receive 2, 5 B, index 0',
      '2: send 1, 7 B, index 0, after 0 1',
      '3: send 2, 7 B, index 0, after 0 1',
    ]);
    expect(shareLines(algorithm, 2)).toEqual(['0: send 0, 5 B, index 0', '1: receive 0, 7 B, index 0, after 0']);
  });

  test('that compute nodes are left out is said once', () => {
    const { balance } = expandWith(world, how(star(3)));
    expect(
      balance.findings.filter(({ code }) => code === 'EXPANSION_TIMES_LEFT_OUT').map(({ message }) => message),
    ).toEqual(['AllReduce /somewhere/star: 1 compute node of the algorithm left out']);
    expect(balance.expanded['AllReduce astra-sim:star']).toMatchObject({ collectives: 1, transfers: 4, bytesOut: 24 });
  });

  test('in a group, position p is the p-th of its list', () => {
    const groups = { '1': [2, 0] };
    const traces = [0, 1, 2].map((rank) =>
      traceOf(rank === 1 ? [] : [collective(4, { type: allReduce, size: 1000, group: '1' })], rank),
    );
    const { traces: expanded } = expandWith(traces, how(star(2), {}, { groups }));
    // Rank 2 is the star's middle.
    expect([...expanded[2].type].filter((type) => type === 5 || type === 6)).toHaveLength(2);
    expect(expanded[2].peer[0]).toBe(0);
    expect(expanded[2].commSize[0]).toBe(5);
    expect(expanded[0].commSize[0]).toBe(5);
    expect(expanded[0].peer[1]).toBe(2);
  });

  test('in a group of all ranks in another order, position p is rank p', () => {
    const groups = { '1': [2, 1, 0] };
    const traces = [0, 1, 2].map((rank) => traceOf([collective(4, { type: allReduce, size: 1000, group: '1' })], rank));
    const { traces: expanded } = expandWith(traces, how(star(3), {}, { groups }));
    expect([...expanded[0].peer.subarray(0, 4)]).toEqual([1, 2, 1, 2]);
    expect(expanded[2].peer[0]).toBe(0);
  });

  test('messages of one tag and size match in the order of their nodes', () => {
    const positions = [
      [send(1, 1, 5, 1), send(2, 1, 6, 1), send(3, 1, 5, 1)],
      [receive(1, 0, 5, 1), receive(2, 0, 5, 1), receive(3, 0, 6, 1)],
      [compute(1, 1)],
    ];
    const [algorithm] = algorithmsOf(world, how(positions));
    expect(shareLines(algorithm, 1)).toEqual([
      '0: receive 0, 5 B, index 0',
      '1: receive 0, 5 B, index 2',
      '2: receive 0, 6 B, index 1',
    ]);
  });

  test('a receive that no send is for, and nodes that wait for each other', () => {
    const alone = [[receive(1, 1, 5, 1)], [send(1, 0, 6, 1)], [compute(1, 1)]];
    expect(() => algorithmsOf(world, how(alone))).toThrow(
      '/somewhere/star.0.et: no send of position 1 is for a receive of 5 bytes from it',
    );
    const circle = [[compute(1, 1), compute(2, 1, [3]), compute(3, 1, [2])], [compute(1, 1)], [compute(1, 1)]];
    expect(() => algorithmsOf(world, how(circle))).toThrow(
      '/somewhere/star.0.et: 2 nodes that wait for each other never start',
    );
  });

  test('an implementation of one node, on all members or on none', () => {
    const byNode = { customImplementations: {}, customByNode: new Map([[4n, '/somewhere/star']]) };
    expect(algorithmsOf(world, how(star(3), byNode))[0].name).toBe('astra-sim:star');
    const other = [...world.slice(0, 2), traceOf([collective(5, { type: allReduce, size: 1000 })], 2)];
    expect(() => algorithmsOf(other, how(star(3), byNode))).toThrow(
      'world: AllReduce 0 has /somewhere/star on rank 0 node 4, no implementation of its own on rank 2 node 5; expected one on all',
    );
  });
});
