import { decimalFraction } from '../network/byte-rate.js';
import { PortNumbers } from '../network/packet/fabric/port-numbers.js';
import type { Placement } from '../replay/placement.js';
import { roundedDecimal } from './number-formats.js';
import { packetDevices } from './packet-devices.js';
import { decimal, integer, text, type Cell, type Column, type Table } from './record.js';
import type { PacketFacts } from './run-facts.js';

const SPEED_DECIMALS = 6;
/** Whole ps. */
const DELAY_DECIMALS = 3;

/** One end of a link, in the order of the columns. */
type End = readonly [
  name: string,
  type: 'Nic' | 'Switch' | 'ScaleUpNpu' | 'ScaleUpSwitch' | 'ScaleUpSpine',
  tier: number,
  subtier: number,
  nodeId: number | null,
  netDevice: string,
  deviceId: number,
];

/**
 * `topology-report`: a row for each link of the packet network, in the order of its topology, and the scale-up fabric as a
 * picture, a row for each cable; in a group first those of the ranks, then those of the subgroups.
 */
export const topologyReport: Table = {
  name: 'topology-report',
  applies: (_outcome, { placement, packet }) => packet !== undefined || placement.groups.length > 0,
  columns: () => [
    ...endColumns(''),
    ...endColumns('peer_'),
    decimal('linkspeed_Gbps', SPEED_DECIMALS),
    decimal('prop_delay_ns', DELAY_DECIMALS),
  ],
  *rows(_outcome, { placement, packet }) {
    if (packet !== undefined) yield* links(packet);
    for (const [index, { bandwidthGbps, cableLatencyPs }] of placement.groups.entries()) {
      const speed = roundedDecimal(decimalFraction(bandwidthGbps), SPEED_DECIMALS);
      for (const [one, other] of cables(placement, index)) yield [...one, ...other, speed, cableLatencyPs] as Cell[];
    }
  },
};

function endColumns(prefix: string): Column[] {
  return [
    text(`${prefix}component_name`),
    text(`${prefix}component_type`),
    integer(`${prefix}tier`),
    integer(`${prefix}subtier`),
    integer(`${prefix}node_id`, ''),
    text(`${prefix}net_device`),
    integer(`${prefix}dev_id`),
  ];
}

function* links(packet: PacketFacts): Iterable<readonly Cell[]> {
  const { topology } = packet;
  const nextPort = new Int32Array(topology.nodes.length); // of each node, whose ports are in the order of the links
  const devices = packetDevices(packet);
  const { first } = new PortNumbers(topology);
  const end = (node: number): End => {
    const { name, type, tier, deviceName, index } = devices[first[node] + nextPort[node]++];
    return [name, type, tier, 0, node, deviceName, index];
  };
  for (const { a, b, gbps, delayPs } of topology.links) {
    yield [...end(a), ...end(b), roundedDecimal(decimalFraction(gbps), SPEED_DECIMALS), delayPs];
  }
}

function cables({ groups, groupOf, subgroupOf, serverOf }: Placement, index: number): [End, End][] {
  const group = groups[index].id;
  const ranks = serverOf.map((_, rank) => rank).filter((rank) => groupOf[rank] === index);
  const subgroups = [...new Set(ranks.map((rank) => subgroupOf[rank]))].sort((a, b) => a - b);
  const ports = new Map<number, number>(); // used so far on the switch of each subgroup
  const switchPort = (subgroup: number): End => {
    const port = ports.get(subgroup) ?? 0;
    ports.set(subgroup, port + 1);
    return [`ScaleUpSwitch-${group}-${subgroup}`, 'ScaleUpSwitch', 2, 0, null, 'ScaleUpPort', port];
  };
  const toRanks = ranks.map((rank): [End, End] => [
    [`ScaleUpNpu-${rank}`, 'ScaleUpNpu', 3, 0, serverOf[rank].node, 'ChakraScaleUpNetDevice', 0],
    switchPort(subgroupOf[rank]),
  ]);
  if (subgroups.length < 2) return toRanks;
  const toSpine = subgroups.map((subgroup, port): [End, End] => [
    switchPort(subgroup),
    [`ScaleUpSpine-${group}`, 'ScaleUpSpine', 0, 0, null, 'ScaleUpPort', port],
  ]);
  return [...toRanks, ...toSpine];
}
