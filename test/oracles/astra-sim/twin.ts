import type { SystemRun } from '../../../src/astra-sim/system-run.js';
import { eventList, rankTimer } from './events.js';
import { matchedMessages, withRendezvous } from './messages.js';
import { awareNetwork, unawareNetwork } from './network.js';
import { nodesOf, type TraceNode } from './nodes.js';
import { twinRank } from './rank.js';
import { remoteMemory } from './remote-memory.js';
import type { TwinStatistics } from './statistics.js';

export interface TwinOutcome {
  /** By rank; undefined where the rank did not finish. */
  readonly finishNs: readonly (number | undefined)[];
  readonly finishOrder: readonly number[];
  /** By rank; below 0 where the program prints a number near 2^64. */
  readonly exposedNs: readonly (number | undefined)[];
  readonly statistics: readonly TwinStatistics[];
  readonly messages: number;
}

/**
 * The slow, obvious twin of the system layer, written from the text of astra-sim-semantics: what simulateSystem gives is
 * compared with it. Throws an Error where the document names none but an abort.
 */
export function astraSimTwin(run: SystemRun): TwinOutcome {
  const { rankCount, options } = run;
  const events = eventList();
  const network = (run.backend === 'analytical-aware' ? awareNetwork : unawareNetwork)(events, run.network);
  const matched = matchedMessages(events, network);
  const messages = options.rendezvous ? withRendezvous(matched) : matched;
  const memory = remoteMemory(run.memory);
  const custom = new Map<string, readonly TraceNode[]>();
  const customNodes = (prefix: string, position: number): readonly TraceNode[] => {
    const key = `${prefix}.${position}`;
    const nodes = custom.get(key) ?? run.withCustomTrace(prefix, position, (trace) => nodesOf(trace, options.deps));
    custom.set(key, nodes);
    return nodes;
  };
  const finishOrder: number[] = [];
  const ranks = Array.from({ length: rankCount }, (_, rank) => {
    const nodes = run.withTrace(rank, (trace) => nodesOf(trace, options.deps));
    if (!nodes.some(({ parents }) => parents.size === 0)) throw new Error(`rank ${rank} has no node to start with`);
    const declared = new Map<string, readonly number[]>();
    return twinRank({
      run,
      rank,
      nodes,
      events,
      timer: rankTimer(events),
      messages,
      memory,
      customNodes,
      groupRanks: (name) => declared.get(name) ?? run.groups.get(name)?.ranks,
      declareGroups: ({ inputs }) => {
        for (const { name, ranks: members } of declaredGroups(inputs)) declared.set(name, members);
      },
      finished: () => finishOrder.push(rank),
    });
  });
  for (const rank of ranks) rank.start();
  events.run(options.stopNs);
  return {
    finishNs: ranks.map(({ finishNs }) => finishNs),
    finishOrder,
    exposedNs: ranks.map(({ exposedNs }) => exposedNs),
    statistics: ranks.map(({ statistics }) => statistics),
    messages: messages.count,
  };
}

/** Groups in the `inputs.values` of a METADATA node: `['[{"pg_name": "5", "ranks": [0, 1]}]']`. */
function declaredGroups(inputs: string): { name: string; ranks: number[] }[] {
  const list = inputs.slice(inputs.indexOf('[', 1), inputs.lastIndexOf(']', inputs.length - 2) + 1);
  if (list === '') return [];
  const groups = JSON.parse(list) as { pg_name: string; ranks: number[] }[];
  return groups.map(({ pg_name, ranks }) => ({ name: pg_name, ranks }));
}
