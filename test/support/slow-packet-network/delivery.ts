import type { Event } from './events.js';
import { Nscc } from './nscc.js';
import { dataBytes, payloadsOf, replyTo, wireBytes, type Packet } from './packet.js';
import type { Callbacks } from './roce.js';
import { joinIfReady, joinOnPost, type HostPort, type SlowHost, type TransmitContext } from './slow-host.js';
import type { Spraying } from './spraying.js';

/** Once that a packet was sent. */
interface Attempt {
  readonly entropy: number;
  /** Among all that the context sent. */
  readonly order: number;
  /** End of its serialisation. */
  sentAt: number;
}

interface Outgoing {
  readonly message: OutgoingMessage;
  readonly psn: number;
  readonly payload: number;
  state: 'unsent' | 'flying' | 'lost' | 'retired';
  readonly attempts: Attempt[];
  timer: Event | undefined;
}

interface OutgoingMessage {
  readonly transfer: number;
  readonly packets: Outgoing[];
  nextNew: number;
  retired: number;
  /** All packets before this one are retired. */
  retiredBelow: number;
  isProbed: boolean;
}

export interface DeliveryOptions {
  readonly port: number;
  readonly gapDetect: boolean;
  readonly probe: boolean;
  /** A transfer is acknowledged; before the listener is told. */
  readonly closed: () => void;
}

/**
 * Sender of selectively acknowledged messages to one destination, which share window, entropy values and turn: a group of
 * PDCs (UE-1, UE-4 … UE-7) or a queue pair of MRC (MR-5, MR-6).
 */
export class SendingContext implements TransmitContext {
  ring: HostPort | undefined;
  inFlightBytes = 0;
  readonly nscc: Nscc | undefined;
  readonly #host: SlowHost;
  readonly #callbacks: Callbacks;
  readonly #destination: number;
  readonly #options: DeliveryOptions;
  readonly #spraying: Spraying;
  readonly #messages = new Map<number, OutgoingMessage>();
  /** Messages with packets that were never sent, by their turn. */
  readonly #unsent: OutgoingMessage[] = [];
  readonly #lost: Outgoing[] = [];
  readonly #flying = new Set<Outgoing>();
  #sent = 0;
  /** Drawn before its packet is taken, where it decides on the port. */
  #drawn: number | undefined;
  #firstJoin: Event | undefined;
  #silence: Event | undefined;
  readonly #probes = new Map<number, number>(); // end of serialisation by transfer

