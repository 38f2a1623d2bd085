import { beforeEndOfTime } from '../network/end-of-time.js';
import type { RooflineStatistics } from './outcome.js';
import type { SystemConfiguration } from './system-configuration.js';

/** What bounds a compute node of an NPU under `roofline-enabled`. Both are above 0. */
export interface RooflineLimits {
  /** `local-mem-bw`. */
  readonly bytesPerSecond: number;
  /** `peak-perf`. */
  readonly operationsPerSecond: number;
}

export function rooflineLimits(system: Pick<SystemConfiguration, 'localMemoryGBps' | 'peakTflops'>): RooflineLimits {
  return { bytesPerSecond: system.localMemoryGBps * 1e9, operationsPerSecond: system.peakTflops * 1e12 };
}

/**
 * Operations a second of a node of `operations` (`num_ops`) on `bytes` (`tensor_size`, above 0), as doubles in the order of
 * astra-sim-semantics section 3.
 */
export function rooflinePerformance(operations: number, bytes: number, limits: RooflineLimits): number {
  return Math.min(limits.bytesPerSecond * (operations / bytes), limits.operationsPerSecond);
}

/**
 * Duration of that node, whole ns, 0 for less than one. Without operations, where the program divides 0 by 0, it is what its
 * bytes take.
 */
export function rooflineDurationNs(operations: number, bytes: number, limits: RooflineLimits): number {
  if (operations === 0) return beforeEndOfTime(Math.trunc((bytes / limits.bytesPerSecond) * 1e9));
  return beforeEndOfTime(Math.trunc((operations / rooflinePerformance(operations, bytes, limits)) * 1e9));
}

/** Means over the compute nodes of a rank, weighted by their durations (section 16). */
export class RooflineMeans {
  readonly #limits: RooflineLimits;
  /** The program starts at 1 ns so as not to divide by 0. */
  #timeNs = 1;
  #computeBoundNs = 0;
  #computeUtilization = 0;
  #memoryUtilization = 0;
  #operationIntensity = 0;

  constructor(limits: RooflineLimits) {
    this.#limits = limits;
  }

  /** A node that the roofline gave its duration. */
  add(operations: number, bytes: number, durationNs: number): void {
    const { bytesPerSecond, operationsPerSecond } = this.#limits;
    const performance = rooflinePerformance(operations, bytes, this.#limits);
    const intensity = operations / bytes;
    // Without operations the bytes move all the time.
    const memory = operations === 0 ? 1 : performance / intensity / bytesPerSecond;
    if (performance >= operationsPerSecond) this.#computeBoundNs += durationNs;
    this.#computeUtilization += (performance / operationsPerSecond) * durationNs;
    this.#memoryUtilization += memory * durationNs;
    this.#operationIntensity += intensity * durationNs;
    this.#timeNs += durationNs;
  }

  /** A compute node with a duration of its own: one of a CPU, or any under `replay-only`. It counts as idle. */
  addTimed(durationNs: number): void {
    this.#timeNs += durationNs;
  }

  statistics(): RooflineStatistics {
    return {
      computeBound: this.#computeBoundNs / this.#timeNs,
      computeUtilization: this.#computeUtilization / this.#timeNs,
      memoryUtilization: this.#memoryUtilization / this.#timeNs,
      operationIntensity: this.#operationIntensity / this.#timeNs,
    };
  }
}
