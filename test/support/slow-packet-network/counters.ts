import { PACKET_KINDS, type PacketKind } from './packet.js';

/** What a port counted; pairs are by class, data and control. */
export class PortCounters {
  readonly packetsSent = [0, 0];
  readonly bytesSent = [0, 0];
  readonly packetsReceived = [0, 0];
  readonly bytesReceived = [0, 0];
  /** Packets over the limit of this egress. */
  readonly egressDrops = [0, 0];
  /** Packets that came in here and found no room in the pool. */
  readonly ingressDrops = [0, 0];
  /** Packets that came in here while this port had paused its peer, over the headroom. */
  readonly headroomDrops = [0, 0];
  /** Packets lost on the link on their way to this port. */
  readonly lossDrops = [0, 0];
  trims = 0;
  marks = 0;
  readonly xoffSent = [0, 0];
  readonly xonSent = [0, 0];
  readonly xoffReceived = [0, 0];
  readonly xonReceived = [0, 0];
  readonly pausedPs = [0, 0];
  readonly peakQueueBytes = [0, 0];
  readonly peakHeadroomBytes = [0, 0];
}

export class HostCounters {
  readonly sent = countsOfKinds();
  readonly received = countsOfKinds();
  retransmissions = 0;
  timeouts = 0;
  duplicates = 0;
  outOfOrder = 0;
}

function countsOfKinds(): Record<PacketKind, number> {
  return Object.fromEntries(PACKET_KINDS.map((kind) => [kind, 0])) as Record<PacketKind, number>;
}
