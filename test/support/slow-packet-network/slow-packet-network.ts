import type { PacketNetworkSpec } from '../../../src/network/packet/packet-settings.js';
import { hostsOf } from '../../../src/network/topology/topology.js';
import { HostCounters, type PortCounters } from './counters.js';
import { Events, POST } from './events.js';
import { Mrc } from './mrc.js';
import { portsOf, type Port } from './ports.js';
import { Roce, type Callbacks } from './roce.js';
import { Routes } from './routes.js';
import { SlowHost } from './slow-host.js';
import { SlowSwitch } from './slow-switch.js';
import { OpenPairs, Uet } from './uet.js';
import { Wires } from './wires.js';

export interface PostedPackets {
  readonly transfer: number;
  /** Node ids of hosts. */
  readonly source: number;
  readonly destination: number;
  readonly bytes: number;
  readonly atPs: number;
}

/** NaN for what has not happened. */
export interface PacketTimes {
  sent: number;
  received: number;
  acknowledged: number;
}

/** Told of each of them at its time; may post. */
export interface PacketListener {
  sent?(transfer: number, timePs: number): void;
  received?(transfer: number, timePs: number): void;
  acknowledged?(transfer: number, timePs: number): void;
}

/**
 * The packet network as network-models reads, an event for everything and an object for every packet. It is the oracle
 * of the fast one: slow, and without any shortcut.
 */
export class SlowPacketNetwork {
  readonly events = new Events();
  readonly ports: readonly Port[];
  /** By transfer. */
  readonly times = new Map<number, PacketTimes>();
  /** By node id. */
  readonly hosts = new Map<number, SlowHost>();
  readonly #switches: SlowSwitch[] = [];

  constructor({ topology, settings }: PacketNetworkSpec, listener: PacketListener = {}) {
    if (settings.hosts.hostLink !== undefined || settings.uet.receiverCredit) {
      throw new Error('host links (NIC-4) and receiver credit (RCCC) are outside of this oracle');
    }
    const wires = new Wires(topology, settings, this.events);
    this.ports = portsOf(topology);
    const routes = new Routes(topology, this.ports, settings.routing.hostsForward);
    const callbacks = this.#callbacks(listener);
    const pairs = new OpenPairs();
    const hosts = new Set(hostsOf(topology));
    const nicGbps = Math.max(...this.ports.filter(({ node }) => hosts.has(node)).map(({ gbps }) => gbps));
    for (const node of topology.nodes.keys()) {
      const ports = this.ports.filter((port) => port.node === node);
      if (!hosts.has(node)) {
        const made = new SlowSwitch(wires, routes, node, ports, nicGbps);
        this.#switches.push(made);
        wires.nodes.push(made);
        continue;
      }
      const host = new SlowHost(wires, routes, node, new HostCounters(), ports);
      if (settings.nic === 'roce') host.transport = new Roce(host, callbacks);
      else if (settings.nic === 'uet') host.transport = new Uet(host, callbacks, pairs);
      else host.transport = new Mrc(host, callbacks);
      this.hosts.set(node, host);
      wires.nodes.push(host);
    }
  }

  /** Posts now: before the run, or when the listener is told of something. */
  post(transfer: number, source: number, destination: number, bytes: number): void {
    if (source === destination || this.times.has(transfer)) throw new Error(`transfer ${transfer} cannot be posted`);
    this.times.set(transfer, { sent: NaN, received: NaN, acknowledged: NaN });
    this.hosts.get(source)!.transport.post(transfer, destination, bytes);
  }

  postAt({ transfer, source, destination, bytes, atPs }: PostedPackets): void {
    this.events.at(atPs, POST, source, () => this.post(transfer, source, destination, bytes));
  }

  /** @returns whether nothing is left to happen; false when that would take more events */
  run(mostEvents = 20_000_000): boolean {
    return this.events.run(mostEvents);
  }

  /** Counter of all ports, over both classes. */
  total(
    counter:
      'egressDrops' | 'ingressDrops' | 'headroomDrops' | 'lossDrops' | 'xoffSent' | 'xonSent' | 'trims' | 'marks',
  ): number {
    return this.ports.reduce((sum, { counters }) => sum + [counters[counter]].flat().reduce((a, b) => a + b), 0);
  }

  portBetween(node: number, peer: number): PortCounters {
    return this.ports.find((port) => port.node === node && port.peer.node === peer)!.counters;
  }

  /** Counters of switches and ports that are not zero though nothing is under way. */
  leftovers(): string[] {
    return this.#switches.flatMap((each) => each.leftovers());
  }

  #callbacks(listener: PacketListener): Callbacks {
    const tell =
      (what: keyof PacketTimes) =>
      (transfer: number): void => {
        const times = this.times.get(transfer)!;
        if (!Number.isNaN(times[what])) throw new Error(`transfer ${transfer} is ${what} twice`);
        times[what] = this.events.now;
        listener[what]?.(transfer, this.events.now);
      };
    return { sent: tell('sent'), received: tell('received'), acknowledged: tell('acknowledged') };
  }
}

/** A run of posts that are known beforehand. */
export function runSlowPackets(spec: PacketNetworkSpec, posts: readonly PostedPackets[]): SlowPacketNetwork {
  const network = new SlowPacketNetwork(spec);
  for (const post of posts) network.postAt(post);
  network.run();
  return network;
}
