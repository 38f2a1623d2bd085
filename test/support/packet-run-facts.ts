import type { PacketNetwork } from '../../src/network/packet/packet-network.js';
import { PACKET_KINDS, PacketKind } from '../../src/network/packet/fabric/packet-record.js';
import { BYTES_SENT, PACKETS_SENT, PEAK, PORT_DOUBLES } from '../../src/network/packet/fabric/port-record.js';
import type { EngineRun, TransferTimes } from './packet-engine-run.js';
import type { HostCounters } from './slow-packet-network/counters.js';
import type { SlowPacketNetwork } from './slow-packet-network/slow-packet-network.js';

/** What a run of a packet network counted, as the engine and its slow twin both tell it. Pairs are by class. */
export interface PacketRunFacts {
  /** By transfer. */
  readonly times: Readonly<Record<number, TransferTimes>>;
  /** By port id. */
  readonly ports: readonly PortFacts[];
  /** By node id. */
  readonly hosts: Readonly<Record<number, HostFacts>>;
}

interface PortFacts {
  readonly frames: number;
  readonly bytes: number;
  readonly egressDrops: readonly number[];
  readonly headroomDrops: readonly number[];
  readonly losses: number;
  readonly trims: number;
  readonly marks: number;
  readonly xoffsSent: readonly number[];
  readonly xonsSent: readonly number[];
  readonly xoffsReceived: readonly number[];
  readonly xonsReceived: readonly number[];
  readonly pausedPs: readonly number[];
  readonly peakQueueBytes: readonly number[];
  readonly peakHeadroomBytes: readonly number[];
}

interface HostFacts {
  /** By kind of packet. */
  readonly sent: Readonly<Record<string, number>>;
  readonly received: Readonly<Record<string, number>>;
  readonly retransmissions: number;
  readonly timeouts: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
  readonly poolDrops: number;
  readonly peakPoolBytes: number;
}

/** Facts of a run that has ended. */
export function engineFacts({ times, network }: EngineRun): PacketRunFacts {
  const { nodes } = network.fabric.spec.topology;
  const hosts = [...nodes.keys()].filter((node) => nodes[node].kind === 'host');
  return {
    times: Object.fromEntries(times),
    ports: Array.from({ length: network.fabric.numbers.count }, (_, port) => enginePort(network, port)),
    hosts: Object.fromEntries(hosts.map((host) => [host, engineHost(network, host)])),
  };
}

function enginePort({ fabric }: PacketNetwork, port: number): PortFacts {
  const { counters, doubles, spec, numbers } = fabric;
  const pair = (column: Float64Array): number[] => [column[2 * port], column[2 * port + 1]];
  fabric.settle(port);
  const record = port * PORT_DOUBLES;
  const isHost = spec.topology.nodes[numbers.nodeOf[port]].kind === 'host';
  return {
    frames: doubles[record + PACKETS_SENT],
    bytes: doubles[record + BYTES_SENT],
    egressDrops: pair(counters.egressDrops),
    headroomDrops: pair(counters.ingressDrops),
    losses: counters.losses[port],
    trims: counters.trims[port],
    marks: counters.marks[port],
    xoffsSent: pair(counters.xoffsSent),
    xonsSent: pair(counters.xonsSent),
    xoffsReceived: pair(counters.xoffsReceived),
    xonsReceived: pair(counters.xonsReceived),
    pausedPs: pair(counters.pausedPs),
    peakQueueBytes: isHost ? [0, 0] : [doubles[record + PEAK], doubles[record + PEAK + 1]],
    peakHeadroomBytes: pair(counters.peakHeadroomBytes),
  };
}

function engineHost({ hostCounters, nic }: PacketNetwork, host: number): HostFacts {
  const kinds = (column: Float64Array): Record<string, number> =>
    Object.fromEntries(
      Object.entries(PacketKind)
        .filter(([kind]) => kind !== 'pfc')
        .map(([kind, number]) => [kind, column[host * PACKET_KINDS + number]]),
    );
  return {
    sent: kinds(hostCounters.packetsSent),
    received: kinds(hostCounters.packetsReceived),
    retransmissions: hostCounters.retransmissions[host],
    timeouts: hostCounters.timeouts[host],
    duplicates: hostCounters.duplicates[host],
    outOfOrder: hostCounters.outOfOrder[host],
    poolDrops: hostCounters.poolDrops[host],
    peakPoolBytes: nic.hostLink?.peakPoolBytes[host] ?? 0,
  };
}

export function twinFacts(network: SlowPacketNetwork): PacketRunFacts {
  return {
    times: Object.fromEntries(network.times),
    ports: network.ports.map(({ counters }) => ({
      frames: counters.packetsSent[0] + counters.packetsSent[1] + counters.pfcSent,
      bytes: counters.bytesSent[0] + counters.bytesSent[1] + counters.pfcBytesSent,
      egressDrops: counters.egressDrops,
      headroomDrops: counters.headroomDrops,
      losses: counters.lossDrops[0] + counters.lossDrops[1],
      trims: counters.trims,
      marks: counters.marks,
      xoffsSent: counters.xoffSent,
      xonsSent: counters.xonSent,
      xoffsReceived: counters.xoffReceived,
      xonsReceived: counters.xonReceived,
      pausedPs: counters.pausedPs,
      peakQueueBytes: counters.peakQueueBytes,
      peakHeadroomBytes: counters.peakHeadroomBytes,
    })),
    hosts: Object.fromEntries([...network.hosts].map(([node, { counters }]) => [node, twinHost(counters)])),
  };
}

function twinHost(counters: HostCounters): HostFacts {
  const { retransmissions, timeouts, duplicates, outOfOrder, poolDrops, peakPoolBytes } = counters;
  return {
    sent: twinKinds(counters.sent),
    received: twinKinds(counters.received),
    retransmissions,
    timeouts,
    duplicates,
    outOfOrder,
    poolDrops,
    peakPoolBytes,
  };
}

/** NAK and NACK are one kind in the engine. */
function twinKinds({ nak, nack, answer, ...others }: HostCounters['sent']): Record<string, number> {
  return { ...others, nack: nak + nack, probeAnswer: answer };
}
