import type { Kernel } from '../../../kernel/kernel.js';
import { ByteRate } from '../../byte-rate.js';
import { writtenOrder } from '../fabric/arrival-order.js';
import type { Fabric } from '../fabric/fabric.js';
import * as packetRecord from '../fabric/packet-record.js';
import type { HostLinkSettings } from '../settings/packet-settings.js';
import * as portRecord from '../fabric/port-record.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const { BYTES, DEPARTURE, FULL_PENALTY, INGRESS, NEXT, PACKET_DOUBLES, PACKET_INTEGERS } = packetRecord;
const { DATA } = portRecord;

/** Parts of the receive pool between which the penalty rises. */
const PENALTY_FROM = 0.25;
const PENALTY_FULL = 0.75;

/**
 * The links between NICs and their hosts' memory, PCIe (NIC-4): one of each direction for each host, first come, first served.
 * Only payload crosses them, in pieces that each have an overhead.
 *
 * A packet that has arrived waits in the receive pool of the NIC until it is written to the host; for the transport it arrives
 * then. One that finds no room in the pool is dropped. Where PFC protects data, a NIC stops what its host's ports send it at
 * the Xoff of the switches, and lets it go on at their Xon.
 */
export class HostLink {
  /** [nodes] the most bytes there were in the receive pool. */
  readonly peakPoolBytes: Float64Array;
  readonly #fabric: Fabric;
  readonly #kernel: Kernel;
  readonly #settings: HostLinkSettings;
  readonly #rate: ByteRate;
  readonly #fullPayload: number;
  readonly #fullPs: number; // crossing of a full packet's payload
  readonly #headerBytes: number; // of a data packet, with what the physical layer adds
  readonly #pauses: boolean;
  readonly #xoffBytes: number;
  readonly #xonBytes: number;
  readonly #written: (slot: number, port: number) => void;
  readonly #fetchFreePs: Float64Array; // [nodes] when all that was asked for has been fetched
  readonly #writeFreePs: Float64Array; // [nodes] when all that is in the pool has been written
  readonly #poolBytes: Float64Array; // [nodes]
  readonly #poolHead: Int32Array; // [nodes] packet that is being written, −1 for none
  readonly #poolTail: Int32Array; // [nodes]
  readonly #isPaused: Uint8Array; // [nodes] 1 where the NIC has stopped its links
  readonly #onWritten: number;

  /** @param written what the NIC does with a packet that came in by a port, once it is in the host's memory */
  constructor(
    fabric: Fabric,
    kernel: Kernel,
    settings: HostLinkSettings,
    written: (slot: number, port: number) => void,
  ) {
    const { topology, settings: network } = fabric.spec;
    const { frames, switches } = network;
    const nodes = topology.nodes.length;
    this.#fabric = fabric;
    this.#kernel = kernel;
    this.#settings = settings;
    this.#rate = new ByteRate(settings.gbps, 1n, 8n);
    this.#fullPayload = frames.mssBytes;
    this.#fullPs = this.#rate.picoseconds(hostLinkBytes(settings, frames.mssBytes));
    this.#headerBytes = frames.dataHeaderBytes + frames.phyOverheadBytes;
    this.#pauses = switches.pfc !== 'off' && switches.lossless[DATA];
    this.#xoffBytes = switches.xoffBytes;
    this.#xonBytes = switches.xonBytes;
    this.#written = written;
    this.#fetchFreePs = new Float64Array(nodes);
    this.#writeFreePs = new Float64Array(nodes);
    this.#poolBytes = new Float64Array(nodes);
    this.peakPoolBytes = new Float64Array(nodes);
    this.#poolHead = new Int32Array(nodes).fill(-1);
    this.#poolTail = new Int32Array(nodes).fill(-1);
    this.#isPaused = new Uint8Array(nodes);
    this.#onWritten = kernel.addHandler((host) => this.#endWrite(host));
  }

