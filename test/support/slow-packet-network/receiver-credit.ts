import { dataBytes, wireBytes, type Packet } from './packet.js';
import type { HostPort, SlowHost } from './slow-host.js';

const CREDIT_BYTES = 62;

/** What is known of the credit of a group (RCCC), bytes as they count in flight. */
export class GroupCredit {
  leftBytes: number;
  grantedBytes: number;
  /** Receiver: of the messages of which a packet has come. */
  knownBytes = 0;
  trimmed = 0;
  repeated = 0;
  isOpen = true;
  /** Receiver: the packet that came last, and where. */
  last: Packet | undefined;
  port: HostPort | undefined;
  readonly #known = new Set<number>();

  /** @param initialBytes 1.5 BDP */
  constructor(initialBytes: number) {
    this.leftBytes = initialBytes;
    this.grantedBytes = initialBytes;
  }

  learn(transfer: number, bytes: number): void {
    if (this.#known.has(transfer)) return;
    this.#known.add(transfer);
    this.knownBytes += bytes;
  }
}

/** A receiver that hands out credit for one full packet at a time, at line rate, in turn. */
export class CreditTurn {
  readonly #host: SlowHost;
  readonly #waiting: GroupCredit[] = [];
  #freeAt = 0;
  #isScheduled = false;

  constructor(host: SlowHost) {
    this.#host = host;
  }

  /** A packet of a group has come, whole or trimmed. */
  arrived(credit: GroupCredit, packet: Packet, port: HostPort): void {
    credit.last = packet;
    credit.port = port;
    if (this.#waiting.includes(credit) || !this.#lacks(credit)) return;
    this.#waiting.push(credit);
    if (!this.#isScheduled) this.#schedule();
  }

  get #packetBytes(): number {
    return this.#host.wires.settings.frames.mssBytes + 88;
  }

  #lacks({ grantedBytes, knownBytes, trimmed, repeated }: GroupCredit): boolean {
    return grantedBytes < knownBytes + Math.max(trimmed, repeated) * this.#packetBytes;
  }

  #schedule(): void {
    this.#isScheduled = true;
    this.#host.timer(Math.max(this.#host.wires.events.now, this.#freeAt), () => {
      this.#isScheduled = false;
      this.#grant();
    });
  }

  #grant(): void {
    let credit = this.#waiting.shift();
    while (credit !== undefined && !(credit.isOpen && this.#lacks(credit))) credit = this.#waiting.shift();
    if (credit === undefined) return;
    const { frames } = this.#host.wires.settings;
    credit.grantedBytes += this.#packetBytes;
    const { port, last } = credit;
    port!.reply({
      ...last!,
      kind: 'credit',
      bytes: wireBytes(frames, CREDIT_BYTES),
      source: last!.destination,
      destination: last!.source,
      payload: this.#packetBytes,
      isRetransmission: false,
      pathDigits: last!.sourcePort,
      credit,
    });
    this.#freeAt = this.#host.wires.events.now + port!.port.rate.picoseconds(dataBytes(frames, frames.mssBytes));
    if (this.#lacks(credit)) this.#waiting.push(credit);
    if (this.#waiting.length > 0) this.#schedule();
  }
}
