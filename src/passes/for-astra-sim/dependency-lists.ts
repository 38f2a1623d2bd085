import type { RankTrace } from '../../trace/rank-trace.js';

/** What each node of a rank waits for, as node indices; a dangling data dependency stays as the trace has it. */
export interface DependencyLists {
  readonly dataStart: Uint32Array; // [n + 1]
  readonly data: Int32Array;
  readonly controlStart: Uint32Array; // [n + 1]
  readonly control: Int32Array;
}

/** The lists of a trace without what cannot be meant, and how many entries that was. */
export interface CleanLists extends DependencyLists {
  readonly controlDropped: number;
  readonly repeatedDropped: number;
}

/**
 * Drops repeated dependencies, and control dependencies that ASTRA-sim would hang on: on ids that no node has and on the
 * node itself; all of them where control does not hold nodes back, since the program always waits for both kinds.
 * @param waitsForControl whether control dependencies count
 */
export function cleanLists(trace: RankTrace, waitsForControl: boolean): CleanLists {
  const { length, dataStart, dataTarget, controlStart, controlTarget } = trace;
  const lists = {
    dataStart: new Uint32Array(length + 1),
    data: new Int32Array(dataTarget.length),
    controlStart: new Uint32Array(length + 1),
    control: new Int32Array(controlTarget.length),
  };
  const namedBy = new Int32Array(length); // node + 1 that named this one last
  let data = 0;
  let control = 0;
  let repeatedDropped = 0;
  let controlDropped = 0;
  for (let node = 0; node < length; node++) {
    lists.dataStart[node] = data;
    for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) {
      const target = dataTarget[edge];
      if (target >= 0 && namedBy[target] === node + 1) repeatedDropped++;
      else {
        if (target >= 0) namedBy[target] = node + 1;
        lists.data[data++] = target;
      }
    }
    lists.controlStart[node] = control;
    for (let edge = controlStart[node]; edge < controlStart[node + 1]; edge++) {
      const target = controlTarget[edge];
      if (!waitsForControl || target < 0 || target === node) controlDropped++;
      else if (namedBy[target] === node + 1) repeatedDropped++;
      else {
        namedBy[target] = node + 1;
        lists.control[control++] = target;
      }
    }
  }
  lists.dataStart[length] = data;
  lists.controlStart[length] = control;
  return {
    ...lists,
    data: lists.data.subarray(0, data),
    control: lists.control.subarray(0, control),
    controlDropped,
    repeatedDropped,
  };
}

/** The trace with these lists in place of its own. */
export function withLists(trace: RankTrace, { dataStart, data, controlStart, control }: DependencyLists): RankTrace {
  return { ...trace, dataStart, dataTarget: data, controlStart, controlTarget: control };
}
