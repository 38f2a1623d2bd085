import type { PacketSettings } from '../../../src/network/packet/settings/packet-settings.js';
import type { Topology } from '../../../src/network/topology/topology.js';
import { RandomStream } from '../../../src/kernel/random.js';
import { ARRIVAL, arrivalPlace, END, type EventList } from './events.js';
import { classOf, wireBytes, type Frame, type Packet, type PauseFrame } from './packet.js';
import type { Port } from './ports.js';

export interface PacketNode {
  arrive(ingress: Port, packet: Packet): void;
  /** The peer lets a class of this port go on. */
  resumed(port: Port): void;
}

/** Takes frames from one end of a link to the other: NET-2, NET-3, losses, pauses. */
export class Wires {
  readonly nodes: PacketNode[] = [];
  readonly #losses = new Map<Port, RandomStream>();

  constructor(
    readonly topology: Topology,
    readonly settings: PacketSettings,
    readonly events: EventList,
  ) {}

  /** Serialises a frame; `ended` is told at the end. */
  transmit(port: Port, frame: Frame, ended: () => void): void {
    if (port.busy) throw new Error(`port ${port.id} is busy`);
    port.busy = true;
    const { events } = this;
    const atEnd = (): void => {
      port.busy = false;
      if (frame.kind !== 'pfc') {
        port.counters.packetsSent[classOf(frame)]++;
        port.counters.bytesSent[classOf(frame)] += frame.bytes;
      } else {
        port.counters.pfcSent++;
        port.counters.pfcBytesSent += frame.bytes;
      }
      const delay = port.delayPs + this.#latencyInto(port.peer.node, frame);
      const { peer } = port;
      events.at(events.now + delay, ARRIVAL, arrivalPlace(peer.id, this.#isLate(peer, frame) ? 'late' : 'in'), () =>
        this.#arrive(peer, frame),
      );
      ended();
    };
    events.at(events.now + port.rate.picoseconds(frame.bytes), END, port.id, atEnd);
  }

  pauseFrame(trafficClass: number, pause: boolean): PauseFrame {
    const { frames } = this.settings;
    return { kind: 'pfc', bytes: wireBytes(frames, frames.pfcBytes), trafficClass, pause };
  }

  isHost(node: number): boolean {
    return this.topology.nodes[node].kind === 'host';
  }

  #latencyInto(node: number, frame: Frame): number {
    const { switches, hosts } = this.settings;
    if (!this.isHost(node)) return switches.latencyPs;
    return frame.kind === 'pfc' || frame.destination === node ? hosts.rxLatencyPs : 0;
  }

  /** Whether others that pass through the host may have come in after it and were looked at before it. */
  #isLate({ node }: Port, frame: Frame): boolean {
    const { hosts, routing } = this.settings;
    return hosts.rxLatencyPs > 0 && routing.hostsForward && this.isHost(node) && this.#latencyInto(node, frame) > 0;
  }

  #arrive(port: Port, frame: Frame): void {
    if (frame.kind === 'pfc') {
      this.#obey(port, frame);
      return;
    }
    if (port.loss > 0 && this.#lossesAt(port).uniform() < port.loss) {
      port.counters.lossDrops[classOf(frame)]++;
      return;
    }
    port.counters.packetsReceived[classOf(frame)]++;
    port.counters.bytesReceived[classOf(frame)] += frame.bytes;
    this.nodes[port.node].arrive(port, frame);
  }

  #obey(port: Port, { trafficClass, pause }: PauseFrame): void {
    const { counters, pausedSince } = port;
    const since = pausedSince[trafficClass];
    if (pause) {
      counters.xoffReceived[trafficClass]++;
      pausedSince[trafficClass] = since ?? this.events.now;
      return;
    }
    counters.xonReceived[trafficClass]++;
    if (since === undefined) return;
    counters.pausedPs[trafficClass] += this.events.now - since;
    pausedSince[trafficClass] = undefined;
    this.nodes[port.node].resumed(port);
  }

  #lossesAt(port: Port): RandomStream {
    const stream = this.#losses.get(port) ?? new RandomStream(this.settings.seed, port.node, `loss/${port.index}`);
    this.#losses.set(port, stream);
    return stream;
  }
}
