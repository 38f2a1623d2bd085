import { grown } from '../../base/grown.js';
import type { ScaleUpSpec } from './scale-up-spec.js';

const NONE = -1;

/**
 * Number of the lane of each pair of ranks that has a transfer under way; numbers are used again. The sender's lane and
 * the receiver's lane of a pair have the same number.
 */
export class PairLanes {
  readonly #groupOf: Int32Array;
  readonly #placeInGroup: Int32Array; // [ranks]
  readonly #groupSize: Int32Array; // [groups] ranks
  /** By sender: [ranks of the group] lane towards each; made at its first transfer. */
  readonly #lanesOf: (Int32Array | undefined)[];
  #nextFree = new Int32Array(0); // [lanes]
  #free = NONE;

  constructor({ groups, groupOf }: ScaleUpSpec) {
    this.#groupOf = groupOf;
    this.#groupSize = new Int32Array(groups.length);
    this.#placeInGroup = groupOf.map((group) => (group < 0 ? NONE : this.#groupSize[group]++));
    this.#lanesOf = new Array<Int32Array | undefined>(groupOf.length).fill(undefined);
  }

  /** Lane of a pair, −1 when it has none. */
  laneOf(source: number, destination: number): number {
    return this.#lanes(source)[this.#placeInGroup[destination]];
  }

  /** Gives a pair that has none a lane. */
  open(source: number, destination: number): number {
    if (this.#free === NONE) this.#grow();
    const lane = this.#free;
    this.#free = this.#nextFree[lane];
    this.#lanes(source)[this.#placeInGroup[destination]] = lane;
    return lane;
  }

  /** The pair's last transfer is done. */
  close(lane: number, source: number, destination: number): void {
    this.#lanes(source)[this.#placeInGroup[destination]] = NONE;
    this.#nextFree[lane] = this.#free;
    this.#free = lane;
  }

  #lanes(source: number): Int32Array {
    return (this.#lanesOf[source] ??= new Int32Array(this.#groupSize[this.#groupOf[source]]).fill(NONE));
  }

  #grow(): void {
    const length = this.#nextFree.length;
    const larger = Math.max(64, 2 * length);
    this.#nextFree = grown(this.#nextFree, larger);
    for (let lane = length; lane < larger; lane++) this.#nextFree[lane] = lane + 1 < larger ? lane + 1 : NONE;
    this.#free = length;
  }
}
