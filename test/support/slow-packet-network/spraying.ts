import type { RandomStream } from '../../../src/kernel/random.js';
import type { UetSettings } from '../../../src/network/packet/packet-settings.js';

/** Which way each packet of a context takes: its entropy values. */
export interface Spraying {
  next(nowPs: number): number;
  acknowledged(value: number, isMarked: boolean, nowPs: number): void;
  trimmed(value: number, lastHop: boolean): void;
  timedOut(value: number, nowPs: number): void;
  /** No ACK for long. */
  silent(nowPs: number): void;
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
  silent(): void {}
}

const CACHE_VALUES = 8;
const FREEZE_PS = 100e6;

/** `reps`: values that came back clean are used again. */
export class Recycling implements Spraying {
  /** Slots as they were filled, oldest first; `isFresh` until they are used. */
  readonly #slots: { readonly value: number; isFresh: boolean }[] = [];
  readonly #random: RandomStream;
  readonly #windowPackets: number;
  #frozenUntil: number | undefined;
  #stale = 0;
  #exploring = 0;

  constructor(random: RandomStream, windowPackets: number) {
    this.#random = random;
    this.#windowPackets = windowPackets;
  }

  next(): number {
    const isFrozen = this.#frozenUntil !== undefined;
    if (!isFrozen && this.#exploring > 0) {
      this.#exploring--;
      if (this.#exploring % 8 === 0) return this.#explore();
    }
    const oldest = this.#slots.find(({ isFresh }) => isFresh);
    if (oldest !== undefined) {
      oldest.isFresh = false;
      return oldest.value;
    }
    if (isFrozen && this.#slots.length > 0) return this.#slots[this.#stale++ % this.#slots.length].value;
    return this.#explore();
  }

  acknowledged(value: number, isMarked: boolean, nowPs: number): void {
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
    this.silent(nowPs);
  }

  silent(nowPs: number): void {
    this.#frozenUntil ??= nowPs + FREEZE_PS;
  }

  #recycle(value: number): void {
    if (this.#slots.length === CACHE_VALUES) this.#slots.shift();
    this.#slots.push({ value, isFresh: true });
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
