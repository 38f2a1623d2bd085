import { LaneQueue } from '../kernel/lane-queue.js';
import type { CollectivePlan } from './collective-plan.js';
import { CollectiveRows } from './collective-rows.js';
import { CustomCollectives } from './custom-collectives.js';
import { Completion, Event, Timer } from './events.js';
import type { PlanCatalogue } from './plan-catalogue.js';
import { RankTimers } from './rank-timers.js';
import { RemoteMemory } from './remote-memory.js';
import { SharedBus } from './shared-bus.js';
import type { SystemRun } from './system-run.js';
import { Streams } from './streams.js';
import { Role, type SystemNodes } from './system-nodes.js';
import { Transport } from './transport.js';
import { Workload } from './workload.js';

/** A run: takes events one after another until none is left, or the limit. */
export class SystemEngine {
  readonly queue = new LaneQueue();
  readonly transport: Transport;
  readonly streams: Streams;
  readonly custom: CustomCollectives;
  readonly workload: Workload;
  readonly rows: CollectiveRows;
  /** [ranks] node of the collective in flight, −1 for none. */
  readonly collectiveNode: Int32Array;
  /** [ranks] last event on the rank, ns; kept where the run stops early. */
  cutOff = false;

  readonly #nodes: SystemNodes;
  readonly #plans: readonly CollectivePlan[];
  readonly #timers: RankTimers;
  readonly #memory: RemoteMemory;
  readonly #bus: SharedBus | undefined;

  /** @param isFolded whether `nodes` are those of rank 0, which stands for all */
  constructor(run: SystemRun, nodes: SystemNodes, catalogue: PlanCatalogue, isFolded: boolean) {
    const { system, network, options, backend } = run;
    const { rankCount } = nodes;
    const { plans, groups } = catalogue;
    this.#nodes = nodes;
    this.#plans = plans;
    this.collectiveNode = new Int32Array(rankCount).fill(-1);
    this.#timers = new RankTimers(this.queue, rankCount, Event.timers);
    const isAware = backend === 'analytical-aware';
    this.queue.tracksOrigins = isFolded;
    this.transport = new Transport(network, isAware, options.rendezvous, rankCount, this.queue, isFolded);
    this.rows = new CollectiveRows(nodes, plans, groups, this.transport);
    const { mostChunks, isOnce } = chunksInFlight(nodes, plans);
    const setting = {
      rankCount,
      dimensions: network.dimensions.length,
      queuesPerDimension: options.queuesPerDimension,
      activeChunks: system.activeChunksPerDimension,
      localMemoryGBps: system.localMemoryGBps,
    };
    this.streams = new Streams(setting, plans, mostChunks, isOnce, this.queue, this.#timers, this.transport);
    this.custom = new CustomCollectives(run, this, groups);
    this.workload = new Workload(nodes, this, system.replayOnly);
    this.#memory = new RemoteMemory(
      run.memory,
      rankCount,
      { register: (rank, delayNs, reference) => this.#timer(rank, Math.trunc(delayNs), Timer.memory, reference) },
      (reference) => this.workload.complete(this.#rankOf(reference), reference),
    );
    if (system.sharedBus !== undefined) {
      const { queue } = this;
      const timers = {
        get nowNs() {
          return queue.time;
        },
        register: (rank: number, delayNs: number, code: number, reference: number): void =>
          this.#timer(rank, delayNs, Timer.bus + code, reference),
      };
      const done = (reference: number): void => this.streams.bundle(reference >> 1, (reference & 1) === 1);
      this.#bus = new SharedBus(system.sharedBus, rankCount, timers, done);
      this.streams.bus = this.#bus;
    }
    this.transport.listener = {
      receiveStream: (destination, source, tag, bytes) => this.streams.receive(destination, source, tag, bytes),
      complete: (rank, completion, reference) => this.#complete(rank, completion, reference),
    };
    this.streams.listener = {
      collectiveDone: (rank) => this.#collectiveDone(rank),
      beginCustom: (rank) => this.custom.begin(rank, plans[nodes.partner[this.collectiveNode[rank]]]),
    };
    for (let rank = 0; rank < rankCount; rank++) this.#prepareCustom(rank);
  }

  get nowNs(): number {
    return this.queue.time;
  }

  /** Runs to the end, or to the last event at `stopNs` or before. */
  run(stopNs: number): void {
    this.workload.begin();
    do {
      this.#drain(stopNs);
    } while (!this.cutOff && this.workload.rescueAll());
  }

  issueTimed(rank: number, node: number): void {
    this.#timer(rank, this.#nodes.amount[node], Timer.node, node);
  }

  issueCollective(rank: number, node: number): void {
    const plan = this.#nodes.partner[node];
    const { phases, custom } = this.#plans[plan];
    this.collectiveNode[rank] = node;
    const firstTag = this.rows.begin(rank, plan, this.queue.time);
    if (phases.length === 0 && custom === undefined) this.#timer(rank, 0, Timer.emptyCollective, node);
    else this.streams.create(rank, plan, firstTag);
  }

  issueSend(rank: number, node: number): void {
    const { partner, tag, amount } = this.#nodes;
    this.transport.send(rank, partner[node], tag[node], amount[node], Completion.node, node);
  }

  issueReceive(rank: number, node: number): void {
    const { partner, tag, amount } = this.#nodes;
    this.transport.receive(partner[node], rank, tag[node], amount[node], Completion.node, node);
  }

  issueMemory(rank: number, node: number): void {
    this.#memory.issue(rank, this.#nodes.amount[node], node);
  }

  issueComputation(rank: number, durationNs: number, node: number): void {
    this.#timer(rank, durationNs, Timer.customNode, node);
  }

  /** A send of a custom collective; `issueCustomReceive` is its partner. */
  issueCustomSend(rank: number, to: number, tag: number, bytes: number, node: number): void {
    this.transport.send(rank, to, tag, bytes, Completion.customNode, node);
  }

  issueCustomReceive(rank: number, from: number, tag: number, bytes: number, node: number): void {
    this.transport.receive(from, rank, tag, bytes, Completion.customNode, node);
  }

  customDone(rank: number): void {
    this.streams.endCustom(rank);
  }

  #drain(stopNs: number): void {
    const { queue, transport } = this;
    while (queue.nextTime() <= stopNs && queue.pop()) {
      switch (queue.kind) {
        case Event.timers:
          this.#timersEnd(queue.a, queue.b);
          break;
        case Event.arrival:
          transport.arriveStream(queue.a, queue.b, queue.c, queue.amount);
          break;
        case Event.message:
          transport.arrive(queue.a);
          break;
        case Event.hop:
          transport.hop(queue.a);
          break;
        case Event.linkFree:
          transport.linkFree(queue.a);
          break;
        default:
          transport.complete(queue.a, queue.b, queue.c);
      }
    }
    this.cutOff = queue.nextTime() !== Infinity;
  }

  #timersEnd(rank: number, instant: number): void {
    const timers = this.#timers;
    for (let timer = instant; timer >= 0; timer = timers.next(rank, instant, timer)) {
      const reference = timers.reference(timer);
      const code = timers.code(timer);
      for (let time = 0; time < timers.times(timer); time++) this.#timerEnds(rank, code, reference);
    }
  }

