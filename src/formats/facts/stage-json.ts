import { addTo, keyCounts, type Counts } from './counts.js';

interface StageNode {
  readonly id: number;
  readonly node_type: string;
  readonly data_deps?: readonly number[];
  readonly ctrl_deps?: readonly number[];
  readonly comm_size?: number;
  readonly comm_type?: string;
}

/** Facts of a STAGE JSON trace (chakra-format section 11). */
export function stageJsonFacts({ nodes }: { readonly nodes: readonly StageNode[] }) {
  const byType: Counts = {};
  const bytes: Counts = {};
  const ids = new Set(nodes.map((node) => node.id));
  let dataDeps = 0;
  let controlDeps = 0;
  let dangling = 0;
  for (const node of nodes) {
    addTo(byType, node.node_type);
    const targets = node.data_deps ?? [];
    dataDeps += targets.length;
    controlDeps += node.ctrl_deps?.length ?? 0;
    dangling += targets.filter((target) => !ids.has(target)).length;
    if (node.comm_size !== undefined) addTo(bytes, node.comm_type ?? node.node_type, node.comm_size);
  }
  return {
    format: 'stage-json',
    nodes: nodes.length,
    by_type: byType,
    data_deps: dataDeps,
    ctrl_deps: controlDeps,
    dangling_data_deps: dangling,
    comm_bytes_by_type: bytes,
    keys: keyCounts(nodes),
  };
}
