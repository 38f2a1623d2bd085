import { EventClass, eventOrder } from '../kernel/event-queue.js';
import type { Kernel } from '../kernel/kernel.js';
import type { ContentionFree, Network, TransferListener } from '../network/network.js';
import type { Activity } from './activity.js';
import { ComputeSharing } from './compute-sharing.js';
import { HeldTransfers } from './held-transfers.js';
import { NO_PAIR, NodeKind, type NodeColumns } from './node-columns.js';
import { ReadyNodes } from './ready-nodes.js';

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
  readonly #nodes: NodeColumns;
  readonly #kernel: Kernel;
  readonly #activity: Activity;
  readonly #held: HeldTransfers;
  readonly #ready = new ReadyNodes();
  readonly #sharing: (ComputeSharing | undefined)[];
  readonly #finished: number[] = [];
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
    nodes: NodeColumns,
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
    const { waiting, length } = this.#nodes;
    for (let node = 0; node < length; node++) if (waiting[node] === 0) this.#makeReady(node);
  }

  sent(send: number, timePs: number): void {
    this.#activity.closes(this.#nodes.rank[send], timePs, timePs);
    this.#nodes.finish[send] = timePs;
    this.#release(send);
  }

  received(send: number, timePs: number): void {
    this.#deliver(send, timePs);
  }

  acknowledged(send: number, timePs: number): void {
    this.#nodes.acknowledged[send] = timePs;
  }

  /** The member's collective node finishes at `timePs`, now or later. */
  leave(node: number, timePs: number): void {
    const now = this.#kernel.now;
    this.#activity.closes(this.#nodes.rank[node], now, timePs);
    this.#complete(node, timePs, now);
  }

  #startReady(): void {
    const { kind, waiting, start, amount, rank } = this.#nodes;
    const now = this.#kernel.now;
    for (;;) {
      const node = this.#ready.take();
      if (node < 0) return;
      waiting[node] = -1;
      start[node] = now;
      switch (kind[node]) {
        case NodeKind.send:
          this.#startSend(node, now);
          break;
        case NodeKind.receive:
          this.#startReceive(node, now);
          break;
        case NodeKind.timed:
          if (amount[node] === 0) this.#complete(node, now, now);
          else {
            this.#activity.computeStarts(rank[node], now);
            this.#push(now + amount[node], node, this.#onTimed);
          }
          break;
        case NodeKind.shared:
          if (amount[node] === 0)
            this.#complete(node, now, now);
          else this.#startShared(node, now);
          break;
        case NodeKind.collective:
          this.#activity.opens(rank[node], now);
          this.#collectives!.enter(this.#nodes.pair[node], node, now);
          break;
        default:
          this.#complete(node, now, now);
      }
    }
  }

  #startSend(send: number, now: number): void {
    const { rank, peer, amount, acknowledged } = this.#nodes;
    const source = rank[send];
    const destination = peer[send];
    if (source === destination) {
      acknowledged[send] = now;
      this.#complete(send, now, now);
      this.#deliver(send, now);
      return;
    }
    const times = this.#times;
    if (times === undefined) {
      this.#activity.opens(source, now);
      this.#network.post(send, source, destination, amount[send], now);
      return;
    }
    const latency = times.latencyPs(source, destination);
    const sent = now + times.sendPs(source, destination, amount[send]);
    acknowledged[send] = sent + latency + latency;
    this.#activity.extend(source, now, sent);
    this.#complete(send, sent, now);
    if (this.#nodes.pair[send] < NO_PAIR) {
      this.#kernel.schedule(sent + latency, EventClass.completion, destination, this.#onArrival, send);
    } else {
      this.#deliver(send, sent + latency);
    }
  }

  #startReceive(receive: number, now: number): void {
    const { rank, pair, acknowledged } = this.#nodes;
    const other = pair[receive];
    if (other < NO_PAIR) {
      const send = this.#held.started(-2 - other, receive);
      if (send >= 0) {
        this.#match(send, receive);
        this.#complete(receive, now, now);
        return;
      }
    } else if (other >= 0) {
      const arrival = acknowledged[receive];
      if (!Number.isNaN(arrival)) {
        const finish = arrival > now ? arrival : now;
        this.#activity.extend(rank[receive], now, finish);
        this.#complete(receive, finish, now);
        return;
      }
    }
    this.#activity.opens(rank[receive], now);
  }

  /** The transfer of `send` arrives at `timePs`: now, or later where its key is its own. */
  #deliver(send: number, timePs: number): void {
    const { rank, pair, waiting, acknowledged } = this.#nodes;
    if (this.arrival !== undefined) this.arrival[send] = timePs;
    let receive = pair[send];
    if (receive === NO_PAIR) return;
    if (receive < NO_PAIR) {
      receive = this.#held.arrived(-2 - receive, send);
      if (receive < 0) return;
      this.#match(send, receive);
    } else {
      acknowledged[receive] = timePs;
      if (waiting[receive] >= 0) return; // held until the receive starts
    }
    const now = this.#kernel.now;
    this.#activity.closes(rank[receive], now, timePs);
    this.#complete(receive, timePs, now);
  }

  #match(send: number, receive: number): void {
    const { pair } = this.#nodes;
    pair[send] = receive;
    pair[receive] = send;
    this.#onMatch(send, receive);
  }

  /** A node finishes at `timePs`, now or later. */
  #complete(node: number, timePs: number, now: number): void {
    const { finish, dependentStart, dependent, start, waiting } = this.#nodes;
    finish[node] = timePs;
    if (timePs === now) {
      this.#release(node);
      return;
    }
    const first = dependentStart[node];
    const count = dependentStart[node + 1] - first;
    if (count === 1) {
      const next = dependent[first];
      if (timePs > start[next]) start[next] = timePs;
      if (--waiting[next] === 0) this.#push(start[next], next, this.#onStart);
    } else if (count > 1) {
      this.#push(timePs, node, this.#onFinish);
    }
  }

  /** A node finishes now: those that wait for nothing else become ready. */
  #release(node: number): void {
    const { dependentStart, dependent, start, waiting } = this.#nodes;
    const now = this.#kernel.now;
    const end = dependentStart[node + 1];
    for (let edge = dependentStart[node]; edge < end; edge++) {
      const next = dependent[edge];
      if (--waiting[next] !== 0) continue;
      // Another dependency may finish later: it is known, and was told ahead.
      if (start[next] > now) this.#push(start[next], next, this.#onStart);
      else this.#makeReady(next);
    }
  }

  #makeReady(node: number): void {
    this.#ready.add(node);
    this.#kernel.settlePending = true;
  }

  #push(timePs: number, node: number, handler: number): void {
    this.#kernel.queue.push(timePs, eventOrder(EventClass.rank, this.#nodes.rank[node]), handler, node);
  }

  #finishCompute(node: number): void {
    const now = this.#kernel.now;
    this.#activity.computeEnds(this.#nodes.rank[node], now);
    this.#nodes.finish[node] = now;
    this.#release(node);
  }

  #startShared(node: number, now: number): void {
    const rank = this.#nodes.rank[node];
    this.#activity.computeStarts(rank, now);
    const sharing = (this.#sharing[rank] ??= new ComputeSharing());
    sharing.start(node, this.#nodes.amount[node], now);
    this.#scheduleSharing(rank, sharing);
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
    this.#scheduleSharing(rank, sharing);
  }

  #scheduleSharing(rank: number, sharing: ComputeSharing): void {
    const next = sharing.nextFinish();
    if (next >= sharing.scheduledPs) return;
    sharing.scheduledPs = next;
    this.#kernel.schedule(next, EventClass.rank, rank, this.#onShared, rank);
  }
}
