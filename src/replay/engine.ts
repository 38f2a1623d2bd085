import { EventClass, eventOrder } from '../kernel/event-queue.js';
import type { Kernel } from '../kernel/kernel.js';
import type { ContentionFree, Network, TransferListener } from '../network/network.js';
import type { Activity } from './activity.js';
import { ComputeSharing } from './compute-sharing.js';
import { HeldTransfers } from './held-transfers.js';
import { NO_PAIR, NodeKind, type NodeTable } from './node-table.js';
import { ReadyNodes } from './ready-nodes.js';

/** Everything of an instant that comes before it comes before the starts of further nodes. */
const AFTER_STARTS = eventOrder(EventClass.kick, 0);

/** Collectives that are replayed without being expanded. */
export interface CollectiveReplay {
  /** A member has reached its collective node. */
  enter(member: number, node: number, now: number): void;
}

/** What the engine tells about matches that are made while it runs. */
export type MatchListener = (send: number, receive: number) => void;

/**
 * Walks the nodes of all ranks through time: a node starts when its dependencies have finished, at equal time all
 * finishes come first and then the smallest ready node, counting those just made ready.
 *
 * A finish time that is known ahead is written at once. If only one node depends on it, that node is told directly, so
 * that most sends cost no event; otherwise the finish is an event. The long part of this file is the hot loop of a replay:
 * `test/bench/replay-expanded.ts` measures it.
 */
export class Engine implements TransferListener {
  /** [n] arrival of the transfer of every send, ps; only where it was asked for. */
  readonly arrival: Float64Array | undefined;
  /** By send: arrival of a transfer that no receive has claimed, ps; may lie ahead of now. */
  readonly unclaimed = new Map<number, number>();
  readonly #nodes: NodeTable;
  readonly #kernel: Kernel;
  readonly #activity: Activity;
  readonly #held: HeldTransfers;
  readonly #ready = new ReadyNodes();
  readonly #sharing: (ComputeSharing | undefined)[];
  readonly #finished: number[] = [];
  /** Ranks whose sharing has changed in this instant. */
  readonly #changed: number[] = [];
  readonly #onMatch: MatchListener;
  #network!: Network;
  #times: ContentionFree | undefined;
  #collectives: CollectiveReplay | undefined;

  readonly #onFinish: number;
  readonly #onStart: number;
  readonly #onTimed: number;
  readonly #onShared: number;
  readonly #onArrival: number;

