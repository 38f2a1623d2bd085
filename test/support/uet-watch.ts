import {
  ATTEMPT,
  BYTES,
  CUMULATIVE,
  ENTROPY,
  FLAGS,
  FLOW,
  KIND,
  PACKET_INTEGERS,
  PSN,
  SOURCE,
} from '../../src/network/packet/fabric/packet-record.js';
import type { UetRun } from './uet-runs.js';

/** A packet as a host sees it: one that has come, or one of its own whose serialisation has ended. */
export interface SeenPacket {
  readonly timePs: number;
  readonly node: number;
  /** One of `PacketKind`. */
  readonly kind: number;
  readonly flags: number;
  readonly bytes: number;
  readonly entropy: number;
  readonly message: number;
  readonly psn: number;
  readonly attempt: number;
  readonly cumulative: number;
}

function seen({ network, kernel }: UetRun, slot: number, node: number): SeenPacket {
  const { integers } = network.fabric.packets;
  const at = slot * PACKET_INTEGERS;
  return {
    ...{ timePs: kernel.now, node, kind: integers[at + KIND], flags: integers[at + FLAGS] },
    ...{ bytes: integers[at + BYTES], entropy: integers[at + ENTROPY], message: integers[at + FLOW] },
    ...{ psn: integers[at + PSN], attempt: integers[at + ATTEMPT], cumulative: integers[at + CUMULATIVE] },
  };
}

/**
 * Notes the packets that come to hosts.
 * @param isLost says of each whether it is lost right before its host
 */
export function watchArrivals(
  run: UetRun,
  arrivals: SeenPacket[],
  isLost: (packet: SeenPacket) => boolean = () => false,
): void {
  const { fabric } = run.network;
  const { hosts } = fabric;
  const consume = hosts.consume.bind(hosts);
  hosts.consume = (slot, port) => {
    const packet = seen(run, slot, fabric.numbers.nodeOf[port]);
    if (isLost(packet)) {
      fabric.packets.release(slot);
      return;
    }
    arrivals.push(packet);
    consume(slot, port);
  };
}

/** Notes the data packets and probes of hosts at the ends of their serialisation. */
export function watchDepartures(run: UetRun, departures: SeenPacket[]): void {
  const { transport } = run.network.nic;
  const departed = transport.departed.bind(transport);
  transport.departed = (slot, nowPs) => {
    const packet = seen(run, slot, -1);
    const { integers } = run.network.fabric.packets;
    departures.push({ ...packet, node: integers[slot * PACKET_INTEGERS + SOURCE] });
    departed(slot, nowPs);
  };
}
