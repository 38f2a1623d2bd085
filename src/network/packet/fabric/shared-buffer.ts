/**
 * The buffer that the ports of each switch share (SW-1 … SW-5): what may come in, and whom to stop. It is asked at the arrival of
 * a packet and told when the packet's serialisation at its egress has ended.
 */
export interface SharedBuffer {
  /** Whether PFC keeps a class from losing packets: then no egress limit holds for it. */
  isLossless(packetClass: number): boolean;
  /** Free bytes of the pool of a class at a switch. */
  freeBytes(node: number, packetClass: number): number;
  /** Bytes charged to an ingress port and class now, headroom among them. */
  heldBytes(ingress: number, packetClass: number): number;
  /**
   * Charges a packet that came in by `ingress`, unless there is no room for it. May stop the peer.
   * @returns whether there is room
   */
  admit(ingress: number, packetClass: number, bytes: number): boolean;
  /** Takes back the charge. May let the peer go on. */
  release(ingress: number, packetClass: number, bytes: number): void;
}

/** Sends a PFC frame to the other end of a port's link. */
export type SendPfc = (port: number, packetClass: number, stop: boolean) => void;
