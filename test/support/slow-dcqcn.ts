import type { DcqcnSettings } from '../../src/network/packet/settings/packet-settings.js';

const KINDS = ['alpha', 'rate', 'decrease'] as const;
type Kind = (typeof KINDS)[number];

/** DCQCN as the table of section 6 reads: every tick of every timer is an event of its own in a sorted list. Rates in Gbit/s. */
export class SlowDcqcn {
  rate: number;
  target: number;
  alpha = 1;
  timer = 0;
  counter = 0;
  #bytes = 0;
  #waits = false;
  #cameInPeriod = false;
  #ticks: { at: number; kind: Kind }[] = [];

  constructor(
    readonly settings: DcqcnSettings,
    readonly line: number,
  ) {
    this.rate = line;
    this.target = line;
  }

  run(now: number): void {
    for (;;) {
      this.#ticks.sort((a, b) => a.at - b.at || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
      if (this.#ticks.length === 0 || this.#ticks[0].at > now) return;
      const { at, kind } = this.#ticks.shift()!;
      this.#startTimer(kind, at);
      if (kind === 'alpha') {
        const { g } = this.settings;
        this.alpha = this.#cameInPeriod ? (1 - g) * this.alpha + g : (1 - g) * this.alpha;
        this.#cameInPeriod = false;
      } else if (kind === 'rate') {
        this.timer += 1;
        this.#increase();
      } else if (this.#waits) {
        this.#waits = false;
        this.#decrease(at);
      }
    }
  }

  congestion(now: number): void {
    this.run(now);
    if (this.settings.profile === 'paper') {
      this.#decrease(now);
      return;
    }
    this.#cameInPeriod = true;
    this.#waits = true;
    for (const kind of ['alpha', 'decrease'] as const) {
      if (!this.#ticks.some((tick) => tick.kind === kind)) this.#startTimer(kind, now);
    }
  }

  sent(bytes: number, now: number): void {
    this.run(now);
    for (let byte = 0; byte < bytes && this.rate < this.line; byte++) {
      this.#bytes += 1;
      if (this.#bytes < this.settings.byteCounterBytes) continue;
      this.#bytes = 0;
      this.counter += 1;
      this.#increase();
    }
  }

  #startTimer(kind: Kind, now: number): void {
    const { alphaPeriodPs, ratePeriodPs, decreasePeriodPs } = this.settings;
    const period = { alpha: alphaPeriodPs, rate: ratePeriodPs, decrease: decreasePeriodPs }[kind];
    this.#ticks = this.#ticks.filter((tick) => tick.kind !== kind);
    this.#ticks.push({ at: now + period, kind });
  }

  #decrease(now: number): void {
    const { profile, g, minimumGbps } = this.settings;
    if (profile === 'paper' || this.timer > 0 || this.counter > 0) this.target = this.rate;
    this.rate = Math.max(minimumGbps, this.rate * (1 - this.alpha / 2));
    this.timer = 0;
    this.counter = 0;
    this.#bytes = 0;
    this.#startTimer('rate', now);
    if (profile === 'paper') {
      this.alpha = (1 - g) * this.alpha + g;
      this.#startTimer('alpha', now);
    }
    this.#lineRate();
  }

  #increase(): void {
    const { fastRecoverySteps: f, additiveGbps, hyperGbps, scaledFromGbps } = this.settings;
    const scale = scaledFromGbps === undefined ? 1 : this.line / scaledFromGbps;
    const i = Math.min(this.timer, this.counter) - f;
    if (Math.max(this.timer, this.counter) <= f) {
      // Fast recovery: the target stays.
    } else if (i > 0) {
      this.target = Math.min(this.line, this.target + i * hyperGbps * scale);
    } else {
      this.target = Math.min(this.line, this.target + additiveGbps * scale);
    }
    this.rate = (this.target + this.rate) / 2;
    this.#lineRate();
  }

  #lineRate(): void {
    if (this.rate < 0.999 * this.line) return;
    this.rate = this.line;
    this.target = this.line;
    this.#ticks = this.#waits ? this.#ticks.filter(({ kind }) => kind !== 'rate') : [];
  }
}
