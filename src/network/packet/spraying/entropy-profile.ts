import { requestError } from '../../../base/errors.js';
import type { RandomStream } from '../../../kernel/random.js';
import type { MrcSettings } from '../settings/packet-settings.js';
import type { Spraying } from './spraying.js';

const VALUE_COUNT = 65_536;
const NONE = -1;

const GOOD = 0;
const SKIP = 1;
const ASSUMED_BAD = 2;

export type EntropyState = 'good' | 'skip' | 'assumed-bad' | 'denied';
const STATE_NAMES: readonly EntropyState[] = ['good', 'skip', 'assumed-bad'];

/**
 * Entropy values of one MRC queue pair (MR-3, MR-4). The active ones are used around and around; of each plane, `value mod planes`,
 * as many more wait to replace those that are assumed to be bad. A value that is DENIED is never drawn.
 *
 * A value that is assumed to be bad is probed until a probe is answered. It then waits behind its plane's other backups, or takes
 * the place of a value of its plane that is bad and had no backup. A bad value without a backup keeps its place and is passed over.
 */
export class EntropyProfile implements Spraying {
  readonly #planes: number;
  readonly #denied: readonly number[];
  readonly #probeIntervalPs: number;
  readonly #values: Uint16Array; // [values] in the order of drawing
  readonly #states: Uint8Array; // [values]
  readonly #markedOrder: Float64Array; // [values] rises with the time at which the value became SKIP
  readonly #active: Uint16Array; // [active] index of the value, in the order of rotation
  readonly #placeOf: Int32Array; // [values] in the rotation, −1 where not active
  /** Indexes of values that are neither active nor bad; the first of a plane replaces its next bad value. */
  readonly #backups: number[] = [];
  /** Indexes of the bad values in the order of their next probes, and when those are. */
  readonly #bad: number[] = [];
  readonly #probePs: number[] = [];
  #position: number;
  #goodCount: number;
  #marks = 0;

  /**
   * Draws the values: uniform, again while one is denied, was drawn before or is of a plane that has its share, then the place
   * at which the rotation starts. Where `evCount` is no multiple of the planes, their equal shares are rounded down, to 1 at least.
   *
   * @param planes ports towards the destination
   * @param random of the sending host for purpose `ev`
   * @throws PrepError `NETWORK_MALFORMED` where the values that are denied leave a plane too few
   */
  constructor(settings: MrcSettings, planes: number, random: RandomStream) {
    const share = Math.max(1, Math.floor(settings.evCount / planes));
    checkValues(settings.deniedEvs, planes, 2 * share);
    this.#planes = planes;
    this.#denied = settings.deniedEvs;
    this.#probeIntervalPs = settings.probeIntervalPs;
    const count = 2 * share * planes;
    this.#values = new Uint16Array(count);
    this.#states = new Uint8Array(count);
    this.#markedOrder = new Float64Array(count);
    this.#active = new Uint16Array(share * planes);
    this.#placeOf = new Int32Array(count).fill(NONE);
    this.#goodCount = this.#active.length;
    this.#draw(share, random);
    this.#position = Math.floor(random.uniform() * this.#active.length);
  }

