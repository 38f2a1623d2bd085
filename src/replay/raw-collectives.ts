import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import type { CollectivePlan } from '../collectives/plan.js';
import type { NodeGathering } from './gather-nodes.js';
import { NodeKind } from './node-table.js';

/**
 * Tells the nodes of collectives that were not expanded which member of the plan they are.
 * @returns by instance of the plan: 1 where some member has such a node; the others were expanded before
 */
export function markCollectives({ nodes, raw }: NodeGathering, plan: CollectivePlan): Uint8Array {
  const rawInstances = new Uint8Array(plan.instances.length);
  let member = 0;
  for (const [rank, { node, instance }] of plan.ranks.entries()) {
    const nodeOf = new Map(Array.from(raw[rank].index, (index, at) => [index, raw[rank].node[at]]));
    for (let at = 0; at < node.length; at++, member++) {
      const found = nodeOf.get(node[at]);
      if (found === undefined) continue; // the exit of an expanded collective
      nodes.setKind(found, NodeKind.collective);
      nodes.setPair(found, member);
      rawInstances[instance[at]] = 1;
    }
  }
  return rawInstances;
}

/** One finding for each rank with collectives that take no time: no plan was given, or they are not in it. */
export function unexpandedFindings({ nodes, raw, ids, files }: NodeGathering): Finding[] {
  const findings: Finding[] = [];
  for (const [rank, { node }] of raw.entries()) {
    const left = node.filter((each) => nodes.kind(each) !== NodeKind.collective);
    if (left.length === 0) continue;
    const places = Array.from(left, (each) => each - nodes.offset[rank]).sort((a, b) => a - b);
    const what =
      places.length === 1 ? 'collective is left unexpanded and takes' : 'collectives are left unexpanded and take';
    findings.push(
      finding(
        'COLLECTIVE_UNEXPANDED',
        `rank ${rank}: ${places.length} ${what} no time, first node ${ids.text(rank, places[0])}`,
        {
          rank,
          file: files[rank],
          count: places.length,
          nodes: places.slice(0, 5).map((place) => ids.json(rank, place)),
        },
      ),
    );
  }
  return findings;
}
