import type { Column } from '../base/grown.js';
import type { RankTrace } from './rank-trace.js';

/** In place of a new place. */
const LEFT_OUT = -1;

/**
 * The trace with its nodes in another order; dependencies follow their nodes. Nodes that `order` does not name are left
 * out; none of those it names may depend on one.
 * @param order node index by new place, each node once at most
 */
export function reordered(trace: RankTrace, order: Int32Array): RankTrace {
  const { length } = order;
  const placeOf = new Int32Array(trace.length).fill(LEFT_OUT);
  for (let place = 0; place < length; place++) placeOf[order[place]] = place;
  const column = <T extends Column>(values: T): T => {
    const moved = values.slice(0, length) as T;
    for (let place = 0; place < length; place++) moved[place] = values[order[place]];
    return moved;
  };
  const data = movedEdges(trace.dataStart, trace.dataTarget, order, placeOf);
  const control = movedEdges(trace.controlStart, trace.controlTarget, order, placeOf);
  return {
    ...trace,
    length,
    idLow: column(trace.idLow),
    idHigh: column(trace.idHigh),
    type: column(trace.type),
    flags: column(trace.flags),
    durationMicros: column(trace.durationMicros),
    dataStart: data.start,
    dataTarget: data.target,
    controlStart: control.start,
    controlTarget: control.target,
    commType: column(trace.commType),
    commSize: column(trace.commSize),
    commTag: column(trace.commTag),
    peer: column(trace.peer),
    group: column(trace.group),
    collective: column(trace.collective),
    step: column(trace.step),
    root: moved(trace.root, placeOf),
    issueOrder: moved(trace.issueOrder, placeOf),
    splits: moved(trace.splits, placeOf),
    receiveSplits: moved(trace.receiveSplits, placeOf),
    frameOffset: column(trace.frameOffset),
    frameLength: column(trace.frameLength),
  };
}

function movedEdges(
  start: Uint32Array,
  target: Int32Array,
  order: Int32Array,
  placeOf: Int32Array,
): { start: Uint32Array; target: Int32Array } {
  let edges = 0;
  for (const node of order) edges += start[node + 1] - start[node];
  const newStart = new Uint32Array(order.length + 1);
  const newTarget = new Int32Array(edges);
  let at = 0;
  for (let place = 0; place < order.length; place++) {
    newStart[place] = at;
    const node = order[place];
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      newTarget[at++] = target[edge] < 0 ? target[edge] : placeOf[target[edge]];
    }
  }
  newStart[order.length] = at;
  return { start: newStart, target: newTarget };
}

function moved<T>(values: ReadonlyMap<number, T>, placeOf: Int32Array): Map<number, T> {
  const kept = [...values].filter(([node]) => placeOf[node] !== LEFT_OUT);
  return new Map(kept.map(([node, value]) => [placeOf[node], value]));
}
