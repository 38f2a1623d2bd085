import type { RankTrace } from './rank-trace.js';

/** What one kind of dependency looks like over a whole rank. */
export interface DependencyCount {
  /** Entries in all lists. */
  readonly total: number;
  /** Entries that name an id no node has. */
  readonly dangling: number;
  /** Distinct ids among those. */
  readonly danglingTargets: number;
  /** Entries that name the id of their own node. */
  readonly self: number;
  /** Entries that repeat an id of the same list. */
  readonly repeated: number;
  /** Entries that name a node further on in the file. */
  readonly forward: number;
}

/** {@link DependencyCount} of both kinds, and the nodes without dependencies. */
export interface DependencyCounts {
  readonly data: DependencyCount;
  readonly control: DependencyCount;
  /** Nodes whose list of data dependencies is empty. */
  readonly withoutData: number;
  /** Nodes whose lists are both empty. */
  readonly withoutAny: number;
}

/** Counts the dependencies of a rank in one walk over its edges. */
export function countDependencies(trace: RankTrace): DependencyCounts {
  const { length, dataStart, controlStart } = trace;
  let withoutData = 0;
  let withoutAny = 0;
  for (let node = 0; node < length; node++) {
    if (dataStart[node + 1] > dataStart[node]) continue;
    withoutData++;
    if (controlStart[node + 1] === controlStart[node]) withoutAny++;
  }
  return {
    data: countKind(trace, dataStart, trace.dataTarget),
    control: countKind(trace, controlStart, trace.controlTarget),
    withoutData,
    withoutAny,
  };
}

function countKind(trace: RankTrace, start: Uint32Array, targets: Int32Array): DependencyCount {
  const { length, idLow, idHigh } = trace;
  const lastNode = new Int32Array(targets.length === 0 ? 0 : length + trace.danglingLow.length); // node + 1 that named the target last
  let dangling = 0;
  let danglingTargets = 0;
  let self = 0;
  let repeated = 0;
  let forward = 0;
  for (let node = 0; node < length; node++) {
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      const target = targets[edge];
      const place = target >= 0 ? target : length - 1 - target;
      if (target < 0) {
        dangling++;
        if (lastNode[place] === 0) danglingTargets++;
      } else if (idLow[target] === idLow[node] && idHigh[target] === idHigh[node]) {
        self++;
      } else if (target > node) {
        forward++;
      }
      if (lastNode[place] === node + 1) repeated++;
      lastNode[place] = node + 1;
    }
  }
  return { total: targets.length, dangling, danglingTargets, self, repeated, forward };
}
