import { grown } from '../../../base/grown.js';
import { EventClass } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';

/** Doublings of the timeout at most (UE-6). */
const MOST_DOUBLINGS = 5;
const FIRST_CAPACITY = 256;

/** Whose packets are timed. */
export interface TimedPackets {
  /** Whether the transmission is in flight still, and the packet's last. `opening` tells messages of one number apart. */
  isTimed(message: number, opening: number, psn: number, attempt: number): boolean;
  /** The timeout of such a transmission is over. */
  expired(message: number, psn: number, nowPs: number): void;
}

/**
 * A timer for each packet (UE-6): the timeout, doubled with each retransmission up to five times, from the end of the packet's
 * serialisation. Timers of one timeout expire in the order in which they were started, so they wait in a queue of which the kernel
 * knows the first; one whose packet has arrived is left in the queue until its turn.
 */
export class RetransmissionTimers {
  readonly #kernel: Kernel;
  readonly #packets: TimedPackets;
  /** [timeouts] by number of doublings */
  readonly #queues: TimerQueue[];
  readonly #onExpiry: number;

  /** @param isFixed whether the timeout is never doubled */
  constructor(kernel: Kernel, packets: TimedPackets, timeoutPs: number, isFixed: boolean) {
    this.#kernel = kernel;
    this.#packets = packets;
    this.#queues = Array.from(
      { length: isFixed ? 1 : MOST_DOUBLINGS + 1 },
      (_, k) => new TimerQueue(timeoutPs * 2 ** k),
    );
    this.#onExpiry = kernel.addHandler((doublings) => this.#expire(doublings));
  }

  /** The serialisation of a transmission has ended now. @param host that sends */
  start(host: number, message: number, opening: number, psn: number, attempt: number, nowPs: number): void {
    const doublings = Math.min(attempt, this.#queues.length - 1);
    const queue = this.#queues[doublings];
    this.#drop(queue, 2);
    queue.push(host, message, opening, psn, attempt, nowPs + queue.timeoutPs);
    this.#await(doublings);
  }

  /** Takes timers that are of no use from the front of a queue. */
  #drop(queue: TimerQueue, most: number): void {
    for (let dropped = 0; dropped < most && queue.count > 0; dropped++) {
      const place = queue.first;
      if (this.#packets.isTimed(queue.message[place], queue.opening[place], queue.psn[place], queue.attempt[place]))
        return;
      queue.shift();
    }
  }

  #await(doublings: number): void {
    const queue = this.#queues[doublings];
    if (queue.isAwaited || queue.count === 0) return;
    queue.isAwaited = true;
    const place = queue.first;
    this.#kernel.schedule(queue.deadlinePs[place], EventClass.timer, queue.host[place], this.#onExpiry, doublings);
  }

  #expire(doublings: number): void {
    const { now } = this.#kernel;
    const queue = this.#queues[doublings];
    queue.isAwaited = false;
    for (;;) {
      this.#drop(queue, Infinity);
      const place = queue.first;
      if (queue.count === 0 || queue.deadlinePs[place] > now) break;
      queue.shift();
      this.#packets.expired(queue.message[place], queue.psn[place], now);
    }
    this.#await(doublings);
  }
}

/** Timers of one timeout in the order of their deadlines: a ring. */
class TimerQueue {
  readonly timeoutPs: number;
  count = 0;
  /** Place of the first. */
  first = 0;
  /** Whether the kernel has an event for it. */
  isAwaited = false;
  // [capacity]
  host = new Int32Array(FIRST_CAPACITY);
  message = new Int32Array(FIRST_CAPACITY);
  opening = new Int32Array(FIRST_CAPACITY);
  psn = new Int32Array(FIRST_CAPACITY);
  attempt = new Int32Array(FIRST_CAPACITY);
  deadlinePs = new Float64Array(FIRST_CAPACITY);

  constructor(timeoutPs: number) {
    this.timeoutPs = timeoutPs;
  }

  push(host: number, message: number, opening: number, psn: number, attempt: number, deadlinePs: number): void {
    if (this.count === this.host.length) this.#grow();
    const place = (this.first + this.count++) & (this.host.length - 1);
    this.host[place] = host;
    this.message[place] = message;
    this.opening[place] = opening;
    this.psn[place] = psn;
    this.attempt[place] = attempt;
    this.deadlinePs[place] = deadlinePs;
  }

  shift(): void {
    this.first = (this.first + 1) & (this.host.length - 1);
    this.count--;
  }

  #grow(): void {
    const before = this.host.length;
    this.host = grown(this.host, 2 * before);
    this.message = grown(this.message, 2 * before);
    this.opening = grown(this.opening, 2 * before);
    this.psn = grown(this.psn, 2 * before);
    this.attempt = grown(this.attempt, 2 * before);
    this.deadlinePs = grown(this.deadlinePs, 2 * before);
    // All places are taken: those before the first follow those that were last.
    const columns = [this.host, this.message, this.opening, this.psn, this.attempt, this.deadlinePs];
    for (const column of columns) column.copyWithin(before, 0, this.first);
  }
}
