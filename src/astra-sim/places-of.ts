import { indicesById } from '../trace/id-order.js';
import { placeOf, type NodePlace } from './node-place.js';
import type { SystemNodes } from './system-nodes.js';
import type { SystemRun } from './system-run.js';

/** Ids and names of nodes of a rank, from its trace: the nodes at hand have neither. */
export function placesOf(run: SystemRun, nodes: SystemNodes, rank: number, wanted: readonly number[]): NodePlace[] {
  if (wanted.length === 0) return [];
  return run.withTrace(rank, (trace) => {
    const order = indicesById(trace);
    return wanted.map((node) => {
      const place = node - nodes.offset[rank];
      return placeOf(trace, order === undefined ? place : order[place]);
    });
  });
}
