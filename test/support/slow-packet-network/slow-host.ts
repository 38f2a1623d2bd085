import type { HostCounters } from './counters.js';
import { KICK, TIMER } from './events.js';
import { classOf, type Packet } from './packet.js';
import type { Port } from './ports.js';
import { flowHash, type Routes } from './routes.js';
import type { PacketNode, Wires } from './wires.js';

/** A queue pair or a group of deliveries: what takes turns at a port (NIC-1). */
export interface TransmitContext {
  /** Where it waits for its turn. */
  ring: HostPort | undefined;
  /** Something unsent or to be sent again, whether or not it may go. */
  hasWork(): boolean;
  canSend(): boolean;
  /** The port that its next packet takes. */
  nextPort(): HostPort;
  /** Its next packet, which starts now. */
  take(): Packet;
  /** Its packet has left. */
  serialised(packet: Packet): void;
  /** It had its turn and could not send. */
  left(): void;
}

/** What sends and receives at a host. */
export interface Transport {
  post(transfer: number, destination: number, bytes: number): void;
  receive(packet: Packet, ingress: HostPort): void;
}

export class HostPort {
  /** CNPs, ahead of everything else of the host. */
  readonly linkControl: Packet[] = [];
  readonly control: Packet[] = [];
  readonly transit: Packet[] = [];
  readonly ring: TransmitContext[] = [];
  readonly #ends = new Map<Packet, () => void>();

  constructor(
    readonly wires: Wires,
    readonly port: Port,
    readonly host: HostCounters,
  ) {}

  kick(): void {
    const { events } = this.wires;
    events.at(events.now, KICK, this.port.id, () => this.#start());
  }

  joinTail(context: TransmitContext): void {
    this.ring.push(context);
    context.ring = this;
    this.kick();
  }

  joinHead(context: TransmitContext): void {
    this.ring.unshift(context);
    context.ring = this;
    this.kick();
  }

  /** @param sent is told at the end of its serialisation */
  sendProbe(probe: Packet, sent: () => void): void {
    this.#ends.set(probe, sent);
    this.control.push(probe);
    this.kick();
  }

  reply(packet: Packet): void {
    (packet.kind === 'cnp' ? this.linkControl : this.control).push(packet);
    this.kick();
  }

  #start(): void {
    if (this.port.busy) return;
    const { pausedSince } = this.port;
    const control = this.linkControl.shift() ?? (pausedSince[1] === undefined ? this.control.shift() : undefined);
    if (control !== undefined) {
      this.#send(control);
      return;
    }
    if (pausedSince[0] !== undefined) return;
    const transit = this.transit.shift();
    if (transit !== undefined) {
      this.#send(transit);
      return;
    }
    for (let context = this.ring.shift(); context !== undefined; context = this.ring.shift()) {
      context.ring = undefined;
      if (!context.canSend()) {
        context.left();
        continue;
      }
      this.#send(context.take(), context);
      if (context.hasWork()) context.nextPort().joinTail(context);
      return;
    }
  }

  #send(packet: Packet, context?: TransmitContext): void {
    if (packet.source === this.port.node) {
      this.host.sent[packet.kind]++;
      if (packet.isRetransmission) this.host.retransmissions++;
    }
    this.wires.transmit(this.port, packet, () => {
      context?.serialised(packet);
      this.#ends.get(packet)?.();
      this.#ends.delete(packet);
      this.kick();
    });
  }
}

/** After new work. */
export function joinOnPost(context: TransmitContext): void {
  if (context.ring === undefined) context.nextPort().joinTail(context);
}

/** After an ACK, a NACK, a NAK or a timer. */
export function joinIfReady(context: TransmitContext): void {
  if (context.ring === undefined && context.hasWork() && context.canSend()) context.nextPort().joinHead(context);
}

/** A host: NIC-1 … NIC-5, and what passes through it where hosts forward. */
export class SlowHost implements PacketNode {
  readonly ports: readonly HostPort[];
  transport!: Transport;

  constructor(
    readonly wires: Wires,
    readonly routes: Routes,
    readonly node: number,
    readonly counters: HostCounters,
    ports: readonly Port[],
  ) {
    this.ports = ports.map((port) => new HostPort(wires, port, counters));
  }

  arrive(ingress: Port, packet: Packet): void {
    if (packet.destination !== this.node) {
      const egress = this.portFor(packet);
      (classOf(packet) === 1 ? egress.control : egress.transit).push(packet);
      egress.kick();
      return;
    }
    this.counters.received[packet.kind]++;
    this.transport.receive(packet, this.#hostPort(ingress));
  }

  resumed(port: Port): void {
    this.#hostPort(port).kick();
  }

  /** Number of ports towards a destination. */
  membersTo(destination: number): HostPort[] {
    const members = this.routes.members(this.node, destination);
    if (members.length === 0) throw new Error(`no way from ${this.node} to ${destination}`);
    return members.map((port) => this.#hostPort(port));
  }

  /** NIC-5: by the hash of a queue pair, or by the entropy value. */
  portFor({ source, destination, sourcePort, destinationPort }: Addresses): HostPort {
    const members = this.membersTo(destination);
    const isHashed = this.wires.settings.nic === 'roce';
    const value = isHashed ? flowHash(this.node, source, destination, sourcePort, destinationPort) : sourcePort;
    return members[value % members.length];
  }

  /** Queues a reply at the port where the packet came in, `AckTurnaround` later. */
  reply(port: HostPort, packet: Packet): void {
    const { events, settings } = this.wires;
    if (settings.hosts.ackTurnaroundPs === 0) port.reply(packet);
    else this.timer(events.now + settings.hosts.ackTurnaroundPs, () => port.reply(packet));
  }

  timer(time: number, act: () => void): ReturnType<Wires['events']['at']> {
    return this.wires.events.at(time, TIMER, this.node, act);
  }

  #hostPort(port: Port): HostPort {
    return this.ports.find((each) => each.port === port)!;
  }
}

export type Addresses = Pick<Packet, 'source' | 'destination' | 'sourcePort' | 'destinationPort'>;
