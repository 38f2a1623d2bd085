import type { Kernel } from '../../kernel/kernel.js';
import type { Network, NetworkFactory, TransferListener } from '../network.js';
import { Fabric } from './fabric.js';
import { HostCounters } from './host-counters.js';
import { Nic } from './nic.js';
import type { PacketNetworkSpec } from './packet-settings.js';
import { RoceTransport } from './roce/roce-transport.js';
import type { Transport } from './transport.js';
import { UetTransport } from './uet/uet-transport.js';

/** What each kind of NIC speaks. */
const TRANSPORTS = {
  roce: RoceTransport,
  uet: UetTransport,
};

/**
 * A network that simulates packets: links, switches and NICs of a topology (network-models sections 1 to 9).
 * @param servers [ranks] node id of the host of each rank; rank r on host r where absent
 */
export function packetNetwork(spec: PacketNetworkSpec, servers?: Int32Array): NetworkFactory {
  return (rankCount, kernel, listener) => {
    const hosts = servers ?? Int32Array.from({ length: rankCount }, (_, rank) => rank);
    return new PacketNetwork(spec, hosts, kernel, listener);
  };
}

export class PacketNetwork implements Network {
  readonly name: string;
  readonly linkBytesPerNs: number;
  readonly fabric: Fabric;
  readonly nic: Nic;
  readonly hostCounters: HostCounters;
  readonly #hostOf: Int32Array; // [ranks]
  readonly #transport: Transport;

  constructor(spec: PacketNetworkSpec, hostOf: Int32Array, kernel: Kernel, listener: TransferListener) {
    this.name = `packet ${spec.settings.nic}`;
    this.fabric = new Fabric(spec, kernel, false);
    this.nic = new Nic(this.fabric, kernel);
    this.hostCounters = new HostCounters(spec.topology.nodes.length);
    this.#hostOf = hostOf;
    const NicTransport = TRANSPORTS[spec.settings.nic as keyof typeof TRANSPORTS];
    this.#transport = new NicTransport(this.nic, kernel, listener, this.hostCounters);
    this.nic.transport = this.#transport;
    const { numbers } = this.fabric;
    const gbps = Array.from(hostOf, (host) =>
      Math.max(
        0,
        ...Array.from({ length: numbers.first[host + 1] - numbers.first[host] }, (_, k) =>
          this.fabric.gbpsOf(numbers.first[host] + k),
        ),
      ),
    );
    this.linkBytesPerNs = gbps.reduce((most, rate) => Math.max(most, rate), 0) / 8;
  }

  post(transfer: number, source: number, destination: number, bytes: number, nowPs: number): void {
    this.#transport.post(transfer, this.#hostOf[source], this.#hostOf[destination], bytes, nowPs);
  }
}
