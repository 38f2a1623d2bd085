import { finding } from '../../../base/catalogue.js';
import { counted } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { hostsOf, type Topology } from '../../topology/topology.js';
import { dataWireBytes, wireBytes } from './frame-sizes.js';
import type { PacketSettings } from './packet-settings.js';

/**
 * Says where what is left of trimmed packets can fill the links of a host: all other hosts send to it without congestion control, and a
 * trimmed packet, which goes ahead of data, is sent again as soon as its NACK is there. Nothing else then gets through.
 */
export function trimmingFindings(topology: Topology, settings: PacketSettings): Finding[] {
  const { nscc, switches, frames } = settings;
  if (!switches.trimming || nscc.enabled) return [];
  const gbps = new Float64Array(topology.nodes.length); // [nodes] of all links of a host
  for (const link of topology.links) {
    gbps[link.a] += link.gbps;
    gbps[link.b] += link.gbps;
  }
  const hosts = hostsOf(topology);
  const all = hosts.reduce((sum, host) => sum + gbps[host], 0);
  const share = wireBytes(frames, frames.trimmedBytes) / dataWireBytes(frames, frames.mssBytes);
  const filled = hosts.filter((host) => (all - gbps[host]) * share >= gbps[host]);
  if (filled.length === 0) return [];
  const [first] = filled;
  const others = filled.length > 1 ? ` and for ${counted(filled.length - 1, 'other')}` : '';
  const rate = ((all - gbps[first]) * share).toFixed(1);
  const message = `trimmed packets for ${topology.nodes[first].name}${others} can come at ${rate} Gbit/s, its links take ${gbps[first]}: no data would get through`;
  return [finding('TRIMMING_UNCONTROLLED', message)];
}
