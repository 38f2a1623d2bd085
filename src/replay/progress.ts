import { NodeKind, NodeProcessor, type NodeTable } from './node-table.js';
import type { Processor, Progress, WorkIntervals } from './outcome.js';
import { isCompute } from './tally.js';

/** Counts what was done by each multiple of the interval, from the times of all nodes. */
export function progressOf(
  nodes: NodeTable,
  intervalPs: number,
  { stopPs, simulationEndPs }: { readonly stopPs: number; readonly simulationEndPs: number },
): Progress {
  const rows = Math.floor(simulationEndPs / intervalPs);
  const column = (): Float64Array => new Float64Array(rows);
  const done = {
    sendBytes: column(),
    sends: column(),
    receives: column(),
    acknowledged: column(),
    computations: column(),
  };
  const totals = { sendBytes: 0, sends: 0, receives: 0, computations: 0 };
  /** Adds to the first row at or after the instant. */
  const count = (into: Float64Array, timePs: number, amount: number): void => {
    if (!(timePs <= stopPs)) return;
    const row = Math.max(0, Math.ceil(timePs / intervalPs) - 1);
    if (row < rows) into[row] += amount;
  };
  for (let node = 0; node < nodes.length; node++) {
    if (nodes.isAddedSync(node)) continue;
    const kind = nodes.kind(node);
    if (kind === NodeKind.send) {
      totals.sends++;
      totals.sendBytes += nodes.amount(node);
      count(done.sends, nodes.finish(node), 1);
      count(done.sendBytes, nodes.finish(node), nodes.amount(node));
      count(done.acknowledged, nodes.acknowledged(node), 1);
    } else if (kind === NodeKind.receive) {
      totals.receives++;
      count(done.receives, nodes.finish(node), 1);
    } else if (isCompute(nodes, node)) {
      totals.computations++;
      count(done.computations, nodes.finish(node), 1);
    }
  }
  for (const counts of Object.values(done)) for (let row = 1; row < rows; row++) counts[row] += counts[row - 1];
  return { rows, ...done, totals };
}

/** When the nodes of one kind ran. */
export function workIntervals(nodes: NodeTable, rank: number, processor: Processor, stopPs: number): WorkIntervals {
  const start: number[] = [];
  const finish: number[] = [];
  for (let node = nodes.offset[rank]; node < nodes.offset[rank + 1]; node++) {
    if (nodes.waiting(node) >= 0 || nodes.processor(node) !== NodeProcessor[processor]) continue;
    start.push(nodes.start(node));
    finish.push(nodes.finish(node) <= stopPs ? nodes.finish(node) : NaN);
  }
  return { start: Float64Array.from(start), finish: Float64Array.from(finish) };
}
