import type { PacketNetworkSpec } from '../../../src/network/packet/settings/packet-settings.js';
import { hostsOf } from '../../../src/network/topology/topology.js';
import { HostCounters, type PortCounters } from './counters.js';
import { Events, POST, SETTLE, type EventList } from './events.js';
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
  /** After `after` is received, where that is given. */
  readonly atPs: number;
  /** A transfer; with 0 ps the post follows all else of the instant in which that is received. */
  readonly after?: number | undefined;
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
  /** Whether nothing was left to happen. */
  hasEnded = false;
  readonly #switches: SlowSwitch[] = [];
  readonly #eventList: EventList;

  /** @param events where they are put, its own if absent; then {@link run} has nothing to do */
  constructor({ topology, settings }: PacketNetworkSpec, listener: PacketListener = {}, events?: EventList) {
    this.#eventList = events ?? this.events;
    const wires = new Wires(topology, settings, this.#eventList);
    this.ports = portsOf(topology);
    const routes = new Routes(topology, this.ports, settings.routing.hostsForward);
    const callbacks = this.#callbacks(listener);
    const pairs = new OpenPairs();
    const peers = new Map<number, Uet>();
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
      else if (settings.nic === 'uet') host.transport = new Uet(host, callbacks, pairs, peers);
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

  /** @param settling after all that ranks do of themselves in that instant */
  postAt({ transfer, source, destination, bytes, atPs }: PostedPackets, settling = false): void {
    const post = (): void => this.post(transfer, source, destination, bytes);
    this.events.at(atPs, settling ? SETTLE : POST, settling ? 0 : source, post);
  }

  /** @returns whether nothing is left to happen; false when that would take more events */
  run(mostEvents = 20_000_000): boolean {
    return this.events.run(mostEvents);
  }

  /** Counter of all ports, over both classes. */
  total(counter: 'egressDrops' | 'headroomDrops' | 'lossDrops' | 'xoffSent' | 'xonSent' | 'trims' | 'marks'): number {
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
        const { now } = this.#eventList;
        times[what] = now;
        listener[what]?.(transfer, now);
      };
    return { sent: tell('sent'), received: tell('received'), acknowledged: tell('acknowledged') };
  }
}

/** A run of posts that are known beforehand. */
export function runSlowPackets(spec: PacketNetworkSpec, posts: readonly PostedPackets[]): SlowPacketNetwork {
  const network: SlowPacketNetwork = new SlowPacketNetwork(spec, {
    received: (transfer, timePs) => {
      for (const post of posts) {
        if (post.after === transfer) network.postAt({ ...post, atPs: timePs + post.atPs }, post.atPs === 0);
      }
    },
  });
  for (const post of posts) if (post.after === undefined) network.postAt(post);
  network.hasEnded = network.run();
  return network;
}
