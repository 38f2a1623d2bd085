import { EventClass } from '../../../kernel/event-queue.js';
import type { Kernel } from '../../../kernel/kernel.js';
import type { RandomStream } from '../../../kernel/random.js';
import type { TransferListener } from '../../network.js';
import { EntropyProfile } from '../spraying/entropy-profile.js';
import type { HostCounters } from '../nic/host-counters.js';
import type { Nic } from '../nic/nic.js';
import type { MrcSettings } from '../settings/packet-settings.js';
import { timerEntity, TimerPlace } from '../nic/timer-place.js';
import type { Group } from '../uet/group.js';
import { UetTransport } from '../uet/uet-transport.js';

/** A queue pair with values that are assumed to be bad. */
interface WatchedPair {
  readonly group: Group;
  readonly message: number;
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
    this.#onProbe = kernel.addHandler(
      (context) => this.#probeNext(context),
      (context) => this.#isClosed(context),
    );
  }

  protected override newSpraying(ports: number, random: RandomStream): EntropyProfile {
    return new EntropyProfile(this.#settings, ports, random);
  }

  /** MR-4: a value that is assumed to be bad is probed from now on. */
  protected override timedOut(group: Group, message: number, entropy: number, now: number): void {
    const profile = profileOf(group);
    const before = profile.badCount;
    super.timedOut(group, message, entropy, now);
    if (profile.badCount === before) return;
    this.#watched.set(group.context, { group, message });
    this.#await(group, now);
  }

  /** Probes are control, which is never marked. */
  protected override probeAnswered(group: Group, _message: number, entropy: number): void {
    profileOf(group).probeAnswered(entropy, false);
  }

  /** Each value has its own event, so that those of several queue pairs that are due at an instant come as they became bad. */
  #await(group: Group, now: number): void {
    const due = now + this.#settings.probeIntervalPs;
    this.#kernel.schedule(
      due,
      EventClass.timer,
      timerEntity(group.source, TimerPlace.probe),
      this.#onProbe,
      group.context,
    );
  }

  #isClosed(context: number): boolean {
    const watched = this.#watched.get(context);
    return watched === undefined || !this.isOpen(watched.group);
  }

  /** A value of a queue pair is due, unless it has been answered or the queue pair is closed. */
  #probeNext(context: number): void {
    const watched = this.#watched.get(context);
    if (watched === undefined) return;
    const { group, message } = watched;
    if (!this.isOpen(group)) {
      this.#watched.delete(context);
      return;
    }
    const { now } = this.#kernel;
    const value = profileOf(group).takeProbe(now);
    if (value < 0) return;
    this.probe(group, message, value);
    this.#await(group, now);
  }
}

/** The spraying of every group is one. */
function profileOf(group: Group): EntropyProfile {
  return group.spraying as EntropyProfile;
}
