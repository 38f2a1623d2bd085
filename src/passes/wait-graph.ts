import type { Finding } from '../base/finding.js';
import { finding } from '../base/catalogue.js';
import { idForJson } from '../base/ids.js';
import type { CollectiveInstance, CollectivePlan } from '../collectives/plan.js';
import { CollectiveType, collectiveName } from '../trace/collective-type.js';
import { findCyclicComponents, shortestCycle } from '../trace/cycles.js';
import { SkeletonKind, type RankSkeleton } from './rank-skeleton.js';
import type { ChainEdges } from './serialize.js';
import { sumUp, TransferKeys } from './transfer-keys.js';

/** One link of a wait cycle: what a node waits for is the node of the next link, and of the last link the first. */
export interface WaitStep {
  readonly rank: number;
  /** Node index in the rank's trace. */
  readonly node: number;
  readonly id: number | string;
  /** What the node is: `AllReduce of tp #0`, `receive from rank 1, tag 5`, `send to rank 1, tag 5`. */
  readonly what: string;
  /**
   * `members`: it has started and the next link's rank has not entered the collective. `send`: it has started and
   * the next link is a send that has not. `dependency`: it has not started and depends on the next link.
   */
  readonly waitsFor: 'members' | 'send' | 'dependency';
}

/** Ranks that wait for each other in a circle. */
export interface WaitCycle {
  readonly steps: readonly WaitStep[];
  /** The steps in one line; of a long circle the first few. */
  readonly text: string;
}

/** How a member's exit from a collective depends on the other members' entries. */
const Exit = { free: 0, needsRoot: 1, rootNeedsAll: 2, needsAll: 3 } as const;

/**
 * Searches for a wait cycle by executing the traceset without time: a send finishes once it starts, a receive needs
 * a send of its key, a member leaves a collective once the entries it needs are there. What is left over after
 * nothing can move any more is searched for a shortest circle.
 *
 * Only what is certain is claimed. Broadcast and Scatter need the entry of the root, the root of Gather and Reduce
 * needs all, the symmetric collectives need all; with `synchronized` every collective needs all. A
 * collective outside the plan takes no time. Left-overs behind a local cycle, a missing participant, a
 * receive without a send, or sends or receives of one key that could change places in other timing are no circle.
 *
 * Time and memory are linear in the skeletons.
 *
 * @param skeletons one for every rank of the plan, by rank
 * @param options.chain by rank, what `serialize` would add to the dependencies
 */
export function findWaitCycle(
  skeletons: readonly RankSkeleton[],
  plan: CollectivePlan,
  options: { synchronized?: boolean; chain?: readonly ChainEdges[] } = {},
): WaitCycle | undefined {
  const job = new UntimedRun(skeletons, plan, options.synchronized ?? false, options.chain ?? []);
  job.run();
  return job.allFinished() ? undefined : job.circle();
}

/** The finding that names a wait cycle. */
export function waitCycleFinding(cycle: WaitCycle): Finding {
  return finding('WAIT_CYCLE', cycle.text, {
    cycle: cycle.steps
      .slice(0, FINDING_LINKS)
      .map(({ rank, id, what, waitsFor }) => ({ rank, node: id, what, waitsFor })),
    cycleLength: cycle.steps.length,
  });
}

/** Edges looked at to prove that sends or receives of one key are in sequence; what is not proved is not claimed. */
const SEQUENCE_EDGES = 1_000_000;

/** Links of a circle that its text tells. */
const TEXT_LINKS = 12;
/** Links that its finding lists. */
const FINDING_LINKS = 100;

const WAITING = 0;
const STARTED = 1;
const FINISHED = 2;