  #timerEnds(rank: number, code: number, reference: number): void {
    switch (code) {
      case Timer.bundle:
      case Timer.reduction:
        this.streams.passed(reference);
        break;
      case Timer.reducingBundle:
        this.streams.bundle(reference, true);
        break;
      case Timer.node:
        this.workload.complete(rank, reference);
        break;
      case Timer.memory:
        this.#memory.fire(rank, reference);
        break;
      case Timer.customNode:
        this.custom.complete(rank, reference);
        break;
      case Timer.emptyCollective:
        this.#collectiveDone(rank);
        break;
      default:
        this.#bus?.fire(rank, code - Timer.bus, reference);
    }
  }

  #complete(rank: number, completion: number, reference: number): void {
    if (completion === Completion.node) this.workload.complete(rank, reference);
    else if (completion === Completion.record) this.streams.received(reference);
    else this.custom.complete(rank, reference);
  }

  #collectiveDone(rank: number): void {
    const node = this.collectiveNode[rank];
    this.collectiveNode[rank] = -1;
    this.rows.end(rank, this.queue.time);
    this.workload.complete(rank, node);
  }

  #timer(rank: number, delayNs: number, code: number, reference: number): void {
    this.#timers.register(rank, this.queue.laneOf(delayNs), delayNs, code, reference);
  }

  #rankOf(node: number): number {
    const { offset } = this.#nodes;
    let low = 0;
    let high = offset.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (offset[middle] <= node) low = middle;
      else high = middle;
    }
    return low;
  }

  #prepareCustom(rank: number): void {
    const { offset, role, partner } = this.#nodes;
    const seen = new Set<number>();
    for (let node = offset[rank]; node < offset[rank + 1]; node++) {
      if (role[node] !== Role.collective || seen.has(partner[node])) continue;
      seen.add(partner[node]);
      if (this.#plans[partner[node]].custom !== undefined) this.custom.prepare(rank, this.#plans[partner[node]]);
    }
  }
}

/** Room for the chunks of a rank's collectives: one begins before the last chunk of the one before has left its queue. */
function chunksInFlight(
  { offset, role, partner, rankCount }: SystemNodes,
  plans: readonly CollectivePlan[],
): { readonly mostChunks: Int32Array; readonly isOnce: Uint8Array } {
  const mostChunks = new Int32Array(rankCount);
  const isOnce = new Uint8Array(rankCount);
  for (let rank = 0; rank < rankCount; rank++) {
    let collectives = 0;
    for (let node = offset[rank]; node < offset[rank + 1]; node++) {
      if (role[node] !== Role.collective) continue;
      collectives++;
      mostChunks[rank] = Math.max(mostChunks[rank], plans[partner[node]].chunks);
    }
    isOnce[rank] = collectives < 2 ? 1 : 0;
  }
  return { mostChunks, isOnce };
}