  constructor(
    nodes: NodeTable,
    kernel: Kernel,
    activity: Activity,
    options: { readonly sharedKeys: number; readonly keepArrivals: boolean; readonly onMatch: MatchListener },
  ) {
    this.#nodes = nodes;
    this.#kernel = kernel;
    this.#activity = activity;
    this.#held = new HeldTransfers(options.sharedKeys, nodes.length);
    this.#onMatch = options.onMatch;
    this.#sharing = new Array<ComputeSharing | undefined>(nodes.rankCount).fill(undefined);
    this.arrival = options.keepArrivals ? new Float64Array(nodes.length).fill(NaN) : undefined;
    this.#onFinish = kernel.addHandler((node) => this.#release(node));
    this.#onStart = kernel.addHandler((node) => this.#makeReady(node));
    this.#onTimed = kernel.addHandler((node) => this.#finishCompute(node));
    this.#onShared = kernel.addHandler((rank) => this.#wakeSharing(rank));
    this.#onArrival = kernel.addHandler((send) => this.#deliver(send, this.#kernel.now));
    kernel.onSettle(() => this.#startReady());
  }

  /** Makes every node without dependencies ready. To be called once, before the kernel runs. */
  begin(network: Network, collectives: CollectiveReplay | undefined): void {
    this.#network = network;
    this.#times = network.contentionFree;
    this.#collectives = collectives;
    const nodes = this.#nodes;
    for (let node = 0; node < nodes.length; node++) if (nodes.waiting(node) === 0) this.#makeReady(node);
  }

  sent(send: number, timePs: number): void {
    this.#activity.closes(this.#nodes.rank(send), timePs, timePs);
    this.#nodes.setFinish(send, timePs);
    this.#release(send);
  }

  received(send: number, timePs: number): void {
    this.#deliver(send, timePs);
  }

  acknowledged(send: number, timePs: number): void {
    this.#nodes.setAcknowledged(send, timePs);
  }

  /** The member's collective node finishes at `timePs`, now or later. */
  leave(node: number, timePs: number): void {
    const now = this.#kernel.now;
    this.#activity.closes(this.#nodes.rank(node), now, timePs);
    this.#complete(node, timePs, now);
  }

  #startReady(): void {
    const nodes = this.#nodes;
    const now = this.#kernel.now;
    for (;;) {
      const node = this.#ready.take();
      if (node < 0) {
        this.#scheduleSharing();
        return;
      }
      this.#kernel.events++; // starts are events of class 3, without a place in the queue
      nodes.setWaiting(node, -1);
      nodes.setStart(node, now);
      const kind = nodes.kind(node);
      if (kind === NodeKind.send) {
        this.#startSend(node, now);
        if (this.#kernel.queue.nextOrder() < AFTER_STARTS) {
          // It was sent, or has arrived, in no time: what that frees may come before the nodes that are left.
          this.#kernel.settlePending = true;
          return;
        }
      } else if (kind === NodeKind.receive) this.#startReceive(node, now);
      else if (kind === NodeKind.collective) {
        this.#activity.opens(nodes.rank(node), now);
        this.#collectives!.enter(nodes.pair(node), node, now);
      } else if (kind === NodeKind.instant || nodes.amount(node) === 0) {
        this.#complete(node, now, now);
      } else {
        this.#startCompute(node, kind, now);
      }
    }
  }

