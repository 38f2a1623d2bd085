import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import type { NodeGathering } from './gather-nodes.js';
import type { NodeTable } from './node-table.js';

/**
 * One finding for each rank that has nodes which can never start, whatever the other ranks do, because their dependencies form a
 * cycle. Looks only at ranks with nodes that did not finish.
 */
export function cycleFindings({ nodes, ids, files }: NodeGathering): Finding[] {
  const findings: Finding[] = [];
  for (let rank = 0; rank < nodes.rankCount; rank++) {
    const stuck = nodesThatNeverStart(nodes, rank);
    if (stuck.count === 0) continue;
    const place = stuck.first - nodes.offset[rank];
    findings.push(
      finding('CYCLE', `${stuck.count} nodes can never start, first ${ids.text(rank, place)}`, {
        severity: 'warning',
        rank,
        file: files[rank],
        count: stuck.count,
        nodes: [ids.json(rank, place)],
      }),
    );
  }
  return findings;
}

/** Nodes of a rank that no order of execution reaches, and the one with the smallest id. */
function nodesThatNeverStart(nodes: NodeTable, rank: number): { count: number; first: number } {
  const { offset, dependents } = nodes;
  const first = offset[rank];
  const end = offset[rank + 1];
  const left = new Int32Array(end - first); // dependencies not reached
  let waits = false;
  for (let node = first; node < end; node++) {
    waits ||= nodes.waiting(node) >= 0;
    for (let edge = nodes.dependentStart(node); edge < nodes.dependentEnd(node); edge++)
      left[dependents[edge] - first]++;
  }
  if (!waits) return { count: 0, first: -1 };
  const reached: number[] = [];
  for (let node = first; node < end; node++) if (left[node - first] === 0) reached.push(node);
  for (let next = 0; next < reached.length; next++) {
    const node = reached[next];
    for (let edge = nodes.dependentStart(node); edge < nodes.dependentEnd(node); edge++) {
      if (--left[dependents[edge] - first] === 0) reached.push(dependents[edge]);
    }
  }
  return { count: end - first - reached.length, first: first + left.findIndex((dependencies) => dependencies > 0) };
}
