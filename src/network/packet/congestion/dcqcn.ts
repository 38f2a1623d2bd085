import type { DcqcnSettings } from '../settings/packet-settings.js';

/** Rc at or above this part of the line rate is the line rate. */
const LINE_SHARE = 0.999;

/**
 * DCQCN rate of one RoCEv2 queue pair that was told of congestion (section 6). A queue pair without an object sends at line rate.
 *
 * No events: ticks of the timers are applied when the rate is asked for, those with a time ≤ now first, so what is asked at an
 * instant comes after the ticks of that instant. At one instant alpha comes first, then the increase of the rate timer, then the
 * check for a decrease. Times never go back from call to call.
 */
export class DcqcnRate {
  readonly #settings: DcqcnSettings;
  // bit/s
  readonly #line: number;
  readonly #minimum: number;
  readonly #additive: number;
  readonly #hyper: number;
  /** Rc. */
  #current: number;
  /** Rt. */
  #target: number;
  #alpha = 1;
  /** T. */
  #timerSteps = 0;
  /** B. */
  #byteSteps = 0;
  /** Since the byte counter's last step. */
  #sentBytes = 0;
  /** Profile `ns3`: a CNP came since alpha's last tick. */
  #congested = false;
  // Next ticks, Infinity where a clock stands still.
  #nextAlphaPs = Infinity;
  #nextRatePs = Infinity;
  /** Tick of the decrease clock at which a CNP that waits is acted on. */
  #decreasePs = Infinity;
  #decreaseClockPs = NaN;

  constructor(settings: DcqcnSettings, lineGbps: number) {
    const scale = settings.scaledFromGbps === undefined ? 1 : lineGbps / settings.scaledFromGbps;
    this.#settings = settings;
    this.#line = lineGbps * 1e9;
    this.#minimum = Math.min(settings.minimumGbps * 1e9, this.#line);
    this.#additive = settings.additiveGbps * 1e9 * scale;
    this.#hyper = settings.hyperGbps * 1e9 * scale;
    this.#current = this.#line;
    this.#target = this.#line;
  }

  /** At line rate with no CNP waiting: the rate stays there until the next one. */
  isAtLine(nowPs: number): boolean {
    this.#advance(nowPs);
    return this.#current === this.#line && this.#decreasePs === Infinity;
  }

  /** Rc, Gbit/s. */
  gbpsAt(nowPs: number): number {
    this.#advance(nowPs);
    return this.#current / 1e9;
  }

  alphaAt(nowPs: number): number {
    this.#advance(nowPs);
    return this.#alpha;
  }

  /** RC-7: from the start of a packet to the earliest start of the next, ps; 0 at line rate. */
  gapPs(wireBytes: number, nowPs: number): number {
    this.#advance(nowPs);
    return this.#current === this.#line ? 0 : Math.ceil((wireBytes * 8e12) / this.#current);
  }

  /** A CNP arrived. */
  onCongestion(nowPs: number): void {
    this.#advance(nowPs);
    const { profile, alphaPeriodPs, decreasePeriodPs } = this.#settings;
    if (profile === 'ns3') {
      if (this.#nextAlphaPs === Infinity) this.#nextAlphaPs = nowPs + alphaPeriodPs;
      this.#congested = true;
    }
    if (decreasePeriodPs === 0) {
      this.#decrease(nowPs);
    } else if (this.#decreasePs === Infinity) {
      if (Number.isNaN(this.#decreaseClockPs)) this.#decreaseClockPs = nowPs;
      const periods = Math.floor((nowPs - this.#decreaseClockPs) / decreasePeriodPs) + 1;
      this.#decreasePs = this.#decreaseClockPs + periods * decreasePeriodPs;
    }
  }

  /** A data packet starts; call before {@link gapPs} of the same start. */
  onSent(wireBytes: number, nowPs: number): void {
    const { byteCounterBytes } = this.#settings;
    if (byteCounterBytes === Infinity) return;
    this.#advance(nowPs);
    if (this.#current === this.#line) return;
    this.#sentBytes += wireBytes;
    while (this.#sentBytes >= byteCounterBytes && this.#current < this.#line) {
      this.#sentBytes -= byteCounterBytes;
      this.#byteSteps++;
      this.#increase();
    }
  }

  /** Applies the ticks up to now. Each step of the rate timer halves the way to a target that rises: few until line rate. */
  #advance(nowPs: number): void {
    for (;;) {
      const next = Math.min(this.#nextRatePs, this.#decreasePs);
      if (next > nowPs) break;
      this.#decayAlpha(next);
      if (this.#nextRatePs === next) {
        this.#nextRatePs += this.#settings.ratePeriodPs;
        this.#timerSteps++;
        this.#increase();
      }
      if (this.#decreasePs === next) {
        this.#decreasePs = Infinity;
        this.#decrease(next);
      }
    }
    this.#decayAlpha(nowPs);
  }

  /** All ticks of alpha up to a time at once: only the first can have seen a CNP. */
  #decayAlpha(untilPs: number): void {
    if (this.#nextAlphaPs > untilPs) return;
    const { g, alphaPeriodPs } = this.#settings;
    const periods = Math.floor((untilPs - this.#nextAlphaPs) / alphaPeriodPs) + 1;
    this.#alpha = (1 - g) * this.#alpha + (this.#congested ? g : 0);
    this.#congested = false;
    if (periods > 1) this.#alpha *= (1 - g) ** (periods - 1);
    this.#nextAlphaPs += periods * alphaPeriodPs;
  }

  #decrease(nowPs: number): void {
    const { profile, g, alphaPeriodPs, ratePeriodPs, clampTarget } = this.#settings;
    if (!clampTarget || this.#timerSteps + this.#byteSteps > 0) this.#target = this.#current;
    this.#current = Math.max(this.#minimum, this.#current * (1 - this.#alpha / 2));
    if (profile === 'paper') {
      this.#alpha = (1 - g) * this.#alpha + g;
      this.#nextAlphaPs = nowPs + alphaPeriodPs;
    }
    this.#timerSteps = 0;
    this.#byteSteps = 0;
    this.#sentBytes = 0;
    this.#nextRatePs = nowPs + ratePeriodPs;
    this.#stopAtLine();
  }

  #increase(): void {
    const { fastRecoverySteps } = this.#settings;
    const least = Math.min(this.#timerSteps, this.#byteSteps);
    if (least > fastRecoverySteps) {
      this.#target = Math.min(this.#line, this.#target + (least - fastRecoverySteps) * this.#hyper);
    } else if (Math.max(this.#timerSteps, this.#byteSteps) > fastRecoverySteps) {
      this.#target = Math.min(this.#line, this.#target + this.#additive);
    }
    this.#current = (this.#target + this.#current) / 2;
    this.#stopAtLine();
  }

  /** A CNP that waits for its decrease keeps alpha's clock and the decrease clock going. */
  #stopAtLine(): void {
    if (this.#current < LINE_SHARE * this.#line) return;
    this.#current = this.#line;
    this.#target = this.#line;
    this.#nextRatePs = Infinity;
    if (this.#decreasePs !== Infinity) return;
    this.#nextAlphaPs = Infinity;
    this.#decreaseClockPs = NaN;
  }
}
