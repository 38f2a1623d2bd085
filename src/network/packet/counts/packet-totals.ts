import type { Fabric } from '../fabric/fabric.js';
import type { HostCounters } from '../nic/host-counters.js';
import { PACKET_KINDS, PacketKind } from '../fabric/packet-record.js';

/** What the packets of a run went through, all hosts, switches and links together. */
export interface PacketTotals {
  /** Packets that hosts sent: of data, those that were sent again among them, and of control, PFC frames apart. */
  readonly data: number;
  readonly control: number;
  readonly retransmissions: number;
  readonly timeouts: number;
  /** Packets that were lost on links. */
  readonly lost: number;
  /** Packets that found no room, in switches or in the receive pool of a host. */
  readonly dropped: number;
  readonly trimmed: number;
  /** Data packets that a switch marked. */
  readonly marked: number;
  /** PFC frames that said stop. */
  readonly pauses: number;
  /** Ports and classes that are stopped at the end of the run. */
  readonly lastingPauses: number;
  /** Time for which ports were stopped and went on again, all together, ps. */
  readonly pausedPs: number;
}

export function packetTotals({
  fabric: { counters },
  hostCounters,
}: {
  readonly fabric: Fabric;
  readonly hostCounters: HostCounters;
}): PacketTotals {
  const { packetsSent, retransmissions, timeouts, poolDrops } = hostCounters;
  const data = sum(packetsSent.filter((_, at) => at % PACKET_KINDS === PacketKind.data));
  return {
    data,
    control: sum(packetsSent) - data,
    retransmissions: sum(retransmissions),
    timeouts: sum(timeouts),
    lost: sum(counters.losses),
    dropped: sum(counters.egressDrops) + sum(counters.ingressDrops) + sum(poolDrops),
    trimmed: sum(counters.trims),
    marked: sum(counters.marks),
    pauses: sum(counters.xoffsSent),
    lastingPauses: counters.pausedSincePs.filter((sincePs) => sincePs >= 0).length,
    pausedPs: sum(counters.pausedPs),
  };
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0);
}
