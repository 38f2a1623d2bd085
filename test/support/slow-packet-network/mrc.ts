import { RandomStream } from '../../../src/kernel/random.js';
import { ReceivingMessage, SendingContext } from './delivery.js';
import { EntropyProfile } from './entropy-profile.js';
import { replyTo, type Packet } from './packet.js';
import type { Callbacks } from './roce.js';
import type { HostPort, SlowHost, Transport } from './slow-host.js';

const MRC_PORT = 4791;

/** MRC at one host: a queue pair for every transfer (MR-1). */
export class Mrc implements Transport {
  readonly #host: SlowHost;
  readonly #callbacks: Callbacks;
  readonly #random: RandomStream;
  /** By transfer. */
  readonly #sending = new Map<number, SendingContext>();
  readonly #receiving = new Map<number, ReceivingMessage>();

  constructor(host: SlowHost, callbacks: Callbacks) {
    this.#host = host;
    this.#callbacks = callbacks;
    this.#random = new RandomStream(host.wires.settings.seed, host.node, 'ev');
  }

  post(transfer: number, destination: number, bytes: number): void {
    const { mrc } = this.#host.wires.settings;
    const planes = this.#host.membersTo(destination).length;
    const profile = new EntropyProfile(mrc, this.#random, planes, this.#host, (value) =>
      context.probe(transfer, value, () => {}),
    );
    const closed = (): void => {
      profile.close();
      this.#sending.delete(transfer);
    };
    const context = new SendingContext(this.#host, this.#callbacks, destination, profile, {
      port: MRC_PORT,
      gapDetect: mrc.gapDetect,
      probe: false,
      closed,
    });
    this.#sending.set(transfer, context);
    context.post(transfer, bytes);
  }

  receive(packet: Packet, ingress: HostPort): void {
    const { frames, uet } = this.#host.wires.settings;
    if (packet.kind === 'data' || packet.kind === 'trimmed') {
      const message =
        this.#receiving.get(packet.transfer) ?? new ReceivingMessage(this.#host, this.#callbacks, uet.ackEvery);
      this.#receiving.set(packet.transfer, message);
      message.receive(packet, ingress);
    } else if (packet.kind === 'probe') {
      this.#host.reply(ingress, replyTo(packet, 'answer', frames));
    } else {
      this.#sending.get(packet.transfer)?.receive(packet);
    }
  }
}
