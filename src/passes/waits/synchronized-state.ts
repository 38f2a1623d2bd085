import type { CollectivePairing } from '../../collectives/build-plan.js';
import type { WaitSurvey } from './wait-survey.js';

/** A member's passage through a barrier that `sync` would add before an expanded collective. */
export interface BarrierToAdd {
  /** Place of the rank. */
  readonly at: number;
  readonly instance: number;
  readonly position: number;
  /** Place of the collective's exit in the skeleton. */
  readonly exit: number;
  /** Places of the transfers that would wait for the barrier. */
  readonly first: readonly number[];
}

/** What passes have done to the collectives of a plan, and where in the skeletons they stand. */
export class SynchronizedState {
  /** [instances] 1 where a member has the collective as one node, which was not expanded. */
  readonly isRaw: Uint8Array;
  readonly #surveys: readonly WaitSurvey[];
  readonly #plan: CollectivePairing;
  // Of the rank asked for last: place of each node of the trace, and of each place its entry among the begins; −1 for none.
  #rank = -1;
  #placeOf = new Int32Array(0);
  #beginOf = new Map<number, number>();

  constructor(surveys: readonly WaitSurvey[], plan: CollectivePairing) {
    this.#surveys = surveys;
    this.#plan = plan;
    this.isRaw = new Uint8Array(plan.instances.length);
    for (const { instance, expanded } of plan.ranks) {
      for (let entry = 0; entry < instance.length; entry++) {
        if (expanded[entry] === 0) this.isRaw[instance[entry]] = 1;
      }
    }
  }

  /** Place of a node of a rank in its skeleton, −1 where it is left out. Ranks are to be asked about one after another. */
  placeOf(at: number, node: number): number {
    this.#lookAt(at);
    return this.#placeOf[node];
  }

  /** Places of what carries the entry of the collective, or the send, at a place. */
  entriesOf(at: number, place: number): readonly number[] {
    this.#lookAt(at);
    const begin = this.#beginOf.get(place);
    if (begin === undefined) return [place];
    const { firstStart, first } = this.#surveys[at].begins;
    const entries = Array.from(first.subarray(firstStart[begin], firstStart[begin + 1]));
    return entries.length === 0 ? [place] : entries;
  }

  /** Passages through barriers before collectives that were expanded and have none; groups of one get none. */
  barriersToAdd(): BarrierToAdd[] {
    const barriers: BarrierToAdd[] = [];
    for (let at = 0; at < this.#surveys.length; at++) {
      const { synced } = this.#surveys[at].begins;
      if (synced.length === 0) continue;
      const { node, instance, position, expanded } = this.#plan.ranks[at];
      for (let entry = 0; entry < node.length; entry++) {
        if (expanded[entry] === 0 || this.#plan.instances[instance[entry]].group.ranks.length === 1) continue;
        const exit = this.placeOf(at, node[entry]);
        const begin = this.#beginOf.get(exit);
        if (begin !== undefined && synced[begin] === 1) continue;
        const first = this.entriesOf(at, exit);
        barriers.push({ at, instance: instance[entry], position: position[entry], exit, first });
      }
    }
    return barriers;
  }

  #lookAt(at: number): void {
    if (this.#rank === at) return;
    this.#rank = at;
    const { skeleton, begins } = this.#surveys[at];
    if (this.#placeOf.length < skeleton.traceLength) this.#placeOf = new Int32Array(skeleton.traceLength);
    this.#placeOf.fill(-1, 0, skeleton.traceLength);
    for (let place = 0; place < skeleton.node.length; place++) this.#placeOf[skeleton.node[place]] = place;
    this.#beginOf = new Map(Array.from(begins.exit, (place, begin) => [place, begin]));
  }
}
