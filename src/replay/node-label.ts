import { formatId } from '../base/ids.js';
import { nodeLabel as idAndName, nodeName } from '../trace/node-label.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { NodeTable } from './node-table.js';

/** A node for a message: `rank 3 node 7 "all_reduce"`; the name only where the trace has one. */
export function nodeLabel(trace: RankTrace, index: number): string {
  return `rank ${trace.rank} ${shortLabel(trace, index)}`;
}

/** As {@link nodeLabel}, without the rank. */
export function shortLabel(trace: RankTrace, index: number): string {
  return `node ${idAndName(formatId(trace.idLow[index], trace.idHigh[index]), nodeName(trace, index))}`;
}

/** Label of a node of the job. */
export function labelOf(nodes: NodeTable, node: number): string {
  return nodeLabel(nodes.traces[nodes.rank(node)], nodes.indexInTrace(node));
}
