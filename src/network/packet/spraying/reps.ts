import type { RandomStream } from '../../../kernel/random.js';
import type { Spraying } from './spraying.js';

const CACHE_SIZE = 8;
/** A group stays frozen at least this long. */
const FREEZE_PS = 100e6;
/** In an exploration window the last packet explores, and every one this far before it. */
const EXPLORATION_STRIDE = 8;
/** Base RTTs without an ACK after which the paths in use are taken for failed. */
const SILENT_BASE_RTTS = 3;

/**
 * `reps`: recycled entropies. Values that came back clean are used again, each once; while there is none a value is drawn.
 * After a failure the values that worked last are used around and around until packets come back clean again.
 */
export class RepsSpraying implements Spraying {
  readonly #explorationPackets: number;
  /** [8] oldest first from {@link #oldest} on, where all places are taken. */
  readonly #values = new Uint16Array(CACHE_SIZE);
  /** [8] 1 where the value was not used since it came back. */
  readonly #fresh = new Uint8Array(CACHE_SIZE);
  #stored = 0;
  #freshCount = 0;
  /** Place that the next value takes. */
  #oldest = 0;
  /** Place that is next while frozen. */
  #frozenPlace = 0;
  /** End of the time in which nothing ends the freeze; NaN where not frozen. */
  #frozenUntilPs = NaN;
  /** Packets left of an exploration window. */
  #explorationLeft = 0;
  /** When the first packet since the last ACK was sent; NaN where there was none. */
  #waitingSincePs = NaN;

  /** @param explorationPackets length of an exploration window: {@link explorationWindow} */
  constructor(explorationPackets: number) {
    this.#explorationPackets = explorationPackets;
  }

  get isFrozen(): boolean {
    return !Number.isNaN(this.#frozenUntilPs);
  }

  next(nowPs: number, baseRttPs: number, random: RandomStream): number {
    if (Number.isNaN(this.#waitingSincePs)) {
      this.#waitingSincePs = nowPs;
    } else if (nowPs - this.#waitingSincePs > SILENT_BASE_RTTS * baseRttPs) {
      this.#waitingSincePs = nowPs;
      this.#freeze(nowPs);
    }
    if (this.isFrozen && this.#stored > 0) {
      const place = this.#frozenPlace % this.#stored;
      this.#frozenPlace = (place + 1) % this.#stored;
      return this.#use(place);
    }
    if (this.#explorationLeft > 0) {
      this.#explorationLeft--;
      if (this.#explorationLeft % EXPLORATION_STRIDE === 0) return explore(random);
    }
    return this.#freshCount > 0 ? this.#use(this.#oldestFresh()) : explore(random);
  }

  acked(value: number, marked: boolean, nowPs: number): void {
    this.#waitingSincePs = NaN;
    if (marked) return;
    if (nowPs >= this.#frozenUntilPs) {
      this.#frozenUntilPs = NaN;
      this.#explorationLeft = this.#explorationPackets;
    }
    this.#recycle(value);
  }

  /** Trimmed at the last hop says nothing about the path. A NACK is no ACK: it ends no wait and thaws nothing. */
  trimmed(value: number, lastHop: boolean): void {
    if (lastHop) this.#recycle(value);
  }

  timedOut(_value: number, nowPs: number): void {
    this.#freeze(nowPs);
  }

  #freeze(nowPs: number): void {
    this.#frozenUntilPs = nowPs + FREEZE_PS;
  }

  #recycle(value: number): void {
    const place = this.#oldest;
    this.#oldest = (place + 1) % CACHE_SIZE;
    this.#stored = Math.max(this.#stored, place + 1);
    this.#freshCount += 1 - this.#fresh[place];
    this.#values[place] = value;
    this.#fresh[place] = 1;
  }

  #use(place: number): number {
    this.#freshCount -= this.#fresh[place];
    this.#fresh[place] = 0;
    return this.#values[place];
  }

  #oldestFresh(): number {
    let place = this.#oldest;
    while (this.#fresh[place] === 0) place = (place + 1) % CACHE_SIZE;
    return place;
  }
}

/** Packets of an exploration window: those of a bandwidth-delay product. */
export function explorationWindow(bdpBytes: number, nominalBytes: number): number {
  return Math.floor(bdpBytes / nominalBytes);
}

function explore(random: RandomStream): number {
  return random.uint32() >>> 16;
}
