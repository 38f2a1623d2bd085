import { RandomStream } from '../../../kernel/random.js';
import { NsccWindow } from '../congestion/nscc.js';
import type { Nic } from '../nic/nic.js';
import type { Spraying } from '../spraying/spraying.js';
import { Group, NONE } from './group.js';
import type { OutstandingPackets } from './outstanding-packets.js';
import type { ReceiverCredit } from './receiver-credit.js';

export interface GroupsOptions {
  readonly nic: Nic;
  readonly outstanding: OutstandingPackets;
  /** There where receivers hand out credit. */
  readonly credit: ReceiverCredit | undefined;
  /** Whether every message is a group of its own (MR-1), instead of those from one host to another (UE-1). */
  readonly isGroupPerMessage: boolean;
  /** Of the random numbers of a host for entropy values. */
  readonly purpose: string;
  newSpraying(ports: number, random: RandomStream, linkGbps: number): Spraying;
}

/** The groups that are open, by their context: the number of their turn at the NIC. */
export class Groups {
  readonly #options: GroupsOptions;
  readonly #pairs = new Map<number, number>(); // (lower host, higher host) → context of the group from the lower one
  readonly #groups: (Group | undefined)[] = []; // [contexts], the two of a pair side by side
  readonly #open: number[] = []; // [contexts / 2] messages that are open between two hosts
  readonly #freeContexts: number[] = []; // of groups of one message that are done with
  readonly #randoms = new Map<number, RandomStream>(); // host → numbers for spraying

  constructor(options: GroupsOptions) {
    this.#options = options;
  }

  at(context: number): Group | undefined {
    return this.#groups[context];
  }

  /** The group that a message from one host to another belongs to now, a new one where none is open. */
  groupFor(source: number, destination: number, now: number): Group {
    if (this.#options.isGroupPerMessage) {
      const context = this.#takeContext();
      return (this.#groups[context] = this.#newGroup(context, source, destination, now));
    }
    const key = Math.min(source, destination) * 2 ** 24 + Math.max(source, destination);
    let context = this.#pairs.get(key);
    if (context === undefined) {
      context = this.#groups.length;
      this.#groups.push(undefined, undefined);
      this.#open.push(0);
      this.#pairs.set(key, context);
    }
    if (source > destination) context++;
    return (this.#groups[context] ??= this.#newGroup(context, source, destination, now));
  }

  /** Number of a new group of one message: that of an earlier one, unless it still has its place in a ring. */
  #takeContext(): number {
    const last = this.#freeContexts.at(-1);
    if (last === undefined || this.#options.nic.isInRing(last)) return this.#groups.length;
    this.#freeContexts.pop();
    return last;
  }

  #newGroup(context: number, source: number, destination: number, now: number): Group {
    const { nic, outstanding, credit, purpose } = this.#options;
    const ports = nic.portCount(source, destination);
    const first = nic.portFor(source, destination, 0);
    let linkGbps = 0;
    for (let choice = 0; choice < ports; choice++) {
      linkGbps += nic.fabric.gbpsOf(nic.portFor(source, destination, choice));
    }
    const { nscc, seed, frames } = nic.fabric.spec.settings;
    const window = new NsccWindow(nscc, frames.mssBytes, linkGbps, now);
    let random = this.#randoms.get(source);
    if (random === undefined) {
      random = new RandomStream(seed, source, purpose);
      this.#randoms.set(source, random);
    }
    const spraying = this.#options.newSpraying(ports, random, linkGbps);
    const lost = outstanding.takeList();
    const port = ports === 1 ? first : NONE;
    const group = new Group(context, source, destination, port, lost, window, spraying, random);
    group.credit = credit?.initial(linkGbps);
    return group;
  }

  /** A message of a group is open. */
  opens(group: Group): void {
    group.open++;
    if (!this.#options.isGroupPerMessage) this.#open[group.context >> 1]++;
  }

  /**
   * A message of a group is done with. Both groups of two hosts end with the last message between them (UE-1), a group of one message
   * with that.
   * @returns whether the group lives on
   */
  closes(group: Group): boolean {
    group.open--;
    if (this.#options.isGroupPerMessage) {
      this.#closeGroup(group.context);
      this.#freeContexts.push(group.context);
      return false;
    }
    if (--this.#open[group.context >> 1] > 0) return true;
    this.#closeGroup(group.context);
    this.#closeGroup(group.context ^ 1);
    return false;
  }

  #closeGroup(context: number): void {
    const group = this.#groups[context];
    if (group === undefined) return;
    this.#options.outstanding.releaseList(group.lost);
    this.#groups[context] = undefined;
    this.#options.nic.forget(context);
  }
}
