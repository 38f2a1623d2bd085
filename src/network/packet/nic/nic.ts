import { grown } from '../../../base/grown.js';
import { EventClass, eventOrder } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';
import { PacketHashes } from '../fabric/ecmp-hash.js';
import type { Fabric } from '../fabric/fabric.js';
import type { HostSide } from '../fabric/host-side.js';
import type { HostCounters } from './host-counters.js';
import { HostLink } from './host-link.js';
import * as packetRecord from '../fabric/packet-record.js';
import type { Packets } from '../fabric/packets.js';
import * as portRecord from '../fabric/port-record.js';
import { oneMember } from '../fabric/routes.js';
import { timerEntity, TimerPlace } from './timer-place.js';
import type { Transport } from './transport.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const {
  ATTEMPT,
  BYTES,
  DESTINATION,
  ENTROPY,
  FLAGS,
  FLOW,
  HASH,
  INGRESS,
  KIND,
  PACKET_INTEGERS,
  PACKET_KINDS,
  PacketKind,
  PSN,
  SOURCE,
} = packetRecord;
const { CONTROL, FLIGHT_TAIL, LINK_CONTROL, PAUSED, PORT_INTEGERS, SERVICE_CLASS } = portRecord;

/** Destination UDP ports (RT-4). */
export const DESTINATION_PORT = { roce: 4791, uet: 4793, mrc: 4791 } as const;

const NOT_IN_RING = -1;
/** Of the time at which a context's next packet has been fetched: it was not asked for. */
const NOT_ASKED = Infinity;

/**
 * The NICs of all hosts (NIC-1 … NIC-5): for each port link control, a FIFO of control, and a ring of contexts that may send
 * data, one packet a turn. A port starts its next frame in a kick, behind all else of the instant.
 */
export class Nic implements HostSide {
  readonly fabric: Fabric;
  readonly packets: Packets;
  transport!: Transport;
  /** Undefined where hosts have their bytes at no cost. */
  readonly hostLink: HostLink | undefined;
  readonly #counters: HostCounters;
  readonly #kernel: Kernel;
  readonly #ringHead: Int32Array; // [ports] context, −1 for none
  readonly #ringTail: Int32Array; // [ports]
  #next = new Int32Array(64); // [contexts] next of its ring
  #ringOf = new Int32Array(64).fill(NOT_IN_RING); // [contexts] port
  #fetchedPs = new Float64Array(0); // [contexts] when the bytes of the next packet are there (NIC-4)
  readonly #kickPending: Uint8Array; // [ports]
  readonly #hashes: PacketHashes;
  readonly #structured: boolean;
  readonly #ackTurnaroundPs: number;
  readonly #fold: boolean;
  readonly #onKick: number;
  readonly #onReply: number;
  readonly #onFetched: number;

