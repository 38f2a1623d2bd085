import { RandomStream } from '../../../src/kernel/random.js';
import { DynamicPause, IngressTable, StaticPause, type PauseRule } from './buffer.js';
import { Marking } from './marking.js';
import { classOf, wireBytes, type Packet, type PauseFrame } from './packet.js';
import type { Port } from './ports.js';
import { flowHash, type Routes } from './routes.js';
import type { PacketNode, Wires } from './wires.js';

interface Held {
  readonly packet: Packet;
  readonly ingress: Port;
}

interface Egress {
  readonly pauses: PauseFrame[];
  /** Waiting packets by class. */
  readonly queues: readonly [Held[], Held[]];
  /** By class, the packet in service included. */
  readonly queueBytes: number[];
  readonly marking: Marking;
}

/** A switch with a shared buffer: SW-1 … SW-8. */
export class SlowSwitch implements PacketNode {
  readonly #wires: Wires;
  readonly #routes: Routes;
  readonly #node: number;
  readonly #egresses = new Map<Port, Egress>();
  readonly #ingresses = new IngressTable();
  readonly #pause: PauseRule | undefined;
  readonly #poolBytes: readonly number[];
  readonly #poolUsed = [0, 0];
  readonly #turns = new Map<string, number>();
  readonly #spray: RandomStream;

  constructor(wires: Wires, routes: Routes, node: number, ports: readonly Port[], nicGbps: number) {
    const { switches, seed } = wires.settings;
    this.#wires = wires;
    this.#routes = routes;
    this.#node = node;
    this.#spray = new RandomStream(seed, node, 'spray');
    for (const port of ports) {
      const marking = new Marking(switches.ecn, seed, port, wires.isHost(port.peer.node));
      this.#egresses.set(port, { pauses: [], queues: [[], []], queueBytes: [0, 0], marking });
    }
    const signal = (port: Port, trafficClass: number, pause: boolean): void => {
      const { xoffSent, xonSent } = port.counters;
      (pause ? xoffSent : xonSent)[trafficClass]++;
      this.#egresses.get(port)!.pauses.push(wires.pauseFrame(trafficClass, pause));
      this.#start(port);
    };
    if (switches.pfc === 'static') this.#pause = new StaticPause(switches, this.#ingresses, signal, ports);
    if (switches.pfc === 'dynamic') this.#pause = new DynamicPause(switches, this.#ingresses, signal, ports, nicGbps);
    const pooled = switches.bufferBytes - (this.#pause?.headroomBytes ?? 0);
    this.#poolBytes = [0.9 * pooled, 0.1 * pooled];
  }

  arrive(ingress: Port, packet: Packet): void {
    const egress = this.#route(packet);
    const isAdmitted = this.#isLossless(classOf(packet))
      ? this.#admitLossless(ingress, packet)
      : this.#admitLossy(ingress, egress, packet);
    if (!isAdmitted) return;
    const trafficClass = classOf(packet);
    const { queues, queueBytes, marking } = this.#egresses.get(egress)!;
    this.#poolUsed[trafficClass] += packet.bytes;
    queueBytes[trafficClass] += packet.bytes;
    const { peakQueueBytes } = egress.counters;
    peakQueueBytes[trafficClass] = Math.max(peakQueueBytes[trafficClass], queueBytes[trafficClass]);
    queues[trafficClass].push({ packet, ingress });
    if (packet.kind === 'data' && marking.atEnqueue(queueBytes[0])) packet.marked = true;
    this.#start(egress);
  }

  resumed(port: Port): void {
    this.#start(port);
  }

  leftovers(): string[] {
    const queued = [...this.#egresses].filter(([, { queueBytes }]) => queueBytes.some((bytes) => bytes !== 0));
    return [
      ...queued.map(([{ id }, { queueBytes }]) => `egress ${id}: ${queueBytes}`),
      ...this.#ingresses.leftovers(),
      ...(this.#poolUsed.some((bytes) => bytes !== 0) ? [`pools of ${this.#node}: ${this.#poolUsed}`] : []),
    ];
  }

  #isLossless(trafficClass: number): boolean {
    return this.#pause !== undefined && this.#wires.settings.switches.lossless[trafficClass];
  }

  #admitLossless(ingress: Port, packet: Packet): boolean {
    const trafficClass = classOf(packet);
    const isAdmitted = this.#pause!.arrive(ingress, trafficClass, packet.bytes);
    if (!isAdmitted) ingress.counters.headroomDrops[trafficClass]++;
    return isAdmitted;
  }

  /** SW-3, SW-8: turns a packet without room into a trimmed one where that has room. */
  #admitLossy(ingress: Port, egress: Port, packet: Packet): boolean {
    const { switches, frames } = this.#wires.settings;
    if (this.#refusal(egress, packet) === undefined) return true;
    const isTrimmed = switches.trimming && packet.kind === 'data';
    if (isTrimmed) {
      packet.kind = 'trimmed';
      packet.bytes = wireBytes(frames, frames.trimmedBytes);
      packet.lastHop = egress.peer.node === packet.destination;
    }
    const refusal = this.#refusal(egress, packet);
    if (isTrimmed && refusal === undefined) egress.counters.trims++;
    if (refusal === 'egress') egress.counters.egressDrops[classOf(packet)]++;
    if (refusal === 'ingress') ingress.counters.ingressDrops[classOf(packet)]++;
    return refusal === undefined;
  }

  #refusal(egress: Port, packet: Packet): 'egress' | 'ingress' | undefined {
    const trafficClass = classOf(packet);
    const { queueBytes } = this.#egresses.get(egress)!;
    if (queueBytes[trafficClass] + packet.bytes > this.#limit(egress, packet)) return 'egress';
    return this.#poolUsed[trafficClass] + packet.bytes > this.#poolBytes[trafficClass] ? 'ingress' : undefined;
  }

  #limit(egress: Port, packet: Packet): number {
    const { switches } = this.#wires.settings;
    if (classOf(packet) === 1) return switches.controlLimitBytes;
    const { lossyAlpha = 0, egressLimitBytes, trimming, retransmissionFactor } = switches;
    const free = this.#poolBytes[0] - this.#poolUsed[0];
    const limit = egress.queueLimitBytes ?? (lossyAlpha > 0 ? lossyAlpha * free : egressLimitBytes);
    return trimming && packet.isRetransmission ? retransmissionFactor * limit : limit;
  }

