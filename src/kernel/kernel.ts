import { EventClass, EventQueue, eventOrder } from './event-queue.js';

/** What is done at an event; gets the payload it was scheduled with. */
export type EventHandler = (payload: number) => void;

/** Events that somebody keeps outside the queue. */
export interface EventSource {
  /** Handles those that precede all events of the queue. */
  run(): void;
  readonly isEmpty: boolean;
}

const SETTLE_ORDER = eventOrder(EventClass.kick, 0);
const STOP_ORDER = eventOrder(EventClass.stop, 0);

/**
 * The clock and the events of one run. Networks and ranks register handlers and schedule events under the numbers they
 * get; hot loops may push into `queue` directly.
 */
export class Kernel {
  readonly queue: EventQueue;
  /** Set by whoever has work that must wait until all events of classes 0 to 3 of the instant are done. */
  settlePending = false;
  source: EventSource | undefined;
  /** Last instant of the run, ps. */
  stopPs = Infinity;
  /** Events handled so far; whoever handles events outside the queue adds them. */
  events = 0;

  #stops = 0; // events of the queue that only mark the stop
  readonly #handlers: EventHandler[] = [];
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
   * @throws RangeError beyond 256 handlers
   */
  addHandler(handler: EventHandler): number {
    if (this.#handlers.length === 256) throw new RangeError('a kernel has room for 256 handlers');
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

  /** Whether an event is left to be handled. */
  get hasWork(): boolean {
    return this.queue.length > this.#stops || this.source?.isEmpty === false;
  }

  /**
   * Handles events in order until none is left or the next one lies after `stopPs`; events at `stopPs` are handled.
   *
   * @returns whether events are left beyond the limit; they are lost, a run cannot be resumed
   */
  run(stopPs = Infinity): boolean {
    const { queue } = this;
    const handlers = this.#handlers;
    this.stopPs = stopPs;
    if (this.source !== undefined && stopPs < Infinity && stopPs >= queue.time) {
      // A source knows the stop by the event that it must not pass.
      queue.push(stopPs, STOP_ORDER, 0, 0);
      this.#stops = 1;
    }
    for (;;) {
      if (this.source !== undefined) this.source.run();
      if (this.settlePending && queue.nextOrder() >= SETTLE_ORDER) {
        this.settlePending = false;
        this.#settle();
        continue;
      }
      if (!queue.pop()) return false;
      if (queue.time > stopPs) return true;
      if (queue.order === STOP_ORDER && this.#stops > 0) {
        this.#stops = 0;
        return this.hasWork;
      }
      this.events++;
      handlers[queue.kind](queue.payload);
    }
  }
}
