import { Share } from '../../collectives/algorithm.js';
import type { CollectivePairing } from '../../collectives/build-plan.js';
import { instanceShape } from '../../collectives/instance-shape.js';
import { isRooted } from '../../trace/collective-type.js';
import type { ChainEdges, JointedChain } from '../serialize.js';
import { SkeletonKind } from '../transfer-columns.js';
import { SynchronizedState } from './synchronized-state.js';
import type { WaitSurvey } from './wait-survey.js';

/** What passes would add to the order of a traceset before it is replayed. */
export interface AddedOrder {
  /** By rank: the chain of its groups; absent for none. */
  readonly chain?: readonly (ChainEdges | JointedChain)[];
  /** Whether a barrier comes before every collective that has none. */
  readonly sync: boolean;
}

/**
 * The communication of a whole job and the order it is in. A vertex is a node of a rank's skeleton, numbered through
 * over all ranks, behind those one for the passage of a member through each barrier that would be added, and last the
 * joints of added chains, which take no time.
 *
 * Vertices that have to be entered by all members of a group before any of them goes on form a gate: raw collectives, each
 * barrier. Raw collectives with a root are looked at by their algorithm instead: a member goes on once those it
 * receives from have gone on.
 */
export class UntimedGraph {
  /** [ranks + 1] first vertex of each rank; the last is the number of vertices that are nodes. */
  readonly offset: Int32Array;
  readonly vertices: number;
  /** First vertex that is a joint; `vertices` where there is none. */
  readonly firstJoint: number;
  /** [vertices] a SkeletonKind. */
  readonly kind: Uint8Array;
  /** [vertices] index of its collective in the plan, −1 for what is in none. */
  readonly instance: Int32Array;
  /** [instances] members that have to be there before any goes on, 0 for collectives that are no gate. */
  readonly gate: Int32Array;
  /** [instances + 1] first entry in `member` of each. */
  readonly memberStart: Uint32Array;
  /** Vertices by position, −1 where a member has none. */
  readonly member: Int32Array;
  /** [vertices + 1] first entry in `after` of each vertex. */
  readonly afterStart: Uint32Array;
  /** Vertices that wait for the vertex to finish. */
  readonly after: Int32Array;
  /** Of collectives with a root, by vertex: members it waits for between its start and its finish. */
  readonly sources: ReadonlyMap<number, readonly number[]>;
  /** By place behind the nodes: vertex of the collective that an added barrier stands before, and its first transfers. */
  readonly barriers: readonly { readonly at: number; readonly exit: number; readonly first: readonly number[] }[];
  readonly surveys: readonly WaitSurvey[];
  readonly plan: CollectivePairing;
  /** Added dependencies by their dependents, as (dependent, dependency). */
  readonly added: readonly [dependent: Int32Array, dependency: Int32Array];

  /** @param surveys one for every rank of the plan, by rank */
  constructor(surveys: readonly WaitSurvey[], plan: CollectivePairing, { chain, sync }: AddedOrder) {
    this.surveys = surveys;
    this.plan = plan;
    this.offset = new Int32Array(surveys.length + 1);
    surveys.forEach(({ skeleton }, at) => (this.offset[at + 1] = this.offset[at] + skeleton.node.length));
    const nodes = this.offset[surveys.length];
    const state = new SynchronizedState(surveys, plan);
    const barrierOf = sync ? state.barriersToAdd() : [];
    this.firstJoint = nodes + barrierOf.length;
    this.vertices = this.firstJoint + (chain ?? []).reduce((sum, each) => sum + jointsOf(each), 0);
    this.kind = new Uint8Array(this.vertices);
    surveys.forEach(({ skeleton }, at) => this.kind.set(skeleton.kind, this.offset[at]));
    this.kind.fill(SkeletonKind.collective, nodes, this.firstJoint);
    this.instance = new Int32Array(this.vertices).fill(-1);

    const { instances } = plan;
    this.gate = new Int32Array(instances.length);
    this.memberStart = new Uint32Array(instances.length + 1);
    for (let instance = 0; instance < instances.length; instance++) {
      const members = instances[instance].group.ranks.length;
      this.memberStart[instance + 1] = this.memberStart[instance] + members;
    }
    this.member = new Int32Array(this.memberStart[instances.length]).fill(-1);
    this.barriers = barrierOf.map(({ at, exit, first }) => ({
      at,
      exit: this.offset[at] + exit,
      first: first.map((place) => this.offset[at] + place),
    }));
    this.#placeMembers(state);
    for (const [number, { instance, position }] of barrierOf.entries()) {
      this.instance[nodes + number] = instance;
      this.member[this.memberStart[instance] + position] = nodes + number;
    }
    for (let instance = 0; instance < instances.length; instance++) {
      if (state.isRaw[instance] === 1 && !sync && isRooted(instances[instance].type)) continue;
      for (let place = this.memberStart[instance]; place < this.memberStart[instance + 1]; place++) {
        if (this.member[place] >= 0) this.gate[instance]++;
      }
    }
    this.sources = this.#sourcesOfRooted(state);
    this.added = this.#addedEdges(chain, state);
    this.afterStart = new Uint32Array(this.vertices + 1);
    this.after = this.#linkAfter();
  }

