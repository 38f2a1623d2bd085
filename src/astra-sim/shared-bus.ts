import { BusRequests, RequestFifos } from './bus-requests.js';
import type { SharedBusConfiguration } from './system-configuration.js';

/** Where bundles enter a rank's bus: at the NPU's side, or at the network adapter's. */
export const BusEnd = { A: 0, M: 1 } as const;
export type BusEnd = (typeof BusEnd)[keyof typeof BusEnd];

/** What the bus needs of the engine. */
export interface BusTimers {
  /** Now, whole ns. */
  readonly nowNs: number;
  /**
   * Registers a system-layer timer of the rank, `delayNs` (whole, 0 or more) from now; when it ends the engine calls
   * `fire(rank, code, reference)` of the bus. Codes are 0 … 2, references 0 … 3.
   */
  register(rank: number, delayNs: number, code: number, reference: number): void;
}

/** Ends of a rank: A, M, and those of the second bus behind A, A2 and M2. The partner of an end is end ^ 1. */
const ENDS = 4;
const SECOND = 2;
/** ns a byte on the second bus, whatever G is. */
const SECOND_GAP_PER_BYTE_NS = 0.0038;
/** Sends without a reception between them, above which an end lets its partner go first. */
const FAIR_RUN = 8;

const State = { free: 0, sending: 1, receiving: 2 } as const;
/** What ends with a timer: its code. Its reference is the end's place among those of the rank. */
const Timer = { sent: 0, received: 1, processed: 2 } as const;
/** Where a request goes next at its end. */
const Step = { send: 0, process: 1, leave: 2 } as const;
type Step = (typeof Step)[keyof typeof Step];

/**
 * The shared local bus of every rank (`model-shared-bus`, astra-sim-semantics section 15): a bundle that is handed to the
 * network or comes from it crosses it instead of waiting for the endpoint delay. One transfer at a time leaves an end; a
 * bundle enters at A or M, crosses to the other end, is reduced there where it is marked so, and crosses back where it is
 * marked so. Everything that passes A also crosses the second bus between A2 and M2.
 */
export class SharedBus {
  readonly #configuration: SharedBusConfiguration;
  readonly #timers: BusTimers;
  readonly #done: (reference: number) => void;

  readonly #state: Uint8Array; // [ends]
  readonly #previous: Uint8Array; // [ends] state before the last transition
  readonly #lastNs: Float64Array; // [ends] when a transfer last ended here
  readonly #run: Int32Array; // [ends] sends since the last reception
  readonly #processing: Uint8Array; // [ends] whether the first of the process FIFO is being reduced

  readonly #requests = new BusRequests();
  readonly #sends: RequestFifos;
  readonly #receives: RequestFifos;
  readonly #processes: RequestFifos;

  /** @param done called with the reference of each request that has crossed; it may make new requests */
  constructor(
    configuration: SharedBusConfiguration,
    rankCount: number,
    timers: BusTimers,
    done: (reference: number) => void,
  ) {
    this.#configuration = configuration;
    this.#timers = timers;
    this.#done = done;
    const ends = rankCount * ENDS;
    this.#state = new Uint8Array(ends);
    this.#previous = new Uint8Array(ends);
    this.#lastNs = new Float64Array(ends);
    this.#run = new Int32Array(ends);
    this.#processing = new Uint8Array(ends);
    this.#sends = new RequestFifos(this.#requests, ends);
    this.#receives = new RequestFifos(this.#requests, ends);
    this.#processes = new RequestFifos(this.#requests, ends);
  }

  /**
   * A bundle enters: fresh ones at A, those of received messages at M.
   *
   * @param bytes 1 or more
   * @param process whether it is reduced where it has crossed to
   * @param returns whether it crosses back after that
   * @param reference what `done` is called with
   */
  request(rank: number, end: BusEnd, bytes: number, process: boolean, returns: boolean, reference: number): void {
    const request = this.#requests.take(bytes, process, returns, reference, Step.leave);
    const place = rank * ENDS + end;
    if (end === BusEnd.A) {
      this.#detour(place + SECOND + BusEnd.M, request, Step.send, false);
    } else {
      this.#sends.push(place, request);
      this.#try(place);
    }
  }

  /** A timer registered by the bus has ended. */
  fire(rank: number, code: number, reference: number): void {
    const end = rank * ENDS + reference;
    if (code === Timer.sent) this.#sent(end);
    else if (code === Timer.received) this.#received(end);
    else this.#processed(end);
  }

