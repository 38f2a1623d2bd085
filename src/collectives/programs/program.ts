/**
 * A collective as a program of chunks (exchange-formats section 4): thread blocks of each rank run steps in order, and steps wait
 * for steps of other thread blocks of the rank. Positions of the group are called ranks here, as in the format.
 */
export interface ChunkProgram {
  readonly name: string;
  /** A CollectiveType number; −1 for `custom`, whose post-condition nobody states. */
  readonly type: number;
  /** As the file names it: `allreduce`, `custom`, … */
  readonly collective: string;
  readonly protocol: string;
  readonly channels: number;
  /** Chunks that the larger user buffer is cut into. */
  readonly chunks: number;
  /** Whether input and output are one buffer. */
  readonly inPlace: boolean;
  /** Position of the root of a rooted collective, as its name or its program says; 0 where there is none. */
  readonly root: number;
  /** Attributes that no rule reads, as they are: minBytes, nthreads, redop … */
  readonly others: ReadonlyMap<string, string>;
  readonly ranks: readonly ProgramRank[];
}

export interface ProgramRank {
  /** Chunks of its buffers, 0 for one that is not used. */
  readonly inputChunks: number;
  readonly outputChunks: number;
  readonly scratchChunks: number;
  readonly threadBlocks: readonly ThreadBlock[];
}

export interface ThreadBlock {
  readonly id: number;
  /** Rank it sends to and receives from, −1 for none; the connection (from, to, channel) is a FIFO. */
  readonly send: number;
  readonly receive: number;
  readonly channel: number;
  readonly steps: readonly ProgramStep[];
}

export type StepKind = 's' | 'r' | 'cpy' | 're' | 'rcs' | 'rrc' | 'rrs' | 'rrcs' | 'nop';

export interface ChunkPlace {
  readonly buffer: 'i' | 'o' | 's';
  readonly offset: number;
}

export interface ProgramStep {
  readonly kind: StepKind;
  /** Local operands (exchange-formats 4.1); for a plain send the destination, for a plain receive the source, is the remote place or absent. */
  readonly source: ChunkPlace | undefined;
  readonly destination: ChunkPlace | undefined;
  /** Consecutive chunks. */
  readonly count: number;
  /** Step of another thread block of the rank that must have completed. */
  readonly after: { readonly threadBlock: number; readonly step: number } | undefined;
  readonly hasDependent: boolean;
  /** Line of the file, for messages; 0 for a program that no file holds. */
  readonly line: number;
}
