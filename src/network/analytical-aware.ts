import { requestError } from '../base/errors.js';
import { EventClass, eventOrder } from '../kernel/event-queue.js';
import type { Kernel } from '../kernel/kernel.js';
import { checkPlacement, linkBytesPerNs, type AnalyticalPlacement } from './analytical-placement.js';
import { rateOfGiB, type ByteRate } from './byte-rate.js';
import { beforeEndOfTime } from './end-of-time.js';
import { LinkRoutes } from './link-routes.js';
import type { Network, NetworkFactory, TransferListener } from './network.js';
import type { AnalyticalSpec, NetworkSpec } from './network-spec.js';
import { NONE, WaitingMessages } from './waiting-messages.js';

/**
 * A network with congestion on links: an ASTRA-sim analytical topology as its congestion-aware backend takes it
 * (astra-sim-semantics section 13), in ps instead of whole ns and in our order of events.
 *
 * A message is never split. It occupies a link for S/β, rounded up to whole ps, arrives at the next device a latency later, and
 * is handed to the next link only then. A link carries one message at a time, the others wait in the order in which they were
 * handed to it. Sent is when the first link has taken the last byte, received the arrival at the destination, acknowledged a
 * latency of the whole way after that: acknowledgments meet no congestion.
 *
 * @throws PrepError `NETWORK_WITHOUT_LINKS` for an α–β network; when a network is built, what {@link checkPlacement} and
 *   {@link LinkRoutes} throw
 */
export function analyticalAware(spec: NetworkSpec, placement: AnalyticalPlacement = {}): NetworkFactory {
  if (spec.kind === 'alpha-beta') {
    throw requestError(
      'NETWORK_WITHOUT_LINKS',
      'network alpha-beta: it has no links, and analytical-aware simulates links; expected a topology',
    );
  }
  return (rankCount, kernel, listener) => {
    checkPlacement(spec, placement, rankCount);
    const servers = placement.servers ?? Int32Array.from({ length: rankCount }, (_, rank) => rank);
    return new AnalyticalAware(spec, servers, kernel, listener);
  };
}

/**
 * At one instant links become free first, then messages arrive on their way, then ranks hand over new ones. Among links, and
 * among arrivals, the device with the lower number is first; at one device the message that its link took first.
 * An event at which a link becomes free is needed only where a message waits for it.
 */
class AnalyticalAware implements Network {
  readonly name = 'analytical-aware';
  readonly linkBytesPerNs: number;
  readonly #kernel: Kernel;
  readonly #npuOf: Int32Array; // [ranks]
  readonly #routes: LinkRoutes;
  readonly #rates: readonly ByteRate[]; // [dimensions]
  readonly #latencyPs: Float64Array; // [dimensions]
  // Of links that were never used no page of memory is touched.
  readonly #freePs: Float64Array; // [links] when the link has carried the message it took last
  readonly #lastWaiting: Int32Array; // [links] slot of the last message that waits
  readonly #messages = new WaitingMessages();

  readonly #onFree: number;
  readonly #onArrival: number;
  readonly #onSent: number;
  readonly #onReceived: number;
  readonly #onAcknowledged: number;

  constructor(spec: AnalyticalSpec, npuOf: Int32Array, kernel: Kernel, listener: TransferListener) {
    this.linkBytesPerNs = linkBytesPerNs(spec);
    this.#kernel = kernel;
    this.#npuOf = npuOf;
    this.#routes = new LinkRoutes(spec);
    this.#rates = spec.dimensions.map(({ bandwidthGiBPerSecond }) => rateOfGiB(bandwidthGiBPerSecond));
    this.#latencyPs = Float64Array.from(spec.dimensions, ({ latencyPs }) => latencyPs);
    this.#freePs = new Float64Array(this.#routes.linkCount);
    this.#lastWaiting = new Int32Array(this.#routes.linkCount);
    this.#onFree = kernel.addHandler((link) => this.#takeNext(link, kernel.now));
    this.#onArrival = kernel.addHandler((slot) => this.#handOver(slot, kernel.now));
    this.#onSent = kernel.addHandler((transfer) => listener.sent(transfer, kernel.now));
    this.#onReceived = kernel.addHandler((transfer) => listener.received(transfer, kernel.now));
    this.#onAcknowledged = kernel.addHandler((transfer) => listener.acknowledged(transfer, kernel.now));
  }

  post(transfer: number, source: number, destination: number, bytes: number, nowPs: number): void {
    this.#handOver(this.#messages.add(transfer, source, destination, bytes, this.#npuOf[source]), nowPs);
  }

  /** The message is at a device on its way: the next link takes it now or lets it wait. */
  #handOver(slot: number, now: number): void {
    const messages = this.#messages;
    const routes = this.#routes;
    const device = messages.device[slot];
    routes.find(device, this.#npuOf[messages.destination[slot]]);
    const { link } = routes;
    const last = this.#lastWaiting[link];
    if (last !== NONE) {
      messages.next[slot] = messages.next[last];
      messages.next[last] = slot;
    } else if (this.#freePs[link] > now) {
      messages.next[slot] = slot;
      this.#push(this.#freePs[link], EventClass.completion, device, this.#onFree, link);
    } else {
      this.#take(slot, now);
      return;
    }
    this.#lastWaiting[link] = slot;
  }

  /** The link is free, and at least one message waits for it. */
  #takeNext(link: number, now: number): void {
    const messages = this.#messages;
    const last = this.#lastWaiting[link];
    const slot = messages.next[last];
    const device = messages.device[slot];
    this.#routes.find(device, this.#npuOf[messages.destination[slot]]);
    if (slot === last) {
      this.#lastWaiting[link] = NONE;
      this.#take(slot, now);
    } else {
      messages.next[last] = messages.next[slot];
      this.#take(slot, now);
      this.#push(this.#freePs[link], EventClass.completion, device, this.#onFree, link);
    }
  }

  /** The link that was found last takes a message. */
  #take(slot: number, now: number): void {
    const messages = this.#messages;
    const { link, dimension, end } = this.#routes;
    const free = now + this.#rates[dimension].picoseconds(messages.bytes[slot]);
    const arrival = free + this.#latencyPs[dimension];
    const latency = messages.latencyPs[slot] + this.#latencyPs[dimension];
    const transfer = messages.transfer[slot];
    const source = messages.source[slot];
    const destination = messages.destination[slot];
    this.#freePs[link] = free;
    if (messages.device[slot] === this.#npuOf[source]) {
      this.#push(free, EventClass.completion, source, this.#onSent, transfer);
    }
    if (end === this.#npuOf[destination]) {
      messages.remove(slot);
      this.#push(arrival, EventClass.completion, destination, this.#onReceived, transfer);
      this.#push(arrival + latency, EventClass.completion, source, this.#onAcknowledged, transfer);
    } else {
      messages.device[slot] = end;
      messages.latencyPs[slot] = latency;
      this.#push(arrival, EventClass.arrival, end, this.#onArrival, slot);
    }
  }

  #push(timePs: number, eventClass: number, entity: number, handler: number, payload: number): void {
    this.#kernel.queue.push(beforeEndOfTime(timePs), eventOrder(eventClass, entity), handler, payload);
  }
}
