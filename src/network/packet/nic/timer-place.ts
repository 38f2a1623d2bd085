/**
 * Timers of a host at one instant come by what they are for, then in the order in which they were set. What is put off again
 * and again is looked at lazily, so its order of setting is not at hand: each such kind has a place of its own.
 */
export const TimerPlace = {
  /** Retransmission: by doublings of the timeout, 0 … 5; what left first is first. */
  timeout: 0,
  /** Held acknowledgments (RC-4). */
  hold: 6,
  /** Gaps between packets (RC-7). */
  pace: 7,
  /** Probes of entropy values (MR-4). */
  probe: 8,
  /** All others: first packets, replies, credit, what has been fetched. */
  other: 9,
} as const;
const PLACES = 10;

/** The entity of a timer of a host, by its node id. */
export function timerEntity(host: number, place: number): number {
  return PLACES * host + place;
}
