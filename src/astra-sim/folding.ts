import type { CollectivePlan } from './collective-plan.js';
import { Pattern } from './phase-shape.js';
import { Role, SystemNodes } from './system-nodes.js';
import type { SystemRun } from './system-run.js';

/**
 * The nodes of rank 0 where it may stand for all ranks, else `undefined`: all ranks have the same nodes, and what they do with each other looks
 * the same from each of them.
 *
 * Then what happens on one rank happens on every rank at the same instant, so that a message of rank 0 to the rank at some
 * distance is as good as one to rank 0 from the rank at that distance on the other side. What is left is the order of events of one
 * instant. Those that were scheduled at different instants keep the order of these on every rank; those that one rank
 * scheduled, the order in which it did. Where different ranks scheduled them at one instant, the order may differ between
 * the ranks: the queue notices that (`LaneQueue.isAmbiguous`), and the run has to be done in full.
 */
export function foldedNodes(
  run: SystemRun,
  nodes: SystemNodes,
  plans: readonly CollectivePlan[],
): SystemNodes | undefined {
  const { options, memory, system, rankCount } = run;
  // Where collectives of a rank run at the same time, the member that begins or starts one first decides for the others.
  if (system.extensions !== undefined) return undefined;
  if (options.rendezvous || options.everyRank || rankCount < 2) return undefined;
  if (memory.kind !== 'NO_MEMORY_EXPANSION' && memory.kind !== 'PER_NPU_MEMORY_EXPANSION') return undefined;
  const [, length] = nodes.offset;
  for (let node = 0; node < length; node++) {
    const role = nodes.role[node];
    if (role === Role.send || role === Role.receive) return undefined;
    if (role === Role.collective && !isSymmetric(run, plans[nodes.partner[node]])) return undefined;
  }
  for (let rank = 1; rank < rankCount; rank++) if (!isLikeFirst(nodes, rank)) return undefined;
  const first = new SystemNodes();
  Object.assign(first, nodes);
  first.offset = [0, length];
  first.length = length;
  first.waiting = nodes.waiting.slice(0, length);
  return first;
}

/**
 * Whether the phases look the same from every rank. Trees do not, nor do ranks that differ in more than one coordinate, nor
 * partners of halving-doubling on the links of a ring: some lie clockwise of a rank, some anticlockwise, others for other ranks.
 */
function isSymmetric({ network, backend }: SystemRun, { custom, isInGroup, orders }: CollectivePlan): boolean {
  if (custom !== undefined || isInGroup) return false;
  return orders.flat().every(({ members, dimension, shape: { pattern, count } }) => {
    if (!members.isCoordinate || pattern === Pattern.doubleBinaryTree) return false;
    if (pattern !== Pattern.halvingDoubling) return true;
    const hasRing = backend === 'analytical-aware' && network.dimensions[dimension].topology === 'Ring';
    return !hasRing && (count & (count - 1)) === 0;
  });
}

function isLikeFirst(nodes: SystemNodes, rank: number): boolean {
  const { offset, dependentStart, dependents } = nodes;
  const first = offset[rank];
  const length = offset[1];
  if (offset[rank + 1] - first !== length) return false;
  const shift = dependentStart[first];
  for (let node = 0; node < length; node++) {
    const other = first + node;
    if (
      nodes.role[other] !== nodes.role[node] ||
      nodes.slot[other] !== nodes.slot[node] ||
      nodes.operator[other] !== nodes.operator[node] ||
      nodes.amount[other] !== nodes.amount[node] ||
      nodes.partner[other] !== nodes.partner[node] ||
      nodes.waiting[other] !== nodes.waiting[node] ||
      dependentStart[other + 1] - shift !== dependentStart[node + 1]
    ) {
      return false;
    }
  }
  for (let edge = 0; edge < dependentStart[length]; edge++) {
    if (dependents[shift + edge] - first !== dependents[edge]) return false;
  }
  return true;
}
