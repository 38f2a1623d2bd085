import { ByteRate } from '../../../src/network/byte-rate.js';
import type { HostLinkSettings } from '../../../src/network/packet/settings/packet-settings.js';
import { ARRIVAL, arrivalPlace } from './events.js';
import type { Packet } from './packet.js';
import type { HostPort, SlowHost, TransmitContext } from './slow-host.js';

interface Written {
  readonly packet: Packet;
  readonly port: HostPort;
  readonly bytes: number;
}

/**
 * NIC-4: a server for what is fetched from the memory of a host and one for what is written to it. A context asks for the payload of its
 * next packet when it gets into a ring; a packet that has arrived is in the pool until it is written.
 */
export class SlowHostLink {
  readonly #host: SlowHost;
  readonly #settings: HostLinkSettings;
  readonly #rate: ByteRate;
  readonly #written: (packet: Packet, port: HostPort) => void;
  readonly #writes: Written[] = [];
  #fetchFreeAt = 0;
  #poolBytes = 0;
  #isPaused = false;

  constructor(host: SlowHost, settings: HostLinkSettings, written: (packet: Packet, port: HostPort) => void) {
    this.#host = host;
    this.#settings = settings;
    this.#rate = new ByteRate(settings.gbps, 1n, 8n);
    this.#written = written;
  }

  /** Asks for the payload of the next packet of a context, unless that was done. */
  ask(context: TransmitContext): void {
    if (context.fetchedAt !== undefined) return;
    const start = Math.max(this.#fetchFreeAt, this.#now);
    this.#fetchFreeAt = start + this.#crossingPs(context.nextPayload());
    context.fetchedAt = this.#fetchFreeAt;
  }

  /** Whether that payload is there; where not, the context comes back to the head of the ring when it is. */
  isFetched(context: TransmitContext): boolean {
    const { fetchedAt } = context;
    if (fetchedAt === undefined || fetchedAt <= this.#now) return true;
    this.#host.timer(fetchedAt, () => {
      if (context.fetchedAt !== this.#now) return;
      if (context.ring === undefined && context.hasWork()) context.nextPort().joinHead(context);
    });
    return false;
  }

  /** @returns whether the pool has room for it */
  receive(packet: Packet, port: HostPort): boolean {
    const { counters } = this.#host;
    const { frames, switches } = this.#host.wires.settings;
    const bytes = packet.bytes - frames.dataHeaderBytes - frames.phyOverheadBytes;
    if (this.#poolBytes + bytes > this.#settings.ingressPoolBytes) {
      counters.poolDrops++;
      return false;
    }
    this.#poolBytes += bytes;
    counters.peakPoolBytes = Math.max(counters.peakPoolBytes, this.#poolBytes);
    const isLossless = switches.pfc !== 'off' && switches.lossless[0];
    if (isLossless && !this.#isPaused && this.#poolBytes > switches.xoffBytes) this.#pause(true);
    this.#writes.push({ packet, port, bytes });
    if (this.#writes.length === 1) this.#write();
    return true;
  }

  /** Section 7: linear between 25 and 75 % of the pool. */
  get penalty(): number {
    const share = (this.#poolBytes / this.#settings.ingressPoolBytes - 0.25) / (0.75 - 0.25);
    return Math.floor(127 * Math.min(1, Math.max(0, share)));
  }

  #write(): void {
    const { packet, port, bytes } = this.#writes[0];
    const { events, settings } = this.#host.wires;
    events.at(this.#now + this.#crossingPs(bytes), ARRIVAL, arrivalPlace(port.port.id, 'written'), () => {
      this.#writes.shift();
      if (this.#writes.length > 0) this.#write();
      this.#poolBytes -= bytes;
      if (this.#isPaused && this.#poolBytes <= settings.switches.xonBytes) this.#pause(false);
      this.#written(packet, port);
    });
  }

  #pause(pause: boolean): void {
    this.#isPaused = pause;
    for (const port of this.#host.ports) port.sendPause(0, pause);
  }

  #crossingPs(payload: number): number {
    const { pieceBytes, overheadBytes } = this.#settings;
    return this.#rate.picoseconds(payload + Math.ceil(payload / pieceBytes) * overheadBytes);
  }

  get #now(): number {
    return this.#host.wires.events.now;
  }
}
