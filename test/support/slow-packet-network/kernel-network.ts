import { eventOrder } from '../../../src/kernel/event-queue.js';
import type { Kernel } from '../../../src/kernel/kernel.js';
import type { NetworkFactory } from '../../../src/network/network.js';
import type { PacketNetworkSpec } from '../../../src/network/packet/settings/packet-settings.js';
import { hostsOf } from '../../../src/network/topology/topology.js';
import { TICK, type Event, type EventList } from './events.js';
import { SlowPacketNetwork } from './slow-packet-network.js';

/** Events among those of a kernel. */
class KernelEvents implements EventList {
  readonly #kernel: Kernel;
  readonly #events: Event[] = [];
  readonly #handler: number;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#handler = kernel.addHandler(
      (index) => {
        const event = this.#events[index];
        if (!event.isCancelled) event.act();
      },
      (index) => this.#events[index].isCancelled || this.#events[index].order === TICK,
    );
  }

  get now(): number {
    return this.#kernel.now;
  }

  at(time: number, order: number, entity: number, act: () => void): Event {
    const sequence = this.#events.length;
    const event = { time, order, entity, sequence, act, isCancelled: false };
    this.#events.push(event);
    this.#kernel.queue.push(time, eventOrder(order, entity), this.#handler, sequence);
    return event;
  }

  cancel(event: Event | undefined): void {
    if (event !== undefined) event.isCancelled = true;
  }
}

/** The slow packet network for a replay: rank r is on the r-th host. */
export function slowPacketNetwork(spec: PacketNetworkSpec): NetworkFactory {
  const hosts = hostsOf(spec.topology);
  return (_rankCount, kernel, listener) => {
    const network = new SlowPacketNetwork(spec, listener, new KernelEvents(kernel));
    return {
      name: 'slow packets',
      post: (transfer, source, destination, bytes) => network.post(transfer, hosts[source], hosts[destination], bytes),
    };
  };
}
