import type { NsccSettings } from '../../src/network/packet/settings/packet-settings.js';

/** NSCC as section 7 reads, step after step, in bytes and µs. */
export class SlowNscc {
  cwnd: number;
  inflight = 0;
  base: number;
  avg = 0;
  achieved = 0;
  ignored = 0;
  toIgnore = 0;
  trigger = false;
  qaEnd: number | undefined;
  inc = 0;
  received = 0;
  lastAdjust: number;
  lastDecrease: number;
  row = 0;
  isRising = false;

  constructor(
    readonly settings: NsccSettings,
    readonly mss: number,
    readonly gbps: number,
    now: number,
  ) {
    this.base = settings.initialBaseRttPs / 1e6;
    this.cwnd = this.wmax;
    this.lastAdjust = now;
    this.lastDecrease = now;
    this.clamp();
  }

  /** Bytes of a link of so many Gbit/s in so many µs. */
  bytesIn(gbps: number, microseconds: number): number {
    return (gbps * 1e9 * (microseconds * 1e-6)) / 8;
  }

  get nom(): number {
    return this.mss + 88;
  }

  get wmax(): number {
    return this.settings.maximumWindowFactor * this.bytesIn(this.gbps, this.base);
  }

  get tau(): number {
    return (this.settings.initialBaseRttPs / 1e6) * this.settings.targetFactor;
  }

  get a(): number {
    const { initialBaseRttPs, referenceLinkGbps, referenceRttPs } = this.settings;
    return this.bytesIn(this.gbps, initialBaseRttPs / 1e6) / this.bytesIn(referenceLinkGbps, referenceRttPs / 1e6);
  }

  get b(): number {
    return this.tau / (this.settings.referenceRttPs / 1e6);
  }

  ack(acked: number, inFlight: number, rtt: number, marked: boolean, now: number, penalty: number): void {
    this.inflight -= inFlight;
    this.achieved += acked;
    if (rtt >= 0) this.sample(acked, rtt, marked, now, penalty);
    if (penalty > 0) {
      if (this.cwnd > this.inflight) this.cwnd = this.inflight;
      this.cwnd -= acked * (penalty / 127);
    }
    if (rtt >= 0 || penalty > 0) this.clamp();
  }

  sample(acked: number, rtt: number, marked: boolean, now: number, penalty: number): void {
    const { settings, tau } = this;
    this.ignored += acked;
    this.received += acked;
    // Step 1.
    if (!settings.baseRttHysteresis) this.base = Math.min(this.base, rtt);
    else if (wholePs(this.base - rtt) > 1) this.base = rtt + 1;
    const d = Math.max(0, wholePs(rtt - this.base));
    this.avg += settings.delayWeight * (d - this.avg);
    // Step 2.
    if (this.quickAdapt(marked, now)) return;
    // Step 3.
    if (!marked && d < tau && d < 1) {
      if (penalty === 0) {
        this.row += acked;
        if (this.row > this.cwnd) this.isRising = true;
        if (this.isRising) this.cwnd += settings.fastFactor * this.a * acked;
        else this.inc += this.proportional() * acked * (tau - d);
      }
    } else if (!marked && penalty > 0) {
      // Increases are blocked.
    } else {
      this.row = 0;
      this.isRising = false;
      if (!marked && d < tau) this.inc += this.proportional() * acked * (tau - d);
      if (!marked && d >= tau) this.inc += settings.fairFactor * this.mss * this.a * acked;
      if (marked && d >= tau && this.avg > tau && wholePs(now - this.lastDecrease - this.base) > 0) {
        const factor = 1 - (settings.gamma * (this.avg - tau)) / this.avg;
        this.cwnd = this.cwnd * (factor < 1 - settings.maximumDecrease ? 1 - settings.maximumDecrease : factor);
        this.lastDecrease = now;
      }
    }
    // Step 4.
    const isOver = wholePs(now - this.lastAdjust - this.base) >= 0;
    if (penalty > 0) {
      this.inc = 0;
      this.received = 0;
    } else if (this.received > 8 * this.nom || isOver) {
      this.cwnd += this.inc / this.cwnd;
      if (isOver) {
        this.cwnd += settings.etaFactor * this.mss * this.a;
        this.lastAdjust = now;
      }
      this.inc = 0;
      this.received = 0;
    }
  }

  trim(bytes: number, now: number): void {
    this.inflight -= bytes;
    this.ignored += bytes;
    this.avg += this.settings.delayWeight * (this.settings.initialBaseRttPs / 1e6 - this.avg);
    this.trigger = true;
    const isDone = this.quickAdapt(true, now);
    if (!isDone && this.ignored >= this.toIgnore) this.cwnd -= bytes;
    this.clamp();
  }

  timeout(bytes: number): void {
    this.inflight -= bytes;
    this.cwnd -= bytes;
    this.clamp();
  }

  quickAdapt(marked: boolean, now: number): boolean {
    if (marked && this.ignored < this.toIgnore) return true;
    if (this.qaEnd !== undefined && wholePs(now - this.qaEnd) <= 0) return false;
    const isTriggered = this.trigger || (!this.settings.trimming && this.avg > 4 * this.tau);
    const fires = this.qaEnd !== undefined && isTriggered && this.achieved < this.wmax / 2 ** 3;
    if (fires) {
      this.cwnd = Math.max(this.achieved, this.nom);
      this.toIgnore = this.inflight;
      this.ignored = 0;
      this.trigger = false;
      this.inc = 0;
      this.received = 0;
    }
    this.achieved = 0;
    this.qaEnd = now + this.base + this.tau;
    return fires;
  }

  proportional(): number {
    return (this.settings.proportionalFactor * this.mss * this.a * this.b) / this.tau;
  }

  clamp(): void {
    if (this.cwnd > this.wmax) this.cwnd = this.wmax;
    if (this.cwnd < this.nom) this.cwnd = this.nom;
  }
}

/** Rounds to whole ps what was a difference of µs. */
function wholePs(microseconds: number): number {
  return Math.round(microseconds * 1e6) / 1e6;
}
