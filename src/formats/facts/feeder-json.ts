import { findCyclicComponents } from '../../trace/cycles.js';
import { nodeTypeName } from '../../trace/node-type.js';
import { RankTraceBuilder } from '../../trace/rank-trace-builder.js';
import { addTo, duplicateIds, keyCounts, type Counts } from './counts.js';

interface FeederNode {
  readonly Id: number;
  readonly NodeType: number;
  readonly runtime?: number;
  readonly data_deps?: readonly number[];
}

/** Facts of a feeder JSON trace (chakra-format section 11). */
export function feederJsonFacts(document: { readonly workload_graph: readonly FeederNode[] }) {
  const nodes = document.workload_graph;
  const byType: Counts = {};
  const ids = new Set(nodes.map((node) => node.Id));
  let dataDeps = 0;
  let dangling = 0;
  let runtime = 0;
  let withoutRuntime = 0;
  for (const node of nodes) {
    addTo(byType, nodeTypeName(node.NodeType));
    const targets = node.data_deps ?? [];
    dataDeps += targets.length;
    dangling += targets.filter((target) => !ids.has(target)).length;
    if (node.runtime === undefined) withoutRuntime++;
    else runtime += node.runtime;
  }
  return {
    format: 'feeder-json',
    nodes: nodes.length,
    duplicate_id_count: duplicateIds(nodes.map((node) => node.Id)),
    by_type: byType,
    data_deps: dataDeps,
    dangling_data_deps: dangling,
    runtime_total: runtime,
    without_runtime: withoutRuntime,
    cycles: cycleFacts(nodes),
    keys: keyCounts(nodes),
    top_keys: Object.keys(document).sort(),
  };
}

function cycleFacts(nodes: readonly FeederNode[]): { sccs: number; nodes: number } {
  const builder = new RankTraceBuilder(0, '');
  for (const node of nodes) {
    builder.addNode(node.Id >>> 0, Math.floor(node.Id / 2 ** 32), node.NodeType, 0);
    for (const target of node.data_deps ?? []) builder.data.addId(target >>> 0, Math.floor(target / 2 ** 32));
  }
  const graph = builder.finish({ version: '', kept: new Uint8Array(0), passes: [] }, undefined);
  const { count, member } = findCyclicComponents(graph, 'data');
  return { sccs: count, nodes: member.length };
}
