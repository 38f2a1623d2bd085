import type { ByteSource } from '../base/byte-source.js';
import type { Finding } from '../base/finding.js';
import type { Losses } from '../base/losses.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { Format } from './detect.js';
import type { MadeJob } from './made-job.js';

/** What a conversion is asked for besides its input and its form; each form says which it takes. */
export interface ConversionOptions {
  /** Ranks of a job whose input does not say how many. */
  readonly ranks?: number;
  /** Passes over the layers of a text workload. */
  readonly passes?: number;
  /** Bytes of the collective that a program of chunks is made for. */
  readonly size?: number;
  /** Ranks of a model-parallel group of a text workload in a hybrid mode. */
  readonly modelParallel?: number;
  /** Speed of a host in a form that counts computation in operations. */
  readonly flopsPerSecond?: number;
  /** When transfers start, by rank and node, for a form with times; absent where no network was named. */
  readonly startNs?: (rank: number, node: number) => number;
}

/** A form that holds a whole job and is read. */
export interface JobForm {
  readonly format: Format;
  /** Options it takes, for the message about one it does not. */
  readonly options: readonly (keyof ConversionOptions)[];
  /** @throws PrepError with the place in the file; `OPTION_MISSING` where the file does not say enough */
  open(source: ByteSource, options: ConversionOptions): MadeJob;
}

/** A form that holds one rank a file and is written. */
export interface RankTarget {
  /** As `--to` names it. */
  readonly name: string;
  /** What a message calls it. */
  readonly title: string;
  fileName(prefix: string, rank: number): string;
  /** Name of the file that declares process groups beside files of this form; absent where none goes with it. */
  groupFileName?(prefix: string): string;
  write(trace: RankTrace, write: (bytes: Uint8Array) => void, losses: Losses): void;
}

/** Traces of all ranks of a job, one open at a time. */
export interface ReadableJob {
  readonly rankCount: number;
  readonly prefix: string;
  /** Groups declared in traces or in a group file. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
  withRank<T>(rank: number, use: (trace: RankTrace) => T): T;
}

/** Takes the files of a form, by name. */
export interface TargetFiles {
  file(name: string, fill: (write: (bytes: Uint8Array) => void) => void): void;
}

/** A form that holds a whole job and is written. */
export interface JobTarget {
  readonly name: string;
  readonly title: string;
  readonly options: readonly (keyof ConversionOptions)[];
  /**
   * @returns what is to be said besides losses
   * @throws PrepError where the job cannot be put into this form at all: a collective that is not expanded, a transfer without partner
   */
  write(job: ReadableJob, files: TargetFiles, options: ConversionOptions, losses: Losses): Finding[];
}
