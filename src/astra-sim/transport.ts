import type { LaneQueue } from '../kernel/lane-queue.js';
import type { AnalyticalSpec } from '../network/network-spec.js';
import { AwareLinks } from './aware-links.js';
import { Completion, Event } from './events.js';
import { MessageMatching } from './message-matching.js';
import { MessagePool } from './message-pool.js';
import { MessageSizes } from './message-sizes.js';
import { UnawareTimes } from './unaware-times.js';

/** Bytes of a message that asks or answers under rendezvous, and what is added to the tag (astra-sim-semantics section 14). */
const CONTROL_BYTES = 8192;
const CONTROL_TAGS = 1_000_000_000;

/** Takes messages of collectives. */
export interface StreamReceiver {
  /** A message has arrived: gives whether a receive waited for it. */
  receive(destination: number, source: number, tag: number, size: number): boolean;
}

/** Told what is complete. */
export interface TransportListener {
  complete(rank: number, completion: number, reference: number): void;
}

/**
 * Messages between ranks: when they arrive, and which receive they belong to (astra-sim-semantics sections 11 to 14). Those of
 * collectives have tags of their own, which number the chunks of all groups.
 */
export class Transport {
  /** [ranks] without those of collectives, which count theirs; with those of rendezvous. */
  readonly messagesSent: Float64Array;
  readonly messagesReceived: Float64Array; // [ranks]
  readonly bytesSent: Float64Array; // [ranks]
  readonly bytesReceived: Float64Array; // [ranks]
  /** Messages of collectives that nobody has asked for yet, by key. */
  readonly early = new MessageMatching();
  /** All others, and the receives that wait for them; under rendezvous those of collectives too, with tags below 0. */
  readonly matching = new MessageMatching();
  readonly rendezvous: boolean;
  readonly sizes = new MessageSizes();
  streams!: StreamReceiver;
  listener!: TransportListener;

  readonly #queue: LaneQueue;
  readonly #nowLane: number;
  readonly #messages = new MessagePool();
  readonly #controlSize: number;
  readonly #times: UnawareTimes;
  readonly #links: AwareLinks | undefined;
  readonly #early: Int32Array; // [ranks] messages in `early` for the rank