  #sent(end: number): void {
    this.#endTransition(end);
    this.#state[end] = State.free;
    this.#run[end]++;
    this.#try(end);
  }

  #received(end: number): void {
    this.#endTransition(end);
    if (this.#receives.length[end] < 2) this.#state[end] = State.free;
    const request = this.#receives.shift(end);
    const { process } = this.#requests;
    if (process[request] === 1) {
      process[request] = 0;
      this.#proceed(end, request, Step.process);
    } else {
      this.#returnOrLeave(end, request);
    }
    this.#try(end);
  }

  #processed(end: number): void {
    const request = this.#processes.shift(end);
    this.#processing[end] = 0;
    this.#returnOrLeave(end, request);
    this.#process(end);
    this.#try(end);
  }

  #endTransition(end: number): void {
    this.#lastNs[end] = this.#timers.nowNs;
    this.#previous[end] = this.#state[end];
  }

  #returnOrLeave(end: number, request: number): void {
    const { returns } = this.#requests;
    if (returns[request] === 1) {
      returns[request] = 0;
      this.#proceed(end, request, Step.send);
    } else {
      this.#proceed(end, request, Step.leave);
    }
  }

  /** At A, a request first crosses the second bus: there and back where it stays, one way where it leaves. */
  #proceed(end: number, request: number, step: Step): void {
    if (end % ENDS === BusEnd.A) this.#detour(end + SECOND, request, step, step !== Step.leave);
    else this.#take(end, request, step);
  }

  /** A request of the second bus, entering at `end`; when it is done, `carried` takes its step at A. */
  #detour(end: number, carried: number, step: Step, returns: boolean): void {
    const requests = this.#requests;
    this.#sends.push(end, requests.take(requests.bytes[carried], false, returns, carried, step));
    this.#try(end);
  }

  #take(end: number, request: number, step: Step): void {
    if (step === Step.send) {
      this.#sends.push(end, request);
    } else if (step === Step.process) {
      this.#processes.push(end, request);
      this.#process(end);
    } else {
      this.#leave(end, request);
    }
  }

  #leave(end: number, request: number): void {
    const { reference, step } = this.#requests;
    const owner = reference[request];
    this.#requests.release(request);
    const place = end % ENDS;
    if (place < SECOND) return this.#done(owner);
    const a = end - place + BusEnd.A;
    this.#take(a, owner, step[request] as Step);
    this.#try(a);
  }

  /** Starts the next reduction where none is under way. */
  #process(end: number): void {
    if (this.#processing[end] === 1 || this.#processes.length[end] === 0) return;
    this.#processing[end] = 1;
    const hundreds = Math.floor(this.#requests.bytes[this.#processes.first(end)] / 100);
    this.#register(end, Timer.processed, hundreds * this.#configuration.reductionDelayNs + 50);
  }

  /** Starts the next transfer where the end is free and has one, or where its partner has waited for long, the partner's. */
  #try(end: number): void {
    if (this.#state[end] !== State.free || this.#sends.length[end] === 0) return;
    const partner = end ^ 1;
    const run = this.#run;
    if (run[end] > FAIR_RUN && this.#sends.length[partner] > 0 && run[partner] <= FAIR_RUN) {
      if (this.#state[partner] === State.free) this.#start(partner);
    } else {
      this.#start(end);
    }
  }

  #start(end: number): void {
    const { latencyNs, overheadNs, gapNs, gapPerByteNs } = this.#configuration;
    const partner = end ^ 1;
    const request = this.#sends.shift(end);
    const since = this.#timers.nowNs - this.#lastNs[end];
    const waits = this.#previous[end] === State.sending && overheadNs + since <= gapNs;
    const offset = waits ? gapNs - since : overheadNs;
    const perByte = end % ENDS < SECOND ? gapPerByteNs : SECOND_GAP_PER_BYTE_NS;
    const bytesNs = (this.#requests.bytes[request] - 1) * perByte;

    this.#receives.push(partner, request);
    this.#state[partner] = State.receiving;
    this.#run[partner] = 0;
    // In this order: where both end at once, the reception does so first.
    this.#register(partner, Timer.received, Math.trunc(offset + bytesNs + latencyNs + overheadNs));
    this.#state[end] = State.sending;
    this.#register(end, Timer.sent, Math.trunc(offset + bytesNs));
  }

  #register(end: number, timer: number, delayNs: number): void {
    const place = end % ENDS;
    this.#timers.register((end - place) / ENDS, delayNs, timer, place);
  }
}