  #startSend(send: number, now: number): void {
    const nodes = this.#nodes;
    const source = nodes.rank(send);
    const destination = nodes.peer(send);
    if (source === destination) {
      nodes.setAcknowledged(send, now);
      this.#complete(send, now, now);
      this.#deliver(send, now);
      return;
    }
    const times = this.#times;
    if (times === undefined) {
      this.#activity.opens(source, now);
      this.#network.post(send, source, destination, nodes.amount(send), now);
      return;
    }
    const latency = times.latencyPs(source, destination);
    const sent = now + times.sendPs(source, destination, nodes.amount(send));
    nodes.setAcknowledged(send, sent + latency + latency);
    this.#activity.extend(source, now, sent);
    this.#complete(send, sent, now);
    if (nodes.pair(send) < NO_PAIR) {
      this.#kernel.schedule(sent + latency, EventClass.completion, destination, this.#onArrival, send);
    } else {
      this.#deliver(send, sent + latency);
    }
  }

  #startReceive(receive: number, now: number): void {
    const nodes = this.#nodes;
    const other = nodes.pair(receive);
    if (other < NO_PAIR) {
      const send = this.#held.started(-2 - other, receive);
      if (send >= 0) {
        this.#match(send, receive);
        this.#complete(receive, now, now);
        return;
      }
    } else if (other >= 0) {
      const arrival = nodes.acknowledged(receive);
      if (!Number.isNaN(arrival)) {
        const finish = arrival > now ? arrival : now;
        this.#activity.extend(nodes.rank(receive), now, finish);
        this.#complete(receive, finish, now);
        return;
      }
    }
    this.#activity.opens(nodes.rank(receive), now);
  }

  /** The transfer of `send` arrives at `timePs`: now, or later where its key is its own. */
  #deliver(send: number, timePs: number): void {
    const nodes = this.#nodes;
    if (this.arrival !== undefined) this.arrival[send] = timePs;
    let receive = nodes.pair(send);
    if (receive <= NO_PAIR) {
      if (receive < NO_PAIR) receive = this.#held.arrived(-2 - receive, send);
      if (receive < 0) {
        this.unclaimed.set(send, timePs);
        return;
      }
      this.#match(send, receive);
    } else {
      nodes.setAcknowledged(receive, timePs);
      if (nodes.waiting(receive) >= 0) return; // held until the receive starts
    }
    const now = this.#kernel.now;
    this.#activity.closes(nodes.rank(receive), now, timePs);
    this.#complete(receive, timePs, now);
  }

  #match(send: number, receive: number): void {
    this.unclaimed.delete(send);
    this.#nodes.setPair(send, receive);
    this.#nodes.setPair(receive, send);
    this.#onMatch(send, receive);
  }

  /** A node finishes at `timePs`, now or later. */
  #complete(node: number, timePs: number, now: number): void {
    const nodes = this.#nodes;
    nodes.setFinish(node, timePs);
    if (timePs === now) {
      this.#release(node);
      return;
    }
    const first = nodes.dependentStart(node);
    const count = nodes.dependentEnd(node) - first;
    if (count === 1) {
      const next = nodes.dependents[first];
      if (timePs > nodes.start(next)) nodes.setStart(next, timePs);
      if (nodes.satisfy(next) === 0) this.#push(nodes.start(next), next, this.#onStart);
    } else if (count > 1) {
      this.#push(timePs, node, this.#onFinish);
    }
  }

  /** A node finishes now: those that wait for nothing else become ready. */
  #release(node: number): void {
    const nodes = this.#nodes;
    const now = this.#kernel.now;
    const end = nodes.dependentEnd(node);
    for (let edge = nodes.dependentStart(node); edge < end; edge++) {
      const next = nodes.dependents[edge];
      if (nodes.satisfy(next) !== 0) continue;
      // Another dependency may finish later: it is known, and was told ahead.
      if (nodes.start(next) > now) this.#push(nodes.start(next), next, this.#onStart);
      else this.#makeReady(next);
    }
  }

  #makeReady(node: number): void {
    this.#ready.add(node);
    this.#kernel.settlePending = true;
  }

  #push(timePs: number, node: number, handler: number): void {
    this.#kernel.queue.push(timePs, eventOrder(EventClass.rank, this.#nodes.rank(node)), handler, node);
  }

  #startCompute(node: number, kind: number, now: number): void {
    const rank = this.#nodes.rank(node);
    const amount = this.#nodes.amount(node);
    this.#activity.computeStarts(rank, now);
    if (kind === NodeKind.timed) {
      this.#push(now + amount, node, this.#onTimed);
      return;
    }
    const sharing = (this.#sharing[rank] ??= new ComputeSharing());
    sharing.start(node, amount, now);
    this.#sharingChanges(rank, sharing);
  }

  #finishCompute(node: number): void {
    const now = this.#kernel.now;
    this.#activity.computeEnds(this.#nodes.rank(node), now);
    this.#nodes.setFinish(node, now);
    this.#release(node);
  }

  #wakeSharing(rank: number): void {
    const sharing = this.#sharing[rank]!;
    const now = this.#kernel.now;
    if (sharing.scheduledPs === now) sharing.scheduledPs = Infinity;
    // Nodes that started since may have moved the finish back; the wake-up comes too early then.
    if (sharing.nextFinish() <= now) {
      const finished = this.#finished;
      finished.length = 0;
      sharing.finishNext(finished);
      for (const node of finished) this.#finishCompute(node);
    }
    this.#sharingChanges(rank, sharing);
  }

  /** The next finish of the rank is another one; it is worked out once, when the instant has settled. */
  #sharingChanges(rank: number, sharing: ComputeSharing): void {
    if (sharing.isChanged) return;
    sharing.isChanged = true;
    this.#changed.push(rank);
    this.#kernel.settlePending = true;
  }

  #scheduleSharing(): void {
    for (const rank of this.#changed) {
      const sharing = this.#sharing[rank]!;
      sharing.isChanged = false;
      const next = sharing.nextFinish();
      if (next >= sharing.scheduledPs) continue;
      sharing.scheduledPs = next;
      this.#kernel.schedule(next, EventClass.rank, rank, this.#onShared, rank);
    }
    this.#changed.length = 0;
  }
}
