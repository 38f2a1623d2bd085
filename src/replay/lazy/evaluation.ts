import type { CollectiveShape } from '../../collectives/algorithm.js';
import type { ContentionFree } from '../../network/network.js';
import type { LazyAccount } from './lazy-account.js';

/** Evaluates one collective from the times its members enter; no transfer of it takes an event. */
export interface Evaluation {
  /** The member at `position` enters at `timePs`. Every member whose exit this makes known leaves. */
  enter(position: number, timePs: number): void;
  /** At the end of the run: counts what the members that have entered did without the others. */
  stop(): void;
}

/** What an evaluation works with. */
export interface EvaluationContext {
  readonly shape: CollectiveShape;
  /** Rank of each position. */
  readonly ranks: readonly number[];
  readonly times: ContentionFree;
  readonly account: LazyAccount;
  /** Told once for every position: when all its sends and receives have finished, ps. */
  readonly leave: (position: number, timePs: number) => void;
}