  /** Asks for the payload of a packet that a host is to send. @returns when it has been fetched, ps */
  fetch(host: number, payloadBytes: number): number {
    const fetched = Math.max(this.#fetchFreePs[host], this.#kernel.now) + this.#crossingPs(payloadBytes);
    this.#fetchFreePs[host] = fetched;
    return fetched;
  }

  /** Whether the receive pool of a host can take a data packet. */
  hasRoom(host: number, slot: number): boolean {
    return this.#poolBytes[host] + this.#payloadOf(slot) <= this.#settings.ingressPoolBytes;
  }

  /** A data packet that the pool has room for has arrived by a port of its destination. */
  receive(slot: number, port: number): void {
    const { packets, numbers } = this.#fabric;
    const host = numbers.nodeOf[port];
    const bytes = this.#payloadOf(slot);
    const pool = this.#poolBytes[host] + bytes;
    this.#poolBytes[host] = pool;
    if (pool > this.peakPoolBytes[host]) this.peakPoolBytes[host] = pool;
    if (this.#pauses && this.#isPaused[host] === 0 && pool > this.#xoffBytes) this.#pause(host, true);
    const written = Math.max(this.#writeFreePs[host], this.#kernel.now) + this.#crossingPs(bytes);
    this.#writeFreePs[host] = written;
    packets.doubles[slot * PACKET_DOUBLES + DEPARTURE] = written;
    packets.integers[slot * PACKET_INTEGERS + INGRESS] = port;
    packets.integers[slot * PACKET_INTEGERS + NEXT] = -1;
    const tail = this.#poolTail[host];
    this.#poolTail[host] = slot;
    if (tail >= 0) {
      packets.integers[tail * PACKET_INTEGERS + NEXT] = slot;
      return;
    }
    this.#poolHead[host] = slot;
    this.#await(host, slot);
  }

  /** Penalty of a receiver, 0 … 127 in whole steps: linear between 25 and 75 % of the pool (section 7). */
  penaltyOf(host: number): number {
    const part = this.#poolBytes[host] / this.#settings.ingressPoolBytes;
    const share = (part - PENALTY_FROM) / (PENALTY_FULL - PENALTY_FROM);
    return Math.floor(FULL_PENALTY * Math.min(1, Math.max(0, share)));
  }

  #endWrite(host: number): void {
    const { packets } = this.#fabric;
    const slot = this.#poolHead[host];
    const next = packets.integers[slot * PACKET_INTEGERS + NEXT];
    this.#poolHead[host] = next;
    if (next < 0) this.#poolTail[host] = -1;
    else this.#await(host, next);
    this.#poolBytes[host] -= this.#payloadOf(slot);
    if (this.#isPaused[host] === 1 && this.#poolBytes[host] <= this.#xonBytes) this.#pause(host, false);
    this.#written(slot, packets.integers[slot * PACKET_INTEGERS + INGRESS]);
  }

  /** A packet is an arrival once more when it has been written. */
  #await(host: number, slot: number): void {
    const { doubles, integers } = this.#fabric.packets;
    this.#kernel.queue.push(
      doubles[slot * PACKET_DOUBLES + DEPARTURE],
      writtenOrder(integers[slot * PACKET_INTEGERS + INGRESS]),
      this.#onWritten,
      host,
    );
  }

  #pause(host: number, stop: boolean): void {
    this.#isPaused[host] = stop ? 1 : 0;
    const { first } = this.#fabric.numbers;
    for (let port = first[host]; port < first[host + 1]; port++) this.#fabric.sendPfc(port, DATA, stop);
  }

  /** What padding makes of a short packet counts as payload. */
  #payloadOf(slot: number): number {
    return this.#fabric.packets.integers[slot * PACKET_INTEGERS + BYTES] - this.#headerBytes;
  }

  #crossingPs(payloadBytes: number): number {
    return payloadBytes === this.#fullPayload
      ? this.#fullPs
      : this.#rate.picoseconds(hostLinkBytes(this.#settings, payloadBytes));
  }
}

/** Bytes that cross the host link for so many of payload. */
export function hostLinkBytes({ overheadBytes, pieceBytes }: HostLinkSettings, payloadBytes: number): number {
  return payloadBytes + Math.ceil(payloadBytes / pieceBytes) * overheadBytes;
}
