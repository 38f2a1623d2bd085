/** Section 16: what a node counts as. */
export type OperatorKind = 'cpu' | 'gpu' | 'communication' | 'remoteMemory' | 'invalid';

export interface RooflineShare {
  readonly computeBound: boolean;
  readonly computeUtilization: number;
  readonly memoryUtilization: number;
  readonly operationIntensity: number;
}

export interface Interval {
  readonly kind: OperatorKind | undefined;
  readonly startNs: number;
  endNs: number;
  readonly roofline?: RooflineShare;
}

/** What a rank prints. Times in ns; a kind that did not occur is undefined. */
export interface TwinStatistics {
  readonly wallNs: number;
  readonly times: Readonly<Partial<Record<OperatorKind, number>>>;
  /** GPU + communication − wall; negative where the program prints a number near 2^64. */
  readonly overlapNs: number;
  /** Fractions; absent with roofline off. */
  readonly roofline?: {
    readonly computeBound: number;
    readonly computeUtilization: number;
    readonly memoryUtilization: number;
    readonly operationIntensity: number;
  };
}

export function statisticsOf(intervals: readonly Interval[], roofline: boolean): TwinStatistics {
  const times: Partial<Record<OperatorKind, number>> = {};
  for (const kind of new Set(intervals.map((interval) => interval.kind))) {
    if (kind !== undefined) times[kind] = unionLength(intervals.filter((interval) => interval.kind === kind));
  }
  const wallNs = intervals.reduce((latest, { endNs }) => Math.max(latest, endNs), 0);
  const overlapNs = (times.gpu ?? 0) + (times.communication ?? 0) - wallNs;
  if (!roofline) return { wallNs, times, overlapNs };
  const compute = intervals.filter(({ kind }) => kind === 'cpu' || kind === 'gpu');
  const total = 1 + compute.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0);
  const mean = (value: (share: RooflineShare) => number): number =>
    compute.reduce((sum, { startNs, endNs, roofline: share }) => {
      return share === undefined ? sum : sum + (endNs - startNs) * value(share);
    }, 0) / total;
  return {
    wallNs,
    times,
    overlapNs,
    roofline: {
      computeBound: mean(({ computeBound }) => (computeBound ? 1 : 0)),
      computeUtilization: mean(({ computeUtilization }) => computeUtilization),
      memoryUtilization: mean(({ memoryUtilization }) => memoryUtilization),
      operationIntensity: mean(({ operationIntensity }) => operationIntensity),
    },
  };
}

function unionLength(intervals: readonly Interval[]): number {
  let length = 0;
  let covered = 0;
  for (const { startNs, endNs } of [...intervals].sort((a, b) => a.startNs - b.startNs)) {
    length += Math.max(0, endNs - Math.max(covered, startNs));
    covered = Math.max(covered, endNs);
  }
  return length;
}
