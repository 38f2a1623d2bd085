import type { NsccSettings } from '../settings/packet-settings.js';

/** A packet counts with its payload and this much in flight. */
export const IN_FLIGHT_HEADER_BYTES = 88;

const PS_PER_MICROSECOND = 1e6;
/** Delays below this are those of an empty network. */
const IDLE_DELAY_PS = 1e6;
const HYSTERESIS_PS = 1e6;
/** Packets' bytes that bring an adjustment before a base RTT has gone by. */
const ADJUSTED_PACKETS = 8;
/** Quick Adapt: part of the largest window that must have been achieved. */
const GATE_SHARE = 1 / 8;
/** Quick Adapt: target delays that trigger it where packets are not trimmed. */
const TRIGGER_TARGETS = 4;
const FULL_PENALTY = 127;

/** What the gains of a window are for one size of packet and one link rate (table of section 7). */
export interface NsccGains {
  /** Bytes of a full packet in flight, and the smallest window. */
  readonly nominalBytes: number;
  /** rate × InitialBaseRTT. */
  readonly initialBdpBytes: number;
  /** τ. */
  readonly targetPs: number;
  /** k_prop: bytes² a byte and µs. */
  readonly proportional: number;
  /** k_fair: bytes² a byte. */
  readonly fair: number;
  /** η, bytes. */
  readonly etaBytes: number;
  /** k_fast: bytes a byte. */
  readonly fast: number;
}

export function nsccGains(settings: NsccSettings, mssBytes: number, linkGbps: number): NsccGains {
  const initialBdpBytes = bdp(linkGbps, settings.initialBaseRttPs);
  const targetPs = settings.targetFactor * settings.initialBaseRttPs;
  const a = initialBdpBytes / bdp(settings.referenceLinkGbps, settings.referenceRttPs);
  const b = targetPs / settings.referenceRttPs;
  return {
    nominalBytes: mssBytes + IN_FLIGHT_HEADER_BYTES,
    initialBdpBytes,
    targetPs,
    proportional: (settings.proportionalFactor * mssBytes * a * b) / (targetPs / PS_PER_MICROSECOND),
    fair: settings.fairFactor * mssBytes * a,
    etaBytes: settings.etaFactor * mssBytes * a,
    fast: settings.fastFactor * a,
  };
}

/**
 * Congestion window of one UET group or one MRC queue pair: network-signalled congestion control of UET 1.0 (section 7 of the
 * network models). Bytes of a packet are always its payload and {@link IN_FLIGHT_HEADER_BYTES}. Where NSCC is off, the window has
 * no end; bytes in flight and the base RTT are kept all the same.
 */
export class NsccWindow {
  readonly #settings: NsccSettings;
  readonly #gains: NsccGains;
  readonly #linkGbps: number;
  #cwndBytes: number;
  #inFlightBytes = 0;
  #baseRttPs: number;
  /** Wmax, follows the base RTT. */
  #largestBytes: number;
  #averageDelayPs = 0;
  // Quick Adapt: bytes since the last period began, end of the period, bytes whose marks are ignored.
  #achievedBytes = 0;
  #adaptPs = -Infinity;
  #trimmed = false;
  #ignoredBytes = 0;
  #toIgnoreBytes = 0;
  // Step 4: bytes² and bytes since the last adjustment.
  #increase = 0;
  #receivedBytes = 0;
  #adjustedPs: number;
  #decreasedPs: number;
  // Bytes acknowledged in a row in an empty network, and whether they have filled a window.
  #idleBytes = 0;
  #fast = false;

  constructor(settings: NsccSettings, mssBytes: number, linkGbps: number, nowPs: number) {
    this.#settings = settings;
    this.#gains = nsccGains(settings, mssBytes, linkGbps);
    this.#linkGbps = linkGbps;
    this.#baseRttPs = settings.initialBaseRttPs;
    this.#largestBytes = settings.maximumWindowFactor * this.#gains.initialBdpBytes;
    this.#cwndBytes = settings.enabled ? Math.max(this.#largestBytes, this.#gains.nominalBytes) : Infinity;
    this.#adjustedPs = nowPs;
    this.#decreasedPs = nowPs;
  }

  get cwndBytes(): number {
    return this.#cwndBytes;
  }

  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  get baseRttPs(): number {
    return this.#baseRttPs;
  }

  mayGo(bytes: number): boolean {
    return this.#inFlightBytes + bytes <= this.#cwndBytes;
  }

  sent(bytes: number): void {
    this.#inFlightBytes += bytes;
  }

  /** Packets leave flight for another reason than an answer or a timeout of their own. */
  left(bytes: number): void {
    this.#inFlightBytes -= bytes;
  }