/** State of the execution; a vertex is a node of a skeleton, numbered through over all ranks. */
class UntimedRun {
  readonly #skeletons: readonly RankSkeleton[];
  readonly #instances: readonly CollectiveInstance[];
  readonly #synchronized: boolean;
  readonly #offset: Int32Array; // [ranks + 1] first vertex of each rank
  readonly #state: Uint8Array; // [vertices]
  readonly #kind: Uint8Array; // [vertices] SkeletonKind
  readonly #missing: Int32Array; // [vertices] predecessors that have not finished
  readonly #beforeStart: Uint32Array; // [vertices + 1]
  readonly #before: Int32Array; // vertices
  readonly #afterStart: Uint32Array; // [vertices + 1]
  readonly #after: Int32Array; // vertices
  readonly #instance: Int32Array; // [vertices] index in the plan, −1
  readonly #memberStart: Uint32Array; // [instances + 1]
  readonly #member: Int32Array; // vertices
  readonly #isRoot: Uint8Array; // [vertices] 1 for the root of its instance
  readonly #entered: Int32Array; // [instances] members that have started
  readonly #rootEntered: Uint8Array; // [instances]
  readonly #keys: TransferKeys;
  readonly #ready: Int32Array;
  #readyLength = 0;
  #sequenceBudget = SEQUENCE_EDGES;
  #finished = 0;

