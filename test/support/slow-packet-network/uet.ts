import { RandomStream } from '../../../src/kernel/random.js';
import { ReceivingMessage, SendingContext } from './delivery.js';
import { replyTo, type Packet } from './packet.js';
import { CreditTurn, GroupCredit } from './receiver-credit.js';
import type { Callbacks } from './roce.js';
import type { HostPort, SlowHost, Transport } from './slow-host.js';
import { sprayingOf } from './spraying.js';

const UET_PORT = 4793;

/** PDCs between two hosts, in both directions: a group lives as long as one is open (UE-1). */
export class OpenPairs {
  readonly #open = new Map<string, { count: number; readonly drop: Set<() => void> }>();

  opened(a: number, b: number, drop: () => void): void {
    const pair = this.#open.get(keyOf(a, b)) ?? { count: 0, drop: new Set() };
    pair.count++;
    pair.drop.add(drop);
    this.#open.set(keyOf(a, b), pair);
  }

  closed(a: number, b: number): void {
    const pair = this.#open.get(keyOf(a, b))!;
    pair.count--;
    if (pair.count > 0) return;
    for (const drop of pair.drop) drop();
    this.#open.delete(keyOf(a, b));
  }
}

function keyOf(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`;
}

/** UET at one host. */
export class Uet implements Transport {
  readonly #host: SlowHost;
  readonly #callbacks: Callbacks;
  readonly #pairs: OpenPairs;
  /** By destination. */
  readonly #sending = new Map<number, SendingContext>();
  /** By transfer. */
  readonly #receiving = new Map<number, ReceivingMessage>();
  #random: RandomStream | undefined;
  readonly #turn: CreditTurn;
  /** By node. */
  readonly #peers: Map<number, Uet>;

  /** @param peers of all hosts; joined by this one */
  constructor(host: SlowHost, callbacks: Callbacks, pairs: OpenPairs, peers: Map<number, Uet>) {
    this.#turn = new CreditTurn(host);
    this.#peers = peers;
    peers.set(host.node, this);
    this.#host = host;
    this.#callbacks = callbacks;
    this.#pairs = pairs;
  }

  post(transfer: number, destination: number, bytes: number): void {
    const context = this.#sending.get(destination) ?? this.#create(destination);
    this.#sending.set(destination, context);
    const drop = (): void => {
      if (context.credit !== undefined) context.credit.isOpen = false;
      this.#sending.delete(destination);
    };
    this.#pairs.opened(this.#host.node, destination, drop);
    context.post(transfer, bytes);
  }

  receive(packet: Packet, ingress: HostPort): void {
    const { frames, uet } = this.#host.wires.settings;
    if (packet.kind === 'data' || packet.kind === 'trimmed') {
      const message =
        this.#receiving.get(packet.transfer) ??
        new ReceivingMessage(this.#host, this.#callbacks, uet.ackEvery, (each, port) => this.#note(each, port));
      this.#receiving.set(packet.transfer, message);
      message.receive(packet, ingress);
    } else if (packet.kind === 'probe') {
      this.#host.reply(ingress, replyTo(packet, 'answer', frames));
    } else if (packet.kind === 'credit') {
      const context = this.#sending.get(packet.source);
      if (context?.credit === packet.credit) context?.grant(packet.payload);
    } else {
      this.#sending.get(packet.source)?.receive(packet);
    }
  }

  /** Receiver: who hands out credit learns of what has come. */
  #note(packet: Packet, port: HostPort): void {
    const context = this.#peers.get(packet.source)!.#sending.get(this.#host.node);
    const bytes = context?.openBytes(packet.transfer);
    const credit = context?.credit;
    if (credit === undefined || bytes === undefined) return;
    credit.learn(packet.transfer, bytes);
    if (packet.kind === 'trimmed') credit.trimmed++;
    else credit.repeated += packet.attempt;
    this.#turn.arrived(credit, packet, port);
  }

  #create(destination: number): SendingContext {
    const { settings } = this.#host.wires;
    const { node } = this.#host;
    const random = (): RandomStream => (this.#random ??= new RandomStream(settings.seed, node, 'reps'));
    const gbps = this.#host.membersTo(destination).reduce((sum, { port }) => sum + port.gbps, 0);
    const bdp = (gbps * settings.nscc.initialBaseRttPs) / 8000;
    const windowPackets = Math.floor(bdp / (settings.frames.mssBytes + 88));
    const spraying = sprayingOf(settings.uet, random, windowPackets);
    const closed = (): void => this.#pairs.closed(node, destination);
    const { gapDetect, probe, receiverCredit } = settings.uet;
    return new SendingContext(this.#host, this.#callbacks, destination, spraying, {
      port: UET_PORT,
      gapDetect,
      probe,
      credit: receiverCredit ? new GroupCredit(Math.round(1.5 * bdp)) : undefined,
      closed,
    });
  }
}
