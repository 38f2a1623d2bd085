import fc from 'fast-check';
import { CollectiveType } from '../../src/trace/collective-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { attributes } from '../support/preparation.js';
import { traceOf, type NodeObject } from '../support/traces.js';

/** A job that can run: what happens in it, in one order that all ranks' dependencies and issue orders keep to. */
export interface Job {
  readonly rankCount: number;
  readonly groups: Record<string, number[]>;
  readonly traces: RankTrace[];
  /** The nodes of each rank as their files have them. */
  readonly nodes: NodeObject[][];
  /** Collectives, each once: type, size, group size. */
  readonly collectives: { type: number; size: number; groupSize: number }[];
}

interface Event {
  kind: 'collective' | 'transfer' | 'compute';
  group: number;
  type: number;
  size: number;
  root: number;
  from: number;
  to: number;
  /** Whether a transfer names its group and, where the group records it, its place in the order of issue. */
  named: boolean;
  /** Which earlier nodes of the rank it waits for: distances back, and whether as data. */
  after: { back: number; data: boolean }[];
  /** Whether it shares its place in the order with the transfer before it. */
  batched: boolean;
  /** Tag of a transfer, where tags are shared. */
  tag: number;
}

const event: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom('collective', 'collective', 'transfer', 'compute'),
  group: fc.nat(2),
  type: fc.constantFrom(...Object.values(CollectiveType)),
  size: fc.nat(5000),
  root: fc.nat(4),
  from: fc.nat(4),
  to: fc.nat(4),
  named: fc.boolean(),
  after: fc.array(fc.record({ back: fc.integer({ min: 1, max: 4 }), data: fc.boolean() }), { maxLength: 3 }),
  batched: fc.boolean(),
  tag: fc.nat(1),
});

/**
 * @param tags `own`: every message has a tag of its own; `shared`: two tags for all, and ranks send to themselves too, so
 *   that which receive gets which message depends on when they start
 */
export function jobs({ tags }: { tags: 'own' | 'shared' }): fc.Arbitrary<Job> {
  return drawn.map((values) => jobOf(values, tags));
}

interface Drawn {
  rankCount: number;
  events: Event[];
  shuffles: number[];
  sizes: number[];
  recorded: boolean[];
  fileOrder: 'ids' | 'reversed';
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  rankCount: fc.integer({ min: 1, max: 5 }),
  events: fc.array(event, { maxLength: 12 }),
  shuffles: fc.array(fc.nat(1000), { minLength: 15, maxLength: 15 }),
  sizes: fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
  recorded: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  fileOrder: fc.constantFrom<'ids' | 'reversed'>('ids', 'reversed'),
});

function jobOf({ rankCount, events, shuffles, sizes, recorded, fileOrder }: Drawn, tags: 'own' | 'shared'): Job {
  const all = Array.from({ length: rankCount }, (_, rank) => rank);
  const members = sizes.map((size, group) =>
    [...all]
      .sort((a, b) => shuffles[group * 5 + a] - shuffles[group * 5 + b] || a - b)
      .slice(0, 1 + (size % rankCount)),
  );
  // The world group has no name in the traces.
  members[2] = all;
  const names = ['a', 'b', 'world'];
  const nodes: NodeObject[][] = all.map(() => []);
  const collectives: Job['collectives'] = [];
  const issued = [0, 0, 0];
  let ownTag = 1;
  const add = (rank: number, node: Omit<NodeObject, 'id'>, after: Event['after']): void => {
    const list = nodes[rank];
    const before = (data: boolean) => [
      ...new Set(after.filter((edge) => edge.data === data).map(({ back }) => list.length - back)),
    ];
    const ids = (data: boolean) =>
      before(data)
        .filter((at) => at >= 0)
        .map((at) => Number(list[at].id));
    list.push({ id: 10 + 3 * list.length, ...node, data_deps: ids(true), ctrl_deps: ids(false) });
  };
  for (const happening of events) {
    const { kind, group, type, size, root, named, after, batched } = happening;
    const order = recorded[group] ? { order: issued[group] } : {};
    const groupName = names[group] === 'world' ? {} : { group: names[group] };
    if (kind === 'compute')
      add(happening.from % rankCount, { type: 'COMP_NODE', duration_micros: tags === 'shared' ? size : 5 }, after);
    if (kind === 'collective') {
      const rootRank = members[group][root % members[group].length];
      const values = { type, size, root: rootRank, ...order, ...groupName };
      for (const rank of members[group]) add(rank, { type: 'COMM_COLL_NODE', attr: attributes(values) }, after);
      collectives.push({ type, size, groupSize: members[group].length });
      issued[group]++;
    }
    const from = happening.from % rankCount;
    const to = happening.to % rankCount;
    if (kind === 'transfer' && (from !== to || tags === 'shared')) {
      const tag = tags === 'shared' ? happening.tag : ownTag++;
      const place = batched && issued[group] > 0 ? { order: issued[group] - 1 } : order;
      const values = { to, size, tag, ...(named && { ...groupName, ...(recorded[group] && place) }) };
      add(from, { type: 'COMM_SEND_NODE', attr: attributes(values) }, after);
      add(to, { type: 'COMM_RECV_NODE', attr: attributes({ from, size, tag }) }, after);
      if (!batched) issued[group]++;
    }
  }
  const inFile = (list: NodeObject[]) => (fileOrder === 'ids' ? list : [...list].reverse());
  return {
    rankCount,
    groups: Object.fromEntries(names.map((name, group) => [name, members[group]])),
    traces: all.map((rank) => traceOf(inFile(nodes[rank]), rank)),
    nodes: all.map((rank) => inFile(nodes[rank])),
    collectives,
  };
}

/** Jobs of 1 to 5 ranks with three groups, point-to-point transfers, and orders of issue recorded for some groups. */
export const job: fc.Arbitrary<Job> = jobs({ tags: 'own' });
