import { idForJson } from '../base/ids.js';
import type { RankTrace } from './rank-trace.js';

/** Id of a node: a number below 2^53, decimal text above. */
export function nodeId(trace: RankTrace, node: number): number | string {
  return idForJson(trace.idLow[node], trace.idHigh[node]);
}

/** Id that dependencies name and no node has, by its place in the columns of dangling ids. */
export function danglingId({ danglingLow, danglingHigh }: RankTrace, place: number): number | string {
  return idForJson(danglingLow[place], danglingHigh[place]);
}

/** Ids that a node's `data_deps` name, in their order, those that no node has among them. */
export function dataDependencyIds(trace: RankTrace, node: number): (number | string)[] {
  return listedIds(trace, trace.dataStart, trace.dataTarget, node);
}

/** The same of its `ctrl_deps`. */
export function controlDependencyIds(trace: RankTrace, node: number): (number | string)[] {
  return listedIds(trace, trace.controlStart, trace.controlTarget, node);
}

function listedIds(trace: RankTrace, start: Uint32Array, target: Int32Array, node: number): (number | string)[] {
  return Array.from(target.subarray(start[node], start[node + 1]), (other) =>
    other >= 0 ? nodeId(trace, other) : danglingId(trace, -1 - other),
  );
}
