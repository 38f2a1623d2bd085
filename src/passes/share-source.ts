import { Share, type Algorithm, type CollectiveShape } from '../collectives/algorithm.js';
import { movePosition } from '../collectives/lockstep.js';

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
 * Shares by algorithm, shape and position, for a caller that counts first and writes then, rank after rank. The last
 * share is kept: asking for it again costs nothing, and of a stepped exchange only the peers are written anew for
 * another position. Counts are remembered, as they depend on no byte count.
 */
export class ShareSource {
  readonly #share = new Share();
  readonly #counts = new Map<Algorithm, Map<string, ShareCounts>>();
  #algorithm: Algorithm | undefined;
  #position = -1;
  #shape: CollectiveShape | undefined;

  /** The share of a position; valid until the next call. */
  share(algorithm: Algorithm, shape: CollectiveShape, position: number): Share {
    const share = this.#share;
    const same = algorithm === this.#algorithm && sameShape(shape, this.#shape);
    if (same && position === this.#position) return share;
    if (same && algorithm.lockstep) movePosition(algorithm.lockstep, position, shape.groupSize, share);
    else algorithm.share(position, shape, share);
    this.#algorithm = algorithm;
    this.#position = position;
    this.#shape = shape;
    return share;
  }

  counts(algorithm: Algorithm, shape: CollectiveShape, position: number): ShareCounts {
    let known = this.#counts.get(algorithm);
    if (known === undefined) this.#counts.set(algorithm, (known = new Map()));
    const key = algorithm.lockstep ? `${shape.groupSize}` : `${shape.groupSize} ${shape.root} ${position}`;
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
