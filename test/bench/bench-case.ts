/** One thing that is measured. */
export interface BenchCase {
  readonly name: string;
  /** What `run` gives, such as `M nodes/s`. */
  readonly unit: string;
  /** Value the design asks for, in the same unit; absent when it names none. */
  readonly target?: number;
  /** Measures once and gives the value. */
  run(): number;
}
