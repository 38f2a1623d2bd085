/** The NICs, as the fabric sees them. */
export interface HostSide {
  /** The frame that a host port was sending has been sent, now. */
  ended(port: number): void;
  /** Something may be started at a host port that could not be before. */
  wants(port: number): void;
  /** A packet has arrived at its destination by one of its ports; its slot is the host's. */
  consume(slot: number, port: number): void;
}
