import { grown } from '../base/grown.js';

/** Requests that are on a shared bus, by numbers that are used again once a request has left. */
export class BusRequests {
  bytes = new Float64Array(64); // [requests]
  /** Whether the bundle is still to be reduced, and whether it still has to go back. */
  process = new Uint8Array(64); // [requests] 0 or 1
  returns = new Uint8Array(64); // [requests] 0 or 1
  /** What the owner calls it. */
  reference = new Float64Array(64); // [requests]
  /** What the owner does with the reference when the request has left. */
  step = new Uint8Array(64); // [requests]
  /** The one behind it in its FIFO, or among the numbers that are free; −1 at the end. */
  behind = new Int32Array(64); // [requests]

  #used = 0;
  #free = -1;

  /** Number of a new request. */
  take(bytes: number, process: boolean, returns: boolean, reference: number, step: number): number {
    const request = this.#number();
    this.bytes[request] = bytes;
    this.process[request] = Number(process);
    this.returns[request] = Number(returns);
    this.reference[request] = reference;
    this.step[request] = step;
    return request;
  }

  /** Gives the number of a request that waits in no FIFO back. */
  release(request: number): void {
    this.behind[request] = this.#free;
    this.#free = request;
  }

  #number(): number {
    const free = this.#free;
    if (free >= 0) {
      this.#free = this.behind[free];
      return free;
    }
    if (this.#used === this.bytes.length) this.#grow(2 * this.#used);
    return this.#used++;
  }

  #grow(length: number): void {
    this.bytes = grown(this.bytes, length);
    this.process = grown(this.process, length);
    this.returns = grown(this.returns, length);
    this.reference = grown(this.reference, length);
    this.step = grown(this.step, length);
    this.behind = grown(this.behind, length);
  }
}

/** A FIFO of requests for each end of the buses. A request waits in one FIFO at a time, whichever it is. */
export class RequestFifos {
  /** Requests that wait. */
  readonly length: Int32Array; // [ends]
  readonly #requests: BusRequests;
  readonly #head: Int32Array; // [ends]
  readonly #tail: Int32Array; // [ends]

  constructor(requests: BusRequests, ends: number) {
    this.#requests = requests;
    this.length = new Int32Array(ends);
    this.#head = new Int32Array(ends);
    this.#tail = new Int32Array(ends);
  }

  push(end: number, request: number): void {
    if (this.length[end]++ === 0) this.#head[end] = request;
    else this.#requests.behind[this.#tail[end]] = request;
    this.#tail[end] = request;
  }

  /** The oldest of the FIFO, which is not empty. */
  first(end: number): number {
    return this.#head[end];
  }

  /** Takes the oldest out of the FIFO, which is not empty. */
  shift(end: number): number {
    const request = this.#head[end];
    this.#head[end] = this.#requests.behind[request];
    this.length[end]--;
    return request;
  }
}
