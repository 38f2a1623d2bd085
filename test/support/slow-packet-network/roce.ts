import { Dcqcn } from './dcqcn.js';
import type { Event } from './events.js';
import { dataBytes, payloadsOf, replyTo, type Packet } from './packet.js';
import {
  joinIfReady,
  joinOnPost,
  type HostPort,
  type SlowHost,
  type TransmitContext,
  type Transport,
} from './slow-host.js';

const ROCE_PORT = 4791;

export interface Callbacks {
  sent(transfer: number): void;
  received(transfer: number): void;
  acknowledged(transfer: number): void;
}

interface Message {
  readonly transfer: number;
  readonly firstPsn: number;
  readonly payloads: readonly number[];
}

/** Sending half of a queue pair: RC-1, RC-2, RC-5, RC-7. */
class SendingQueuePair implements TransmitContext {
  ring: HostPort | undefined;
  readonly #host: SlowHost;
  readonly #callbacks: Callbacks;
  readonly #number: number;
  readonly #destination: number;
  readonly #port: HostPort;
  readonly #dcqcn: Dcqcn | undefined;
  /** Not acknowledged, in order. */
  readonly #messages: Message[] = [];
  #endPsn = 0;
  #una = 0;
  #next = 0;
  #highestEnd = 0;
  #mayStartAt = 0;
  #retransmitTimer: Event | undefined;
  #paceTimer: Event | undefined;
  #firstJoin: Event | undefined;

  constructor(host: SlowHost, callbacks: Callbacks, number: number, destination: number) {
    this.#host = host;
    this.#callbacks = callbacks;
    this.#number = number;
    this.#destination = destination;
    this.#port = host.portFor(this.#addresses);
    const { roce } = host.wires.settings;
    if (roce.congestionControl === 'dcqcn') {
      this.#dcqcn = new Dcqcn(roce.dcqcn, this.#port.port.gbps, host.wires.events);
    }
  }

  get isIdle(): boolean {
    return this.#messages.length === 0;
  }

  post(transfer: number, bytes: number): void {
    const { hosts, frames } = this.#host.wires.settings;
    const isFirst = this.isIdle;
    const payloads = payloadsOf(bytes, frames.mssBytes);
    this.#messages.push({ transfer, firstPsn: this.#endPsn, payloads });
    this.#endPsn += payloads.length;
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
    return this.#next < this.#endPsn;
  }

  canSend(): boolean {
    return this.#next < this.#openEnd() && this.#now >= this.#mayStartAt;
  }

  nextPort(): HostPort {
    return this.#port;
  }

  left(): void {
    if (this.#next >= this.#openEnd() || this.#now >= this.#mayStartAt) return;
    this.#host.wires.events.cancel(this.#paceTimer);
    this.#paceTimer = this.#host.timer(this.#mayStartAt, () => this.#wake());
  }

  take(): Packet {
    const psn = this.#next++;
    const message = this.#messages.find(({ firstPsn, payloads }) => psn < firstPsn + payloads.length)!;
    const payload = message.payloads[psn - message.firstPsn];
    const isRetransmission = psn < this.#highestEnd;
    this.#highestEnd = Math.max(this.#highestEnd, psn + 1);
    const bytes = dataBytes(this.#host.wires.settings.frames, payload);
    if (psn === this.#una) this.#restartTimer();
    this.#pace(bytes);
    return {
      kind: 'data',
      bytes,
      ...this.#addresses,
      transfer: message.transfer,
      queuePair: this.#number,
      psn,
      payload,
      isLast: psn === message.firstPsn + message.payloads.length - 1,
      attempt: isRetransmission ? 1 : 0,
      isRetransmission,
      marked: false,
      cumulative: 0,
      selective: [],
      lastHop: false,
      pathDigits: 0,
    };
  }

  serialised({ isLast, isRetransmission, transfer }: Packet): void {
    if (isLast && !isRetransmission) this.#callbacks.sent(transfer);
  }

  /** ACK and NAK name the first PSN that is not received. */
  acknowledge(psn: number, isNak: boolean): void {
    if (psn < this.#una || (psn === this.#una && !isNak)) return;
    const isProgress = psn > this.#una;
    this.#una = psn;
    this.#next = isNak ? psn : Math.max(this.#next, psn);
    if (isProgress || isNak) this.#restartTimer();
    const done: number[] = [];
    while (this.#messages.length > 0 && this.#messages[0].firstPsn + this.#messages[0].payloads.length <= psn) {
      done.push(this.#messages.shift()!.transfer);
    }
    this.#wake();
    for (const transfer of done) this.#callbacks.acknowledged(transfer);
  }

  cnp(): void {
    this.#dcqcn?.cnp();
  }

  /** After an ACK, a NAK or a timer: what only its pace holds back joins when that lets it. */
  #wake(): void {
    joinIfReady(this);
    if (this.ring === undefined) this.left();
  }

  get #now(): number {
    return this.#host.wires.events.now;
  }

  get #addresses(): Pick<Packet, 'source' | 'destination' | 'sourcePort' | 'destinationPort'> {
    return {
      source: this.#host.node,
      destination: this.#destination,
      sourcePort: 49152 + (this.#number % 16384),
      destinationPort: ROCE_PORT,
    };
  }

  /** End of the PSNs of the messages that may be under way. */
  #openEnd(): number {
    const most = this.#host.wires.settings.roce.qpMessagesInFlight;
    if (most === 0 || this.#messages.length <= most) return this.#endPsn;
    return this.#messages[most].firstPsn;
  }

  #pace(bytes: number): void {
    const dcqcn = this.#dcqcn;
    if (dcqcn === undefined) return;
    dcqcn.started(bytes);
    this.#mayStartAt = dcqcn.isAtLine ? 0 : this.#now + Math.ceil((bytes * 8e12) / dcqcn.rate);
  }

  /** Runs while a PSN is outstanding. */
  #restartTimer(): void {
    this.#host.wires.events.cancel(this.#retransmitTimer);
    if (this.#next === this.#una) return;
    const { retransmitTimeoutPs } = this.#host.wires.settings.roce;
    this.#retransmitTimer = this.#host.timer(this.#now + retransmitTimeoutPs, () => {
      this.#host.counters.timeouts++;
      this.#next = this.#una;
      this.#wake();
    });
  }
}

