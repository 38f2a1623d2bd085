import type { PacketNetworkSpec } from '../../settings/packet-settings.js';
import type { PortCounters } from '../port-counters.js';
import type { PortNumbers } from '../port-numbers.js';
import type { SendPfc, SharedBuffer } from '../shared-buffer.js';
import { poolBytes, portsAt } from './pool.js';

/** Bytes that each port and class has for itself. */
const RESERVE_BYTES = 4096;
/** A peer goes on when the shared use of its port is this far below the threshold. */
const RESUME_BYTES = 3072;
const CLASSES = 2;
/** T is the free bytes of the switch / 2^3 at a port of the NICs' rate. */
const SHIFT = 3;

/**
 * Switches that stop a peer when its port and class hold more than a part of what is free (SW-5, as the HPCC simulator's switch
 * does it). A class that is not lossless is charged to its pool of what headroom leaves, as with static PFC.
 */
export class DynamicPfc implements SharedBuffer {
  readonly #nodeOf: Int32Array; // [ports]
  readonly #lossless: readonly [boolean, boolean];
  readonly #counters: PortCounters;
  readonly #sendPfc: SendPfc;
  readonly #divisor: Float64Array; // [ports] 2^s
  readonly #headroomBytes: Float64Array; // [ports] for each class
  readonly #sharedFreeBytes: Float64Array; // [nodes] buffer without headroom, reserves and what is shared now
  readonly #poolFreeBytes: Float64Array; // [nodes × 2] of lossy classes
  readonly #ingressBytes: Float64Array; // [ports × 2]
  readonly #headroomUse: Float64Array; // [ports × 2] bytes
  readonly #isPaused: Uint8Array; // [ports × 2]

  constructor({ topology, settings }: PacketNetworkSpec, ports: PortNumbers, counters: PortCounters, sendPfc: SendPfc) {
    const { nodes, links } = topology;
    const { bufferBytes, lossless } = settings.switches;
    this.#nodeOf = ports.nodeOf;
    this.#lossless = lossless;
    this.#counters = counters;
    this.#sendPfc = sendPfc;
    const hostGbps = links
      .filter(({ a, b }) => nodes[a].kind === 'host' || nodes[b].kind === 'host')
      .reduce((most, { gbps }) => Math.max(most, gbps), 0);
    const linkOf = (port: number) => links[ports.linkOf[port]];
    this.#divisor = Float64Array.from(ports.nodeOf, (_, port) => 2 ** shiftOf(linkOf(port).gbps, hostGbps));
    this.#headroomBytes = Float64Array.from(ports.nodeOf, (_, port) => {
      const { gbps, delayPs } = linkOf(port);
      return (3 * gbps * delayPs) / 8000;
    });
    const headroom = new Float64Array(nodes.length);
    for (let port = 0; port < ports.count; port++) headroom[ports.nodeOf[port]] += this.#headroomBytes[port];
    this.#sharedFreeBytes = headroom.map(
      (bytes, node) => bufferBytes - bytes - CLASSES * RESERVE_BYTES * portsAt(ports, node),
    );
    this.#poolFreeBytes = Float64Array.from({ length: CLASSES * nodes.length }, (_, pool) =>
      poolBytes(bufferBytes, headroom[pool >> 1], pool & 1),
    );
    this.#ingressBytes = new Float64Array(2 * ports.count);
    this.#headroomUse = new Float64Array(2 * ports.count);
    this.#isPaused = new Uint8Array(2 * ports.count);
  }

  isLossless(packetClass: number): boolean {
    return this.#lossless[packetClass];
  }

  freeBytes(node: number, packetClass: number): number {
    return this.#poolFreeBytes[2 * node + packetClass];
  }

  heldBytes(ingress: number, packetClass: number): number {
    return this.#ingressBytes[2 * ingress + packetClass] + this.#headroomUse[2 * ingress + packetClass];
  }

  /** T: shared bytes at which a port and class stop their peer. */
  thresholdBytes(port: number): number {
    return Math.floor(this.#sharedFreeBytes[this.#nodeOf[port]] / this.#divisor[port]);
  }

  admit(ingress: number, packetClass: number, bytes: number): boolean {
    const at = 2 * ingress + packetClass;
    const node = this.#nodeOf[ingress];
    if (!this.#lossless[packetClass]) {
      this.#ingressBytes[at] += bytes;
      this.#poolFreeBytes[2 * node + packetClass] -= bytes;
      return true;
    }
    const threshold = this.thresholdBytes(ingress);
    if (
      bytes + this.#headroomUse[at] > this.#headroomBytes[ingress] &&
      bytes + sharedOf(this.#ingressBytes[at]) > threshold
    ) {
      return false;
    }
    const beyondReserve = this.#ingressBytes[at] + bytes - RESERVE_BYTES;
    if (beyondReserve > 0 && beyondReserve > threshold) {
      this.#headroomUse[at] += bytes;
      const { peakHeadroomBytes } = this.#counters;
      if (this.#headroomUse[at] > peakHeadroomBytes[at]) peakHeadroomBytes[at] = this.#headroomUse[at];
    } else {
      this.#ingressBytes[at] += bytes;
      if (beyondReserve > 0) this.#sharedFreeBytes[node] -= Math.min(bytes, beyondReserve);
    }
    if (this.#isPaused[at] === 0 && this.#mustPause(ingress, at)) {
      this.#isPaused[at] = 1;
      this.#sendPfc(ingress, packetClass, true);
    }
    return true;
  }

  release(ingress: number, packetClass: number, bytes: number): void {
    const at = 2 * ingress + packetClass;
    const node = this.#nodeOf[ingress];
    if (!this.#lossless[packetClass]) {
      this.#ingressBytes[at] -= bytes;
      this.#poolFreeBytes[2 * node + packetClass] += bytes;
      return;
    }
    const fromHeadroom = Math.min(this.#headroomUse[at], bytes);
    const rest = bytes - fromHeadroom;
    this.#sharedFreeBytes[node] += Math.min(rest, sharedOf(this.#ingressBytes[at]));
    this.#headroomUse[at] -= fromHeadroom;
    this.#ingressBytes[at] -= rest;
    if (this.#isPaused[at] !== 0 && this.#mayResume(ingress, at)) {
      this.#isPaused[at] = 0;
      this.#sendPfc(ingress, packetClass, false);
    }
  }

  #mustPause(port: number, at: number): boolean {
    return this.#headroomUse[at] > 0 || sharedOf(this.#ingressBytes[at]) >= this.thresholdBytes(port);
  }

  #mayResume(port: number, at: number): boolean {
    if (this.#headroomUse[at] > 0) return false;
    const shared = sharedOf(this.#ingressBytes[at]);
    return shared === 0 || shared + RESUME_BYTES <= this.thresholdBytes(port);
  }
}

/** Part of what a port and class hold that is taken from what all share. */
function sharedOf(ingressBytes: number): number {
  return Math.max(0, ingressBytes - RESERVE_BYTES);
}

/** s: one less for each doubling of the rate above the NICs', not below 0. */
function shiftOf(gbps: number, hostGbps: number): number {
  let shift = SHIFT;
  for (let rate = gbps; rate >= 2 * hostGbps && shift > 0; rate /= 2) shift--;
  return shift;
}
