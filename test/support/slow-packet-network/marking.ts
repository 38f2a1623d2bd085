import { RandomStream } from '../../../src/kernel/random.js';
import type { EcnSettings } from '../../../src/network/packet/settings/packet-settings.js';
import type { Port } from './ports.js';

/** SW-7 at one egress. */
export class Marking {
  readonly #settings: EcnSettings;
  readonly #port: Port;
  readonly #random: RandomStream;
  readonly #kmin: number;
  readonly #kmax: number;
  readonly #pmax: number;
  readonly #isOff: boolean;
  #mean = 0;

  constructor(settings: EcnSettings, seed: number, port: Port, facesHost: boolean) {
    this.#settings = settings;
    this.#port = port;
    this.#random = new RandomStream(seed, port.node, `ecn/${port.index}`);
    this.#isOff = !settings.enabled || (facesHost && !settings.onHostPorts);
    const { thresholds, scaleFromGbps } = settings;
    const exact =
      thresholds.find(({ gbps }) => gbps === port.gbps) ?? thresholds.find(({ gbps }) => gbps === undefined);
    const row = exact ?? thresholds.find(({ gbps }) => gbps === scaleFromGbps);
    if (row === undefined) throw new Error(`no ECN thresholds for ${port.gbps} Gbit/s`);
    this.#kmin = exact ? row.kminBytes : (row.kminBytes * port.gbps) / scaleFromGbps;
    this.#kmax = exact ? row.kmaxBytes : (row.kmaxBytes * port.gbps) / scaleFromGbps;
    this.#pmax = row.pmax;
  }

  /** @returns whether a data packet is marked, the queue including it and what is in service */
  atEnqueue(queueBytes: number): boolean {
    if (this.#isOff) return false;
    const { ewma, markAt } = this.#settings;
    this.#mean = (1 - ewma) * this.#mean + ewma * queueBytes;
    return markAt === 'enqueue' && this.#decide(ewma < 1 ? this.#mean : queueBytes);
  }

  /** The same at the start of its transmission, of what waits, including it. */
  atStart(waitingBytes: number): boolean {
    if (this.#isOff || this.#settings.markAt === 'enqueue') return false;
    return this.#decide(this.#settings.ewma < 1 ? this.#mean : waitingBytes);
  }

  #decide(bytes: number): boolean {
    const isMarked = bytes >= this.#kmin && (bytes >= this.#kmax || this.#isDrawn(bytes));
    if (isMarked) this.#port.counters.marks++;
    return isMarked;
  }

  #isDrawn(bytes: number): boolean {
    const probability = (this.#pmax * (bytes - this.#kmin)) / (this.#kmax - this.#kmin);
    if (probability <= 0 || probability >= 1) return probability >= 1;
    return this.#random.uniform() < probability;
  }
}
