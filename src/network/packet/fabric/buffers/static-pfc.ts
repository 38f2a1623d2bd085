import type { SwitchSettings } from '../../settings/packet-settings.js';
import type { PortCounters } from '../port-counters.js';
import type { PortNumbers } from '../port-numbers.js';
import type { SendPfc, SharedBuffer } from '../shared-buffer.js';
import { poolBytes, portsAt } from './pool.js';

/**
 * Switches whose ingress ports stop their peers at a fixed fill (SW-4), for each class that is lossless. What still comes in
 * after XOFF goes to the headroom of the port and class.
 */
export class StaticPfc implements SharedBuffer {
  readonly #nodeOf: Int32Array; // [ports]
  readonly #lossless: readonly [boolean, boolean];
  readonly #xoffBytes: number;
  readonly #xonBytes: number;
  readonly #headroomBytes: number;
  readonly #counters: PortCounters;
  readonly #sendPfc: SendPfc;
  readonly #poolFreeBytes: Float64Array; // [nodes × 2]
  readonly #inBytes: Float64Array; // [ports × 2]
  readonly #headroomUse: Float64Array; // [ports × 2] bytes
  readonly #isPaused: Uint8Array; // [ports × 2]

  constructor(ports: PortNumbers, switches: SwitchSettings, counters: PortCounters, sendPfc: SendPfc) {
    const { bufferBytes, headroomBytes } = switches;
    this.#nodeOf = ports.nodeOf;
    this.#lossless = switches.lossless;
    this.#xoffBytes = switches.xoffBytes;
    this.#xonBytes = switches.xonBytes;
    this.#headroomBytes = headroomBytes;
    this.#counters = counters;
    this.#sendPfc = sendPfc;
    this.#poolFreeBytes = Float64Array.from({ length: 2 * (ports.first.length - 1) }, (_, pool) =>
      poolBytes(bufferBytes, headroomBytes * portsAt(ports, pool >> 1), pool & 1),
    );
    this.#inBytes = new Float64Array(2 * ports.count);
    this.#headroomUse = new Float64Array(2 * ports.count);
    this.#isPaused = new Uint8Array(2 * ports.count);
  }

  isLossless(packetClass: number): boolean {
    return this.#lossless[packetClass];
  }

  /** Below 0 where a lossless class, which its pool never turns away, holds more than the pool. */
  freeBytes(node: number, packetClass: number): number {
    return this.#poolFreeBytes[2 * node + packetClass];
  }

  heldBytes(ingress: number, packetClass: number): number {
    return this.#inBytes[2 * ingress + packetClass] + this.#headroomUse[2 * ingress + packetClass];
  }

  admit(ingress: number, packetClass: number, bytes: number): boolean {
    const at = 2 * ingress + packetClass;
    if (this.#isPaused[at] !== 0) {
      const use = this.#headroomUse[at] + bytes;
      if (use > this.#headroomBytes) return false;
      this.#headroomUse[at] = use;
      const { peakHeadroomBytes } = this.#counters;
      if (use > peakHeadroomBytes[at]) peakHeadroomBytes[at] = use;
    } else {
      this.#inBytes[at] += bytes;
    }
    this.#poolFreeBytes[2 * this.#nodeOf[ingress] + packetClass] -= bytes;
    if (this.#isPaused[at] === 0 && this.#inBytes[at] > this.#xoffBytes && this.#lossless[packetClass]) {
      this.#isPaused[at] = 1;
      this.#sendPfc(ingress, packetClass, true);
    }
    return true;
  }

  release(ingress: number, packetClass: number, bytes: number): void {
    const at = 2 * ingress + packetClass;
    const fromHeadroom = Math.min(bytes, this.#headroomUse[at]);
    this.#headroomUse[at] -= fromHeadroom;
    this.#inBytes[at] -= bytes - fromHeadroom;
    this.#poolFreeBytes[2 * this.#nodeOf[ingress] + packetClass] += bytes;
    if (this.#isPaused[at] !== 0 && this.#headroomUse[at] === 0 && this.#inBytes[at] <= this.#xonBytes) {
      this.#isPaused[at] = 0;
      this.#sendPfc(ingress, packetClass, false);
    }
  }
}
