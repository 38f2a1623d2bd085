import type { PortNumbers } from '../port-numbers.js';
import type { SharedBuffer } from '../shared-buffer.js';

/** Parts of a switch's buffer for data and for control, after headroom (SW-4). */
export const POOL_SHARES = [0.9, 0.1] as const;

/** Size of the pool of a class at a switch, bytes. @param headroomBytes of all its ports, 0 without PFC */
export function poolBytes(bufferBytes: number, headroomBytes: number, packetClass: number): number {
  return POOL_SHARES[packetClass] * Math.max(0, bufferBytes - headroomBytes);
}

/** Ports of a node. */
export function portsAt({ first }: PortNumbers, node: number): number {
  return first[node + 1] - first[node];
}

/**
 * Pools of switches without PFC (SW-1 … SW-3): a class is charged to its pool, and the fabric turns away what finds no room
 * there. Nobody is stopped.
 */
export class LossyPools implements SharedBuffer {
  readonly #nodeOf: Int32Array; // [ports]
  readonly #sizeBytes: readonly number[]; // [classes] the same at every switch: without PFC nothing depends on its ports
  readonly #usedBytes: Float64Array; // [nodes × 2]
  readonly #inBytes: Float64Array; // [ports × 2]

  constructor(ports: PortNumbers, bufferBytes: number) {
    this.#nodeOf = ports.nodeOf;
    this.#sizeBytes = [0, 1].map((packetClass) => poolBytes(bufferBytes, 0, packetClass));
    this.#usedBytes = new Float64Array(2 * (ports.first.length - 1));
    this.#inBytes = new Float64Array(2 * ports.count);
  }

  isLossless(): boolean {
    return false;
  }

  freeBytes(node: number, packetClass: number): number {
    return this.#sizeBytes[packetClass] - this.#usedBytes[2 * node + packetClass];
  }

  heldBytes(ingress: number, packetClass: number): number {
    return this.#inBytes[2 * ingress + packetClass];
  }

  admit(ingress: number, packetClass: number, bytes: number): boolean {
    this.#usedBytes[2 * this.#nodeOf[ingress] + packetClass] += bytes;
    this.#inBytes[2 * ingress + packetClass] += bytes;
    return true;
  }

  release(ingress: number, packetClass: number, bytes: number): void {
    this.#usedBytes[2 * this.#nodeOf[ingress] + packetClass] -= bytes;
    this.#inBytes[2 * ingress + packetClass] -= bytes;
  }
}
