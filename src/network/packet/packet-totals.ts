import type { Fabric } from './fabric.js';
import type { HostCounters } from './host-counters.js';
import { PACKET_KINDS, PacketKind } from './packet-record.js';

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
  /** PFC frames that said stop, and the time for which ports were stopped, all together, ps. */
  readonly pauses: number;
  readonly pausedPs: number;
}

/** @param endPs end of the run, up to which a pause counts that lasts */
export function packetTotals(
  { fabric: { counters }, hostCounters }: { readonly fabric: Fabric; readonly hostCounters: HostCounters },
  endPs: number,
): PacketTotals {
  const { packetsSent, retransmissions, timeouts, poolDrops } = hostCounters;
  const data = sum(packetsSent.filter((_, at) => at % PACKET_KINDS === PacketKind.data));
  const lasting = counters.pausedSincePs.map((sincePs) => (sincePs < 0 ? 0 : Math.max(0, endPs - sincePs)));
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
    pausedPs: sum(counters.pausedPs) + sum(lasting),
  };
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0);
}