  get activeValues(): number[] {
    return Array.from(this.#active, (index) => this.#values[index]);
  }

  /** Backups in the order of their use. */
  get backupValues(): number[] {
    return this.#backups.map((index) => this.#values[index]);
  }

  /** Undefined for a value that is not of this profile. */
  stateOf(value: number): EntropyState | undefined {
    if (this.#denied.includes(value)) return 'denied';
    const index = this.#values.indexOf(value);
    return index === NONE ? undefined : STATE_NAMES[this.#states[index]];
  }

  /**
   * Value of the next packet. A SKIP that the rotation reaches is passed over and becomes GOOD. Where no active value is GOOD, the
   * one that was marked longest ago is used; where all are bad, the next one.
   */
  next(): number {
    if (this.#goodCount === 0) return this.#nextWithoutGood();
    for (;;) {
      const index = this.#active[this.#position];
      this.#position = (this.#position + 1) % this.#active.length;
      if (this.#states[index] === GOOD) return this.#values[index];
      if (this.#states[index] === SKIP) this.#become(index, GOOD);
    }
  }

  /** A SACK echoes a value, and whether its packet was marked. */
  acked(value: number, marked: boolean): void {
    if (marked) this.#skip(value);
  }

  trimmed(value: number, lastHop: boolean): void {
    if (!lastHop) this.#skip(value);
  }

  timedOut(value: number, nowPs: number): void {
    const index = this.#values.indexOf(value);
    if (index === NONE || this.#states[index] === ASSUMED_BAD) return;
    this.#become(index, ASSUMED_BAD);
    this.#bad.push(index);
    this.#probePs.push(nowPs + this.#probeIntervalPs);
    const place = this.#placeOf[index];
    if (place === NONE) {
      this.#backups.splice(this.#backups.indexOf(index), 1);
      return;
    }
    const backup = this.#backups.findIndex((candidate) => this.#planeOf(candidate) === this.#planeOf(index));
    if (backup !== NONE) this.#replace(place, this.#backups.splice(backup, 1)[0]);
  }

  /** Values that are assumed to be bad. */
  get badCount(): number {
    return this.#bad.length;
  }

  /** When the next probe is to be sent, ps; Infinity where none is. */
  get nextProbePs(): number {
    return this.#probePs.length > 0 ? this.#probePs[0] : Infinity;
  }

  /** The value of a probe to send now, and puts its next one off by an interval; −1 where none is due. */
  takeProbe(nowPs: number): number {
    if (this.nextProbePs > nowPs) return NONE;
    const index = this.#bad.shift()!;
    this.#probePs.shift();
    this.#bad.push(index);
    this.#probePs.push(nowPs + this.#probeIntervalPs);
    return this.#values[index];
  }

  /** An answer to a probe; later ones of a value that is no longer bad say nothing. */
  probeAnswered(value: number, marked: boolean): void {
    const index = this.#values.indexOf(value);
    const probe = this.#bad.indexOf(index);
    if (probe === NONE) return;
    this.#bad.splice(probe, 1);
    this.#probePs.splice(probe, 1);
    this.#become(index, marked ? SKIP : GOOD);
    if (this.#placeOf[index] !== NONE) return;
    const place = this.#active.findIndex(
      (active) => this.#states[active] === ASSUMED_BAD && this.#planeOf(active) === this.#planeOf(index),
    );
    if (place === NONE) this.#backups.push(index);
    else this.#replace(place, index);
  }

  #draw(share: number, random: RandomStream): void {
    const drawn = new Set<number>();
    const ofPlane = new Int32Array(this.#planes);
    let activeCount = 0;
    while (drawn.size < this.#values.length) {
      const value = random.uint32() >>> 16;
      const plane = value % this.#planes;
      if (ofPlane[plane] === 2 * share || drawn.has(value) || this.#denied.includes(value)) continue;
      const index = drawn.size;
      drawn.add(value);
      this.#values[index] = value;
      if (ofPlane[plane]++ < share) {
        this.#placeOf[index] = activeCount;
        this.#active[activeCount++] = index;
      } else {
        this.#backups.push(index);
      }
    }
  }

  #nextWithoutGood(): number {
    let place = this.#position;
    let oldest = Infinity;
    for (let candidate = 0; candidate < this.#active.length; candidate++) {
      const index = this.#active[candidate];
      if (this.#states[index] !== SKIP || this.#markedOrder[index] >= oldest) continue;
      oldest = this.#markedOrder[index];
      place = candidate;
    }
    const index = this.#active[place];
    if (oldest < Infinity) this.#become(index, GOOD);
    this.#position = (place + 1) % this.#active.length;
    return this.#values[index];
  }

  #skip(value: number): void {
    const index = this.#values.indexOf(value);
    if (index !== NONE && this.#states[index] === GOOD) this.#become(index, SKIP);
  }

  #become(index: number, state: number): void {
    if (this.#placeOf[index] !== NONE) {
      if (this.#states[index] === GOOD) this.#goodCount--;
      if (state === GOOD) this.#goodCount++;
    }
    if (state === SKIP) this.#markedOrder[index] = ++this.#marks;
    this.#states[index] = state;
  }

  /** A value takes the place of a bad one in the rotation. */
  #replace(place: number, index: number): void {
    this.#placeOf[this.#active[place]] = NONE;
    this.#active[place] = index;
    this.#placeOf[index] = place;
    if (this.#states[index] === GOOD) this.#goodCount++;
  }

  #planeOf(index: number): number {
    return this.#values[index] % this.#planes;
  }
}

function checkValues(denied: readonly number[], planes: number, needed: number): void {
  for (let plane = 0; plane < planes; plane++) {
    const all = Math.ceil((VALUE_COUNT - plane) / planes);
    const allowed = all - new Set(denied.filter((value) => value % planes === plane)).size;
    if (allowed >= needed) continue;
    throw requestError(
      'NETWORK_MALFORMED',
      `MRC: ${allowed} entropy values of plane ${plane} of ${planes} are not denied; expected ${needed} or more for a profile`,
      'deny fewer values, or lower EvCount',
    );
  }
}
