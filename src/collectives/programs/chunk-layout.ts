import { CollectiveType } from '../../trace/collective-type.js';
import type { ChunkPlace, ChunkProgram } from './program.js';

/** Collectives in which each rank has a part of the larger buffer. */
const PARTED: ReadonlySet<number> = new Set([
  CollectiveType.allGather,
  CollectiveType.reduceScatter,
  CollectiveType.allToAll,
  CollectiveType.gather,
  CollectiveType.scatter,
]);

/** Whether the larger buffer of a collective is made of one part a rank. */
export function isParted(type: number): boolean {
  return PARTED.has(type);
}

/**
 * Where chunks are, what they hold at first and what they have to hold at the end (exchange-formats 4.1 to 4.3).
 *
 * A contribution is one chunk of the input of one rank, as a number: rank × chunks + its place in the larger buffer. A location is a
 * place in the memory of one rank: its user buffers, which are one where the program works in place, then scratch.
 */
export class ChunkLayout {
  /** Chunks of the larger buffer, n. */
  readonly chunks: number;
  /** Chunks of one rank's part of the larger buffer; n where it has no parts. */
  readonly part: number;
  /** Whether input and output are one memory: as stated, or because the program has only one of them. */
  readonly inPlace: boolean;
  /** [chunks] rank that has each chunk of an all-gather at first. */
  readonly owner: Int32Array;
  readonly #program: ChunkProgram;
  readonly #userChunks: number;

  /** @param owner of the chunks of an all-gather where they are not dealt out in blocks */
  constructor(program: ChunkProgram, owner?: Int32Array) {
    const { chunks, type, ranks, inPlace } = program;
    this.#program = program;
    this.chunks = chunks;
    this.part = isParted(type) ? Math.floor(chunks / ranks.length) : chunks;
    const has = (buffer: 'inputChunks' | 'outputChunks'): boolean => ranks.some((rank) => rank[buffer] > 0);
    this.inPlace = inPlace || !has('inputChunks') || !has('outputChunks');
    this.owner = owner ?? Int32Array.from({ length: chunks }, (_, chunk) => Math.floor(chunk / Math.max(1, this.part)));
    const largest = Math.max(chunks, ...ranks.map((rank) => Math.max(rank.inputChunks, rank.outputChunks)));
    this.#userChunks = this.inPlace ? largest : 2 * largest;
  }

  /** Locations of a rank. */
  locations(rank: number): number {
    return this.#userChunks + this.#program.ranks[rank].scratchChunks;
  }

  location(rank: number, { buffer, offset }: ChunkPlace, further = 0): number {
    const at = offset + further;
    if (buffer === 's') return this.#userChunks + at;
    const shifted = this.#isSmall(rank, buffer) && this.inPlace ? rank * this.part + at : at;
    return buffer === 'o' && !this.inPlace ? this.#userChunks / 2 + shifted : shifted;
  }

  /** Whether the buffer holds the rank's part alone, which in place is a window of the larger buffer. */
  #isSmall(rank: number, buffer: 'i' | 'o'): boolean {
    const { type, ranks } = this.#program;
    const { inputChunks, outputChunks } = ranks[rank];
    if (type === CollectiveType.allGather) return buffer === 'i';
    if (type === CollectiveType.reduceScatter) return buffer === 'o';
    if (type === CollectiveType.gather) return buffer === 'i' && inputChunks < this.chunks;
    if (type === CollectiveType.scatter) return buffer === 'o' && outputChunks < this.chunks;
    return false;
  }

  /** A name for a location: `input chunk 3`. */
  locationName(location: number): string {
    if (location >= this.#userChunks) return `scratch chunk ${location - this.#userChunks}`;
    if (this.inPlace) return `chunk ${location}`;
    const half = this.#userChunks / 2;
    return location < half ? `input chunk ${location}` : `output chunk ${location - half}`;
  }

  /** Calls back for each location of a rank that holds something at first, with its contribution. */
  initial(rank: number, holds: (location: number, contribution: number) => void): void {
    const { chunks, part } = this;
    const { type, ranks } = this.#program;
    const input = (offset: number): number => this.location(rank, { buffer: 'i', offset });
    if (type === CollectiveType.allGather) {
      let place = 0;
      for (let chunk = 0; chunk < chunks; chunk++) {
        if (this.owner[chunk] !== rank) continue;
        // Without input buffers a chunk lies where it has to be at the end.
        const at = this.#hasInputs() ? input(place++) : this.location(rank, { buffer: 'o', offset: chunk });
        holds(at, rank * chunks + chunk);
      }
    } else if (type === CollectiveType.gather) {
      const first = this.#isSmall(rank, 'i') ? 0 : rank * part;
      for (let chunk = 0; chunk < part; chunk++) holds(input(first + chunk), rank * chunks + rank * part + chunk);
    } else {
      const { inputChunks, outputChunks } = ranks[rank];
      const stated = this.#hasInputs() ? inputChunks : outputChunks;
      const count = type < 0 ? stated : chunks;
      for (let chunk = 0; chunk < count; chunk++) holds(input(chunk), rank * chunks + chunk);
    }
  }

  #hasInputs(): boolean {
    return this.#program.ranks.some(({ inputChunks }) => inputChunks > 0);
  }

  /**
   * Calls back for each location of a rank whose contents are stated, with the contributions that have to be in it, ascending.
   * Nothing for `custom`.
   */
  expected(rank: number, wants: (location: number, contributions: Int32Array) => void): void {
    const { chunks, part } = this;
    const { type, root, ranks } = this.#program;
    const size = ranks.length;
    const output = (offset: number): number => this.location(rank, { buffer: 'o', offset });
    const one = (from: number, chunk: number): Int32Array => Int32Array.of(from * chunks + chunk);
    const sum = (chunk: number): Int32Array => Int32Array.from({ length: size }, (_, from) => from * chunks + chunk);
    switch (type) {
      case CollectiveType.allReduce:
      case CollectiveType.reduce:
        if (type === CollectiveType.reduce && rank !== root) return;
        for (let chunk = 0; chunk < chunks; chunk++) wants(output(chunk), sum(chunk));
        return;
      case CollectiveType.gather:
        if (rank !== root) return;
        for (let chunk = 0; chunk < chunks; chunk++) wants(output(chunk), one(Math.floor(chunk / part), chunk));
        return;
      case CollectiveType.allGather:
        for (let chunk = 0; chunk < chunks; chunk++) wants(output(chunk), one(this.owner[chunk], chunk));
        return;
      case CollectiveType.broadcast:
        for (let chunk = 0; chunk < chunks; chunk++) wants(output(chunk), one(root, chunk));
        return;
      case CollectiveType.reduceScatter:
        for (let chunk = 0; chunk < part; chunk++) wants(output(chunk), sum(rank * part + chunk));
        return;
      case CollectiveType.scatter: {
        const first = this.#isSmall(rank, 'o') ? 0 : rank * part;
        for (let chunk = 0; chunk < part; chunk++) wants(output(first + chunk), one(root, rank * part + chunk));
        return;
      }
      case CollectiveType.allToAll:
        for (let from = 0; from < size; from++) {
          for (let chunk = 0; chunk < part; chunk++) wants(output(from * part + chunk), one(from, rank * part + chunk));
        }
    }
  }
}
