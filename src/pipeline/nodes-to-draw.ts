import { reached, type DrawnDependencies } from '../drawings/neighbourhood.js';
import type { DrawingTally } from '../drawings/drawing-tally.js';
import { selectNodes, type IdRange, type NodeFilter } from '../passes/views/nodes.js';
import { isCommunication } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** Which nodes a picture shows: those that every given part lets through. */
export interface DrawingChoice {
  readonly filter: NodeFilter;
  /** Sends, receives and collectives only. */
  readonly onlyCommunication: boolean;
  /** What can be reached from some nodes over a number of dependencies. */
  readonly around?: { readonly ids: readonly IdRange[]; readonly hops: number };
  /** What waits for some nodes, however far. */
  readonly after?: readonly IdRange[];
  /** What some nodes wait for, however far. */
  readonly before?: readonly IdRange[];
  /** Nodes drawn at most. */
  readonly limit?: number;
}

/** The nodes of one rank that are drawn, and which ids of the choice it has. */
export interface NodesToDraw {
  /** [n] 1 for a node that is drawn */
  readonly drawn: Uint8Array;
  readonly count: number;
  /** By option: whether some node has an id that it names. */
  readonly found: Readonly<Record<IdOption, boolean>>;
}

export type IdOption = 'around' | 'from-id' | 'to-id';

/** Whether everything is drawn, so that no rank needs to be in memory. */
export function isEverything(choice: DrawingChoice): boolean {
  const { filter, onlyCommunication, around, after, before, limit } = choice;
  const { types, name, ids } = filter;
  return ![types, name, ids, around, after, before, limit].some((part) => part !== undefined) && !onlyCommunication;
}

/**
 * @param most nodes of this rank that are drawn at most: the first in file order
 * @param tally gets what is not drawn
 */
export function nodesToDraw(
  trace: RankTrace,
  choice: DrawingChoice,
  deps: DrawnDependencies,
  most: number,
  tally: DrawingTally,
): NodesToDraw {
  const { around, after, before } = choice;
  const masks: Uint8Array[] = [];
  const found: Record<IdOption, boolean> = { around: true, 'from-id': true, 'to-id': true };
  const restrict = (
    option: IdOption,
    ids: readonly IdRange[] | undefined,
    direction: 'before' | 'after' | 'either',
    hops = Infinity,
  ): void => {
    if (ids === undefined) return;
    const { nodes } = selectNodes(trace, { ids });
    found[option] = nodes.length > 0;
    masks.push(reached(trace, nodes, direction, hops, deps));
  };
  restrict('around', around?.ids, 'either', around?.hops);
  restrict('from-id', after, 'after');
  restrict('to-id', before, 'before');
  const { types, name, ids } = choice.filter;
  const parts = { ...(types && { types }), ...(name !== undefined && { name }), ...(ids && { ids }) };
  const drawn = new Uint8Array(trace.length);
  let count = 0;
  const selected = selectNodes(trace, parts).nodes;
  for (const node of selected) {
    if (choice.onlyCommunication && !isCommunication(trace.type[node])) continue;
    if (masks.some((mask) => mask[node] === 0)) continue;
    drawn[node] = count < most ? 1 : 2;
    count++;
  }
  for (let node = 0; node < trace.length; node++) {
    if (drawn[node] === 1) continue;
    const left = drawn[node] === 2 ? tally.beyondLimit : tally.filtered;
    left.set(trace.type[node], (left.get(trace.type[node]) ?? 0) + 1);
    drawn[node] = 0;
  }
  return { drawn, count: Math.min(count, most), found };
}