  constructor(host: SlowHost, callbacks: Callbacks, destination: number, spraying: Spraying, options: DeliveryOptions) {
    this.#host = host;
    this.#callbacks = callbacks;
    this.#destination = destination;
    this.#spraying = spraying;
    this.#options = options;
    const { nscc, frames } = host.wires.settings;
    if (nscc.enabled) this.nscc = new Nscc(nscc, rateTo(host, destination), frames.mssBytes, this.#now);
  }

  post(transfer: number, bytes: number): void {
    const { frames, hosts } = this.#host.wires.settings;
    const packets: Outgoing[] = [];
    const message: OutgoingMessage = { transfer, packets, nextNew: 0, retired: 0, retiredBelow: 0, isProbed: false };
    for (const [psn, payload] of payloadsOf(bytes, frames.mssBytes).entries()) {
      packets.push({ message, psn, payload, state: 'unsent', attempts: [], timer: undefined });
    }
    const isFirst = this.#messages.size === 0;
    this.#messages.set(transfer, message);
    this.#unsent.push(message);
    if (isFirst && hosts.txStartLatencyPs > 0) {
      this.#firstJoin = this.#host.timer(this.#now + hosts.txStartLatencyPs, () => {
        this.#firstJoin = undefined;
        joinOnPost(this);
      });
    } else if (this.#firstJoin === undefined) {
      joinOnPost(this);
    }
  }

  hasWork(): boolean {
    return this.#lost.length > 0 || this.#unsent.length > 0;
  }

  canSend(): boolean {
    if (!this.hasWork()) return false;
    return this.nscc === undefined || this.inFlightBytes + flightBytes(this.#upcoming()) <= this.nscc.window;
  }

  nextPort(): HostPort {
    const members = this.#host.membersTo(this.#destination);
    if (members.length === 1) return members[0];
    this.#drawn ??= this.#spraying.next(this.#now);
    return members[this.#drawn % members.length];
  }

  left(): void {}

  take(): Packet {
    const outgoing = this.#upcoming();
    const { message, psn, payload, attempts } = outgoing;
    if (outgoing.state === 'lost') {
      this.#lost.shift();
    } else {
      message.nextNew++;
      this.#unsent.shift();
      if (message.nextNew < message.packets.length) this.#unsent.push(message);
    }
    const entropy = this.#drawn ?? this.#spraying.next(this.#now);
    this.#drawn = undefined;
    if (this.#flying.size === 0) this.#restartSilence();
    outgoing.state = 'flying';
    this.#flying.add(outgoing);
    this.inFlightBytes += flightBytes(outgoing);
    attempts.push({ entropy, order: this.#sent++, sentAt: Infinity });
    return {
      ...this.#packet(message.transfer, entropy),
      kind: 'data',
      bytes: dataBytes(this.#host.wires.settings.frames, payload),
      psn,
      payload,
      isLast: psn === message.packets.length - 1,
      attempt: attempts.length - 1,
      isRetransmission: attempts.length > 1,
    };
  }

  serialised({ transfer, psn, attempt, isLast }: Packet): void {
    // Its message is closed where an earlier attempt was acknowledged while this one left.
    const outgoing = this.#messages.get(transfer)?.packets[psn];
    if (outgoing === undefined) return;
    outgoing.attempts[attempt].sentAt = this.#now;
    if (isLast && attempt === 0) this.#callbacks.sent(transfer);
    if (outgoing.state !== 'flying') return;
    const { timeoutPs, fixedTimeout } = this.#host.wires.settings.uet;
    const delay = timeoutPs * (fixedTimeout ? 1 : 2 ** Math.min(attempt, 5));
    outgoing.timer = this.#host.timer(this.#now + delay, () => this.#expired(outgoing));
  }

  receive(packet: Packet): void {
    const message = this.#messages.get(packet.transfer);
    if (message === undefined) return;
    if (packet.kind === 'ack') this.#acknowledge(message, packet);
    else if (packet.kind === 'nack') this.#trimmed(message, packet);
    else this.#answered(packet);
  }

  probe(transfer: number, entropy: number, sent: () => void): void {
    const { frames } = this.#host.wires.settings;
    const members = this.#host.membersTo(this.#destination);
    const bytes = wireBytes(frames, frames.probeBytes);
    const packet: Packet = { ...this.#packet(transfer, entropy), kind: 'probe', bytes };
    members[entropy % members.length].sendProbe(packet, sent);
  }

  #acknowledge(message: OutgoingMessage, ack: Packet): void {
    const drawing = message.packets[ack.psn];
    const attempt = drawing.attempts[ack.attempt];
    const isSample = drawing.state !== 'retired' && ack.attempt === drawing.attempts.length - 1 && ack.attempt <= 1;
    const named = new Set([...range(message.retiredBelow, ack.cumulative), ack.psn, ...ack.selective]);
    const covered = [...named].map((psn) => message.packets[psn]).filter(({ state }) => state !== 'retired');
    message.retiredBelow = Math.max(message.retiredBelow, ack.cumulative);
    let ackedBytes = 0;
    for (const outgoing of covered) {
      ackedBytes += flightBytes(outgoing);
      this.#leave(outgoing, 'retired');
      message.retired++;
    }
    const rttPs = isSample ? this.#now - attempt.sentAt : undefined;
    const { inFlightBytes } = this;
    this.nscc?.acknowledge({ ackedBytes, inFlightBytes, isMarked: ack.marked, rttPs }, this.#now);
    this.#spraying.acknowledged(ack.sourcePort, ack.marked, this.#now);
    if (this.#options.gapDetect) this.#findGaps(attempt);
    this.#restartSilence();
    const isDone = message.retired === message.packets.length;
    if (isDone) {
      this.#messages.delete(message.transfer);
    } else if (this.#options.probe && !message.isProbed) {
      message.isProbed = true;
      this.probe(message.transfer, ack.sourcePort, () => this.#probes.set(message.transfer, this.#now));
    }
    joinIfReady(this);
    if (!isDone) return;
    this.#options.closed();
    this.#callbacks.acknowledged(message.transfer);
  }

  #trimmed({ packets }: OutgoingMessage, { psn, attempt, sourcePort, lastHop }: Packet): void {
    const outgoing = packets[psn];
    if (outgoing.state !== 'flying' || attempt !== outgoing.attempts.length - 1) return;
    this.#leave(outgoing, 'lost');
    this.nscc?.trimmed(flightBytes(outgoing), this.inFlightBytes, this.#now);
    this.#spraying.trimmed(sourcePort, lastHop);
    joinIfReady(this);
  }

  #expired(outgoing: Outgoing): void {
    this.#host.counters.timeouts++;
    this.#leave(outgoing, 'lost');
    this.nscc?.timedOut(flightBytes(outgoing));
    this.#spraying.timedOut(outgoing.attempts.at(-1)!.entropy, this.#now);
    joinIfReady(this);
  }

  #answered({ transfer, sourcePort, marked }: Packet): void {
    const sentAt = this.#probes.get(transfer);
    if (sentAt !== undefined) this.nscc?.sampleBase(this.#now - sentAt);
    this.#spraying.answered?.(sourcePort, marked);
  }

  /** MR-5 (c): what was sent before an acknowledged one on the same value is lost. */
  #findGaps({ entropy, order }: Attempt): void {
    const gone = [...this.#flying]
      .filter(({ attempts }) => attempts.at(-1)!.entropy === entropy && attempts.at(-1)!.order < order)
      .sort((a, b) => a.attempts.at(-1)!.order - b.attempts.at(-1)!.order);
    for (const outgoing of gone) this.#leave(outgoing, 'lost');
  }

  #leave(outgoing: Outgoing, state: 'lost' | 'retired'): void {
    this.#host.wires.events.cancel(outgoing.timer);
    if (this.#flying.delete(outgoing)) this.inFlightBytes -= flightBytes(outgoing);
    if (outgoing.state === 'lost') this.#lost.splice(this.#lost.indexOf(outgoing), 1);
    if (state === 'lost') this.#lost.push(outgoing);
    outgoing.state = state;
  }

  /** Early failure report of recycled values: 3 × base RTT without an ACK while packets are in flight. */
  #restartSilence(): void {
    const { settings, events } = this.#host.wires;
    if (settings.nic !== 'uet' || settings.uet.spraying !== 'reps') return;
    events.cancel(this.#silence);
    if (this.#messages.size === 0) return;
    const basePs = this.nscc?.basePs ?? settings.nscc.initialBaseRttPs;
    this.#silence = this.#host.timer(this.#now + 3 * basePs, () => {
      if (this.#flying.size > 0) this.#spraying.silent(this.#now);
    });
  }

  #upcoming(): Outgoing {
    return this.#lost[0] ?? this.#unsent[0].packets[this.#unsent[0].nextNew];
  }

  #packet(transfer: number, entropy: number): Packet {
    return {
      kind: 'data',
      bytes: 0,
      source: this.#host.node,
      destination: this.#destination,
      sourcePort: entropy,
      destinationPort: this.#options.port,
      transfer,
      queuePair: 0,
      psn: 0,
      payload: 0,
      isLast: false,
      attempt: 0,
      isRetransmission: false,
      marked: false,
      cumulative: 0,
      selective: [],
      lastHop: false,
      pathDigits: entropy,
    };
  }

  get #now(): number {
    return this.#host.wires.events.now;
  }
}

function range(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
}

/** What a packet counts in flight. */
function flightBytes({ payload }: Outgoing): number {
  return payload + 88;
}

/** Of all ports of a host that lead to a destination, Gbit/s. */
function rateTo(host: SlowHost, destination: number): number {
  return host.membersTo(destination).reduce((sum, { port }) => sum + port.gbps, 0);
}

/** Receiver of one message: UE-2, UE-3, UE-5. */
export class ReceivingMessage {
  readonly #received = new Set<number>();
  #count: number | undefined;
  #cumulative = 0;

  constructor(
    readonly host: SlowHost,
    readonly callbacks: Callbacks,
    readonly ackEvery: number,
  ) {}

  receive(packet: Packet, port: HostPort): void {
    const { frames } = this.host.wires.settings;
    if (packet.kind === 'trimmed') {
      this.host.reply(port, replyTo(packet, 'nack', frames));
      return;
    }
    const isNew = !this.#received.has(packet.psn);
    if (!isNew) this.host.counters.duplicates++;
    else if (packet.psn !== this.#cumulative) this.host.counters.outOfOrder++;
    this.#received.add(packet.psn);
    while (this.#received.has(this.#cumulative)) this.#cumulative++;
    if (packet.isLast) this.#count = packet.psn + 1;
    const isComplete = isNew && this.#received.size === this.#count;
    const isDrawing = packet.psn % this.ackEvery === 0 || packet.isLast || packet.isRetransmission;
    if (isDrawing || isComplete || !isNew) {
      const cumulative = this.#cumulative;
      const selective = range(cumulative, cumulative + 64).filter((each) => this.#received.has(each));
      this.host.reply(port, replyTo(packet, 'ack', frames, { cumulative, selective }));
    }
    if (isComplete) this.callbacks.received(packet.transfer);
  }
}
