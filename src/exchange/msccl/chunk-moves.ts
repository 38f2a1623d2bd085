import type { ChunkPlace } from '../../collectives/programs/program.js';
import { CollectiveType } from '../../trace/collective-type.js';

/** What a transfer of a built-in algorithm moves: consecutive chunks, and whether the receiver adds them to its own. */
export interface ChunkMove {
  readonly source: ChunkPlace;
  readonly destination: ChunkPlace;
  readonly count: number;
  /** The first of them, as a part of the larger buffer. */
  readonly first: number;
  readonly reduces: boolean;
  /** 0 where it is left out. */
  readonly channel?: number;
}

/** How a built-in algorithm cuts its buffers, for N positions. */
export interface ChunkScheme {
  /** Chunks of the larger buffer. */
  readonly chunks: number;
  readonly buffers: readonly [input: number, output: number];
  readonly inPlace: boolean;
  /** What the transfer with number `step` from a position to another one moves. */
  move(step: number, from: number, to: number): ChunkMove;
}

const input = (offset: number): ChunkPlace => ({ buffer: 'i', offset });
const output = (offset: number): ChunkPlace => ({ buffer: 'o', offset });

/** The same chunks at both ends. */
function same(place: ChunkPlace, count: number, reduces: boolean): ChunkMove {
  return { source: place, destination: place, count, first: place.offset, reduces };
}

function one(source: ChunkPlace, destination: ChunkPlace, first: number): ChunkMove {
  return { source, destination, count: 1, first, reduces: false };
}

/**
 * Which chunks each transfer of a built-in algorithm moves (the rules say how many bytes, and not which). What is taken
 * here is proven by the symbolic check of the program that comes of it.
 * @returns undefined for a pair that is none of the built-in ones, or that has no program
 */
export function chunkScheme(type: number, algorithm: string, size: number): ChunkScheme | undefined {
  return SCHEMES[`${type} ${algorithm}`]?.(size);
}

const whole = (
  buffers: readonly [number, number],
  inPlace: boolean,
  move: ChunkScheme['move'],
  chunks: number,
): ChunkScheme => ({
  chunks,
  buffers,
  inPlace,
  move,
});

const modulo = (value: number, size: number): number => ((value % size) + size) % size;

/** step k passes on what came in step k − 1; the first N − 1 steps add up. */
const ringAllReduce = (size: number): ChunkScheme =>
  whole([size, size], true, (step, from) => same(input(modulo(from - step, size)), 1, step < size - 1), size);

/** */
const ringAllGather = (size: number): ChunkScheme =>
  whole([1, size], true, (step, from) => same(output(modulo(from - step, size)), 1, false), size);

/** the chunk that ends at position p starts at p + 1. */
const ringReduceScatter = (size: number): ChunkScheme =>
  whole([size, 1], true, (step, from) => same(input(modulo(from - step - 1, size)), 1, true), size);

/** everything goes up, or along a chain, and is added. */
const upAndDown = (size: number): ChunkScheme => whole([1, 1], true, (step) => same(input(0), 1, step < size - 1), 1);
const up = (): ChunkScheme => whole([1, 1], true, () => same(input(0), 1, true), 1);

/** tree A moves the first half, tree B the second, on a channel of its own. */
const doubleTree = (size: number): ChunkScheme => {
  const edges = size - 1;
  const move = (step: number): ChunkMove => {
    const tree = Math.floor(step / (2 * edges));
    return { ...same(input(tree), 1, step % (2 * edges) < edges), channel: tree };
  };
  return whole([2, 2], true, move, 2);
};

const log2 = (size: number): number => 31 - Math.clz32(size);

/** First of the chunks that a position is left with after `halvings`, partners near first: its lowest bits choose the half. */
function nearHalf(position: number, halvings: number, size: number): number {
  let first = 0;
  for (let bit = 0; bit < halvings; bit++) if ((position >>> bit) & 1) first += size >>> (bit + 1);
  return first;
}

/** halves until one chunk is left, then doubles back. */
const halvingDoubling = (size: number): ChunkScheme => {
  const halvings = log2(size);
  return whole(
    [size, size],
    true,
    (step, from, to) => {
      if (step < halvings) return same(input(nearHalf(to, step + 1, size)), size >>> (step + 1), true);
      const doublings = step - halvings;
      return same(input(nearHalf(from, halvings - doublings, size)), 1 << doublings, false);
    },
    size,
  );
};

/** partners far first, so that the highest bits choose the half, and position p is left with chunk p. */
const halving = (size: number): ChunkScheme =>
  whole(
    [size, 1],
    true,
    (step, _from, to) => {
      const count = size >>> (step + 1);
      return same(input(to - (to % count)), count, true);
    },
    size,
  );

/** */
const broadcast = (): ChunkScheme => whole([1, 1], true, () => same(input(0), 1, false), 1);

/** */
const gather = (size: number): ChunkScheme =>
  whole([1, size], true, (_step, from) => one(input(0), output(from), from), size);

/** */
const scatter = (size: number): ChunkScheme =>
  whole([size, 1], true, (_step, _from, to) => one(input(to), output(0), to), size);

/** not in place, as chunks would cross. */
const allToAll = (size: number): ChunkScheme =>
  whole([size, size], false, (_step, from, to) => one(input(to), output(from), to), size);

const SCHEMES: Readonly<Record<string, (size: number) => ChunkScheme>> = {
  [`${CollectiveType.allReduce} ring`]: ringAllReduce,
  [`${CollectiveType.allReduce} tree`]: upAndDown,
  [`${CollectiveType.allReduce} double-tree`]: doubleTree,
  [`${CollectiveType.allReduce} halving-doubling`]: halvingDoubling,
  [`${CollectiveType.reduce} ring`]: up,
  [`${CollectiveType.reduce} tree`]: up,
  [`${CollectiveType.allGather} ring`]: ringAllGather,
  [`${CollectiveType.reduceScatter} ring`]: ringReduceScatter,
  [`${CollectiveType.reduceScatter} halving`]: halving,
  [`${CollectiveType.reduceScatterBlock} ring`]: ringReduceScatter,
  [`${CollectiveType.broadcast} interleaved`]: broadcast,
  [`${CollectiveType.broadcast} sequential`]: broadcast,
  [`${CollectiveType.gather} direct`]: gather,
  [`${CollectiveType.scatter} direct`]: scatter,
  [`${CollectiveType.allToAll} interleaved`]: allToAll,
  [`${CollectiveType.allToAll} sequential`]: allToAll,
};
