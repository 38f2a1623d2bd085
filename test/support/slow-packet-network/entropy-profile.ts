import type { RandomStream } from '../../../src/kernel/random.js';
import type { MrcSettings } from '../../../src/network/packet/packet-settings.js';
import type { Event } from './events.js';
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
    if (active.every(({ state }) => state === 'skip')) {
      const oldest = active.reduce((a, b) => (a.markedAs <= b.markedAs ? a : b));
      oldest.state = 'good';
      return oldest.value;
    }
    for (;;) {
      const value = active[this.#at];
      this.#at = (this.#at + 1) % active.length;
      if (value.state !== 'skip') return value.value;
      value.state = 'good';
    }
  }

  acknowledged(value: number, isMarked: boolean): void {
    if (isMarked) this.#skip(value);
  }

  trimmed(value: number, lastHop: boolean): void {
    if (!lastHop) this.#skip(value);
  }

  timedOut(value: number): void {
    const bad = this.#find(value);
    if (bad === undefined || bad.state === 'assumed-bad') return;
    bad.state = 'assumed-bad';
    this.#probeLater(bad);
    const place = this.active.indexOf(bad);
    const backup = this.backups.find(({ state, plane }) => state !== 'assumed-bad' && plane === bad.plane);
    if (place < 0 || backup === undefined) return;
    this.active[place] = backup;
    this.backups.splice(this.backups.indexOf(backup), 1);
    this.backups.push(bad);
  }

  answered(value: number, isMarked: boolean): void {
    const known = this.#find(value);
    if (known === undefined || known.state !== 'assumed-bad') return;
    this.#host.wires.events.cancel(known.timer);
    known.state = 'good';
    if (isMarked) this.#skip(value);
  }

  silent(): void {}

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
    bad.timer = this.#host.timer(events.now + this.#settings.probeIntervalPs, () => {
      this.#probe(bad.value);
      this.#probeLater(bad);
    });
  }

  #find(value: number): EntropyValue | undefined {
    return [...this.active, ...this.backups].find((each) => each.value === value);
  }
}
