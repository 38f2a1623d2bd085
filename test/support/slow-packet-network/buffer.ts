import type { SwitchSettings } from '../../../src/network/packet/settings/packet-settings.js';
import type { Port } from './ports.js';

/** What an ingress port counts of one class, and whether it has paused its peer. */
export interface IngressCounts {
  /** `in`. */
  bytes: number;
  headroomBytes: number;
  isPaused: boolean;
}

export type Signal = (port: Port, trafficClass: number, pause: boolean) => void;

/** How a lossless class pauses its peers. */
export interface PauseRule {
  /** Charges an arrival; false where it has to be dropped. */
  arrive(port: Port, trafficClass: number, bytes: number): boolean;
  release(port: Port, trafficClass: number, bytes: number): void;
  readonly headroomBytes: number;
}

export class IngressTable {
  readonly #counts = new Map<string, IngressCounts>();

  of(port: Port, trafficClass: number): IngressCounts {
    const key = `${port.id} ${trafficClass}`;
    const counts = this.#counts.get(key) ?? { bytes: 0, headroomBytes: 0, isPaused: false };
    this.#counts.set(key, counts);
    return counts;
  }

  /** Bytes that are charged to any port, and ports that have paused their peer. */
  leftovers(): string[] {
    return [...this.#counts].flatMap(([key, { bytes, headroomBytes, isPaused }]) =>
      bytes !== 0 || headroomBytes !== 0 || isPaused ? [`ingress ${key}: ${bytes} + ${headroomBytes} ${isPaused}`] : [],
    );
  }
}

function useHeadroom(port: Port, trafficClass: number, counts: IngressCounts, bytes: number): void {
  counts.headroomBytes += bytes;
  const { peakHeadroomBytes } = port.counters;
  peakHeadroomBytes[trafficClass] = Math.max(peakHeadroomBytes[trafficClass], counts.headroomBytes);
}

/** SW-4. */
export class StaticPause implements PauseRule {
  readonly headroomBytes: number;

  constructor(
    readonly settings: SwitchSettings,
    readonly table: IngressTable,
    readonly signal: Signal,
    ports: readonly Port[],
  ) {
    this.headroomBytes = settings.headroomBytes * ports.length;
  }

  arrive(port: Port, trafficClass: number, bytes: number): boolean {
    const counts = this.table.of(port, trafficClass);
    if (counts.isPaused) {
      if (counts.headroomBytes + bytes > this.settings.headroomBytes) return false;
      useHeadroom(port, trafficClass, counts, bytes);
      return true;
    }
    counts.bytes += bytes;
    if (counts.bytes > this.settings.xoffBytes) {
      counts.isPaused = true;
      this.signal(port, trafficClass, true);
    }
    return true;
  }

  release(port: Port, trafficClass: number, bytes: number): void {
    const counts = this.table.of(port, trafficClass);
    const fromHeadroom = Math.min(bytes, counts.headroomBytes);
    counts.headroomBytes -= fromHeadroom;
    counts.bytes -= bytes - fromHeadroom;
    if (counts.isPaused && counts.headroomBytes === 0 && counts.bytes <= this.settings.xonBytes) {
      counts.isPaused = false;
      this.signal(port, trafficClass, false);
    }
  }
}

const RESERVE_BYTES = 4096;
const RESUME_BYTES = 3072;

/** SW-5, as the switch of HPCC's ns-3 does it. */
export class DynamicPause implements PauseRule {
  readonly headroomBytes: number;
  readonly #reserveBytes: number;
  #sharedUsed = 0;

  constructor(
    readonly settings: SwitchSettings,
    readonly table: IngressTable,
    readonly signal: Signal,
    ports: readonly Port[],
    readonly nicGbps: number,
  ) {
    this.headroomBytes = ports.reduce((sum, port) => sum + headroomOf(port), 0);
    this.#reserveBytes = 2 * RESERVE_BYTES * ports.length;
  }

  arrive(port: Port, trafficClass: number, bytes: number): boolean {
    const counts = this.table.of(port, trafficClass);
    const threshold = this.#threshold(port);
    if (counts.headroomBytes + bytes > headroomOf(port) && sharedUse(counts) + bytes > threshold) return false;
    if (counts.bytes + bytes <= RESERVE_BYTES) {
      counts.bytes += bytes;
    } else if (counts.bytes + bytes - RESERVE_BYTES > threshold) {
      useHeadroom(port, trafficClass, counts, bytes);
    } else {
      counts.bytes += bytes;
      this.#sharedUsed += Math.min(bytes, counts.bytes - RESERVE_BYTES);
    }
    if (!counts.isPaused && (counts.headroomBytes > 0 || sharedUse(counts) >= this.#threshold(port))) {
      counts.isPaused = true;
      this.signal(port, trafficClass, true);
    }
    return true;
  }

  release(port: Port, trafficClass: number, bytes: number): void {
    const counts = this.table.of(port, trafficClass);
    const fromHeadroom = Math.min(bytes, counts.headroomBytes);
    const fromShared = Math.min(bytes - fromHeadroom, sharedUse(counts));
    counts.headroomBytes -= fromHeadroom;
    counts.bytes -= bytes - fromHeadroom;
    this.#sharedUsed -= fromShared;
    if (!counts.isPaused || counts.headroomBytes > 0) return;
    const shared = sharedUse(counts);
    if (shared === 0 || shared + RESUME_BYTES <= this.#threshold(port)) {
      counts.isPaused = false;
      this.signal(port, trafficClass, false);
    }
  }

  /** T, with one halving less for each doubling of the rate over that of a NIC. */
  #threshold(port: Port): number {
    let halvings = 3;
    for (let gbps = port.gbps; gbps >= 2 * this.nicGbps && halvings > 0; gbps /= 2) halvings--;
    const free = this.settings.bufferBytes - this.headroomBytes - this.#reserveBytes - this.#sharedUsed;
    return Math.floor(free / 2 ** halvings);
  }
}

function headroomOf({ gbps, delayPs }: Port): number {
  return (3 * gbps * delayPs) / 8000;
}

function sharedUse({ bytes }: IngressCounts): number {
  return Math.max(0, bytes - RESERVE_BYTES);
}
