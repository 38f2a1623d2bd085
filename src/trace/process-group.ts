/** A named, ordered set of ranks; a rank's place in `ranks` is its position, which the algorithms use. */
export interface ProcessGroup {
  readonly name: string;
  /** Ranks in declaration order. */
  readonly ranks: readonly number[];
  /** Where it was declared, for messages: a file name, `process_group:init`, `metadata`, `world` or `use`. */
  readonly origin: string;
}

/** Name under which a collective without a group runs. */
export const WORLD = 'world';
