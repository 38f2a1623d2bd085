import { EventClass, eventOrder } from '../../../kernel/event-queue.js';

/**
 * Places of what happens at an ingress port among the events of its instant, where all of it is an arrival: what came in
 * first is first.
 */
const WRITTEN = 0;
const LATE = 1;
const ARRIVED = 2;
const PLACES = 3;

/** Of a packet that came in by a port, and has been written to the memory of its host (NIC-4). */
export function writtenOrder(ingress: number): number {
  return eventOrder(EventClass.arrival, PLACES * ingress + WRITTEN);
}

/** Of a frame that came in by a port before, and is looked at when RxLatency is over. */
export function lateArrivalOrder(ingress: number): number {
  return eventOrder(EventClass.arrival, PLACES * ingress + LATE);
}

/** Of a frame that comes in by a port. */
export function arrivalOrder(ingress: number): number {
  return eventOrder(EventClass.arrival, PLACES * ingress + ARRIVED);
}
