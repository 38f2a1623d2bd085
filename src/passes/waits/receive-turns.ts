import type { RankTrace } from '../../trace/rank-trace.js';
import type { DependencyMode, RankSkeleton } from '../rank-skeleton.js';
import type { TransferEnds } from '../transfer-survey.js';
import { sameDependencies } from './same-dependencies.js';
import { SkeletonOrder } from './skeleton-order.js';

/**
 * When the receives of one key (tag, sender, receiver) can start among each other: as the k-th of them it gets the k-th
 * message to arrive. Lists only those whose turn is not their place among the receives of the key; most traces
 * have none.
 */
export interface ReceiveTurns {
  /** Places in the skeleton. */
  readonly place: Int32Array;
  /** One more than the receives of the key that start before it in every run. */
  readonly earliest: Int32Array;
  /** One more than the receives of the key that start before it in some run. */
  readonly latest: Int32Array;
}

/** Receives of one key up to which every pair is looked at; more of them, where not in sequence, count as unordered. */
const MOST_COMPARED = 2048;

/**
 * Finds out which receives of each key come in sequence: because one depends on the other, or because both wait for the
 * same nodes, become ready in one instant and start in ascending id. What a search of bounded length does not
 * show is taken as open.
 *
 * @param receives of the skeleton
 */
export function receiveTurns(
  trace: RankTrace,
  deps: DependencyMode,
  skeleton: RankSkeleton,
  receives: TransferEnds,
): ReceiveTurns {
  const found = { place: [] as number[], earliest: [] as number[], latest: [] as number[] };
  let order: SkeletonOrder | undefined;
  const { place: entry } = receives;
  const { tag, peer } = skeleton;
  for (let from = 0, to = 0; from < entry.length; from = to) {
    const key = entry[from];
    for (to = from + 1; to < entry.length && tag[entry[to]] === tag[key] && peer[entry[to]] === peer[key];) to++;
    if (to - from === 1) continue;
    const places = entry.slice(from, to).sort();
    order ??= new SkeletonOrder(skeleton);
    const ranking = new KeyRanking(trace, deps, skeleton, order, places);
    if (ranking.isSequence()) continue;
    const { earliest, latest, ordered } = ranking.turns();
    for (let at = 0; at < ordered.length; at++) {
      found.place.push(ordered[at]);
      found.earliest.push(earliest[at]);
      found.latest.push(latest[at]);
    }
  }
  return {
    place: Int32Array.from(found.place),
    earliest: Int32Array.from(found.earliest),
    latest: Int32Array.from(found.latest),
  };
}

/** The receives of one key. */
class KeyRanking {
  constructor(
    readonly trace: RankTrace,
    readonly deps: DependencyMode,
    readonly skeleton: RankSkeleton,
    readonly order: SkeletonOrder,
    /** Ascending. */
    readonly places: Uint32Array,
  ) {}

  /** Whether each starts after the one before it. */
  isSequence(): boolean {
    for (let at = 1; at < this.places.length; at++) {
      const [before, place] = [this.places[at - 1], this.places[at]];
      const tied = this.#smallerId(before, place) && this.#tied(before, place);
      if (!tied && !this.order.comesAfter(place, before)) return false;
    }
    return true;
  }

  /** Turns of all of them, in an order in which none starts before one that it certainly starts after. */
  turns(): { ordered: Uint32Array; earliest: Int32Array; latest: Int32Array } {
    const { ordered, tiedTo } = this.#orderedByTies();
    const count = ordered.length;
    const earliest = new Int32Array(count).fill(1);
    const latest = new Int32Array(count).fill(count);
    if (count > MOST_COMPARED) return { ordered, earliest, latest };
    const at = new Map(Array.from(ordered, (place, index) => [place, index]));
    const words = (count + 31) >> 5;
    const before = new Uint32Array(count * words); // by receive: those certainly before it
    const addAll = (index: number, earlier: number): void => {
      for (let word = 0; word < words; word++) before[index * words + word] |= before[earlier * words + word];
      before[index * words + (earlier >> 5)] |= 1 << (earlier & 31);
    };
    const stops = new Set(ordered);
    for (let index = 0; index < count; index++) {
      for (const earlier of this.order.nearest(ordered[index], stops)) addAll(index, at.get(earlier)!);
      if (tiedTo[index] >= 0) addAll(index, tiedTo[index]);
    }
    for (let index = 0; index < count; index++) {
      for (let word = 0; word < words; word++) {
        for (let bits = before[index * words + word]; bits !== 0; bits &= bits - 1) {
          const earlier = (word << 5) + 31 - Math.clz32(bits & -bits);
          earliest[index]++;
          latest[earlier]--; // the later one cannot come before it
        }
      }
    }
    return { ordered, earliest, latest };
  }

  /**
   * Receives with the same dependencies together and in ascending id, such classes by their first place.
   * `tiedTo` is the index of the one before in the class, −1 for its first.
   */
  #orderedByTies(): { ordered: Uint32Array; tiedTo: Int32Array } {
    const classes: number[][] = [];
    const bySignature = new Map<number, number[][]>();
    for (const place of this.places) {
      const signature = this.#signature(place);
      const like = bySignature.get(signature) ?? [];
      let same = like.find(([first]) => this.#tied(first, place));
      if (same === undefined) {
        classes.push((same = []));
        like.push(same);
        bySignature.set(signature, like);
      }
      same.push(place);
    }
    const ordered = new Uint32Array(this.places.length);
    const tiedTo = new Int32Array(this.places.length);
    let index = 0;
    for (const tied of classes) {
      tied.sort((left, right) => (this.#smallerId(left, right) ? -1 : 1));
      for (let at = 0; at < tied.length; at++, index++) {
        ordered[index] = tied[at];
        tiedTo[index] = at === 0 ? -1 : index - 1;
      }
    }
    return { ordered, tiedTo };
  }

  /** Equal for receives with the same dependencies; few others share it, as it is made of all of them. */
  #signature(place: number): number {
    const node = this.skeleton.node[place];
    const { dataStart, dataTarget, controlStart, controlTarget } = this.trace;
    const data = digest(dataTarget, dataStart[node], dataStart[node + 1], 0x811c9dc5);
    return this.deps === 'data' ? data : digest(controlTarget, controlStart[node], controlStart[node + 1], ~data);
  }

  #tied(left: number, right: number): boolean {
    return sameDependencies(this.trace, this.deps, this.skeleton.node[left], this.skeleton.node[right]);
  }

  #smallerId(left: number, right: number): boolean {
    const { idLow, idHigh } = this.skeleton;
    if (idHigh.length > 0 && idHigh[left] !== idHigh[right]) return idHigh[left] < idHigh[right];
    return idLow[left] < idLow[right];
  }
}

/** FNV-1a over whole numbers. */
function digest(values: Int32Array, from: number, to: number, start: number): number {
  let hash = start;
  for (let at = from; at < to; at++) {
    hash = Math.imul(hash ^ values[at], 0x01000193);
    hash ^= hash >>> 15; // high digits back to the low ones
  }
  return hash;
}
