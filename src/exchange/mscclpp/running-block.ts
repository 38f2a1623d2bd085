import type { LooseStep } from '../msccl/loose-steps.js';
import type { PlanChannel } from './plan.js';
import type { PlanAction } from './unroll.js';

/** A thread block under way. */
export interface RunningBlock {
  readonly index: number;
  readonly rank: number;
  readonly id: number;
  readonly actions: readonly PlanAction[];
  readonly local: LooseStep[];
  next: number;
  /** [thread blocks of all gpus] ops of each that are known to be done; its own too. */
  readonly clock: Int32Array;
  /** Steps that the next one waits for. */
  frontier: readonly LooseStep[];
  /** The frontier behind each op. */
  readonly frontiers: (readonly LooseStep[])[];
  /** Puts through ports that no flush has waited for. */
  outstanding: { readonly step: LooseStep; readonly key: string }[];
  /** Far ends of its gpu's sends that it has waited for. */
  readonly awaited: Set<FarEnd>;
}

/** Where another gpu has the bytes of a send that nothing on its own gpu waited for. */
export interface FarEnd {
  readonly step: LooseStep;
  readonly block: number;
  readonly op: number;
}

/** Name of a channel in the direction of its signals. */
export function channelKey({ type, place }: PlanChannel, from: number, to: number): string {
  return `${type} channel ${place} from gpu ${from} to gpu ${to}`;
}
