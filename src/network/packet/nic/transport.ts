/**
 * A transport: what the NICs of all hosts do with transfers (sections 6 to 8). It makes packets when a port takes them, and
 * gets those that arrive. Whoever can send is a context, a number of the transport: a queue pair, a group of contexts to one
 * destination, a multipath queue pair.
 */
export interface Transport {
  /** A transfer between two different hosts. */
  post(transfer: number, source: number, destination: number, bytes: number, nowPs: number): void;
  /**
   * The next packet of a context, which starts now at `port`; −1 where it has none or must wait. Then it has left the ring, and
   * whoever lets it go on joins it again.
   */
  build(context: number, port: number, nowPs: number): number;
  /** Port that the next packet of a context takes; −1 where it has nothing to send or to send again, be it that it must wait. */
  nextPort(context: number): number;
  /** Bytes of payload of that packet, which the host link fetches ahead (NIC-4); the context has one. */
  nextPayload(context: number): number;
  /** The serialisation of a data packet or probe has ended at its host, now. Its record is still whole. */
  departed(slot: number, nowPs: number): void;
  /** A packet arrives at its destination by `port`; the slot has to be released or sent on. */
  consume(slot: number, port: number, nowPs: number): void;
}
