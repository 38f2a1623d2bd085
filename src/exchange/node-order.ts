import { traceError } from '../base/errors.js';
import { formatId } from '../base/ids.js';
import { findCyclicComponents, shortestCycle } from '../trace/cycles.js';
import { indicesById } from '../trace/id-order.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { byGroup } from './by-group.js';
import { SmallestFirst } from './node-heap.js';

/** Ids of a circle that a message names. */
const NAMED = 5;

/**
 * Nodes of a rank so that each comes behind those it depends on, by data or control; of those that could come next the one
 * with the smallest id. That is the order of ids where it will do.
 * @throws PrepError `CYCLE`, and `DUPLICATE_ID` where two nodes share an id
 */
export function nodeOrder(trace: RankTrace): Uint32Array {
  const { length, dataStart, dataTarget, controlStart, controlTarget } = trace;
  const byId = Uint32Array.from(indicesById(trace) ?? { length }, (index, place) => index ?? place);
  demandDistinct(trace, byId);
  const place = new Uint32Array(length);
  for (let at = 0; at < length; at++) place[byId[at]] = at;
  const lists = [
    [dataStart, dataTarget],
    [controlStart, controlTarget],
  ] as const;
  if (lists.every(([start, target]) => isEarlier(start, target, place))) return byId;

  const waiting = new Uint32Array(length);
  const dependent = new Uint32Array(dataTarget.length + controlTarget.length);
  const dependency = new Uint32Array(dependent.length);
  let edges = 0;
  for (const [start, target] of lists) {
    for (let node = 0; node < length; node++) {
      for (let edge = start[node]; edge < start[node + 1]; edge++) {
        if (target[edge] < 0) continue;
        waiting[node]++;
        dependent[edges] = node;
        dependency[edges++] = target[edge];
      }
    }
  }
  const [dependentsStart, dependents] = byGroup(dependency, dependent, edges, length);
  const ready = new SmallestFirst(length);
  for (let node = 0; node < length; node++) if (waiting[node] === 0) ready.push(place[node]);
  const order = new Uint32Array(length);
  let ordered = 0;
  while (ready.length > 0) {
    const node = byId[ready.pop()];
    order[ordered++] = node;
    for (let at = dependentsStart[node]; at < dependentsStart[node + 1]; at++) {
      if (--waiting[dependents[at]] === 0) ready.push(place[dependents[at]]);
    }
  }
  if (ordered < length) throw cycleError(trace);
  return order;
}

function isEarlier(start: Uint32Array, target: Int32Array, place: Uint32Array): boolean {
  for (let node = 0; node < place.length; node++) {
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      if (target[edge] >= 0 && place[target[edge]] >= place[node]) return false;
    }
  }
  return true;
}

function demandDistinct({ rank, idLow, idHigh }: RankTrace, byId: Uint32Array): void {
  for (let at = 1; at < byId.length; at++) {
    const [before, node] = [byId[at - 1], byId[at]];
    if (idLow[before] !== idLow[node] || idHigh[before] !== idHigh[node]) continue;
    const id = formatId(idLow[node], idHigh[node]);
    throw traceError(
      'DUPLICATE_ID',
      `rank ${rank}: two nodes have the id ${id}`,
      [],
      'give every node an id of its own',
    );
  }
}

function cycleError(trace: RankTrace): Error {
  const components = findCyclicComponents(trace, 'both');
  const { nodes } = shortestCycle(trace, components, 0);
  const ids = nodes.slice(0, NAMED).map((node) => formatId(trace.idLow[node], trace.idHigh[node]));
  const more = nodes.length > NAMED ? ` and ${nodes.length - NAMED} more` : '';
  const which =
    nodes.length === 1 ? `node ${ids[0]} waits for itself` : `nodes ${ids.join(', ')}${more} wait for each other`;
  return traceError('CYCLE', `rank ${trace.rank}: ${which} and would never run`, [], 'validate names the dependencies');
}
