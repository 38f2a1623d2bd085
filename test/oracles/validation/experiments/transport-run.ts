import { checkInvariants } from '../../../../src/network/packet/checks/invariants.js';
import { packetSettings } from '../../../../src/network/packet/settings/default-settings.js';
import { PACKET_KINDS, type PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import type { NicKind } from '../../../../src/network/packet/settings/packet-settings.js';
import type { StatedSettings } from '../../../../src/network/packet/settings/stated-settings.js';
import type { Topology } from '../../../../src/network/topology/topology.js';
import { runPackets, total, type PacketPost, type PacketRun } from '../../../support/packet-runs.js';

export const MIB = 1 << 20;
export const NIC_NAMES: Readonly<Record<NicKind, string>> = { roce: 'RoCEv2', uet: 'UET', mrc: 'MRC' };

export interface TransportRun {
  readonly nic: NicKind;
  readonly topology: Topology;
  readonly posts: readonly PacketPost[];
  /** What differs from the defaults. */
  readonly stated?: StatedSettings;
  readonly seed?: number;
  readonly fold?: boolean;
  /** Ends a run before its transfers do, ps. */
  readonly stopPs?: number;
  readonly prepare?: (run: PacketRun) => void;
}

/** Runs transfers with the defaults of the product and asserts the invariants of section 9 where the run comes to its end. */
export function runTransport(wanted: TransportRun): PacketRun {
  const { nic, topology, posts, stated = {}, seed = 1, fold = true, stopPs, prepare } = wanted;
  const { settings } = packetSettings(topology, { nic, seed, stated, fold, check: stopPs === undefined });
  const run = runPackets(topology, settings, posts, prepare, stopPs);
  if (stopPs === undefined) checkInvariants(run.network);
  return run;
}

export function post(source: number, destination: number, bytes = MIB): PacketPost {
  return { source, destination, bytes };
}

/** Messages of hosts 1 … n to host 0, all at 0. */
export function incastOf(senders: number, bytes = MIB): PacketPost[] {
  return Array.from({ length: senders }, (_, n) => post(n + 1, 0, bytes));
}

export function microseconds(ps: number): number {
  return ps / 1e6;
}

export function receivedUs({ times }: PacketRun): number[] {
  return times.map(({ received }) => microseconds(received));
}

export function acknowledgedUs({ times }: PacketRun): number[] {
  return times.map(({ acked }) => microseconds(acked));
}

/** Data packets that found no room, in a queue or in headroom. */
export function dropsOf({ network: { fabric } }: PacketRun): number {
  return total(fabric.counters.egressDrops) + total(fabric.counters.ingressDrops);
}

/** A counter by class, at the port of the switch that leads to each host: of data. */
export function atHosts({ network: { fabric } }: PacketRun, counter: Float64Array, hosts: readonly number[]): number[] {
  const { numbers } = fabric;
  return hosts.map((host) => counter[2 * numbers.peerOf[numbers.first[host]]]);
}

/** Packets of a kind that a host got. */
export function gotBy(
  { network }: PacketRun,
  host: number,
  kind: (typeof PacketKind)[keyof typeof PacketKind],
): number {
  return network.hostCounters.packetsReceived[host * PACKET_KINDS + kind];
}
