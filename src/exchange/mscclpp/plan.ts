import type { ChunkPlace } from '../../collectives/programs/program.js';

/**
 * An MSCCL++ execution plan (exchange-formats section 5) with every index of it looked up: operands name a rank and a buffer, channels
 * a peer. Ranks are those of the plan.
 */
export interface Plan {
  readonly name: string;
  /** As the file names it: `allreduce`, `reducescatter`, … */
  readonly collective: string;
  readonly protocol: string;
  readonly inPlace: boolean;
  /** Sizes of the larger user buffer that the plan is for, bytes; undefined for no limit. */
  readonly leastBytes: number | undefined;
  readonly mostBytes: number | undefined;
  readonly gpus: readonly PlanGpu[];
  /** Keys that no reader knows, each once. */
  readonly unknownKeys: readonly string[];
}

export interface PlanGpu {
  readonly inputChunks: number;
  readonly outputChunks: number;
  readonly scratchChunks: number;
  /** Value of each semaphore at first. */
  readonly semaphores: readonly number[];
  readonly threadBlocks: readonly PlanThreadBlock[];
}

export interface PlanThreadBlock {
  readonly id: number;
  readonly ops: readonly PlanOp[];
}

/** Kinds of channels that carry puts and signals: loads and stores over the scale-up fabric, or a path through a network card. */
export type PlanChannelType = 'memory' | 'port';

/** One end of a channel: the `place`-th of its type to that peer, which meets the `place`-th of the peer to this gpu. */
export interface PlanChannel {
  readonly type: PlanChannelType;
  readonly peer: number;
  readonly place: number;
}

export interface PlanOperand extends ChunkPlace {
  readonly rank: number;
  /** Consecutive chunks. */
  readonly count: number;
}

export interface PlanOp {
  readonly name: PlanOpName;
  readonly type: PlanChannelType | undefined;
  readonly channels: readonly PlanChannel[];
  readonly sources: readonly PlanOperand[];
  readonly destinations: readonly PlanOperand[];
  /** Of a barrier: its number, and the thread blocks that meet at it. */
  readonly barrier: { readonly id: number; readonly threadBlocks: number } | undefined;
  /** Of sem_acquire and sem_release. */
  readonly semaphores: readonly number[];
  /** The part of its operands that it works on, where a group of thread blocks shares the work. */
  readonly part: number;
  readonly parts: number;
  /** Of a pipeline: what is repeated, and how often: once for each `unitBytes` of `chunks` chunks. */
  readonly loop: { readonly unitBytes: number; readonly chunks: number; readonly ops: readonly PlanOp[] } | undefined;
  /** Line of the file. */
  readonly line: number;
}

/** How many operands an op has, and where they are: packets carry their own flag. */
interface OpShape {
  /** Local operands that `src_buff` begins with; one or more of `furtherSources` follow. */
  readonly sources: number;
  readonly furtherSources: 'none' | 'local' | 'packets' | 'remote';
  readonly destinations: number;
  readonly furtherDestinations: 'none' | 'local' | 'remote' | 'remote packets';
}

const shape = (
  sources: number,
  furtherSources: OpShape['furtherSources'],
  destinations: number,
  furtherDestinations: OpShape['furtherDestinations'],
): OpShape => ({ sources, furtherSources, destinations, furtherDestinations });

/** Every op that is imported, with its operands. */
export const OP_SHAPES = {
  nop: shape(0, 'none', 0, 'none'),
  barrier: shape(0, 'none', 0, 'none'),
  signal: shape(0, 'none', 0, 'none'),
  rlxsignal: shape(0, 'none', 0, 'none'),
  wait: shape(0, 'none', 0, 'none'),
  rlxwait: shape(0, 'none', 0, 'none'),
  flush: shape(0, 'none', 0, 'none'),
  sem_acquire: shape(0, 'none', 0, 'none'),
  sem_release: shape(0, 'none', 0, 'none'),
  pipeline: shape(0, 'none', 0, 'none'),
  copy: shape(1, 'none', 1, 'none'),
  cpkt: shape(1, 'none', 1, 'none'),
  upkt: shape(1, 'none', 1, 'none'),
  re: shape(1, 'local', 1, 'none'),
  res: shape(1, 'local', 1, 'remote'),
  repkt: shape(1, 'packets', 1, 'none'),
  recpkt: shape(1, 'packets', 2, 'none'),
  respkt: shape(1, 'packets', 1, 'remote packets'),
  recspkt: shape(1, 'packets', 2, 'remote packets'),
  put: shape(0, 'local', 0, 'remote'),
  pws: shape(0, 'local', 0, 'remote'),
  pwsf: shape(0, 'local', 0, 'remote'),
  ppkt: shape(0, 'local', 0, 'remote packets'),
  rppkt: shape(0, 'packets', 0, 'remote packets'),
  get: shape(0, 'remote', 0, 'local'),
  rre: shape(1, 'remote', 1, 'none'),
  rres: shape(1, 'remote', 1, 'remote'),
} as const satisfies Record<string, OpShape>;

export type PlanOpName = keyof typeof OP_SHAPES;

/** Ops that are not imported, and why. */
export const OPS_OUTSIDE: Readonly<Record<string, string>> = {
  gstore: 'a switch writes to all ranks at once, which sends and receives cannot carry',
  glre: 'a switch adds up what it reads from all ranks, which sends and receives cannot carry',
  glres: 'a switch adds up what it reads from all ranks and writes to all, which sends and receives cannot carry',
};
