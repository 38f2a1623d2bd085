import type { NsccSettings } from '../../../src/network/packet/settings/packet-settings.js';

const PS_PER_US = 1e6;

export interface AckFacts {
  /** Payload + 88 of all packets that it newly retires. */
  readonly ackedBytes: number;
  readonly inFlightBytes: number;
  readonly isMarked: boolean;
  /** Undefined where it gives no sample. */
  readonly rttPs: number | undefined;
  /** Of the receiver, 0 … 127 (NIC-4). */
  readonly penalty?: number;
}

/** Window of network-models section 7, as its steps 1 to 4 read. Bytes and µs. */
export class Nscc {
  window: number;
  basePs: number;
  averagePs = 0;
  readonly nominalBytes: number;
  readonly targetPs: number;
  readonly #settings: NsccSettings;
  readonly #gbps: number;
  readonly #fair: number;
  readonly #proportional: number;
  readonly #eta: number;
  readonly #fast: number;
  #achieved = 0;
  #received = 0;
  #increase = 0;
  #ignored = 0;
  #toIgnore = 0;
  #row = 0;
  #isFast = false;
  #isTriggered = false;
  #adaptEndPs: number | undefined;
  #lastAdjustPs: number;
  #lastDecreasePs: number;

  constructor(settings: NsccSettings, gbps: number, mssBytes: number, nowPs: number) {
    this.#settings = settings;
    this.#gbps = gbps;
    this.nominalBytes = mssBytes + 88;
    this.basePs = settings.initialBaseRttPs;
    this.targetPs = settings.initialBaseRttPs * settings.targetFactor;
    const a = this.bandwidthDelay / ((settings.referenceLinkGbps * settings.referenceRttPs) / 8000);
    const b = this.targetPs / settings.referenceRttPs;
    this.#fair = settings.fairFactor * mssBytes * a;
    this.#proportional = (settings.proportionalFactor * mssBytes * a * b) / (this.targetPs / PS_PER_US);
    this.#eta = settings.etaFactor * mssBytes * a;
    this.#fast = settings.fastFactor * a;
    this.window = settings.enabled ? Math.max(this.largest, this.nominalBytes) : Infinity;
    this.#lastAdjustPs = nowPs;
    this.#lastDecreasePs = nowPs;
  }

  get bandwidthDelay(): number {
    return (this.#gbps * this.basePs) / 8000;
  }

  get largest(): number {
    return this.#settings.maximumWindowFactor * this.bandwidthDelay;
  }

  acknowledge(facts: AckFacts, nowPs: number): void {
    const { ackedBytes, inFlightBytes, rttPs, penalty = 0 } = facts;
    if (!this.#settings.enabled) {
      if (rttPs !== undefined) this.sampleBase(rttPs);
      return;
    }
    this.#achieved += ackedBytes;
    if (rttPs !== undefined) this.#sample(facts, rttPs, nowPs);
    if (penalty > 0) this.window = Math.min(this.window, inFlightBytes) - (ackedBytes * penalty) / 127;
    if (rttPs !== undefined || penalty > 0) this.#clamp();
  }

  #sample({ ackedBytes, inFlightBytes, isMarked, penalty = 0 }: AckFacts, rttPs: number, nowPs: number): void {
    this.#ignored += ackedBytes;
    this.#received += ackedBytes;
    this.sampleBase(rttPs);
    const delayPs = Math.max(0, rttPs - this.basePs);
    this.#average(delayPs);
    const isStopped = this.#quickAdapt(isMarked, inFlightBytes, nowPs) !== 'none';
    if (!isStopped) {
      // A penalty blocks increases: what was gathered is lost.
      if (isMarked || penalty === 0) this.#react(delayPs, ackedBytes, isMarked, nowPs);
      if (penalty === 0) {
        this.#adjust(nowPs);
      } else {
        this.#increase = 0;
        this.#received = 0;
      }
    }
  }

  trimmed(bytes: number, inFlightBytes: number, nowPs: number): void {
    if (!this.#settings.enabled) return;
    this.#ignored += bytes;
    this.#average(this.#settings.initialBaseRttPs);
    this.#isTriggered = true;
    const adapted = this.#quickAdapt(true, inFlightBytes, nowPs);
    if (adapted !== 'fired' && this.#ignored >= this.#toIgnore) this.window -= bytes;
    this.#clamp();
  }

  timedOut(bytes: number): void {
    if (!this.#settings.enabled) return;
    this.window -= bytes;
    this.#clamp();
  }

  sampleBase(rttPs: number): void {
    if (!this.#settings.baseRttHysteresis) this.basePs = Math.min(this.basePs, rttPs);
    else if (rttPs < this.basePs - PS_PER_US) this.basePs = rttPs + PS_PER_US;
  }

  #average(delayPs: number): void {
    const { delayWeight } = this.#settings;
    this.averagePs = delayWeight * delayPs + (1 - delayWeight) * this.averagePs;
  }

  #quickAdapt(isMarked: boolean, inFlightBytes: number, nowPs: number): 'ignores' | 'fired' | 'none' {
    if (this.#ignored < this.#toIgnore && isMarked) return 'ignores';
    if (this.#adaptEndPs !== undefined && nowPs <= this.#adaptEndPs) return 'none';
    const isTriggered = this.#isTriggered || (!this.#settings.trimming && this.averagePs > 4 * this.targetPs);
    const isFired = this.#adaptEndPs !== undefined && isTriggered && this.#achieved < this.largest / 8;
    if (isFired) {
      this.window = Math.max(this.#achieved, this.nominalBytes);
      this.#toIgnore = inFlightBytes;
      this.#ignored = 0;
      this.#isTriggered = false;
      this.#increase = 0;
      this.#received = 0;
    }
    this.#achieved = 0;
    this.#adaptEndPs = nowPs + this.basePs + this.targetPs;
    return isFired ? 'fired' : 'none';
  }

  #react(delayPs: number, ackedBytes: number, isMarked: boolean, nowPs: number): void {
    const isLate = delayPs >= this.targetPs;
    if (isMarked || isLate || delayPs >= PS_PER_US) {
      this.#row = 0;
      this.#isFast = false;
    }
    if (!isMarked && !isLate) {
      if (delayPs < PS_PER_US) this.#row += ackedBytes;
      if (this.#row > this.window) this.#isFast = true;
      if (this.#isFast) this.window += this.#fast * ackedBytes;
      else this.#increase += this.#proportional * ackedBytes * ((this.targetPs - delayPs) / PS_PER_US);
    } else if (!isMarked) {
      this.#increase += this.#fair * ackedBytes;
    } else if (isLate && this.averagePs > this.targetPs && nowPs - this.#lastDecreasePs > this.basePs) {
      const { gamma, maximumDecrease } = this.#settings;
      this.window *= Math.max(1 - (gamma * (this.averagePs - this.targetPs)) / this.averagePs, 1 - maximumDecrease);
      this.#lastDecreasePs = nowPs;
    }
  }

  #adjust(nowPs: number): void {
    const isElapsed = nowPs - this.#lastAdjustPs >= this.basePs;
    if (this.#received <= 8 * this.nominalBytes && !isElapsed) return;
    this.window += this.#increase / this.window;
    if (isElapsed) {
      this.window += this.#eta;
      this.#lastAdjustPs = nowPs;
    }
    this.#increase = 0;
    this.#received = 0;
  }

  #clamp(): void {
    this.window = Math.max(this.nominalBytes, Math.min(this.window, this.largest));
  }
}
