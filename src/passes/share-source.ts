import { Share, type Algorithm, type CollectiveShape } from '../collectives/algorithm.js';

/** What a share needs of the columns of a trace. */
export interface ShareCounts {
  readonly nodes: number;
  readonly sends: number;
  /** Dependencies inside the share. */
  readonly dependencies: number;
  /** Nodes without a dependency inside the share. */
  readonly entries: number;
}

/**
 * Shares by algorithm, shape and position, for a caller that first counts and then writes: one share is kept, so that
 * asking for the same again costs nothing, and counts are remembered, as they depend on no byte count.
 */
export class ShareSource {
  readonly #share = new Share();
  readonly #counts = new Map<Algorithm, Map<string, ShareCounts>>();
  #algorithm: Algorithm | undefined;
  #position = -1;
  #shape: CollectiveShape | undefined;

  /** The share of a position; valid until the next call. */
  share(algorithm: Algorithm, shape: CollectiveShape, position: number): Share {
    if (algorithm === this.#algorithm && position === this.#position && sameShape(shape, this.#shape)) {
      return this.#share;
    }
    algorithm.share(position, shape, this.#share);
    this.#algorithm = algorithm;
    this.#position = position;
    this.#shape = shape;
    return this.#share;
  }

  counts(algorithm: Algorithm, shape: CollectiveShape, position: number): ShareCounts {
    const key = `${shape.groupSize} ${shape.root} ${position}`;
    let known = this.#counts.get(algorithm);
    if (known === undefined) this.#counts.set(algorithm, (known = new Map()));
    let counts = known.get(key);
    if (counts === undefined) {
      counts = countsOf(this.share(algorithm, shape, position));
      known.set(key, counts);
    }
    return counts;
  }
}

function sameShape(shape: CollectiveShape, kept: CollectiveShape | undefined): boolean {
  return (
    kept !== undefined &&
    shape.groupSize === kept.groupSize &&
    shape.bytes === kept.bytes &&
    shape.root === kept.root &&
    shape.sendBytes === undefined &&
    kept.sendBytes === undefined
  );
}

function countsOf({ length, send, dependencyStart, dependencies }: Share): ShareCounts {
  let sends = 0;
  let entries = 0;
  for (let place = 0; place < length; place++) {
    sends += send[place];
    if (dependencyStart[place] === dependencyStart[place + 1]) entries++;
  }
  return { nodes: length, sends, dependencies, entries };
}
