import { finding } from '../../base/catalogue.js';
import { grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { hostsOf, type Topology } from '../topology/topology.js';
import type { FrameSettings, NsccSettings, UetSettings } from './packet-settings.js';

/**
 * Says where an ACK for every so many packets is fewer than the window lets go: its sender then waits for a timer (UE-4). The
 * window starts with what all links of a host send in the base round trip, and congestion makes it smaller than that.
 */
export function sparseAcks(
  topology: Topology,
  { mssBytes }: FrameSettings,
  { ackEvery }: UetSettings,
  { enabled, initialBaseRttPs }: NsccSettings,
): Finding[] {
  if (!enabled || ackEvery === 1) return [];
  const gbps = new Float64Array(topology.nodes.length);
  for (const link of topology.links) {
    gbps[link.a] += link.gbps;
    gbps[link.b] += link.gbps;
  }
  const hosts = hostsOf(topology).filter((host) => gbps[host] > 0);
  if (hosts.length === 0) return [];
  const slowest = hosts.reduce((least, host) => (gbps[host] < gbps[least] ? host : least));
  const packets = Math.floor((gbps[slowest] * initialBaseRttPs) / 8000 / mssBytes);
  if (ackEvery <= packets) return [];
  const window = `the window of ${topology.nodes[slowest].name} starts with ${grouped(packets)} packets`;
  return [finding('ACKS_SPARSE', `AckEvery ${grouped(ackEvery)}: ${window}`)];
}
