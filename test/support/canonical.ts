import { formatId } from '../../src/base/ids.js';
import { NodeType } from '../../src/trace/node-type.js';
import { NodeFlag, type RankTrace } from '../../src/trace/rank-trace.js';

/**
 * A rank's graph without what new nodes were called: transfers of collectives go by what they are, other nodes by
 * their id; sorted, so that the place in the file does not count either.
 */
export function canonical(trace: RankTrace): string[] {
  const names = Array.from({ length: trace.length }, (_, node) => nameOf(trace, node));
  if (new Set(names).size < names.length) throw new Error(`two nodes have one name in ${names.join('\n')}`);
  const list = (start: Uint32Array, target: Int32Array, node: number): string =>
    [...target.subarray(start[node], start[node + 1])]
      .map((before) => (before < 0 ? `dangling ${-1 - before}` : names[before]))
      .sort()
      .join(' + ');
  return names
    .map((name, node) =>
      [
        name,
        `type ${trace.type[node]} ${trace.commType[node]} ${trace.commSize[node]}`,
        `data ${list(trace.dataStart, trace.dataTarget, node)}`,
        `control ${list(trace.controlStart, trace.controlTarget, node)}`,
        `order ${trace.issueOrder.get(node)} root ${trace.root.get(node)}`,
      ].join(' | '),
    )
    .sort();
}

function nameOf(trace: RankTrace, node: number): string {
  const type = trace.type[node];
  const transfer = type === NodeType.send || type === NodeType.receive;
  if (!transfer || trace.collective[node] < 0) return `#${formatId(trace.idLow[node], trace.idHigh[node])}`;
  const { group, instance, size } = trace.collectives[trace.collective[node]];
  const kind = trace.flags[node] & NodeFlag.addedSync ? 'barrier' : 'share';
  const end = type === NodeType.send ? 'to' : 'from';
  return `${group}/${instance}/${size} ${kind} ${end} ${trace.peer[node]} step ${trace.step[node]}`;
}

/** Ids of nodes that never finish when sends finish at once and a receive waits for its send; `rank/id`. */
export function stuckNodes(traces: readonly RankTrace[]): string[] {
  const done = traces.map((trace) => new Uint8Array(trace.length));
  const sent = new Map<string, number>();
  let left = traces.reduce((sum, trace) => sum + trace.length, 0);
  for (let before = -1; before !== left;) {
    before = left;
    for (const trace of traces) {
      const finished = done[trace.rank];
      for (let node = 0; node < trace.length; node++) {
        if (finished[node] || !ready(trace, node, finished)) continue;
        const peer = trace.peer[node];
        if (trace.type[node] === NodeType.receive) {
          const key = `${peer} ${trace.rank} ${trace.commTag[node]}`;
          const count = sent.get(key) ?? 0;
          if (count === 0) continue;
          sent.set(key, count - 1);
        } else if (trace.type[node] === NodeType.send) {
          const key = `${trace.rank} ${peer} ${trace.commTag[node]}`;
          sent.set(key, (sent.get(key) ?? 0) + 1);
        }
        finished[node] = 1;
        left--;
      }
    }
  }
  return traces.flatMap((trace) =>
    [...done[trace.rank].keys()]
      .filter((node) => !done[trace.rank][node])
      .map((node) => `${trace.rank}/${formatId(trace.idLow[node], trace.idHigh[node])}`),
  );
}

function ready(trace: RankTrace, node: number, done: Uint8Array): boolean {
  const { dataStart, dataTarget, controlStart, controlTarget } = trace;
  const lists = [
    dataTarget.subarray(dataStart[node], dataStart[node + 1]),
    controlTarget.subarray(controlStart[node], controlStart[node + 1]),
  ];
  return lists.every((list) => list.every((before) => before < 0 || done[before] === 1));
}

/** Ends of transfers by `sender→receiver tag`: bytes at the send and at the receive, in order. */
export function transferEnds(traces: readonly RankTrace[]): { sends: string[]; receives: string[] } {
  const sends: string[] = [];
  const receives: string[] = [];
  for (const { rank, length, type, peer, commTag, commSize } of traces) {
    for (let node = 0; node < length; node++) {
      if (type[node] === NodeType.send) sends.push(`${rank}→${peer[node]} ${commTag[node]}: ${commSize[node]}`);
      if (type[node] === NodeType.receive) receives.push(`${peer[node]}→${rank} ${commTag[node]}: ${commSize[node]}`);
    }
  }
  return { sends: sends.sort(), receives: receives.sort() };
}
