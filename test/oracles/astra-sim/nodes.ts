import { NodeFlag, type RankTrace } from '../../../src/trace/rank-trace.js';

/** A node of a trace as the workload layer sees it (section 3). Attributes without a default are undefined when missing. */
export interface TraceNode {
  readonly id: bigint;
  /** Place among the nodes of the trace in the order of ids. */
  readonly order: number;
  readonly type: number;
  readonly cpu: boolean;
  /** `duration_micros` × 1000, or 1 where that is 0. */
  readonly durationNs: number;
  readonly parents: ReadonlySet<TraceNode>;
  readonly children: TraceNode[];
  readonly commType: number | undefined;
  readonly commSize: number | undefined;
  readonly commTag: number | undefined;
  readonly peer: number | undefined;
  /** `pg_name`, '' when there is none. */
  readonly group: string;
  readonly priority: number;
  readonly involved: readonly boolean[] | undefined;
  readonly operations: number | undefined;
  readonly tensorSize: number | undefined;
  /** `inputs.values`. */
  readonly inputs: string;
}

/** The nodes of a trace in the order of their ids. */
export function nodesOf(trace: RankTrace, deps: 'both' | 'data'): TraceNode[] {
  const ids = Array.from(
    { length: trace.length },
    (_, at) => (BigInt(trace.idHigh[at]) << 32n) | BigInt(trace.idLow[at]),
  );
  const inFile = Array.from(ids.keys());
  const ordered = [...inFile].sort((a, b) => (ids[a] < ids[b] ? -1 : ids[a] > ids[b] ? 1 : 0));
  const orderOf = new Map(ordered.map((at, order) => [at, order]));
  const parents = inFile.map(() => new Set<TraceNode>());
  const nodes = inFile.map((at): TraceNode => {
    const { kept, frameOffset, frameLength } = trace;
    const numbers = new Map<string, number | undefined>();
    let involved: readonly boolean[] | undefined;
    let inputs = '';
    if (kept !== undefined && frameOffset[at] >= 0) {
      kept.forEachAttribute(frameOffset[at], frameLength[at], (name, _arm, integer) => numbers.set(name, integer));
      if (numbers.has('involved_dim')) involved = kept.flagList(frameOffset[at], frameLength[at], 'involved_dim');
      if (trace.flags[at] & NodeFlag.inputs) inputs = kept.inputValues(frameOffset[at], frameLength[at]);
    }
    const given = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);
    return {
      id: ids[at],
      order: orderOf.get(at)!,
      type: trace.type[at],
      cpu: (trace.flags[at] & NodeFlag.cpu) !== 0,
      durationNs: trace.durationMicros[at] * 1000 || 1,
      parents: parents[at],
      children: [],
      commType: trace.commType[at] < 0 ? undefined : trace.commType[at],
      commSize: given(trace.commSize[at]),
      commTag: given(trace.commTag[at]),
      peer: trace.peer[at] < 0 ? undefined : trace.peer[at],
      group: trace.group[at] < 0 ? '' : trace.groupNames[trace.group[at]],
      priority: numbers.get('comm_priority') ?? 0,
      involved,
      operations: numbers.get('num_ops'),
      tensorSize: numbers.get('tensor_size'),
      inputs,
    };
  });
  for (const at of inFile) {
    const edges = (start: Uint32Array, target: Int32Array): number[] => [...target.subarray(start[at], start[at + 1])];
    const before = edges(trace.dataStart, trace.dataTarget);
    if (deps === 'both') before.push(...edges(trace.controlStart, trace.controlTarget));
    for (const parent of before) {
      if (parent < 0) throw new Error(`${trace.file}: node ${ids[at]} waits for a node that is not there`);
      if (parents[at].has(nodes[parent])) continue;
      parents[at].add(nodes[parent]);
      nodes[parent].children.push(nodes[at]);
    }
  }
  return ordered.map((at) => nodes[at]);
}

/** A dependency graph that is being worked off: which nodes wait for nothing. */
export interface OpenNodes {
  /** Nodes that wait for nothing and were not taken, in the order of ids. */
  readonly ready: readonly TraceNode[];
  /** Nodes taken and not completed. */
  readonly inFlight: number;
  take(node: TraceNode): void;
  complete(node: TraceNode): void;
}

export function openNodes(nodes: readonly TraceNode[]): OpenNodes {
  const missing = new Map(nodes.map((node) => [node, node.parents.size]));
  const ready = nodes.filter((node) => node.parents.size === 0);
  let inFlight = 0;
  const place = (node: TraceNode): number => {
    let low = 0;
    let high = ready.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ready[middle].order < node.order) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    ready,
    get inFlight() {
      return inFlight;
    },
    take(node) {
      ready.splice(place(node), 1);
      inFlight++;
    },
    complete(node) {
      inFlight--;
      for (const child of node.children) {
        const left = missing.get(child)! - 1;
        missing.set(child, left);
        if (left === 0) ready.splice(place(child), 0, child);
      }
    },
  };
}
