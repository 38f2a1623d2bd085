/** One measurement of the benchmark run. */
export interface BenchCase {
  /** What is measured, such as `decode small nodes`. */
  readonly name: string;
  /** Unit of the value, such as `nodes/s`. */
  readonly unit: string;
  /** Value that should be reached on one core. */
  readonly target?: number;
  /** Measures once and gives the value. The runner repeats it and takes the median. */
  run(): number;
}

/** Things done per second of CPU time, all threads of the process together. */
export function perCpuSecond(count: number, work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (count / (user + system)) * 1e6;
}