  /** @param isFolded whether rank 0 stands for all: what it sends arrives at itself, as what it is sent by the rank on the other side */
  constructor(
    network: AnalyticalSpec,
    isAware: boolean,
    rendezvous: boolean,
    rankCount: number,
    queue: LaneQueue,
    readonly isFolded: boolean,
  ) {
    this.#queue = queue;
    this.#nowLane = queue.laneOf(0);
    this.#controlSize = this.sizes.numberOf(CONTROL_BYTES);
    this.rendezvous = rendezvous;
    this.#times = new UnawareTimes(network);
    this.#links = isAware
      ? new AwareLinks(network, queue, this.#messages, this.sizes, Event.hop, Event.linkFree, isFolded)
      : undefined;
    this.messagesSent = new Float64Array(rankCount);
    this.messagesReceived = new Float64Array(rankCount);
    this.bytesSent = new Float64Array(rankCount);
    this.bytesReceived = new Float64Array(rankCount);
    this.#early = new Int32Array(rankCount);
  }

  /** Whether the time of a message depends on no other. */
  get isUnaware(): boolean {
    return this.#links === undefined;
  }

  /** Time of a message between two ranks on the unaware network, ns. */
  delayNs(source: number, destination: number, bytes: number): number {
    return this.#times.delayNs(source, destination, bytes);
  }

  /** Sends a message of a collective. */
  sendStream(source: number, destination: number, tag: number, size: number): void {
    if (this.rendezvous) {
      this.#send(source, destination, -1 - tag, size, Completion.nothing, 0);
    } else if (this.#links === undefined) {
      const delay = this.#times.delayNs(source, destination, this.sizes.bytes(size));
      this.sendStreamAfter(this.#queue.laneOf(delay), delay, source, destination, tag, size);
    } else {
      this.#depart(this.#messages.add(source, destination, tag, size, Completion.record, 0));
    }
  }

  /** The same on the unaware network without rendezvous, when the delay is known. */
  sendStreamAfter(lane: number, delay: number, source: number, destination: number, tag: number, size: number): void {
    this.#queue.push(lane, delay, Event.arrival, destination, source, tag, size);
  }

  /**
   * Sends a message of rank 0 that stands for one of every rank: it arrives at rank 0.
   * @param mirror the rank that sends the same to rank 0
   * @param origin number of the way to the destination, `originOf` of link-ways
   * @param interchange number of those messages that may change places when they arrive at one instant on the unaware network
   */
  sendFolded(
    destination: number,
    mirror: number,
    origin: number,
    interchange: number,
    tag: number,
    size: number,
  ): void {
    const bytes = this.sizes.bytes(size);
    if (this.#links !== undefined) {
      this.#depart(this.#messages.add(0, destination, tag, size, Completion.record, mirror));
      return;
    }
    const queue = this.#queue;
    const delay = this.#times.delayNs(0, destination, bytes);
    queue.origin = origin;
    queue.interchange = interchange;
    queue.push(queue.laneOf(delay), delay, Event.arrival, 0, mirror, tag, size);
    queue.origin = 0;
    queue.interchange = -1;
  }

  /**
   * Posts a receive of a collective: gives whether the record has to wait for {@link StreamReceiver.receive}; otherwise its
   * completion comes by itself.
   */
  postStream(source: number, destination: number, tag: number, size: number, record: number): boolean {
    if (this.rendezvous) {
      this.#receive(source, destination, -1 - tag, size, Completion.record, record);
      return false;
    }
    if (this.#early[destination] === 0 || !this.early.take(source, destination, tag, size)) return true;
    this.#early[destination]--;
    this.#queue.push(this.#nowLane, 0, Event.lateReceive, destination, Completion.record, record, 0);
    return false;
  }

  /** Sends a message; `completion` is told at its arrival. */
  send(source: number, destination: number, tag: number, bytes: number, completion: number, reference: number): void {
    this.#send(source, destination, tag, this.sizes.numberOf(bytes), completion, reference);
  }

  /** Posts a receive; `completion` is told when its message is there. */
  receive(
    source: number,
    destination: number,
    tag: number,
    bytes: number,
    completion: number,
    reference: number,
  ): void {
    this.#receive(source, destination, tag, this.sizes.numberOf(bytes), completion, reference);
  }

  /** A message of a collective has arrived ({@link Event.arrival}). */
  arriveStream(destination: number, source: number, tag: number, size: number): void {
    this.messagesReceived[destination]++;
    this.bytesReceived[destination] += this.sizes.bytes(size);
    if (this.streams.receive(destination, source, tag, size)) return;
    this.early.arrive(source, destination, tag, size);
    this.#early[destination]++;
  }

  /** A message of the pool is at the end of a link ({@link Event.hop}). */
  hop(message: number): void {
    if (this.#links?.arrive(message) === true) this.arrive(message);
  }

  /** A link is free ({@link Event.linkFree}). */
  linkFree(link: number): void {
    this.#links?.free(link);
  }

  /** A message of the pool is where it wanted to go ({@link Event.message}). */
  arrive(message: number): void {
    const messages = this.#messages;
    const source = messages.source(message);
    const destination = messages.destination(message);
    const tag = messages.tag(message);
    const size = messages.size(message);
    const completion = messages.code(message);
    const reference = messages.reference(message);
    messages.remove(message);
    if (completion === Completion.record) {
      if (this.isFolded) this.arriveStream(0, reference, tag, size);
      else this.arriveStream(destination, source, tag, size);
      return;
    }
    this.messagesReceived[destination]++;
    this.bytesReceived[destination] += this.sizes.bytes(size);
    this.complete(source, completion, reference);
    const { matching } = this;
    if (matching.arrive(source, destination, tag, size)) this.complete(destination, matching.code, matching.reference);
  }

  /** What a message or a receive was for is done. */
  complete(rank: number, completion: number, reference: number): void {
    const messages = this.#messages;
    if (completion === Completion.parkedSend) {
      this.#depart(reference);
    } else if (completion === Completion.parkedReceive) {
      const source = messages.source(reference);
      const destination = messages.destination(reference);
      const code = messages.code(reference);
      messages.remove(reference);
      const tag = messages.tag(reference);
      this.#post(source, destination, tag, messages.size(reference), code, messages.reference(reference));
    } else if (completion !== Completion.nothing) {
      this.listener.complete(rank, completion, reference);
    }
  }

  #send(source: number, destination: number, tag: number, size: number, completion: number, reference: number): void {
    const message = this.#messages.add(source, destination, tag, size, completion, reference);
    if (!this.rendezvous) this.#depart(message);
    else this.#post(destination, source, controlTag(tag), this.#controlSize, Completion.parkedSend, message);
  }

  #receive(
    source: number,
    destination: number,
    tag: number,
    size: number,
    completion: number,
    reference: number,
  ): void {
    if (!this.rendezvous) {
      this.#post(source, destination, tag, size, completion, reference);
      return;
    }
    const messages = this.#messages;
    const parked = messages.add(source, destination, tag, size, completion, reference);
    this.#depart(
      messages.add(destination, source, controlTag(tag), this.#controlSize, Completion.parkedReceive, parked),
    );
  }

  #depart(message: number): void {
    const messages = this.#messages;
    const from = messages.source(message);
    const bytes = this.sizes.bytes(messages.size(message));
    const code = messages.code(message);
    if (code === Completion.node || code === Completion.parkedReceive) {
      this.messagesSent[from]++;
      this.bytesSent[from] += bytes;
    }
    if (this.#links !== undefined) {
      this.#links.send(message);
      return;
    }
    const delay = this.#times.delayNs(from, messages.destination(message), bytes);
    this.#queue.push(this.#queue.laneOf(delay), delay, Event.message, message, 0, 0, 0);
  }

  #post(source: number, destination: number, tag: number, size: number, completion: number, reference: number): void {
    if (!this.matching.post(source, destination, tag, size, completion, reference)) return;
    this.#queue.push(this.#nowLane, 0, Event.lateReceive, destination, completion, reference, 0);
  }
}

function controlTag(tag: number): number {
  return tag < 0 ? tag - CONTROL_TAGS : tag + CONTROL_TAGS;
}
