import { grouped } from '../../base/counts.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { HeldUp, Network, NetworkFactory, TransferListener } from '../network.js';
import { hostsOf } from '../topology/topology.js';
import { bufferKind, sharedBuffer } from './buffers/buffer-choice.js';
import { areConnected } from './connected-hosts.js';
import { Fabric } from './fabric.js';
import { heldUp } from './held-up.js';
import { HostCounters } from './host-counters.js';
import type { IntervalStats } from './interval-stats.js';
import { checkInvariants } from './invariants.js';
import { MrcTransport } from './mrc/mrc-transport.js';
import { Nic } from './nic.js';
import { MOST_PACKETS, transferTooLarge } from './packet-limit.js';
import { CheckedBuffer, CheckedHosts, CheckedTransfers } from './checked-run.js';
import type { PacketNetworkSpec } from './packet-settings.js';
import { RoceTransport } from './roce/roce-transport.js';
import type { Transport } from './transport.js';
import { UetTransport } from './uet/uet-transport.js';

/** What each kind of NIC speaks. */
const TRANSPORTS = {
  roce: RoceTransport,
  uet: UetTransport,
  mrc: MrcTransport,
};

export interface PacketNetworkOptions {
  /** [ranks] node id of the host of each rank. Default: rank r on the r-th host. */
  readonly hosts?: Int32Array;
  /** Told of the network when it is built. */
  readonly onBuilt?: (network: PacketNetwork) => void;
  /** Counts at every multiple of an interval, where they are asked for; of one run. */
  readonly stats?: IntervalStats | undefined;
}

/** A network that simulates packets: links, switches and NICs of a topology (network-models sections 1 to 9). */
export function packetNetwork(spec: PacketNetworkSpec, options: PacketNetworkOptions = {}): NetworkFactory {
  return (_rankCount, kernel, listener) => {
    const hosts = options.hosts ?? Int32Array.from(hostsOf(spec.topology));
    const network = new PacketNetwork(spec, hosts, kernel, listener, options.stats);
    options.onBuilt?.(network);
    return network;
  };
}

export class PacketNetwork implements Network {
  readonly name: string;
  readonly linkBytesPerNs: number;
  readonly hasRoute?: NonNullable<Network['hasRoute']>;
  readonly fabric: Fabric;
  readonly nic: Nic;
  readonly hostCounters: HostCounters;
  /** Where invariants are checked. */
  readonly transfers: CheckedTransfers | undefined;
  readonly #hostOf: Int32Array; // [ranks]
  readonly #transport: Transport;
  readonly #stats: IntervalStats | undefined;
  readonly #mssBytes: number;
  readonly #mostBytes: number;

  constructor(
    spec: PacketNetworkSpec,
    hostOf: Int32Array,
    kernel: Kernel,
    listener: TransferListener,
    stats?: IntervalStats,
  ) {
    this.name = `packet ${spec.settings.nic}`;
    const kind = bufferKind(spec);
    this.fabric = new Fabric(spec, kernel, kind !== undefined);
    if (kind !== undefined) this.fabric.buffer = sharedBuffer(kind, this.fabric);
    const { check, frames } = spec.settings;
    this.#mssBytes = frames.mssBytes;
    this.#mostBytes = MOST_PACKETS * frames.mssBytes;
    if (check) this.transfers = new CheckedTransfers(listener, frames.mssBytes);
    this.hostCounters = new HostCounters(spec.topology.nodes.length);
    this.nic = new Nic(this.fabric, kernel, this.hostCounters);
    this.#hostOf = hostOf;
    const NicTransport = TRANSPORTS[spec.settings.nic];
    this.#transport = new NicTransport(this.nic, kernel, this.transfers ?? listener, this.hostCounters);
    this.nic.transport = this.#transport;
    this.#stats = stats;
    stats?.watch(this.fabric, this.hostCounters, kernel);
    if (check) this.#watch();
    if (!areConnected(spec, hostOf)) {
      this.hasRoute = (source, destination) =>
        this.fabric.routes.hops(hostOf[source], hostOf[destination]) !== undefined;
    }
    const { numbers } = this.fabric;
    let fastestGbps = 0;
    for (const host of hostOf) {
      for (let port = numbers.first[host]; port < numbers.first[host + 1]; port++) {
        fastestGbps = Math.max(fastestGbps, this.fabric.gbpsOf(port));
      }
    }
    this.linkBytesPerNs = fastestGbps / 8;
  }

  /** @throws PrepError `TRANSFER_TOO_LARGE` for one with more packets than can be numbered */
  post(transfer: number, source: number, destination: number, bytes: number, nowPs: number): void {
    if (bytes > this.#mostBytes) {
      throw transferTooLarge(`rank ${source} sends ${grouped(bytes)} B to rank ${destination}`, bytes, this.#mssBytes);
    }
    this.#stats?.wake();
    this.transfers?.post(transfer, bytes);
    this.#transport.post(transfer, this.#hostOf[source], this.#hostOf[destination], bytes, nowPs);
  }

  heldUpBy(nowPs: number): HeldUp[] {
    return heldUp(this.fabric, nowPs);
  }

  /** Nothing where invariants are not checked. */
  verify(): void {
    if (this.transfers !== undefined) checkInvariants(this);
  }

  #watch(): void {
    const { fabric } = this;
    fabric.hosts = new CheckedHosts(this.nic, fabric);
    if (fabric.buffer !== undefined) fabric.buffer = new CheckedBuffer(fabric.buffer);
  }
}
