import { formatId } from '../base/ids.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { NodeTable } from './node-table.js';

/** A node for a message: `rank 3 node 7 'all_reduce'`; the name only where the trace has one. */
export function nodeLabel(trace: RankTrace, index: number): string {
  return `rank ${trace.rank} ${shortLabel(trace, index)}`;
}

/** As {@link nodeLabel}, without the rank. */
export function shortLabel(trace: RankTrace, index: number): string {
  const name = nodeName(trace, index);
  return `node ${formatId(trace.idLow[index], trace.idHigh[index])}${name === '' ? '' : ` '${name}'`}`;
}

/** Name of a node, '' when it has none. */
export function nodeName(trace: RankTrace, index: number): string {
  const offset = trace.frameOffset[index];
  return offset < 0 || trace.kept === undefined ? '' : trace.kept.name(offset, trace.frameLength[index]);
}

/** Label of a node of the job. */
export function labelOf(nodes: NodeTable, node: number): string {
  return nodeLabel(nodes.traces[nodes.rank(node)], nodes.indexInTrace(node));
}
