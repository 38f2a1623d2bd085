import type { Phase } from '../collective-plan.js';

/**
 * How a collective of the system layer becomes transfers, for every member. A run of a phase is one chunk in one phase, numbered
 * `chunk × phases + place`. Plain data: it crosses worker threads.
 */
export interface PhasedScript {
  readonly kind: 'phased';
  readonly name: string;
  /** [positions] rank of each member, in the order of its group. */
  readonly ranks: Int32Array;
  /** Orders of phases, as a rule one; all equally long. */
  readonly orders: readonly (readonly Phase[])[];
  /** [chunks] which order each chunk takes; the first where absent. */
  readonly orderOf?: Uint16Array;
  readonly chunks: number;
  readonly chunkBytes: number;
  /** [runs] in the order in which they start. */
  readonly starts: Int32Array;
  /** [runs] run whose end makes room for it in its queue, −1 where there is room. */
  readonly after: Int32Array;
  /** [runs] 1 where rings turn anticlockwise. */
  readonly anticlockwise: Uint8Array;
  /** [runs] 1 where the root of the tree is the last position, 0 where it is the first. */
  readonly rootMax: Uint8Array;
}

/** The transfers of one position of a custom collective, in the order of their node ids. */
export interface CustomPosition {
  readonly send: Uint8Array; // [transfers] 1 for a send, 0 for a receive
  readonly peer: Int32Array; // [transfers] position at the other end
  readonly bytes: Float64Array; // [transfers]
  readonly index: Int32Array; // [transfers] equal at both ends, and unique for a sender and a receiver
  readonly dependencies: readonly (readonly number[])[]; // [transfers] transfers that come before, each with a lower number
}

/** The same of a collective that traces describe. */
export interface CustomScript {
  readonly kind: 'custom';
  readonly name: string;
  readonly positions: readonly CustomPosition[];
  /** One more than the largest index. */
  readonly indexCount: number;
}

export type CollectiveScript = PhasedScript | CustomScript;

/** Phases that the chunks of a collective go through. */
export type PhaseOrders = Pick<PhasedScript, 'orders' | 'orderOf'>;

/** Number of the order that a chunk takes. */
export function orderNumber({ orderOf }: PhaseOrders, chunk: number): number {
  return orderOf === undefined ? 0 : orderOf[chunk];
}
