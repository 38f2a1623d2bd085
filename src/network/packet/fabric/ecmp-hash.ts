/**
 * The hash by which a node chooses among equal paths (RT-4): CRC-32 (IEEE, reflected) over 13 bytes, started from a salt of the
 * node, and mixed by the MurmurHash3 finaliser.
 *
 * A CRC is linear, so it is the CRC of the packet, worked out once, xor a constant of the node.
 */

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

const FIRST_ADDRESS = 0x0a000001;
const UDP = 17;
/** Bytes that are hashed. */
const LENGTH = 13;

/** MurmurHash3's 32-bit finaliser; a signed integer. */
export function fmix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** CRC-32 of bytes, continued from that of those before. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The register of a CRC after a byte. */
function after(register: number, byte: number): number {
  return TABLE[(register ^ byte) & 255] ^ (register >>> 8);
}

function afterWord(register: number, word: number): number {
  return after(after(after(after(register, word >>> 24), (word >>> 16) & 255), (word >>> 8) & 255), word & 255);
}

/**
 * What a packet adds to the hash at every node: the CRC register over its addresses and ports, started from 0.
 * @param source node ids of the hosts; an address is 10.0.0.1 + id
 * @param sourcePort UDP port, 0 … 65,535
 */
export function packetHash(source: number, destination: number, sourcePort: number, destinationPort: number): number {
  let register = afterWord(0, (FIRST_ADDRESS + source) | 0);
  register = afterWord(register, (FIRST_ADDRESS + destination) | 0);
  register = after(register, UDP);
  register = after(after(register, sourcePort >>> 8), sourcePort & 255);
  return after(after(register, destinationPort >>> 8), destinationPort & 255);
}

/** As {@link packetHash}, from tables: the parts of a CRC that bytes contribute add up. */
export class PacketHashes {
  readonly #ofSource: Int32Array; // [nodes]
  readonly #ofDestination: Int32Array; // [nodes]
  readonly #ofHighByte = new Int32Array(256); // of the source port
  readonly #ofLowByte = new Int32Array(256);

  /** @param nodes ids below this */
  constructor(nodes: number, destinationPort: number) {
    const none = packetHash(0, 0, 0, destinationPort);
    this.#ofSource = Int32Array.from({ length: nodes }, (_, node) => packetHash(node, 0, 0, destinationPort));
    this.#ofDestination = Int32Array.from(
      { length: nodes },
      (_, node) => packetHash(0, node, 0, destinationPort) ^ none,
    );
    for (let byte = 0; byte < 256; byte++) {
      this.#ofHighByte[byte] = packetHash(0, 0, byte << 8, destinationPort) ^ none;
      this.#ofLowByte[byte] = packetHash(0, 0, byte, destinationPort) ^ none;
    }
  }

  of(source: number, destination: number, sourcePort: number): number {
    const ends = this.#ofSource[source] ^ this.#ofDestination[destination];
    return ends ^ this.#ofHighByte[sourcePort >>> 8] ^ this.#ofLowByte[sourcePort & 255];
  }
}

/** What a node adds to the hash of every packet. */
export function nodeHash(node: number): number {
  const salt = nodeSalt(node);
  // Continuing from a CRC starts with its complement in the register and complements at the end.
  let register = ~salt;
  for (let byte = 0; byte < LENGTH; byte++) register = after(register, 0);
  return ~register ^ salt;
}

export function nodeSalt(node: number): number {
  return fmix((node + 0x9e3779b9) | 0);
}

/** The hash of a packet at a node, 0 … 2^32 − 1. */
export function ecmpHash(ofNode: number, ofPacket: number): number {
  return fmix(ofNode ^ ofPacket) >>> 0;
}
