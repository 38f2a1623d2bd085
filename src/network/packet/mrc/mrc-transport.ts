import { EventClass } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';
import type { RandomStream } from '../../../kernel/random.js';
import type { TransferListener } from '../../network.js';
import { EntropyProfile } from '../entropy-profile.js';
import type { HostCounters } from '../host-counters.js';
import type { Nic } from '../nic.js';
import type { MrcSettings } from '../packet-settings.js';
import type { Group } from '../uet/group.js';
import { UetTransport } from '../uet/uet-transport.js';

/** A queue pair with values that are assumed to be bad. */
interface WatchedPair {
  readonly group: Group;
  readonly message: number;
  /** When its values are looked at next, ps; Infinity for never. */
  lookPs: number;
}

/**
 * MRC (MR-1 … MR-8): delivers as UET does, but every transfer has a queue pair of its own, with a window of its own and a profile
 * of entropy values (MR-3, MR-4). A queue pair is a group of one message; closed when it is acknowledged.
 */
export class MrcTransport extends UetTransport {
  readonly #kernel: Kernel;
  readonly #settings: MrcSettings;
  readonly #watched = new Map<number, WatchedPair>(); // by context
  readonly #onProbe: number;

  constructor(nic: Nic, kernel: Kernel, listener: TransferListener, counters: HostCounters) {
    const { mrc } = nic.fabric.spec.settings;
    super(nic, kernel, listener, counters, {
      isGroupPerMessage: true,
      findsGaps: mrc.gapDetect,
      probes: false,
      receiverCredit: false,
      purpose: 'ev',
    });
    this.#kernel = kernel;
    this.#settings = mrc;
    this.#onProbe = kernel.addHandler((context) => this.#lookAt(context));
  }

  protected override newSpraying(ports: number, random: RandomStream): EntropyProfile {
    return new EntropyProfile(this.#settings, ports, random);
  }

  /** MR-4: a value that is assumed to be bad is probed from now on. */
  protected override timedOut(group: Group, message: number, entropy: number, now: number): void {
    super.timedOut(group, message, entropy, now);
    let watched = this.#watched.get(group.context);
    if (watched?.group !== group) {
      watched = { group, message, lookPs: Infinity };
      this.#watched.set(group.context, watched);
    }
    this.#await(watched);
  }

  /** Probes are control, which is never marked. */
  protected override probeAnswered(group: Group, _message: number, entropy: number): void {
    profileOf(group).probeAnswered(entropy, false);
  }

  #await(watched: WatchedPair): void {
    const { group } = watched;
    const duePs = profileOf(group).nextProbePs;
    if (duePs >= watched.lookPs) return;
    watched.lookPs = duePs;
    this.#kernel.schedule(duePs, EventClass.timer, group.source, this.#onProbe, group.context);
  }

  #lookAt(context: number): void {
    const { now } = this.#kernel;
    const watched = this.#watched.get(context);
    if (watched === undefined) return;
    const { group, message, lookPs } = watched;
    if (!this.isOpen(group)) this.#watched.delete(context);
    if (!this.isOpen(group) || lookPs !== now) return;
    const profile = profileOf(group);
    for (let value = profile.takeProbe(now); value >= 0; value = profile.takeProbe(now)) {
      this.probe(group, message, value);
    }
    watched.lookPs = Infinity;
    this.#await(watched);
  }
}

/** The spraying of every group is one. */
function profileOf(group: Group): EntropyProfile {
  return group.spraying as EntropyProfile;
}