  /**
   * An ACK of data packets.
   *
   * @param ackedBytes that it is the first to acknowledge
   * @param inFlightBytes those of them that had not left flight as lost
   * @param rttPs negative where the ACK gives no sample; only achieved bytes count then
   * @param marked its packet was ECN-marked
   * @param penalty of the receiver (NIC-4), 0 … 127
   */
  acked(ackedBytes: number, inFlightBytes: number, rttPs: number, marked: boolean, nowPs: number, penalty = 0): void {
    this.#inFlightBytes -= inFlightBytes;
    if (!this.#settings.enabled) {
      if (rttPs >= 0) this.probed(rttPs);
      return;
    }
    this.#achievedBytes += ackedBytes;
    if (rttPs >= 0) {
      this.#ignoredBytes += ackedBytes;
      this.#receivedBytes += ackedBytes;
      this.probed(rttPs);
      const delayPs = Math.max(0, rttPs - this.#baseRttPs);
      this.#foldDelay(delayPs);
      if (!this.#quickAdapt(marked, nowPs)) {
        if (marked) this.#answerMark(delayPs, nowPs);
        else if (penalty === 0) this.#rise(ackedBytes, delayPs);
        if (penalty === 0) this.#adjust(nowPs);
        else this.#forgetIncrease();
      }
    }
    if (penalty > 0) {
      this.#cwndBytes = Math.min(this.#cwndBytes, this.#inFlightBytes) - (ackedBytes * penalty) / FULL_PENALTY;
    }
    if (rttPs >= 0 || penalty > 0) this.#clamp();
  }

  /** UE-7: a sample for the base RTT only. */
  probed(rttPs: number): void {
    const { baseRttHysteresis, maximumWindowFactor } = this.#settings;
    const hysteresisPs = baseRttHysteresis ? HYSTERESIS_PS : 0;
    if (rttPs >= this.#baseRttPs - hysteresisPs) return;
    this.#baseRttPs = rttPs + hysteresisPs;
    this.#largestBytes = maximumWindowFactor * bdp(this.#linkGbps, this.#baseRttPs);
  }

  /** UE-5: a trim NACK of a packet in flight. */
  trimmed(bytes: number, nowPs: number): void {
    this.#inFlightBytes -= bytes;
    if (!this.#settings.enabled) return;
    this.#ignoredBytes += bytes;
    this.#foldDelay(this.#settings.initialBaseRttPs);
    this.#trimmed = true;
    if (!this.#quickAdapt(true, nowPs)) this.#cwndBytes -= bytes;
    this.#clamp();
  }

  /** UE-6: the timer of a packet in flight expired. */
  timedOut(bytes: number): void {
    this.#inFlightBytes -= bytes;
    if (!this.#settings.enabled) return;
    this.#cwndBytes -= bytes;
    this.#clamp();
  }

  /** @returns whether the answer is done with: the window was set anew, or a mark is ignored because that was just done */
  #quickAdapt(marked: boolean, nowPs: number): boolean {
    let done = marked && this.#ignoredBytes < this.#toIgnoreBytes;
    if (!done && nowPs > this.#adaptPs) {
      if (
        this.#adaptPs !== -Infinity &&
        (this.#trimmed || this.#isTriggeredByDelay()) &&
        this.#achievedBytes < this.#largestBytes * GATE_SHARE
      ) {
        this.#cwndBytes = Math.max(this.#achievedBytes, this.#gains.nominalBytes);
        this.#toIgnoreBytes = this.#inFlightBytes;
        this.#ignoredBytes = 0;
        this.#trimmed = false;
        this.#forgetIncrease();
        done = true;
      }
      this.#achievedBytes = 0;
      this.#adaptPs = nowPs + this.#baseRttPs + this.#gains.targetPs;
    }
    return done;
  }

  #isTriggeredByDelay(): boolean {
    return !this.#settings.trimming && this.#averageDelayPs > TRIGGER_TARGETS * this.#gains.targetPs;
  }

  /** Rows "no / no" and "no / yes" of the table of routines. */
  #rise(ackedBytes: number, delayPs: number): void {
    const { targetPs, fair, fast, proportional } = this.#gains;
    if (delayPs >= targetPs) {
      this.#endIdleRow();
      this.#increase += fair * ackedBytes;
      return;
    }
    if (delayPs >= IDLE_DELAY_PS) {
      this.#endIdleRow();
    } else {
      this.#idleBytes += ackedBytes;
      if (this.#idleBytes > this.#cwndBytes) this.#fast = true;
    }
    if (this.#fast) this.#cwndBytes += fast * ackedBytes;
    else this.#increase += (proportional * ackedBytes * (targetPs - delayPs)) / PS_PER_MICROSECOND;
  }

  /** Rows "yes / yes" and "yes / no". */
  #answerMark(delayPs: number, nowPs: number): void {
    this.#endIdleRow();
    const { targetPs } = this.#gains;
    const average = this.#averageDelayPs;
    if (delayPs < targetPs || average <= targetPs || nowPs - this.#decreasedPs <= this.#baseRttPs) return;
    const { gamma, maximumDecrease } = this.#settings;
    this.#cwndBytes *= Math.max(1 - (gamma * (average - targetPs)) / average, 1 - maximumDecrease);
    this.#decreasedPs = nowPs;
  }

  /** Step 4. */
  #adjust(nowPs: number): void {
    const isPeriodOver = nowPs - this.#adjustedPs >= this.#baseRttPs;
    if (!isPeriodOver && this.#receivedBytes <= ADJUSTED_PACKETS * this.#gains.nominalBytes) return;
    this.#cwndBytes += this.#increase / this.#cwndBytes;
    if (isPeriodOver) {
      this.#cwndBytes += this.#gains.etaBytes;
      this.#adjustedPs = nowPs;
    }
    this.#forgetIncrease();
  }

  #foldDelay(delayPs: number): void {
    const { delayWeight } = this.#settings;
    this.#averageDelayPs = delayWeight * delayPs + (1 - delayWeight) * this.#averageDelayPs;
  }

  #forgetIncrease(): void {
    this.#increase = 0;
    this.#receivedBytes = 0;
  }

  #endIdleRow(): void {
    this.#idleBytes = 0;
    this.#fast = false;
  }

  #clamp(): void {
    this.#cwndBytes = Math.max(Math.min(this.#cwndBytes, this.#largestBytes), this.#gains.nominalBytes);
  }
}

function bdp(gbps: number, rttPs: number): number {
  return (gbps * rttPs) / 8000;
}
