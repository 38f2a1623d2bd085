import { grown } from '../../../base/grown.js';
import type { EntropyProfile } from '../entropy-profile.js';
import type { NsccWindow } from '../nscc.js';

const FIRST_CAPACITY = 64;

/** Multipath queue pairs, one for each transfer that is under way (MR-1). Their numbers are used again. */
export class QueuePairs {
  /** How often the number was taken, which tells queue pairs of one number apart. */
  opening = new Int32Array(FIRST_CAPACITY);
  isOpen = new Uint8Array(FIRST_CAPACITY);
  transfer = new Int32Array(FIRST_CAPACITY);
  /** Node ids of the hosts. */
  source = new Int32Array(FIRST_CAPACITY);
  destination = new Int32Array(FIRST_CAPACITY);
  packets = new Int32Array(FIRST_CAPACITY);
  /** Payload of the last packet, bytes. */
  lastPayload = new Int32Array(FIRST_CAPACITY);
  /** Packets whose first transmission has left the host. */
  departed = new Int32Array(FIRST_CAPACITY);
  /** Port of every packet where only one leads to the destination, −1 where there are several. */
  onlyPort = new Int32Array(FIRST_CAPACITY);
  /** Entropy value that the next packet takes, −1 where that is open. */
  nextValue = new Int32Array(FIRST_CAPACITY);
  /** When probes are looked at next, ps, Infinity for never. */
  probeLookPs = new Float64Array(FIRST_CAPACITY);
  readonly windows: (NsccWindow | undefined)[] = [];
  readonly profiles: (EntropyProfile | undefined)[] = [];
  #nextFree = new Int32Array(FIRST_CAPACITY);
  #free = -1;
  #fresh = 0;

  /** A number for a new queue pair; whose columns hold what was left there, but for {@link opening}. */
  take(): number {
    let pair = this.#free;
    if (pair >= 0) {
      this.#free = this.#nextFree[pair];
    } else {
      if (this.#fresh === this.opening.length) this.#grow();
      pair = this.#fresh++;
    }
    this.opening[pair]++;
    this.isOpen[pair] = 1;
    return pair;
  }

  /** Nothing more is sent; packets of it that arrive are strangers. */
  close(pair: number): void {
    this.isOpen[pair] = 0;
    this.windows[pair] = undefined;
    this.profiles[pair] = undefined;
  }

  /** Whether a packet belongs to the queue pair that has this number now. */
  isCurrent(pair: number, opening: number): boolean {
    return this.isOpen[pair] === 1 && this.opening[pair] === opening;
  }

  /** The number of a closed queue pair may be used again. */
  release(pair: number): void {
    this.#nextFree[pair] = this.#free;
    this.#free = pair;
  }

  #grow(): void {
    const length = 2 * this.opening.length;
    this.opening = grown(this.opening, length);
    this.isOpen = grown(this.isOpen, length);
    this.transfer = grown(this.transfer, length);
    this.source = grown(this.source, length);
    this.destination = grown(this.destination, length);
    this.packets = grown(this.packets, length);
    this.lastPayload = grown(this.lastPayload, length);
    this.departed = grown(this.departed, length);
    this.onlyPort = grown(this.onlyPort, length);
    this.nextValue = grown(this.nextValue, length);
    this.probeLookPs = grown(this.probeLookPs, length);
    this.#nextFree = grown(this.#nextFree, length);
  }
}
