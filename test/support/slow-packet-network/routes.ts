import type { Topology } from '../../../src/network/topology/topology.js';
import type { Port } from './ports.js';

/** Ports that lead one hop nearer (RT-1, RT-2). */
export class Routes {
  readonly #topology: Topology;
  readonly #ports: readonly Port[];
  readonly #hostsForward: boolean;
  readonly #distances = new Map<number, number[]>();
  readonly #members = new Map<string, Port[]>();

  constructor(topology: Topology, ports: readonly Port[], hostsForward: boolean) {
    this.#topology = topology;
    this.#ports = ports;
    this.#hostsForward = hostsForward;
  }

  members(node: number, destination: number): Port[] {
    const key = `${node} ${destination}`;
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const distances = this.#distancesTo(destination);
    const found = this.#ports
      .filter((port) => port.node === node)
      .filter(({ peer }) => this.#passes(peer.node, destination) && distances[peer.node] === distances[node] - 1)
      .sort((a, b) => a.peer.node - b.peer.node || a.link - b.link);
    this.#members.set(key, found);
    return found;
  }

  #passes(node: number, destination: number): boolean {
    return node === destination || this.#hostsForward || this.#topology.nodes[node].kind !== 'host';
  }

  #distancesTo(destination: number): number[] {
    const known = this.#distances.get(destination);
    if (known !== undefined) return known;
    const distances = this.#topology.nodes.map(() => Infinity);
    distances[destination] = 0;
    const reached = [destination];
    for (const node of reached) {
      if (!this.#passes(node, destination)) continue;
      for (const port of this.#ports.filter((each) => each.node === node)) {
        if (distances[port.peer.node] !== Infinity) continue;
        distances[port.peer.node] = distances[node] + 1;
        reached.push(port.peer.node);
      }
    }
    this.#distances.set(destination, distances);
    return distances;
  }
}

/** RT-4: of the addresses and ports of a packet at a node. */
export function flowHash(node: number, source: number, destination: number, sourcePort: number, port: number): number {
  const key = new DataView(new ArrayBuffer(13));
  key.setUint32(0, 0x0a000001 + source);
  key.setUint32(4, 0x0a000001 + destination);
  key.setUint8(8, 17);
  key.setUint16(9, sourcePort);
  key.setUint16(11, port);
  const salt = fmix(node + 0x9e3779b9);
  return fmix(crc32(new Uint8Array(key.buffer), salt) ^ salt);
}

/** The reflected CRC-32 of IEEE 802.3, continued from one of what came before. */
export function crc32(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** Finaliser of MurmurHash3, 32 bits. */
function fmix(word: number): number {
  let mixed = word;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
