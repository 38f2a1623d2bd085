import type { RandomStream } from '../../../src/kernel/random.js';
import type { MrcSettings } from '../../../src/network/packet/settings/packet-settings.js';
import { TimerPlace, type Event } from './events.js';
import type { SlowHost } from './slow-host.js';
import type { Spraying } from './spraying.js';

interface EntropyValue {
  readonly value: number;
  readonly plane: number;
  state: 'good' | 'skip' | 'assumed-bad';
  /** Rank of its SKIP mark among all. */
  markedAs: number;
  timer: Event | undefined;
}

/** Values of a queue pair and what is known of their paths: MR-3, MR-4. */
export class EntropyProfile implements Spraying {
  readonly active: EntropyValue[] = [];
  readonly backups: EntropyValue[] = [];
  readonly #settings: MrcSettings;
  readonly #host: SlowHost;
  readonly #probe: (value: number) => void;
  #at: number;
  #marks = 0;

  constructor(
    settings: MrcSettings,
    random: RandomStream,
    planes: number,
    host: SlowHost,
    probe: (value: number) => void,
  ) {
    this.#settings = settings;
    this.#host = host;
    this.#probe = probe;
    const perPlane = Math.max(1, Math.floor(settings.evCount / planes));
    const taken = new Set(settings.deniedEvs);
    const ofPlane = new Array<number>(planes).fill(0);
    while (ofPlane.some((count) => count < 2 * perPlane)) {
      const value = Math.floor(random.uniform() * 65536);
      const plane = value % planes;
      if (taken.has(value) || ofPlane[plane] === 2 * perPlane) continue;
      taken.add(value);
      const list = ofPlane[plane]++ < perPlane ? this.active : this.backups;
      list.push({ value, plane, state: 'good', markedAs: 0, timer: undefined });
    }
    this.#at = Math.floor(random.uniform() * this.active.length);
  }

  next(): number {
    const { active } = this;
    if (!active.some(({ state }) => state === 'good')) {
      const skips = active.filter(({ state }) => state === 'skip');
      const used = skips.length > 0 ? skips.reduce((a, b) => (a.markedAs <= b.markedAs ? a : b)) : active[this.#at];
      if (used.state === 'skip') used.state = 'good';
      this.#at = (active.indexOf(used) + 1) % active.length;
      return used.value;
    }
    for (;;) {
      const value = active[this.#at];
      this.#at = (this.#at + 1) % active.length;
      if (value.state === 'good') return value.value;
      if (value.state === 'skip') value.state = 'good';
    }
  }

  acknowledged(value: number, isMarked: boolean): void {
    if (isMarked) this.#skip(value);
  }

  trimmed(value: number, lastHop: boolean): void {
    if (!lastHop) this.#skip(value);
  }

  /** A bad value without a backup keeps its place, and gives it to the next good one of its plane. */
  timedOut(value: number): void {
    const bad = this.#find(value);
    if (bad === undefined || bad.state === 'assumed-bad') return;
    bad.state = 'assumed-bad';
    this.#probeLater(bad);
    const place = this.active.indexOf(bad);
    const backup = this.backups.findIndex(({ state, plane }) => state !== 'assumed-bad' && plane === bad.plane);
    if (place < 0 || backup < 0) return;
    this.backups.push(...this.active.splice(place, 1, ...this.backups.splice(backup, 1)));
  }

  answered(value: number, isMarked: boolean): void {
    const known = this.#find(value);
    if (known === undefined || known.state !== 'assumed-bad') return;
    this.#host.wires.events.cancel(known.timer);
    known.state = 'good';
    if (isMarked) this.#skip(value);
    if (this.active.includes(known)) return;
    this.backups.splice(this.backups.indexOf(known), 1);
    const place = this.active.findIndex(({ state, plane }) => state === 'assumed-bad' && plane === known.plane);
    if (place < 0) this.backups.push(known);
    else this.backups.push(...this.active.splice(place, 1, known));
  }

  close(): void {
    for (const { timer } of [...this.active, ...this.backups]) this.#host.wires.events.cancel(timer);
  }

  #skip(value: number): void {
    const known = this.#find(value);
    if (known === undefined || known.state !== 'good') return;
    known.state = 'skip';
    known.markedAs = this.#marks++;
  }

  #probeLater(bad: EntropyValue): void {
    const { events } = this.#host.wires;
    bad.timer = this.#host.timer(
      events.now + this.#settings.probeIntervalPs,
      () => {
        this.#probe(bad.value);
        this.#probeLater(bad);
      },
      TimerPlace.probe,
    );
  }

  #find(value: number): EntropyValue | undefined {
    return [...this.active, ...this.backups].find((each) => each.value === value);
  }
}
