import type { DcqcnSettings } from '../../../src/network/packet/settings/packet-settings.js';
import { TICK, type Event, type EventList } from './events.js';

/** Rate of a queue pair, both profiles of DCQCN. Rates are bit/s; every tick is an event. */
export class Dcqcn {
  rate: number;
  target: number;
  alpha = 1;
  decreases = 0;
  readonly #line: number;
  readonly #settings: DcqcnSettings;
  readonly #events: EventList;
  #timeSteps = 0;
  #byteSteps = 0;
  #bytes = 0;
  #isIncreased = true;
  #cnpInAlphaPeriod = false;
  #isDecreaseDue = false;
  #alphaTimer: Event | undefined;
  #rateTimer: Event | undefined;
  #decreaseClock: Event | undefined;

  constructor(settings: DcqcnSettings, lineGbps: number, events: EventList) {
    this.#settings = settings;
    this.#line = lineGbps * 1e9;
    this.#events = events;
    this.rate = this.#line;
    this.target = this.#line;
  }

  get isAtLine(): boolean {
    return this.rate >= this.#line;
  }

  cnp(): void {
    this.#cnpInAlphaPeriod = true;
    if (this.#settings.decreasePeriodPs === 0) {
      this.#decrease();
      this.#age(true);
      this.#startAlphaTimer();
      return;
    }
    this.#isDecreaseDue = true;
    if (this.#decreaseClock !== undefined) return;
    this.#startAlphaTimer();
    this.#startDecreaseClock();
  }

  /** A packet starts. */
  started(bytes: number): void {
    const { byteCounterBytes } = this.#settings;
    if (this.isAtLine || byteCounterBytes === Infinity) return;
    this.#bytes += bytes;
    while (this.#bytes >= byteCounterBytes && !this.isAtLine) {
      this.#bytes -= byteCounterBytes;
      this.#byteSteps++;
      this.#increase();
    }
  }

  #decrease(): void {
    const { clampTarget, minimumGbps } = this.#settings;
    if (!clampTarget || this.#isIncreased) this.target = this.rate;
    this.#isIncreased = false;
    this.rate = Math.max(minimumGbps * 1e9, this.rate * (1 - this.alpha / 2));
    this.#timeSteps = 0;
    this.#byteSteps = 0;
    this.#bytes = 0;
    this.decreases++;
    this.#startRateTimer();
    this.#stopAtLine();
  }

  #age(withCnp: boolean): void {
    const { g } = this.#settings;
    this.alpha = (1 - g) * this.alpha + (withCnp ? g : 0);
  }

  #increase(): void {
    const { fastRecoverySteps: f, additiveGbps, hyperGbps, scaledFromGbps } = this.#settings;
    const scale = scaledFromGbps === undefined ? 1 : this.#line / (scaledFromGbps * 1e9);
    const least = Math.min(this.#timeSteps, this.#byteSteps);
    if (least > f) {
      this.target = Math.min(this.#line, this.target + (least - f) * hyperGbps * 1e9 * scale);
    } else if (Math.max(this.#timeSteps, this.#byteSteps) > f) {
      this.target = Math.min(this.#line, this.target + additiveGbps * 1e9 * scale);
    }
    this.rate = (this.target + this.rate) / 2;
    this.#isIncreased = true;
    this.#stopAtLine();
  }

  /** As at the start; a CNP that waits for its decrease keeps its clocks going. */
  #stopAtLine(): void {
    if (this.rate < 0.999 * this.#line) return;
    this.rate = this.#line;
    this.target = this.#line;
    this.#events.cancel(this.#rateTimer);
    if (this.#isDecreaseDue) return;
    this.#events.cancel(this.#alphaTimer);
    this.#events.cancel(this.#decreaseClock);
    this.#decreaseClock = undefined;
  }

  #startAlphaTimer(): void {
    this.#events.cancel(this.#alphaTimer);
    this.#alphaTimer = this.#after(this.#settings.alphaPeriodPs, 0, () => {
      // A period of `paper` is one without a CNP: each of those has restarted it.
      this.#age(this.#settings.decreasePeriodPs > 0 && this.#cnpInAlphaPeriod);
      this.#cnpInAlphaPeriod = false;
      this.#startAlphaTimer();
    });
  }

  #startRateTimer(): void {
    this.#events.cancel(this.#rateTimer);
    this.#rateTimer = this.#after(this.#settings.ratePeriodPs, 1, () => {
      this.#startRateTimer();
      this.#timeSteps++;
      this.#increase();
    });
  }

  #startDecreaseClock(): void {
    this.#decreaseClock = this.#after(this.#settings.decreasePeriodPs, 2, () => {
      this.#startDecreaseClock();
      if (!this.#isDecreaseDue) return;
      this.#isDecreaseDue = false;
      this.#decrease();
    });
  }

  /** Ticks of one instant: α, then an increase, then a decrease, as ns-3's events of HPCC come. */
  #after(periodPs: number, place: number, act: () => void): Event {
    return this.#events.at(this.#events.now + periodPs, TICK, place, act);
  }
}