/** Receiving half: RC-3, RC-4, RC-6. */
class ReceivingQueuePair {
  readonly #host: SlowHost;
  readonly #callbacks: Callbacks;
  #expected = 0;
  #held = 0;
  #isNakSent = false;
  #delayTimer: Event | undefined;
  #lastCnp = -Infinity;

  constructor(host: SlowHost, callbacks: Callbacks) {
    this.#host = host;
    this.#callbacks = callbacks;
  }

  receive(packet: Packet, port: HostPort): void {
    if (packet.marked) this.#notify(packet, port);
    if (packet.psn > this.#expected) {
      this.#host.counters.outOfOrder++;
      if (!this.#isNakSent) this.#answer('nak', packet, port);
      this.#isNakSent = true;
      return;
    }
    const isNew = packet.psn === this.#expected;
    if (isNew) {
      this.#expected++;
      this.#isNakSent = false;
    } else {
      this.#host.counters.duplicates++;
    }
    this.#held++;
    const { ackThreshold, ackDelayPs } = this.#host.wires.settings.roce;
    if (this.#held > ackThreshold || packet.isLast) {
      this.#answer('ack', packet, port);
    } else if (this.#held === 1) {
      this.#delayTimer = this.#host.timer(this.#host.wires.events.now + ackDelayPs, () =>
        this.#answer('ack', packet, port),
      );
    }
    if (isNew && packet.isLast) this.#callbacks.received(packet.transfer);
  }

  #notify(packet: Packet, port: HostPort): void {
    const { events, settings } = this.#host.wires;
    if (events.now - this.#lastCnp < settings.roce.cnpIntervalPs) return;
    this.#lastCnp = events.now;
    this.#host.reply(port, replyTo(packet, 'cnp', settings.frames));
  }

  #answer(kind: 'ack' | 'nak', packet: Packet, port: HostPort): void {
    this.#held = 0;
    this.#host.wires.events.cancel(this.#delayTimer);
    this.#host.reply(port, replyTo(packet, kind, this.#host.wires.settings.frames, { cumulative: this.#expected }));
  }
}

/** RoCEv2 at one host. */
export class Roce implements Transport {
  readonly #host: SlowHost;
  readonly #callbacks: Callbacks;
  readonly #sending: SendingQueuePair[] = [];
  /** By destination: queue pairs, and whose turn it is. */
  readonly #pairs = new Map<number, { readonly queuePairs: SendingQueuePair[]; turn: number }>();
  readonly #receiving = new Map<string, ReceivingQueuePair>();

  constructor(host: SlowHost, callbacks: Callbacks) {
    this.#host = host;
    this.#callbacks = callbacks;
  }

  post(transfer: number, destination: number, bytes: number): void {
    const { qpMode, qpsPerPair } = this.#host.wires.settings.roce;
    if (qpMode === 'per-transfer') {
      this.#create(destination).post(transfer, bytes);
      return;
    }
    let pair = this.#pairs.get(destination);
    if (pair === undefined) {
      pair = { queuePairs: Array.from({ length: qpsPerPair }, () => this.#create(destination)), turn: 0 };
      this.#pairs.set(destination, pair);
    }
    pair.queuePairs[pair.turn++ % qpsPerPair].post(transfer, bytes);
  }

  receive(packet: Packet, ingress: HostPort): void {
    if (packet.kind === 'ack') this.#sending[packet.queuePair].acknowledge(packet.cumulative, false);
    else if (packet.kind === 'nak') this.#sending[packet.queuePair].acknowledge(packet.cumulative, true);
    else if (packet.kind === 'cnp') this.#sending[packet.queuePair].cnp();
    else if (packet.kind === 'data') this.#receiver(packet).receive(packet, ingress);
    else throw new Error(`RoCEv2 knows no ${packet.kind}`);
  }

  #create(destination: number): SendingQueuePair {
    const queuePair = new SendingQueuePair(this.#host, this.#callbacks, this.#sending.length, destination);
    this.#sending.push(queuePair);
    return queuePair;
  }

  #receiver({ source, queuePair }: Packet): ReceivingQueuePair {
    const key = `${source} ${queuePair}`;
    const receiver = this.#receiving.get(key) ?? new ReceivingQueuePair(this.#host, this.#callbacks);
    this.#receiving.set(key, receiver);
    return receiver;
  }
}
