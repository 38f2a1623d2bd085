import { ClassCount, HostCount, PortCount } from '../../../src/network/packet/interval-counts.js';
import { PacketKind } from '../../../src/network/packet/packet-record.js';
import type { PacketNetworkSpec } from '../../../src/network/packet/packet-settings.js';
import type { PacketKind as SlowKind } from './packet.js';
import { SlowPacketNetwork, type PostedPackets } from './slow-packet-network.js';

/** Behind all else of an instant. */
const RECORD = 5;

const KINDS: Record<SlowKind, number> = {
  data: PacketKind.data,
  trimmed: PacketKind.trimmed,
  ack: PacketKind.ack,
  nak: PacketKind.nack,
  nack: PacketKind.nack,
  cnp: PacketKind.cnp,
  probe: PacketKind.probe,
  answer: PacketKind.probeAnswer,
  credit: PacketKind.credit,
};

/** What the slow network has counted at an instant, by place of the entry that the fast one keeps. */
export interface SlowCounts {
  /** [ports]; PFC frames are not among them. */
  readonly ports: readonly number[][];
  /** [2 × ports] */
  readonly classes: readonly number[][];
  /** By node id, packets that have arrived by kind. */
  readonly received: ReadonlyMap<number, readonly number[]>;
}

/** Counts at the multiples 1 … `most` of an interval. */
export function slowCounts(
  spec: PacketNetworkSpec,
  posts: readonly PostedPackets[],
  intervalPs: number,
  most: number,
): SlowCounts[] {
  const network = new SlowPacketNetwork(spec);
  const counts: SlowCounts[] = [];
  for (const post of posts) network.postAt(post);
  for (let k = 1; k <= most; k++) {
    network.events.at(k * intervalPs, RECORD, 0, () => counts.push(countsOf(network)));
  }
  network.run();
  return counts;
}

function countsOf({ ports, hosts }: SlowPacketNetwork): SlowCounts {
  return {
    ports: ports.map(({ counters }) => {
      const row: number[] = [];
      row[PortCount.packetsSent] = sum(counters.packetsSent);
      row[PortCount.packetsReceived] = sum(counters.packetsReceived);
      row[PortCount.bytesSent] = sum(counters.bytesSent);
      row[PortCount.bytesReceived] = sum(counters.bytesReceived);
      row[PortCount.sendDrops] = sum(counters.egressDrops);
      row[PortCount.receiveDrops] = sum([...counters.headroomDrops, ...counters.lossDrops]);
      return row;
    }),
    classes: ports.flatMap(({ counters, pausedSince }) =>
      [0, 1].map((packetClass) => {
        const row: number[] = [];
        row[ClassCount.xoffsSent] = counters.xoffSent[packetClass];
        row[ClassCount.xonsSent] = counters.xonSent[packetClass];
        row[ClassCount.xoffsReceived] = counters.xoffReceived[packetClass];
        row[ClassCount.xonsReceived] = counters.xonReceived[packetClass];
        row[ClassCount.pausedPs] = counters.pausedPs[packetClass];
        row[ClassCount.pausedSincePs] = pausedSince[packetClass] ?? 0;
        row[ClassCount.marks] = packetClass === 0 ? counters.marks : 0;
        return row;
      }),
    ),
    received: new Map(
      [...hosts].map(([node, { counters }]) => {
        const row = new Array<number>(HostCount.packetsReceived).fill(0);
        for (const [kind, place] of Object.entries(KINDS)) row[place] += counters.received[kind as SlowKind];
        return [node, row];
      }),
    ),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
