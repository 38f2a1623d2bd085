import {
  ATTEMPT,
  ENTROPY,
  KIND,
  PACKET_INTEGERS,
  PACKET_KINDS,
  PacketKind,
  PSN,
  SOURCE,
} from '../../src/network/packet/fabric/packet-record.js';
import type { Kernel } from '../../src/kernel/kernel.js';
import { checkInvariants } from '../../src/network/packet/checks/invariants.js';
import type { PacketNetwork } from '../../src/network/packet/packet-network.js';
import type { NicKind } from '../../src/network/packet/settings/packet-settings.js';
import type { Topology } from '../../src/network/topology/topology.js';
import { runPackets, type PacketPost, type PacketRun, type PacketTimes } from './packet-runs.js';
import { defaultSettings, type SettingsOverrides } from './slow-packet-network/default-settings.js';
import { range, topologyOf } from './slow-packet-network/small-topologies.js';

/** A data packet that starts at its host. */
export interface StartedPacket {
  readonly timePs: number;
  readonly source: number;
  readonly psn: number;
  readonly attempt: number;
  readonly entropy: number;
  /** Of all ports. */
  readonly port: number;
}

export interface SelectiveRun extends PacketRun {
  readonly started: readonly StartedPacket[];
  /** When probes were put into the queue of their port, ps. */
  readonly probesPs: readonly number[];
}

/** Runs transfers with the defaults of a kind of NIC to the end, where the invariants must hold. */
export function runSelective(
  nic: NicKind,
  topology: Topology,
  posts: readonly PacketPost[],
  overrides: SettingsOverrides = {},
): SelectiveRun {
  const settings = defaultSettings(nic, topology, overrides);
  const started: StartedPacket[] = [];
  const probesPs: number[] = [];
  const run = runPackets(topology, settings, posts, ({ network, kernel }) => {
    recordData(network, started);
    recordProbes(network, kernel, probesPs);
  });
  checkInvariants(run.network);
  return { ...run, started, probesPs };
}

/** The same for MRC. */
export function runMrc(
  topology: Topology,
  posts: readonly PacketPost[],
  overrides: SettingsOverrides = {},
): SelectiveRun {
  return runSelective('mrc', topology, posts, overrides);
}

/** Times in ns. */
export function timesNs({ times }: PacketRun): number[][] {
  return times.map(({ sent, received, acked }: PacketTimes) => [sent / 1000, received / 1000, acked / 1000]);
}

export function sumOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0);
}

/** Packets of a kind that a host has sent. */
export function sentOf({ hostCounters }: PacketNetwork, host: number, kind: keyof typeof PacketKind): number {
  return hostCounters.packetsSent[host * PACKET_KINDS + PacketKind[kind]];
}

/** Hosts each with a link to every plane's switch; plane p is the p-th port of a host. */
export function planes(hosts: number, count: number, lossOfLast = 0): Topology {
  const pairs = range(count).flatMap((plane) => range(hosts).map((host) => [host, hosts + plane] as const));
  const topology = topologyOf(hosts, count, pairs);
  const links = topology.links.map((link) => ({
    ...link,
    plane: link.b - hosts,
    loss: link.b === hosts + count - 1 ? lossOfLast : 0,
  }));
  return { ...topology, links };
}

function recordProbes({ nic }: PacketNetwork, kernel: Kernel, probesPs: number[]): void {
  const send = nic.send.bind(nic);
  nic.send = (slot, port) => {
    probesPs.push(kernel.now);
    send(slot, port);
  };
}

function recordData({ nic }: PacketNetwork, started: StartedPacket[]): void {
  const { transport, packets } = nic;
  nic.transport = {
    post: (transfer, source, destination, bytes, now) => {
      transport.post(transfer, source, destination, bytes, now);
    },
    nextPort: (context) => transport.nextPort(context),
    nextPayload: (context) => transport.nextPayload(context),
    departed: (slot, now) => {
      transport.departed(slot, now);
    },
    consume: (slot, port, now) => {
      transport.consume(slot, port, now);
    },
    build: (context, port, timePs) => {
      const slot = transport.build(context, port, timePs);
      const at = slot * PACKET_INTEGERS;
      const { integers } = packets;
      if (slot >= 0 && integers[at + KIND] === PacketKind.data) {
        started.push({
          timePs,
          source: integers[at + SOURCE],
          psn: integers[at + PSN],
          attempt: integers[at + ATTEMPT],
          entropy: integers[at + ENTROPY],
          port,
        });
      }
      return slot;
    },
  };
}
