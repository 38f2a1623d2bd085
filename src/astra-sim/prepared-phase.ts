import type { LaneQueue } from '../kernel/lane-queue.js';
import { beforeEndOfTime } from '../network/end-of-time.js';
import type { CollectivePlan, Phase } from './collective-plan.js';
import type { LogicalDimension } from './logical-dimension.js';
import type { MessageSizes } from './message-sizes.js';
import { Pattern } from './phase-shape.js';
import type { QueueTurn } from './queue-turns.js';
import { placeAmongTrees } from './turn-counters.js';

/** A phase as the engine wants it: what is the same for every rank and chunk, reckoned once. */
export class PreparedPhase {
  readonly pattern: Pattern;
  readonly count: number;
  readonly parallelism: number;
  readonly sends: number;
  readonly relays: number;
  /** Whether sends stop in the middle until all messages of the first half are there (`direct` all-reduce, section 8.2). */
  readonly hasBarrier: boolean;
  /** [packets] 1 where the bundle is reduced; of {@link reduces} only. */
  readonly reduced: Uint8Array;
  readonly reduces: boolean;
  readonly bytes: Float64Array;
  /** [packets] numbers of `bytes` among the sizes of the run. */
  readonly sizes: Int32Array;
  /** The one of them where all are equal. */
  readonly firstSize: number;
  /** [distances] lane of a message to a partner at that distance, 0 where it is not known yet; empty where it depends on more. */
  readonly lanes: Int16Array;
  readonly distances: Int32Array;
  readonly members: LogicalDimension;
  readonly dimension: number;
  readonly turn: QueueTurn;
  readonly endpointNs: number;
  readonly endpointLane: number;
  /** [packets] cost of reducing the packet, ns; one entry where all are equal. */
  readonly reductionNs: Float64Array;
  readonly reductionLane: Int32Array;
  /** Trees of a chunk on this dimension, and place of this one among them. */
  readonly trees: number;
  readonly tree: number;
  /** Whether its bundles cross the shared bus where there is one: those of groups do not. */
  readonly usesBus: boolean;

  constructor(
    phases: readonly Phase[],
    place: number,
    plan: CollectivePlan,
    localMemoryGBps: number,
    queue: LaneQueue,
    sizes: MessageSizes,
  ) {
    const { shape, members, dimension, turn } = phases[place];
    this.pattern = shape.pattern;
    this.count = shape.count;
    this.parallelism = shape.parallelism;
    this.sends = shape.sends;
    this.relays = shape.relays;
    this.hasBarrier = shape.pattern === Pattern.direct && shape.kind === 'allReduce';
    this.reduced = shape.reduced;
    this.reduces = shape.reduced.length > 0;
    this.bytes = shape.bytes;
    this.sizes = Int32Array.from(shape.bytes, (bytes) => sizes.numberOf(bytes));
    this.firstSize = this.sizes[0];
    this.lanes = new Int16Array(members.isCoordinate ? members.count : 0);
    this.distances = shape.distances;
    this.members = members;
    this.dimension = dimension;
    this.turn = turn;
    this.endpointNs = plan.endpointDelayNs;
    this.endpointLane = queue.laneOf(this.endpointNs);
    this.reductionNs = shape.bytes.map((bytes) => reductionNs(bytes, localMemoryGBps));
    this.reductionLane = Int32Array.from(this.reductionNs, (delay) => queue.laneOf(delay));
    const { trees, tree } = placeAmongTrees(phases, place);
    this.trees = trees;
    this.tree = tree;
    this.usesBus = !plan.isInGroup;
  }
}

/** One write and two reads of local memory, each truncated by itself (astra-sim-semantics section 7); nothing without a bandwidth. */
export function reductionNs(bytes: number, localMemoryGBps: number): number {
  return localMemoryGBps === 0 ? 0 : beforeEndOfTime(3 * Math.floor((bytes / (localMemoryGBps * 1e9)) * 1e9));
}
