import { EventClass } from '../../src/kernel/event-queue.js';
import { Kernel } from '../../src/kernel/kernel.js';
import { bufferKind, sharedBuffer } from '../../src/network/packet/fabric/buffers/buffer-choice.js';
import { packetHash } from '../../src/network/packet/fabric/ecmp-hash.js';
import { Fabric } from '../../src/network/packet/fabric/fabric.js';
import type { HostSide } from '../../src/network/packet/fabric/host-side.js';
import {
  BYTES,
  DESTINATION,
  ENTROPY,
  FLAGS,
  HASH,
  KIND,
  PACKET_INTEGERS,
  PacketFlag,
  PacketKind,
  PSN,
  SOURCE,
} from '../../src/network/packet/fabric/packet-record.js';
import { PORT_INTEGERS, SERVICE_CLASS } from '../../src/network/packet/fabric/port-record.js';
import type { PacketSettings } from '../../src/network/packet/settings/packet-settings.js';
import { portBetween } from './packet-runs.js';
import type { Topology } from '../../src/network/topology/topology.js';

export interface RawPacket {
  readonly source: number;
  readonly destination: number;
  /** On the wire. */
  readonly bytes: number;
  readonly name: string;
  /** When it is put into the queue of its host, ps; 0 where absent. */
  readonly at?: number;
  /** One of PacketKind, data where absent. */
  readonly kind?: number;
  readonly isRetransmission?: boolean;
  /** UDP ports; 256 and 4793 where absent. */
  readonly sourcePort?: number;
}

export interface RawArrival {
  readonly name: string;
  readonly at: number;
  readonly kind: number;
  readonly isMarked: boolean;
  readonly isLastHop: boolean;
}

/** A fabric whose hosts have no transport: they send what they are told to, in order, and note what arrives. */
export class RawPackets {
  readonly kernel = new Kernel();
  readonly fabric: Fabric;
  readonly arrivals: RawArrival[] = [];
  readonly #packets: RawPacket[] = [];
  readonly #onSend: number;

  constructor(topology: Topology, settings: PacketSettings) {
    const spec = { topology, settings };
    const kind = bufferKind(spec);
    this.fabric = new Fabric(spec, this.kernel, kind !== undefined);
    if (kind !== undefined) this.fabric.buffer = sharedBuffer(kind, this.fabric);
    this.fabric.hosts = this.#hosts();
    this.#onSend = this.kernel.addHandler((index) => this.#send(index));
  }

  /** Runs until all has arrived. */
  run(packets: readonly RawPacket[]): this {
    for (const packet of packets) {
      this.kernel.schedule(
        packet.at ?? 0,
        EventClass.rank,
        packet.source,
        this.#onSend,
        this.#packets.push(packet) - 1,
      );
    }
    this.kernel.run();
    return this;
  }

  /** Does something at a time. */
  at(timePs: number, act: () => void): void {
    this.kernel.schedule(timePs, EventClass.rank, 0, this.kernel.addHandler(act), 0);
  }

  /** The port of a node that leads to another. */
  port(node: number, peer: number): number {
    return portBetween(this.fabric, node, peer);
  }

  names(of: (arrival: RawArrival) => boolean = () => true): string[] {
    return this.arrivals.filter(of).map(({ name }) => name);
  }

  #send(index: number): void {
    const { fabric } = this;
    const { source, destination, bytes, kind, isRetransmission, sourcePort } = this.#packets[index];
    const slot = fabric.packets.take();
    const packets = fabric.packets.integers;
    const at = slot * PACKET_INTEGERS;
    packets[at + KIND] = kind ?? PacketKind.data;
    packets[at + FLAGS] = isRetransmission === true ? PacketFlag.retransmission : 0;
    packets[at + BYTES] = bytes;
    packets[at + SOURCE] = source;
    packets[at + DESTINATION] = destination;
    packets[at + ENTROPY] = sourcePort ?? 256;
    packets[at + HASH] = packetHash(source, destination, sourcePort ?? 256, 4793);
    packets[at + PSN] = index;
    const port = fabric.numbers.first[source];
    fabric.enqueue(port, slot, packets[at + KIND] === PacketKind.data ? 0 : 1);
    fabric.hosts.wants(port);
  }

  #hosts(): HostSide {
    const { fabric, kernel, arrivals } = this;
    const startNext = (port: number): void => {
      const slot = fabric.takeFirst(port);
      if (slot >= 0) fabric.leave(port, slot);
    };
    return {
      ended: startNext,
      wants: (port) => {
        if (fabric.integers[port * PORT_INTEGERS + SERVICE_CLASS] < 0) startNext(port);
      },
      consume: (slot) => {
        const packets = fabric.packets.integers;
        const at = slot * PACKET_INTEGERS;
        arrivals.push({
          name: this.#packets[packets[at + PSN]].name,
          at: kernel.now,
          kind: packets[at + KIND],
          isMarked: (packets[at + FLAGS] & PacketFlag.marked) !== 0,
          isLastHop: (packets[at + FLAGS] & PacketFlag.lastHop) !== 0,
        });
        fabric.packets.release(slot);
      },
    };
  }
}

/** Hosts 0 and 1 send four packets of 1,000 B each to host 2, a1 … a4 and b1 … b4, over one switch. */
export const TWO_TRAINS: readonly RawPacket[] = [0, 1].flatMap((source) =>
  [1, 2, 3, 4].map((number) => ({ source, destination: 2, bytes: 1000, name: `${'ab'[source]}${number}` })),
);