  /** Rank place of a vertex that is no joint. */
  rankOf(vertex: number): number {
    const nodes = this.offset[this.surveys.length];
    if (vertex >= nodes) return this.barriers[vertex - nodes].at;
    let low = 0;
    let high = this.surveys.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.offset[middle] <= vertex) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Visits every dependency between vertices: those of the traces, then the added ones. */
  forEachDependency(visit: (dependent: number, dependency: number) => void): void {
    for (let at = 0; at < this.surveys.length; at++) {
      const { beforeStart, before } = this.surveys[at].skeleton;
      const offset = this.offset[at];
      for (let place = 0; place + 1 < beforeStart.length; place++) {
        for (let edge = beforeStart[place]; edge < beforeStart[place + 1]; edge++) {
          visit(offset + place, offset + before[edge]);
        }
      }
    }
    const [dependent, dependency] = this.added;
    for (let edge = 0; edge < dependent.length; edge++) visit(dependent[edge], dependency[edge]);
  }

  /** Gives raw collectives their vertices; exits of expanded ones stand for nothing, their transfers speak for them. */
  #placeMembers(state: SynchronizedState): void {
    for (let at = 0; at < this.surveys.length; at++) {
      const { node, instance, position, expanded } = this.plan.ranks[at];
      for (let entry = 0; entry < node.length; entry++) {
        const place = state.placeOf(at, node[entry]);
        if (expanded[entry] !== 0 || place < 0) continue;
        const vertex = this.offset[at] + place;
        this.instance[vertex] = instance[entry];
        this.member[this.memberStart[instance[entry]] + position[entry]] = vertex;
      }
    }
  }

  #sourcesOfRooted(state: SynchronizedState): Map<number, number[]> {
    const sources = new Map<number, number[]>();
    const share = new Share();
    const { instances } = this.plan;
    for (let number = 0; number < instances.length; number++) {
      if (state.isRaw[number] === 0 || this.gate[number] > 0) continue;
      const { algorithm, group } = instances[number];
      const shape = instanceShape(instances[number]);
      for (let position = 0; position < group.ranks.length; position++) {
        const vertex = this.member[this.memberStart[number] + position];
        if (vertex < 0) continue;
        algorithm.share(position, shape, share);
        const from: number[] = [];
        for (let place = 0; place < share.length; place++) {
          if (share.send[place] === 0) from.push(this.member[this.memberStart[number] + share.peer[place]]);
        }
        if (from.length > 0) sources.set(vertex, from);
      }
    }
    return sources;
  }

  #addedEdges(chain: readonly ChainEdges[] | undefined, state: SynchronizedState): [Int32Array, Int32Array] {
    const nodes = this.offset[this.surveys.length];
    const dependents: number[] = [];
    const dependencies: number[] = [];
    const add = (dependent: number, dependency: number): void => {
      dependents.push(dependent);
      dependencies.push(dependency);
    };
    const barrierAt = new Map<number, number>();
    this.barriers.forEach(({ at, exit, first }, number) => {
      const vertex = nodes + number;
      barrierAt.set(exit, vertex);
      const { beforeStart, before } = this.surveys[at].skeleton;
      // It takes the entry over: all first transfers wait for the same.
      const entry = first[0] - this.offset[at];
      for (let edge = beforeStart[entry]; edge < beforeStart[entry + 1]; edge++) {
        add(vertex, this.offset[at] + before[edge]);
      }
      for (const each of first) add(each, vertex);
    });
    let firstJoint = this.firstJoint;
    chain?.forEach((edges, at) => {
      const { from, to } = edges;
      for (let edge = 0; edge < to.length; edge++) {
        const earlier = from[edge] < 0 ? firstJoint - 1 - from[edge] : this.offset[at] + state.placeOf(at, from[edge]);
        if (to[edge] < 0) {
          add(firstJoint - 1 - to[edge], earlier);
          continue;
        }
        const place = state.placeOf(at, to[edge]);
        const barrier = barrierAt.get(this.offset[at] + place);
        if (barrier !== undefined) add(barrier, earlier);
        else for (const entry of state.entriesOf(at, place)) add(this.offset[at] + entry, earlier);
      }
      firstJoint += jointsOf(edges);
    });
    return [Int32Array.from(dependents), Int32Array.from(dependencies)];
  }

  #linkAfter(): Int32Array {
    const { afterStart, vertices } = this;
    let edges = 0;
    this.forEachDependency((_dependent, dependency) => {
      afterStart[dependency]++;
      edges++;
    });
    // The ends of the lists first; filling them from behind leaves their starts.
    for (let vertex = 1; vertex <= vertices; vertex++) afterStart[vertex] += afterStart[vertex - 1];
    const after = new Int32Array(edges);
    this.forEachDependency((dependent, dependency) => (after[--afterStart[dependency]] = dependent));
    return after;
  }
}

function jointsOf(chain: ChainEdges | JointedChain): number {
  return 'joints' in chain ? chain.joints : 0;
}
