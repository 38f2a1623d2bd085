/** One measurement of the benchmark run. */
export interface BenchCase {
  /** What is measured, such as `decode small nodes`. */
  readonly name: string;
  /** Unit of the value, such as `nodes/s`. */
  readonly unit: string;
  /** Value that should be reached on one core. */
  readonly target?: number;
  /** Runs, without a warm-up before them: where they warm up themselves, or are long enough. Default: 5 after a warm-up. */
  readonly runs?: number;
  /** Measures once and gives the value. The runner takes the median. */
  run(): number;
}

/** Things done per second of CPU time, all threads of the process together. */
export function perCpuSecond(count: number, work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (count / (user + system)) * 1e6;
}