  constructor(
    skeletons: readonly RankSkeleton[],
    plan: CollectivePlan,
    synchronized: boolean,
    chain: readonly ChainEdges[],
  ) {
    this.#skeletons = skeletons;
    this.#instances = plan.instances;
    this.#synchronized = synchronized;
    this.#offset = new Int32Array(skeletons.length + 1);
    for (let at = 0; at < skeletons.length; at++) this.#offset[at + 1] = this.#offset[at] + skeletons[at].node.length;
    const vertices = this.#offset[skeletons.length];
    this.#state = new Uint8Array(vertices);
    this.#kind = new Uint8Array(vertices);
    this.#instance = new Int32Array(vertices).fill(-1);
    this.#isRoot = new Uint8Array(vertices);
    this.#ready = new Int32Array(vertices);

    const placeOf = skeletons.map((skeleton) => placesOf(skeleton));
    this.#memberStart = new Uint32Array(plan.instances.length + 1);
    for (let at = 0; at < skeletons.length; at++) {
      const { node, instance } = plan.ranks[at];
      for (let entry = 0; entry < node.length; entry++) {
        if (placeOf[at][node[entry]] >= 0) this.#memberStart[instance[entry] + 1]++;
      }
    }
    sumUp(this.#memberStart);
    this.#member = new Int32Array(this.#memberStart[plan.instances.length]);
    const fill = this.#memberStart.slice();
    for (let at = 0; at < skeletons.length; at++) {
      this.#kind.set(skeletons[at].kind, this.#offset[at]);
      const { node, instance, position } = plan.ranks[at];
      for (let entry = 0; entry < node.length; entry++) {
        // The exit of an expanded collective is no collective any more; its transfers speak for it.
        if (placeOf[at][node[entry]] < 0) continue;
        const vertex = this.#offset[at] + placeOf[at][node[entry]];
        this.#instance[vertex] = instance[entry];
        if (position[entry] === plan.instances[instance[entry]].root) this.#isRoot[vertex] = 1;
        this.#member[fill[instance[entry]]++] = vertex;
      }
    }
    this.#entered = new Int32Array(plan.instances.length);
    this.#rootEntered = new Uint8Array(plan.instances.length);

    [this.#beforeStart, this.#before] = predecessors(skeletons, this.#offset, placeOf, chain);
    [this.#afterStart, this.#after] = reversed(this.#beforeStart, this.#before);
    this.#missing = new Int32Array(vertices);
    for (let vertex = 0; vertex < vertices; vertex++) {
      this.#missing[vertex] = this.#beforeStart[vertex + 1] - this.#beforeStart[vertex];
    }
    this.#keys = new TransferKeys(skeletons, this.#offset);
  }

  run(): void {
    const { length } = this.#state;
    for (let vertex = 0; vertex < length; vertex++) if (this.#missing[vertex] === 0) this.#start(vertex);
    for (let next = 0; next < this.#readyLength; next++) {
      const vertex = this.#ready[next];
      for (let edge = this.#afterStart[vertex]; edge < this.#afterStart[vertex + 1]; edge++) {
        const dependent = this.#after[edge];
        if (--this.#missing[dependent] === 0) this.#start(dependent);
      }
    }
  }

  allFinished(): boolean {
    return this.#finished === this.#state.length;
  }

  #start(vertex: number): void {
    this.#state[vertex] = STARTED;
    const kind = this.#kind[vertex];
    if (kind === SkeletonKind.receive) {
      const key = this.#keys.of[vertex];
      this.#keys.startReceive(key, vertex);
      if (this.#keys.hasSend(key)) this.#finish(this.#keys.claim(key));
    } else if (kind === SkeletonKind.send) {
      this.#finish(vertex);
      const key = this.#keys.of[vertex];
      this.#keys.startSend(key);
      if (this.#keys.waiting(key) > 0) this.#finish(this.#keys.claim(key));
    } else if (this.#instance[vertex] >= 0) {
      this.#enter(vertex, this.#instance[vertex]);
    } else {
      this.#finish(vertex);
    }
  }

  #enter(vertex: number, instance: number): void {
    this.#entered[instance]++;
    if (this.#isRoot[vertex]) this.#rootEntered[instance] = 1;
    // The entry of the root, or the last one, lets members go that came before; any other only itself.
    const opens =
      this.#isRoot[vertex] === 1 || this.#entered[instance] === this.#instances[instance].group.ranks.length;
    if (!opens) {
      if (this.#mayExit(vertex, instance)) this.#finish(vertex);
      return;
    }
    for (let place = this.#memberStart[instance]; place < this.#memberStart[instance + 1]; place++) {
      const member = this.#member[place];
      if (this.#state[member] === STARTED && this.#mayExit(member, instance)) this.#finish(member);
    }
  }

  #mayExit(vertex: number, instance: number): boolean {
    const rule = this.#exitRule(instance);
    const all = this.#entered[instance] === this.#instances[instance].group.ranks.length;
    if (rule === Exit.needsAll) return all;
    if (rule === Exit.rootNeedsAll) return all || this.#isRoot[vertex] === 0;
    return rule === Exit.free || this.#rootEntered[instance] === 1;
  }

  #exitRule(instance: number): number {
    if (this.#synchronized) return Exit.needsAll;
    switch (this.#instances[instance].type) {
      case CollectiveType.broadcast:
      case CollectiveType.scatter:
        return Exit.needsRoot;
      case CollectiveType.gather:
      case CollectiveType.reduce:
        return Exit.rootNeedsAll;
      case CollectiveType.allReduce:
      case CollectiveType.allGather:
      case CollectiveType.allToAll:
      case CollectiveType.reduceScatter:
      case CollectiveType.reduceScatterBlock:
      case CollectiveType.barrier:
        return Exit.needsAll;
      default:
        return Exit.free;
    }
  }

  #finish(vertex: number): void {
    this.#state[vertex] = FINISHED;
    this.#finished++;
    this.#ready[this.#readyLength++] = vertex;
  }

  /**
   * A shortest circle among the vertices that have not finished. A vertex that has not started waits for its
   * predecessors; a receive for the next send of its key; a member of a collective for the members, or the root, that
   * have not started, through one vertex of the instance, so that this stays linear.
   */
  circle(): WaitCycle | undefined {
    const vertices = this.#state.length;
    const total = vertices + this.#instances.length;
    const start = new Uint32Array(total + 1);
    const targets: number[] = [];
    const local = this.#locallyStuck();
    for (let vertex = 0; vertex < vertices; vertex++) {
      if (local[vertex] === 0 && this.#state[vertex] !== FINISHED) this.#addWaits(vertex, local, targets);
      start[vertex + 1] = targets.length;
    }
    for (let instance = 0; instance < this.#instances.length; instance++) {
      const rootOnly = this.#exitRule(instance) === Exit.needsRoot;
      for (let place = this.#memberStart[instance]; place < this.#memberStart[instance + 1]; place++) {
        const member = this.#member[place];
        if (this.#state[member] !== WAITING || local[member] !== 0) continue;
        if (!rootOnly || this.#isRoot[member] === 1) targets.push(member);
      }
      start[vertices + instance + 1] = targets.length;
    }
    const ids = new Uint32Array(total);
    const graph = {
      length: total,
      dataStart: start,
      dataTarget: Int32Array.from(targets),
      controlStart: new Uint32Array(total + 1),
      controlTarget: new Int32Array(0),
      idLow: ids,
      idHigh: ids,
    };
    const components = findCyclicComponents(graph, 'data');
    if (components.count === 0) return undefined;
    const chain = shortestCycle(graph, components, 0).nodes.filter((vertex) => vertex < vertices);
    return this.#describe(chain);
  }

  #addWaits(vertex: number, local: Uint8Array, targets: number[]): void {
    if (this.#state[vertex] === WAITING) {
      for (let edge = this.#beforeStart[vertex]; edge < this.#beforeStart[vertex + 1]; edge++) {
        const before = this.#before[edge];
        if (this.#state[before] !== FINISHED && local[before] === 0) targets.push(before);
      }
    } else if (this.#instance[vertex] >= 0) {
      targets.push(this.#state.length + this.#instance[vertex]);
    } else {
      const send = this.#awaitedSend(vertex);
      if (send >= 0 && local[send] === 0) targets.push(send);
    }
  }

  /**
   * The send without which a started receive cannot finish, −1 when that is not certain: when another receive of the
   * key could have started before it, or another send of the key could come first, in other timing.
   */
  #awaitedSend(receive: number): number {
    const key = this.#keys.of[receive];
    if (this.#keys.waiting(key) > 1) return -1;
    const sends = this.#keys.sends(key).filter((send) => this.#state[send] === WAITING);
    if (sends.length === 0) return -1;
    return this.#inSequence(this.#keys.started(key)) && this.#inSequence(sends) ? sends[0] : -1;
  }

  /** Whether each vertex depends on the one before it, as far as a search within the budget shows. */
  #inSequence(vertices: Int32Array): boolean {
    for (let place = 1; place < vertices.length; place++) {
      if (!this.#comesAfter(vertices[place], vertices[place - 1])) return false;
    }
    return true;
  }

  #comesAfter(vertex: number, earlier: number): boolean {
    const seen = new Set([vertex]);
    for (const reached of seen) {
      for (let edge = this.#beforeStart[reached]; edge < this.#beforeStart[reached + 1]; edge++) {
        if (this.#before[edge] === earlier) return true;
        if (--this.#sequenceBudget < 0) return false;
        seen.add(this.#before[edge]);
      }
    }
    return false;
  }

  /** Marks what would not even finish if every receive and collective did: it is in or behind a local cycle. */
  #locallyStuck(): Uint8Array {
    const vertices = this.#state.length;
    const stuck = new Uint8Array(vertices).fill(1);
    const missing = new Int32Array(vertices);
    const queue = new Int32Array(vertices);
    let length = 0;
    for (let vertex = 0; vertex < vertices; vertex++) {
      missing[vertex] = this.#beforeStart[vertex + 1] - this.#beforeStart[vertex];
      if (missing[vertex] === 0) queue[length++] = vertex;
    }
    for (let next = 0; next < length; next++) {
      const vertex = queue[next];
      stuck[vertex] = 0;
      for (let edge = this.#afterStart[vertex]; edge < this.#afterStart[vertex + 1]; edge++) {
        if (--missing[this.#after[edge]] === 0) queue[length++] = this.#after[edge];
      }
    }
    return stuck;
  }

  #describe(chain: readonly number[]): WaitCycle {
    const steps = chain.map((vertex): WaitStep => {
      const at = this.#rankOf(vertex);
      const skeleton = this.#skeletons[at];
      const place = vertex - this.#offset[at];
      return {
        rank: skeleton.rank,
        node: skeleton.node[place],
        id: idForJson(skeleton.idLow[place], skeleton.idHigh[place]),
        what: this.#what(vertex, skeleton, place),
        waitsFor: this.#state[vertex] === WAITING ? 'dependency' : this.#instance[vertex] >= 0 ? 'members' : 'send',
      };
    });
    const links = steps.map((step, place) => {
      const next = steps[(place + 1) % steps.length];
      const subject = `rank ${step.rank} node ${step.id} (${step.what})`;
      if (step.waitsFor === 'dependency') return `${subject} comes after node ${next.id}`;
      if (step.waitsFor === 'members') return `${subject} waits for rank ${next.rank} to enter it with node ${next.id}`;
      return `${subject} waits for rank ${next.rank} node ${next.id}`;
    });
    const shown =
      links.length > TEXT_LINKS
        ? [...links.slice(0, TEXT_LINKS - 1), `… ${links.length - TEXT_LINKS + 1} links more`]
        : links;
    return { steps, text: shown.join('; ') };
  }

  #what(vertex: number, skeleton: RankSkeleton, place: number): string {
    const instance = this.#instances[this.#instance[vertex]];
    if (instance !== undefined)
      return `${collectiveName(instance.type)} of ${instance.group.name} #${instance.instance}`;
    const end = `rank ${skeleton.peer[place]}, tag ${skeleton.tag[place]}`;
    if (this.#kind[vertex] === SkeletonKind.receive) return `receive from ${end}`;
    if (this.#kind[vertex] === SkeletonKind.send) return `send to ${end}`;
    return this.#kind[vertex] === SkeletonKind.collective ? 'collective outside its group' : 'not communication';
  }

  #rankOf(vertex: number): number {
    let low = 0;
    let high = this.#skeletons.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#offset[middle] <= vertex) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** [trace length] place of each kept node, −1 for the others. */
function placesOf(skeleton: RankSkeleton): Int32Array {
  const places = new Int32Array(skeleton.traceLength).fill(-1);
  for (let place = 0; place < skeleton.node.length; place++) places[skeleton.node[place]] = place;
  return places;
}

/** Predecessors of every vertex, those of the skeletons and those of the chain. */
function predecessors(
  skeletons: readonly RankSkeleton[],
  offset: Int32Array,
  placeOf: readonly Int32Array[],
  chain: readonly ChainEdges[],
): [Uint32Array, Int32Array] {
  const start = new Uint32Array(offset[skeletons.length] + 1);
  for (let at = 0; at < skeletons.length; at++) {
    const { beforeStart, node } = skeletons[at];
    for (let place = 0; place < node.length; place++) {
      start[offset[at] + place + 1] = beforeStart[place + 1] - beforeStart[place];
    }
    forEachChained(chain[at], (node, before) => {
      if (placeOf[at][before] >= 0 && placeOf[at][node] >= 0) start[offset[at] + placeOf[at][node] + 1]++;
    });
  }
  sumUp(start);
  const before = new Int32Array(start[offset[skeletons.length]]);
  const fill = start.slice();
  for (let at = 0; at < skeletons.length; at++) {
    const skeleton = skeletons[at];
    for (let place = 0; place < skeleton.node.length; place++) {
      const vertex = offset[at] + place;
      for (let edge = skeleton.beforeStart[place]; edge < skeleton.beforeStart[place + 1]; edge++) {
        before[fill[vertex]++] = offset[at] + skeleton.before[edge];
      }
    }
    forEachChained(chain[at], (node, earlier) => {
      const [place, target] = [placeOf[at][node], placeOf[at][earlier]];
      if (place >= 0 && target >= 0) before[fill[offset[at] + place]++] = offset[at] + target;
    });
  }
  return [start, before];
}

/** The chain's edges between nodes; the exit of an expanded collective is no node of a skeleton and has none. */
function forEachChained(chain: ChainEdges | undefined, visit: (node: number, before: number) => void): void {
  if (chain === undefined) return;
  for (let edge = 0; edge < chain.to.length; edge++) visit(chain.to[edge], chain.from[edge]);
}

/** The same edges, listed at their targets. */
function reversed(start: Uint32Array, target: Int32Array): [Uint32Array, Int32Array] {
  const vertices = start.length - 1;
  const backStart = new Uint32Array(vertices + 1);
  for (let edge = 0; edge < target.length; edge++) backStart[target[edge] + 1]++;
  sumUp(backStart);
  const back = new Int32Array(target.length);
  const fill = backStart.slice();
  for (let vertex = 0; vertex < vertices; vertex++) {
    for (let edge = start[vertex]; edge < start[vertex + 1]; edge++) back[fill[target[edge]]++] = vertex;
  }
  return [backStart, back];
}