  constructor(fabric: Fabric, kernel: Kernel, counters: HostCounters) {
    const { settings } = fabric.spec;
    this.fabric = fabric;
    this.packets = fabric.packets;
    this.#counters = counters;
    this.#kernel = kernel;
    this.#ringHead = new Int32Array(fabric.numbers.count).fill(-1);
    this.#ringTail = new Int32Array(fabric.numbers.count).fill(-1);
    this.#kickPending = new Uint8Array(fabric.numbers.count);
    this.#hashes = new PacketHashes(fabric.spec.topology.nodes.length, DESTINATION_PORT[settings.nic]);
    this.#structured = settings.nic === 'mrc' && settings.mrc.evMode === 'structured';
    this.#ackTurnaroundPs = settings.hosts.ackTurnaroundPs;
    this.#fold = settings.fold;
    this.#onKick = kernel.addHandler((port) => {
      this.#kickPending[port] = 0;
      this.#startNext(port);
    });
    this.#onReply = kernel.addHandler((slot) => this.#queueReply(slot));
    this.#onFetched = kernel.addHandler(
      (context) => {
        if (this.#fetchedPs[context] === kernel.now) this.join(context, true);
      },
      (context, timePs) => this.#fetchedPs[context] !== timePs,
    );
    if (settings.hosts.hostLink !== undefined) {
      this.hostLink = new HostLink(fabric, kernel, settings.hosts.hostLink, (slot, port) =>
        this.transport.consume(slot, port, kernel.now),
      );
    }
    fabric.hosts = this;
  }

  /** The port of a host that a number, an entropy value or a hash, chooses for a destination (NIC-5). */
  portFor(host: number, destination: number, choice: number): number {
    const { routes } = this.fabric;
    const set = routes.setOf(host, destination);
    if (oneMember(set) >= 0) return oneMember(set);
    const first = routes.memberStart[set];
    return routes.members[first + (choice % (routes.memberStart[set + 1] - first))];
  }

  /** Number of ports of a host that lead to a destination. */
  portCount(host: number, destination: number): number {
    const { routes } = this.fabric;
    return routes.membersOf(routes.setOf(host, destination)).length;
  }

  /** What a receiver's acknowledgments ask of its senders, 0 … 127. */
  penaltyOf(host: number): number {
    return this.hostLink === undefined ? 0 : this.hostLink.penaltyOf(host);
  }

  /** Writes who a packet is from and to, and by which way; the rest of its record is the caller's. */
  address(slot: number, kind: number, bytes: number, source: number, destination: number, entropy: number): void {
    const packets = this.packets.integers;
    const at = slot * PACKET_INTEGERS;
    packets[at + KIND] = kind;
    packets[at + FLAGS] = 0;
    packets[at + BYTES] = bytes;
    packets[at + SOURCE] = source;
    packets[at + DESTINATION] = destination;
    packets[at + ENTROPY] = entropy;
    packets[at + HASH] = this.#structured ? entropy : this.#hashes.of(source, destination, entropy);
  }

  /**
   * Makes the packet that has just arrived into the one that answers it: from here to its sender, with its flow, PSN, attempt and
   * entropy, without flags; it still has to be {@link reply replied}.
   */
  turnAround(slot: number, kind: number, bytes: number): void {
    const packets = this.packets.integers;
    const at = slot * PACKET_INTEGERS;
    this.address(slot, kind, bytes, packets[at + DESTINATION], packets[at + SOURCE], packets[at + ENTROPY]);
  }

  /** Another answer to a packet that has arrived, as {@link turnAround}, in a slot of its own. */
  answer(slot: number, kind: number, bytes: number): number {
    const reply = this.packets.take();
    const packets = this.packets.integers;
    const from = slot * PACKET_INTEGERS;
    const to = reply * PACKET_INTEGERS;
    this.address(reply, kind, bytes, packets[from + DESTINATION], packets[from + SOURCE], packets[from + ENTROPY]);
    for (const copied of [FLOW, PSN, ATTEMPT]) packets[to + copied] = packets[from + copied];
    return reply;
  }

  /** Sends an answer by the port at which the packet it answers came in: control, or link control for a CNP (RC-6). */
  reply(slot: number, port: number): void {
    const at = slot * PACKET_INTEGERS;
    this.packets.integers[at + INGRESS] = port;
    if (this.#ackTurnaroundPs === 0) {
      this.#queueReply(slot);
      return;
    }
    const due = this.#kernel.now + this.#ackTurnaroundPs;
    const host = this.packets.integers[at + SOURCE];
    this.#kernel.schedule(due, EventClass.timer, timerEntity(host, TimerPlace.other), this.#onReply, slot);
  }

  /** Sends control that answers nothing, a probe. */
  send(slot: number, port: number): void {
    this.fabric.enqueue(port, slot, CONTROL);
    this.wants(port);
  }

  #queueReply(slot: number): void {
    const packets = this.packets.integers;
    const at = slot * PACKET_INTEGERS;
    const port = packets[at + INGRESS];
    this.fabric.enqueue(port, slot, packets[at + KIND] === PacketKind.cnp ? LINK_CONTROL : CONTROL);
    this.wants(port);
  }

  /** The number of a context is that of another one from now on. */
  forget(context: number): void {
    if (context < this.#fetchedPs.length) this.#fetchedPs[context] = NOT_ASKED;
  }

  isInRing(context: number): boolean {
    return context < this.#ringOf.length && this.#ringOf[context] !== NOT_IN_RING;
  }

  /** Puts a context into the ring of the port that its next packet takes, at the tail or at the head, unless it is in one. */
  join(context: number, atHead: boolean): void {
    if (context >= this.#ringOf.length) this.#growContexts(context);
    if (this.#ringOf[context] !== NOT_IN_RING) return;
    const port = this.transport.nextPort(context);
    if (port < 0) return;
    this.#insert(context, port, atHead);
    this.wants(port);
  }

  wants(port: number): void {
    if (this.#kickPending[port] !== 0 || this.#isSending(port)) return;
    this.#kickPending[port] = 1;
    this.#kernel.queue.push(this.#kernel.queue.time, eventOrder(EventClass.kick, port), this.#onKick, port);
  }

  ended(port: number): void {
    const { fabric } = this;
    const slot = fabric.integers[port * PORT_INTEGERS + FLIGHT_TAIL];
    const at = slot * PACKET_INTEGERS;
    const kind = this.packets.integers[at + KIND];
    const host = fabric.numbers.nodeOf[port];
    if (kind !== PacketKind.pfc && this.packets.integers[at + SOURCE] === host) {
      this.#counters.packetsSent[host * PACKET_KINDS + kind]++;
      if (kind === PacketKind.data || kind === PacketKind.probe) {
        this.transport.departed(slot, this.#kernel.queue.time);
      }
    }
    if (this.#kickPending[port] !== 0) return;
    const { queue } = this.#kernel;
    const order = eventOrder(EventClass.kick, port);
    // Nothing of this instant comes before the kick: it need not be an event.
    if (this.#fold && !this.#kernel.settlePending && queue.nextOrder() > order && fabric.isQuiet()) {
      this.#startNext(port);
      return;
    }
    this.#kickPending[port] = 1;
    queue.push(queue.time, order, this.#onKick, port);
  }

  consume(slot: number, port: number): void {
    const packet = slot * PACKET_INTEGERS;
    const packets = this.packets.integers;
    const host = packets[packet + DESTINATION];
    const isData = packets[packet + KIND] === PacketKind.data;
    if (this.hostLink !== undefined && isData && !this.hostLink.hasRoom(host, slot)) {
      this.#counters.poolDrops[host]++;
      this.packets.release(slot);
      return;
    }
    this.#counters.packetsReceived[host * PACKET_KINDS + packets[packet + KIND]]++;
    if (this.hostLink !== undefined && isData) this.hostLink.receive(slot, port);
    else this.transport.consume(slot, port, this.#kernel.queue.time);
  }

  #isSending(port: number): boolean {
    return this.fabric.integers[port * PORT_INTEGERS + SERVICE_CLASS] >= 0;
  }

  #startNext(port: number): void {
    if (this.#isSending(port)) return;
    const { fabric } = this;
    const waiting = fabric.takeFirst(port);
    if (waiting >= 0) {
      fabric.leave(port, waiting);
      return;
    }
    if ((fabric.integers[port * PORT_INTEGERS + PAUSED] & 1) !== 0) return;
    const now = this.#kernel.queue.time;
    for (;;) {
      const context = this.#ringHead[port];
      if (context < 0) return;
      this.#removeHead(port);
      if (this.hostLink !== undefined && !this.#isFetched(context, port, now)) continue;
      const slot = this.transport.build(context, port, now);
      if (slot < 0) continue;
      if (this.hostLink !== undefined) this.#fetchedPs[context] = NOT_ASKED;
      const next = this.transport.nextPort(context);
      if (next >= 0) {
        this.#insert(context, next, false);
        if (next !== port) this.wants(next);
      }
      fabric.start(port, slot);
      return;
    }
  }

  /** Whether the bytes of a context's next packet are there; where they are not, it comes back when they are. */
  #isFetched(context: number, port: number, now: number): boolean {
    const fetchedPs = this.#fetchedPs[context];
    if (fetchedPs <= now || fetchedPs === NOT_ASKED) return true;
    const entity = timerEntity(this.fabric.numbers.nodeOf[port], TimerPlace.other);
    this.#kernel.schedule(fetchedPs, EventClass.timer, entity, this.#onFetched, context);
    return false;
  }

  #removeHead(port: number): void {
    const context = this.#ringHead[port];
    const next = this.#next[context];
    this.#ringHead[port] = next;
    if (next < 0) this.#ringTail[port] = -1;
    this.#ringOf[context] = NOT_IN_RING;
  }

  #insert(context: number, port: number, atHead: boolean): void {
    const { hostLink } = this;
    if (hostLink !== undefined) {
      if (context >= this.#fetchedPs.length) this.#growFetches();
      if (this.#fetchedPs[context] === NOT_ASKED) {
        const host = this.fabric.numbers.nodeOf[port];
        this.#fetchedPs[context] = hostLink.fetch(host, this.transport.nextPayload(context));
      }
    }
    this.#ringOf[context] = port;
    const head = this.#ringHead[port];
    if (head < 0) {
      this.#next[context] = -1;
      this.#ringHead[port] = context;
      this.#ringTail[port] = context;
    } else if (atHead) {
      this.#next[context] = head;
      this.#ringHead[port] = context;
    } else {
      this.#next[context] = -1;
      this.#next[this.#ringTail[port]] = context;
      this.#ringTail[port] = context;
    }
  }

  #growFetches(): void {
    const before = this.#fetchedPs.length;
    this.#fetchedPs = grown(this.#fetchedPs, this.#ringOf.length).fill(NOT_ASKED, before);
  }

  #growContexts(context: number): void {
    const before = this.#ringOf.length;
    const length = Math.max(2 * before, context + 1);
    this.#next = grown(this.#next, length);
    this.#ringOf = grown(this.#ringOf, length).fill(NOT_IN_RING, before);
  }
}
