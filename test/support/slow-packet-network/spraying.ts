import type { RandomStream } from '../../../src/kernel/random.js';
import type { UetSettings } from '../../../src/network/packet/settings/packet-settings.js';

/** Which way each packet of a context takes: its entropy values. */
export interface Spraying {
  next(nowPs: number, basePs: number): number;
  acknowledged(value: number, isMarked: boolean, nowPs: number): void;
  trimmed(value: number, lastHop: boolean): void;
  timedOut(value: number, nowPs: number): void;
  /** A probe of a value came back. */
  answered?(value: number, isMarked: boolean): void;
}

const FIRST_VALUE = 256;

/** `default` and `none`: a sequence, whatever becomes of its packets. */
export class Stepping implements Spraying {
  #step = 0;

  constructor(readonly paths: number) {}

  next(): number {
    return FIRST_VALUE + (this.#step++ % this.paths);
  }

  acknowledged(): void {}
  trimmed(): void {}
  timedOut(): void {}
}

const CACHE_VALUES = 8;
const FREEZE_PS = 100e6;

/** `reps`: values that came back clean are used again. */
export class Recycling implements Spraying {
  /** Places, filled in turn; `isFresh` until they are used. */
  readonly #slots: { value: number; isFresh: boolean }[] = [];
  readonly #random: RandomStream;
  readonly #windowPackets: number;
  #filled = 0;
  #frozenUntil: number | undefined;
  /** Place of the next value while it is frozen. */
  #place = 0;
  #exploring = 0;
  /** Of the first packet since the last ACK. */
  #waitingSince: number | undefined;

  constructor(random: RandomStream, windowPackets: number) {
    this.#random = random;
    this.#windowPackets = windowPackets;
  }

  next(nowPs: number, basePs: number): number {
    this.#waitingSince ??= nowPs;
    if (nowPs - this.#waitingSince > 3 * basePs) {
      this.#waitingSince = nowPs;
      this.#freeze(nowPs);
    }
    const slots = this.#slots;
    if (this.#frozenUntil !== undefined) {
      if (slots.length === 0) return this.#explore();
      const slot = slots[this.#place % slots.length];
      this.#place = ((this.#place % slots.length) + 1) % slots.length;
      slot.isFresh = false;
      return slot.value;
    }
    if (this.#exploring > 0) {
      this.#exploring--;
      if (this.#exploring % 8 === 0) return this.#explore();
    }
    const oldest = this.#byAge().find(({ isFresh }) => isFresh);
    if (oldest === undefined) return this.#explore();
    oldest.isFresh = false;
    return oldest.value;
  }

  acknowledged(value: number, isMarked: boolean, nowPs: number): void {
    this.#waitingSince = undefined;
    if (isMarked) return;
    this.#recycle(value);
    if (this.#frozenUntil === undefined || nowPs < this.#frozenUntil) return;
    this.#frozenUntil = undefined;
    this.#exploring = this.#windowPackets;
  }

  trimmed(value: number, lastHop: boolean): void {
    if (lastHop) this.#recycle(value);
  }

  timedOut(_value: number, nowPs: number): void {
    this.#freeze(nowPs);
  }

  #freeze(nowPs: number): void {
    this.#frozenUntil = nowPs + FREEZE_PS;
  }

  #recycle(value: number): void {
    this.#slots[this.#filled++ % CACHE_VALUES] = { value, isFresh: true };
  }

  #byAge(): { value: number; isFresh: boolean }[] {
    const first = this.#filled <= CACHE_VALUES ? 0 : this.#filled % CACHE_VALUES;
    return [...this.#slots.slice(first), ...this.#slots.slice(0, first)];
  }

  #explore(): number {
    return Math.floor(this.#random.uniform() * 65536);
  }
}

/** @param random made when the values are drawn */
export function sprayingOf(
  { spraying, paths }: UetSettings,
  random: () => RandomStream,
  windowPackets: number,
): Spraying {
  if (spraying === 'reps') return new Recycling(random(), windowPackets);
  return new Stepping(spraying === 'none' ? 1 : paths);
}