  #start(port: Port): void {
    if (port.busy) return;
    const { pauses, queues, queueBytes, marking } = this.#egresses.get(port)!;
    const pause = pauses.shift();
    if (pause !== undefined) {
      this.#wires.transmit(port, pause, () => this.#start(port));
      return;
    }
    const trafficClass = [1, 0].find((each) => queues[each].length > 0 && port.pausedSince[each] === undefined);
    if (trafficClass === undefined) return;
    const { packet, ingress } = queues[trafficClass].shift()!;
    if (packet.kind === 'data' && marking.atStart(queueBytes[0])) packet.marked = true;
    this.#wires.transmit(port, packet, () => {
      queueBytes[trafficClass] -= packet.bytes;
      this.#poolUsed[trafficClass] -= packet.bytes;
      if (this.#isLossless(trafficClass)) this.#pause!.release(ingress, trafficClass, packet.bytes);
      this.#start(port);
    });
  }

  /** RT-3, or MR-8 where values name the members. */
  #route(packet: Packet): Port {
    const { settings } = this.#wires;
    const members = this.#routes.members(this.#node, packet.destination);
    const n = members.length;
    if (n === 0) throw new Error(`no way from ${this.#node} to ${packet.destination}`);
    if (n === 1) return members[0];
    if (settings.nic === 'mrc' && settings.mrc.evMode === 'structured') {
      const member = packet.pathDigits % n;
      packet.pathDigits = Math.floor(packet.pathDigits / n);
      return members[member];
    }
    const { mode } = settings.routing;
    if (mode === 'spray-random') return members[Math.floor(this.#spray.uniform() * n)];
    if (mode === 'spray-rr') {
      const set = members.map(({ id }) => id).join();
      const turn = this.#turns.get(set) ?? 0;
      this.#turns.set(set, turn + 1);
      return members[turn % n];
    }
    if (mode === 'adaptive') {
      const bytes = members.map((port) => this.#egresses.get(port)!.queueBytes.reduce((a, b) => a + b));
      return members[bytes.indexOf(Math.min(...bytes))];
    }
    const { source, destination, sourcePort, destinationPort } = packet;
    return members[flowHash(this.#node, source, destination, sourcePort, destinationPort) % n];
  }
}
