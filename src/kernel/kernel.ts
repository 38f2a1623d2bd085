import { EventClass, EventQueue, eventOrder } from './event-queue.js';

/** What is done at an event; gets the payload it was scheduled with. */
export type EventHandler = (payload: number) => void;

/** Whether nothing would be done at an event that was scheduled for a time. */
export type SpentTest = (payload: number, timePs: number) => boolean;

const SETTLE_ORDER = eventOrder(EventClass.kick, 0);

/**
 * The clock and the events of one run. Networks and ranks register handlers and schedule events under the numbers they
 * get; hot loops may push into `queue` directly.
 */
export class Kernel {
  readonly queue: EventQueue;
  /** Set by whoever has work that must wait until all events of classes 0 to 3 of the instant are done. */
  settlePending = false;
  /**
   * Set by who keeps events outside the queue: handles those that precede the queue's next one and do not lie after a time, and
   * says whether it has any left.
   */
  source: ((stopPs: number) => boolean) | undefined;
  /** Last instant of the run, ps. */
  stopPs = Infinity;
  /** Events handled so far; whoever handles events outside the queue adds them. */
  events = 0;

  readonly #handlers: EventHandler[] = [];
  readonly #isSpent: (SpentTest | undefined)[] = []; // [handlers]
  #settle: () => void = () => {};

  constructor(startPs = 0) {
    this.queue = new EventQueue(startPs);
  }

  /** Now, ps. */
  get now(): number {
    return this.queue.time;
  }

  /**
   * Number under which events of this handler are scheduled.
   * @param isSpent where events may turn out to mean nothing, such as that of a timer which was put off: at a stop they are not what
   *   is left
   * @throws RangeError beyond 256 handlers
   */
  addHandler(handler: EventHandler, isSpent?: SpentTest): number {
    if (this.#handlers.length === 256) throw new RangeError('a kernel has room for 256 handlers');
    this.#isSpent.push(isSpent);
    return this.#handlers.push(handler) - 1;
  }

  /** Sets what is run when `settlePending` is set, between class 3 and class 4 of an instant. */
  onSettle(settle: () => void): void {
    this.#settle = settle;
  }

  /** @param entity node id of the network, or the rank for rank events */
  schedule(timePs: number, eventClass: number, entity: number, handler: number, payload: number): void {
    this.queue.push(timePs, eventOrder(eventClass, entity), handler, payload);
  }

  /**
   * Whether an event of the running instant is left that comes before one of this order would ({@link eventOrder}). An event of
   * its own order does not.
   */
  hasEventBefore(order: number): boolean {
    return this.queue.nextOrder() < order;
  }

  /**
   * Handles events in order until none is left or the next one lies after `stopPs`; events at `stopPs` are handled.
   *
   * @returns whether events that mean something are left beyond the limit; all are lost, a run cannot be resumed
   */
  run(stopPs = Infinity): boolean {
    const { queue } = this;
    const handlers = this.#handlers;
    this.stopPs = stopPs;
    for (;;) {
      const isLeft = this.source !== undefined && this.source(stopPs);
      if (this.settlePending && !this.hasEventBefore(SETTLE_ORDER)) {
        this.settlePending = false;
        this.#settle();
        continue;
      }
      if (!queue.pop()) return isLeft;
      if (queue.time > stopPs) return isLeft || this.#hasWork();
      this.events++;
      handlers[queue.kind](queue.payload);
    }
  }

  /** Whether the event that was popped last, or one that is left, means something. */
  #hasWork(): boolean {
    const { queue } = this;
    do {
      if (this.#isSpent[queue.kind]?.(queue.payload, queue.time) !== true) return true;
    } while (queue.pop());
    return false;
  }
}
