import type { TransferListener } from '../../network.js';
import type { Fabric } from '../fabric/fabric.js';
import type { HostSide } from '../fabric/host-side.js';
import { PORT_DOUBLES, WAITING } from '../fabric/port-record.js';
import type { SharedBuffer } from '../fabric/shared-buffer.js';

/**
 * Invariants of section 9 that are asserted during a run whose settings have `check` on; those of its end are in
 * invariants.ts. Each failure is a fault of this simulator, not of the traces or the request, so it is thrown as a bare
 * Error, which ends a command with exit status 70.
 */

/** Passes on what a network tells of its transfers, and asserts that each is told once and in order. */
export class CheckedTransfers implements TransferListener {
  /** Data packets of all transfers that were posted. */
  packetsPosted = 0;
  readonly #listener: TransferListener;
  readonly #mssBytes: number;
  readonly #open = new Map<number, { sentPs: number; receivedPs: number; acknowledgedPs: number }>();

  constructor(listener: TransferListener, mssBytes: number) {
    this.#listener = listener;
    this.#mssBytes = mssBytes;
  }

  /** Transfers that are not sent, received and acknowledged. */
  get openCount(): number {
    return this.#open.size;
  }

  post(transfer: number, bytes: number): void {
    if (this.#open.has(transfer)) throw new Error(`transfer ${transfer} is posted while it is under way`);
    this.#open.set(transfer, { sentPs: NaN, receivedPs: NaN, acknowledgedPs: NaN });
    this.packetsPosted += Math.max(1, Math.ceil(bytes / this.#mssBytes));
  }

  sent(transfer: number, timePs: number): void {
    this.#note(transfer, 'sentPs', timePs);
    this.#listener.sent(transfer, timePs);
  }

  received(transfer: number, timePs: number): void {
    const { sentPs } = this.#note(transfer, 'receivedPs', timePs);
    if (!(sentPs <= timePs)) throw new Error(`transfer ${transfer} is received at ${timePs} ps, sent at ${sentPs} ps`);
    this.#listener.received(transfer, timePs);
  }

  acknowledged(transfer: number, timePs: number): void {
    const { receivedPs } = this.#note(transfer, 'acknowledgedPs', timePs);
    if (!(receivedPs < timePs)) {
      throw new Error(`transfer ${transfer} is acknowledged at ${timePs} ps, received at ${receivedPs} ps`);
    }
    this.#open.delete(transfer);
    this.#listener.acknowledged(transfer, timePs);
  }

  #note(transfer: number, what: 'sentPs' | 'receivedPs' | 'acknowledgedPs', timePs: number) {
    const times = this.#open.get(transfer);
    if (times === undefined) throw new Error(`transfer ${transfer} has a time and is not under way`);
    if (!Number.isNaN(times[what])) {
      throw new Error(`transfer ${transfer}: ${what} is ${times[what]} and again ${timePs}`);
    }
    times[what] = timePs;
    return times;
  }
}

/** A shared buffer, no charge of which may fall below 0. */
export class CheckedBuffer implements SharedBuffer {
  readonly #buffer: SharedBuffer;

  constructor(buffer: SharedBuffer) {
    this.#buffer = buffer;
  }

  isLossless(packetClass: number): boolean {
    return this.#buffer.isLossless(packetClass);
  }

  freeBytes(node: number, packetClass: number): number {
    return this.#buffer.freeBytes(node, packetClass);
  }

  heldBytes(ingress: number, packetClass: number): number {
    return this.#buffer.heldBytes(ingress, packetClass);
  }

  admit(ingress: number, packetClass: number, bytes: number): boolean {
    const before = this.heldBytes(ingress, packetClass);
    const isAdmitted = this.#buffer.admit(ingress, packetClass, bytes);
    const charged = this.heldBytes(ingress, packetClass) - before;
    if (charged !== (isAdmitted ? bytes : 0)) {
      throw new Error(`port ${ingress}: ${charged} bytes are charged for a packet of ${bytes}, admitted ${isAdmitted}`);
    }
    return isAdmitted;
  }

  release(ingress: number, packetClass: number, bytes: number): void {
    this.#buffer.release(ingress, packetClass, bytes);
    const held = this.heldBytes(ingress, packetClass);
    if (held < 0) throw new Error(`port ${ingress}: ${held} bytes are charged to class ${packetClass}`);
  }
}

/** The NICs, and whenever a packet arrives the queue that it came from: no bytes of it may be below 0. */
export class CheckedHosts implements HostSide {
  readonly #hosts: HostSide;
  readonly #fabric: Fabric;

  constructor(hosts: HostSide, fabric: Fabric) {
    this.#hosts = hosts;
    this.#fabric = fabric;
  }

  ended(port: number): void {
    this.#hosts.ended(port);
  }

  wants(port: number): void {
    this.#hosts.wants(port);
  }

  consume(slot: number, port: number): void {
    const { numbers, doubles } = this.#fabric;
    const from = numbers.peerOf[port];
    for (const queue of [0, 1, 2]) {
      const waiting = doubles[from * PORT_DOUBLES + WAITING + queue];
      if (waiting < 0) throw new Error(`port ${from}: ${waiting} bytes wait in queue ${queue}`);
    }
    this.#hosts.consume(slot, port);
  }
}
