import { PortNumbers } from '../network/packet/fabric/port-numbers.js';
import type { NicKind } from '../network/packet/settings/packet-settings.js';
import type { PacketFacts } from './run-facts.js';

/** Class of the device at each port of a NIC. */
const NIC_DEVICES: Record<NicKind, string> = { roce: 'RoceNetDevice', uet: 'UetNetDevice', mrc: 'MrcNetDevice' };
const SWITCH_DEVICE = 'SwitchNetDevice';

/** A port of the packet network, as records show it. */
export interface PacketDevice {
  /** Node id and name of its owner. */
  readonly node: number;
  readonly name: string;
  readonly type: 'Nic' | 'Switch';
  readonly tier: number;
  readonly deviceName: string;
  /** Among the ports of its owner, from 0 in the order of the links. */
  readonly index: number;
  /** `ul` towards the spine; a NIC has no other way. */
  readonly direction: 'ul' | 'dl';
  readonly gbps: number;
}

/** [ports] by owner, then by link. */
export function packetDevices({ topology, settings }: Pick<PacketFacts, 'topology' | 'settings'>): PacketDevice[] {
  const { nodes, links } = topology;
  const { first, nodeOf, peerOf, linkOf } = new PortNumbers(topology);
  return Array.from(nodeOf, (node, port) => {
    const { name, tier, kind } = nodes[node];
    const isNic = kind === 'host';
    return {
      node,
      name,
      type: isNic ? 'Nic' : 'Switch',
      tier,
      deviceName: isNic ? NIC_DEVICES[settings.nic] : SWITCH_DEVICE,
      index: port - first[node],
      direction: isNic || nodes[nodeOf[peerOf[port]]].tier < tier ? 'ul' : 'dl',
      gbps: links[linkOf[port]].gbps,
    };
  });
}
