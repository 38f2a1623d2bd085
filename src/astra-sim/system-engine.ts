import { MAX_EXACT } from '../base/units.js';
import { LaneQueue } from '../kernel/lane-queue.js';
import { Arrivals } from './arrivals.js';
import type { CollectivePlan } from './collective-plan.js';
import { CollectiveRows, type CollectiveRow } from './collective-rows.js';
import { CustomCollectives } from './custom-collectives.js';
import { Completion, Event, Timer } from './events.js';
import type { PlanCatalogue } from './plan-catalogue.js';
import { Priorities } from './priorities.js';
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
  /** Whether events were left when the limit came. */
  cutOff = false;
  /** Whether something ended at 0 ns, where the program aborts (astra-sim-semantics section 2). */
  startsAtZero = false;

  readonly #nodes: SystemNodes;
  readonly #plans: readonly CollectivePlan[];
  readonly #timers: RankTimers;
  readonly #memory: RemoteMemory;
  readonly #bus: SharedBus | undefined;
  readonly #priorities: Priorities | undefined;
  /** Only where several collectives of a rank are in flight. */
  readonly #arrivals: Arrivals | undefined;
  /** By node: collectives in flight that have no phase. */
  readonly #emptyRows = new Map<number, CollectiveRow>();

  /** @param isFolded whether `nodes` are those of rank 0, which stands for all */
  constructor(run: SystemRun, nodes: SystemNodes, catalogue: PlanCatalogue, isFolded: boolean) {
    const { system, network, options, backend } = run;
    const { rankCount } = nodes;
    const { plans, groups } = catalogue;
    this.#nodes = nodes;
    this.#plans = plans;
    this.#priorities = system.extensions && new Priorities(system.schedulingPolicy, nodes);
    this.#arrivals = system.extensions && new Arrivals();
    this.#timers = new RankTimers(this.queue, rankCount, Event.timers);
    const isAware = backend === 'analytical-aware';
    this.queue.tracksOrigins = isFolded;
    this.transport = new Transport(network, isAware, options.rendezvous, rankCount, this.queue, isFolded);
    this.rows = new CollectiveRows(nodes, plans, groups, system.extensions !== undefined);
    const setting = {
      rankCount,
      dimensions: network.dimensions.length,
      queuesPerDimension: options.queuesPerDimension,
      activeChunks: system.activeChunksPerDimension,
      localMemoryGBps: system.localMemoryGBps,
      manyInFlight: system.extensions !== undefined,
    };
    this.streams = new Streams(setting, plans, this.queue, this.#timers, this.transport);
    this.custom = new CustomCollectives(run, this, groups);
    this.workload = new Workload(nodes, this, system.replayOnly);
    this.#memory = new RemoteMemory(
      run.memory,
      rankCount,
      { register: (rank, delayNs, reference) => this.#timer(rank, Math.trunc(delayNs), Timer.memory, reference) },
      (reference) => this.workload.complete(nodes.rankOf(reference), reference),
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
    this.transport.streams = this.streams;
    this.transport.listener = this;
    this.streams.listener = {
      collectiveDone: (rank, node, row) => this.#collectiveDone(rank, node, row),
      beginCustom: (rank, plan) => this.custom.begin(rank, plan),
    };
    for (let rank = 0; rank < rankCount; rank++) this.#prepareCustom(rank);
  }

  /** Visits the nodes of collectives in flight, and of those that wait for members. */
  forEachCollective(visit: (node: number, row: CollectiveRow) => void): void {
    this.streams.forEachFlight((_rank, row, _messages, _bytes, node) => visit(node, row));
    this.#arrivals?.forEachWaiting((row, { node }) => visit(node, row));
  }

  get nowNs(): number {
    return this.queue.time;
  }

  /** Runs to the end, or to the last event at `stopNs` or before. */
  run(stopNs: number): void {
    this.workload.begin();
    this.startsAtZero = this.queue.nextTime() === 0;
    do {
      this.#drain(stopNs);
    } while (!this.cutOff && this.workload.rescueAll());
  }

  issueTimed(rank: number, node: number): void {
    this.#timer(rank, this.#nodes.amount[node], Timer.node, node);
  }

  issueCollective(rank: number, node: number): void {
    const plan = this.#nodes.partner[node];
    const { orders, custom } = this.#plans[plan];
    const row = this.rows.begin(rank, node, this.queue.time);
    if (orders[0].length === 0 && custom === undefined) {
      this.#emptyRows.set(node, row);
      this.#timer(rank, 0, Timer.emptyCollective, node);
      return;
    }
    const priority = this.#priorities?.next(rank, node) ?? 0;
    const arrival = { rank, node, firstTag: this.rows.firstTag, priority };
    for (const each of this.#arrivals?.arrive(row, this.#plans[plan], arrival) ?? [arrival]) {
      this.streams.create(each.rank, this.#nodes.partner[each.node], each.node, row, each.firstTag, each.priority);
    }
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
    this.streams.sentCustom(rank, bytes);
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
    const lastNs = Math.min(stopNs, MAX_EXACT);
    while (queue.nextTime() <= lastNs && queue.pop()) {
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
    for (let timer = timers.first(instant); timer >= 0; timer = timers.next(rank, instant, timer)) {
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
        this.#endEmpty(rank, reference);
        break;
      default:
        this.#bus?.fire(rank, code - Timer.bus, reference);
    }
  }

  /** A message or a receive is complete, told by {@link Transport}. */
  complete(rank: number, completion: number, reference: number): void {
    if (completion === Completion.node) this.workload.complete(rank, reference);
    else if (completion === Completion.record) this.streams.received(reference);
    else this.custom.complete(rank, reference);
  }

  #collectiveDone(rank: number, node: number, row: CollectiveRow): void {
    row.endNs = this.queue.time;
    this.workload.complete(rank, node);
  }

  #endEmpty(rank: number, node: number): void {
    const row = this.#emptyRows.get(node);
    this.#emptyRows.delete(node);
    if (row !== undefined) this.#collectiveDone(rank, node, row);
  }

  #timer(rank: number, delayNs: number, code: number, reference: number): void {
    this.#timers.register(rank, this.queue.laneOf(delayNs), delayNs, code, reference);
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
