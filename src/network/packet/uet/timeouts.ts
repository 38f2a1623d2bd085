import { EventClass } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';
import type { UetSettings } from '../settings/packet-settings.js';
import { timerEntity, TimerPlace } from '../nic/timer-place.js';
import type { OutstandingPackets } from './outstanding-packets.js';

/** Doublings of the timeout at most (UE-6). */
const MOST_DOUBLINGS = 5;

/** Whom a packet belongs to, and what is done when it is given up. */
export interface TimeoutOwner {
  hostOf(slot: number): number;
  /** Takes the packet out of its list. */
  expired(slot: number, nowPs: number): void;
}

/**
 * Retransmission timers of packets (UE-6). All packets with one timeout expire in the order in which they left: they are a list,
 * and only its first has an event. One that is acknowledged leaves the list; the event stays, and finds what is first by then.
 */
export class Timeouts {
  readonly #kernel: Kernel;
  readonly #packets: OutstandingPackets;
  readonly #owner: TimeoutOwner;
  readonly #timeoutPs: Float64Array; // [lists]
  readonly #list: Int32Array; // [lists]
  readonly #isScheduled: Uint8Array; // [lists]
  readonly #onDue: number;

  constructor(settings: UetSettings, kernel: Kernel, packets: OutstandingPackets, owner: TimeoutOwner) {
    this.#kernel = kernel;
    this.#packets = packets;
    this.#owner = owner;
    const count = settings.fixedTimeout ? 1 : MOST_DOUBLINGS + 1;
    this.#timeoutPs = Float64Array.from({ length: count }, (_, doublings) => settings.timeoutPs * 2 ** doublings);
    this.#list = Int32Array.from({ length: count }, () => packets.takeList());
    this.#isScheduled = new Uint8Array(count);
    this.#onDue = kernel.addHandler(
      (index) => this.#look(index),
      (index) => packets.firstOf(this.#list[index]) === this.#list[index],
    );
  }

  /** The serialisation of a packet has ended, now. */
  start(slot: number, attempt: number, nowPs: number): void {
    const index = Math.min(attempt, this.#list.length - 1);
    this.#packets.depart(slot, this.#list[index], nowPs);
    if (this.#isScheduled[index] === 0) this.#schedule(index, slot);
  }

  #schedule(index: number, slot: number): void {
    this.#isScheduled[index] = 1;
    const due = this.#packets.departureOf(slot) + this.#timeoutPs[index];
    const entity = timerEntity(this.#owner.hostOf(slot), TimerPlace.timeout + index);
    this.#kernel.schedule(due, EventClass.timer, entity, this.#onDue, index);
  }

  #look(index: number): void {
    this.#isScheduled[index] = 0;
    const packets = this.#packets;
    const list = this.#list[index];
    const { now } = this.#kernel;
    let first = packets.firstOf(list);
    if (first !== list && packets.departureOf(first) + this.#timeoutPs[index] <= now) {
      this.#owner.expired(first, now);
      first = packets.firstOf(list);
    }
    // One of another host that is due now has its own place among the timers of this instant.
    if (first !== list && this.#isScheduled[index] === 0) this.#schedule(index, first);
  }
}
