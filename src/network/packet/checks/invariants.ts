import { neededHeadroomBytes } from '../settings/needed-headroom.js';
import type { CheckedTransfers } from './checked-run.js';
import type { Fabric } from '../fabric/fabric.js';
import { dataWireBytes, wireBytes } from '../settings/frame-sizes.js';
import type { HostCounters } from '../nic/host-counters.js';
import { PACKET_KINDS, PacketKind } from '../fabric/packet-record.js';
import {
  CONTROL,
  DATA,
  FLIGHT_HEAD,
  HEAD,
  PAUSED,
  PORT_DOUBLES,
  PORT_INTEGERS,
  WAITING,
} from '../fabric/port-record.js';

const CLASSES = [DATA, CONTROL];

/** What is looked at of a packet network. */
export interface EndedNetwork {
  readonly fabric: Fabric;
  readonly hostCounters: HostCounters;
  /** Where `check` is on. */
  readonly transfers: CheckedTransfers | undefined;
}

/**
 * Asserts what holds (section 9) when a run has ended that was complete: nothing is left anywhere, and what was posted was delivered.
 * Meant for a network whose settings have `check` on.
 * @throws Error for the first that does not hold: a fault of this simulator, exit status 70
 */
export function checkInvariants(network: EndedNetwork): void {
  const { fabric, transfers } = network;
  for (let port = 0; port < fabric.numbers.count; port++) checkPort(fabric, port);
  if (fabric.packets.count !== 0) throw new Error(`${fabric.packets.count} packets are nowhere`);
  if (transfers === undefined) return;
  if (transfers.openCount !== 0) throw new Error(`${transfers.openCount} transfers are under way`);
  checkDeliveries(network, transfers.packetsPosted);
}

function checkPort(fabric: Fabric, port: number): void {
  const { integers, doubles, buffer } = fabric;
  const at = port * PORT_INTEGERS;
  const isEmpty = integers[at + FLIGHT_HEAD] < 0 && [0, 1, 2].every((queue) => integers[at + HEAD + 2 * queue] < 0);
  const waiting = [0, 1, 2].map((queue) => doubles[port * PORT_DOUBLES + WAITING + queue]);
  if (!isEmpty || waiting.some((bytes) => bytes !== 0)) {
    throw new Error(`port ${port}: packets are left, ${waiting.join(', ')} bytes wait`);
  }
  if (integers[at + PAUSED] !== 0) throw new Error(`port ${port} is paused for ever`);
  for (const packetClass of CLASSES) {
    const held = buffer?.heldBytes(port, packetClass) ?? 0;
    if (held !== 0) throw new Error(`port ${port}: ${held} bytes are charged to class ${packetClass}`);
  }
  const drops = fabric.counters.ingressDrops[2 * port + DATA];
  if (drops !== 0 && hasHeadroom(fabric, port)) {
    throw new Error(`port ${port}: ${drops} packets of a lossless class dropped, though the headroom is enough`);
  }
}

/** Whether a port has the headroom that SW-6 asks for. Of data: CNPs pass a pause of control. */
function hasHeadroom({ spec, numbers }: Fabric, port: number): boolean {
  const { switches, frames, hosts } = spec.settings;
  if (switches.pfc !== 'static') return false;
  const { delayPs } = spec.topology.links[numbers.linkOf[port]];
  const isFromHost = spec.topology.nodes[numbers.nodeOf[numbers.peerOf[port]]].kind === 'host';
  const roundTripPs = 2 * delayPs + switches.latencyPs + (isFromHost ? hosts.rxLatencyPs : switches.latencyPs);
  const { gbps } = spec.topology.links[numbers.linkOf[port]];
  const frame = dataWireBytes(frames, frames.mssBytes);
  return neededHeadroomBytes(gbps, roundTripPs, frame, wireBytes(frames, frames.pfcBytes)) <= switches.headroomBytes;
}

/** Data packets that arrived are those that were posted, those that had arrived before, and those that go-back-N refused. */
function checkDeliveries({ fabric, hostCounters }: EndedNetwork, packetsPosted: number): void {
  const { duplicates, outOfOrder, packetsReceived } = hostCounters;
  const isGoBackN = fabric.spec.settings.nic === 'roce';
  let arrived = 0;
  let expected = packetsPosted;
  for (let node = 0; node < duplicates.length; node++) {
    arrived += packetsReceived[node * PACKET_KINDS + PacketKind.data];
    expected += duplicates[node] + (isGoBackN ? outOfOrder[node] : 0);
  }
  if (arrived !== expected) throw new Error(`${arrived} data packets arrived, and ${expected} are accounted for`);
}
