import { CollectiveType } from '../trace/collective-type.js';
import { topologyDimensions, wholeDimension, type LogicalDimension } from './logical-dimension.js';
import type { Candidate } from './candidate.js';
import { dimensionOrders } from './dimension-orders.js';
import { phaseShape, type PhaseKind, type PhaseShape } from './phase-shape.js';
import type { QueueTurn } from './queue-turns.js';
import type { CollectiveSetting } from './system-run.js';
import type { Implementation, SystemCollective } from './system-configuration.js';

/** One phase of every chunk of a collective. */
export interface Phase {
  readonly shape: PhaseShape;
  readonly implementation: Implementation;
  readonly members: LogicalDimension;
  /** Place of the dimension in the list of implementations; its queues are used. */
  readonly dimension: number;
  readonly turn: QueueTurn;
}

/** What all members of a collective do: chunks, and the phases each goes through (astra-sim-semantics section 5). */
export interface CollectivePlan {
  /** Index of the group, −1 for all ranks. */
  readonly group: number;
  /** A CollectiveType number. */
  readonly type: number;
  /** `comm_size`. */
  readonly bytes: number;
  readonly chunks: number;
  readonly chunkBytes: number;
  /** Orders of phases; as a rule one. */
  readonly orders: readonly (readonly Phase[])[];
  /** [chunks] which order each chunk takes; the first where absent. */
  readonly orderOf?: Uint16Array;
  /** Endpoint delay of its messages, ns. */
  readonly endpointDelayNs: number;
  readonly isInGroup: boolean;
  /** All that run it, as one dimension. */
  readonly members: LogicalDimension;
  readonly groupSize: number;
  /** `ring+direct`; the prefix of a custom one. */
  readonly algorithm: string;
  /** Prefix of the traces that describe it. */
  readonly custom?: string;
}

/** Endpoint delay in the rings of a group, whatever the system file says (section 7). */
const GROUP_ENDPOINT_DELAY_NS = 10;
/** Dimensions that take part where a node names none. */
export const DIMENSIONS_BY_DEFAULT = 4;

/** The collectives of the system layer by CollectiveType. */
export const SYSTEM_COLLECTIVE_OF: Readonly<Record<number, SystemCollective>> = {
  [CollectiveType.allReduce]: 'allReduce',
  [CollectiveType.allGather]: 'allGather',
  [CollectiveType.reduceScatter]: 'reduceScatter',
  [CollectiveType.allToAll]: 'allToAll',
};

/** Chunks of a collective and their size (5.1): all have the full size, also the last. */
export function chunksOf(
  collective: SystemCollective,
  bytes: number,
  splits: number,
  rankCount: number,
): { readonly chunks: number; readonly chunkBytes: number } {
  let chunkBytes = Math.floor(bytes / splits);
  let total = bytes;
  if (collective !== 'allGather' && chunkBytes < rankCount) {
    chunkBytes = rankCount;
    total = splits * rankCount;
  }
  // The program would never end.
  chunkBytes = Math.max(chunkBytes, 1);
  return { chunks: Math.ceil(total / chunkBytes), chunkBytes };
}

/**
 * The plan of a collective that the system layer runs by itself.
 * @param part members of its group; `undefined` for all ranks, and where the group is all ranks
 * @param involved the dimensions the node names, `undefined` when it names none
 */
export function planCollective(
  run: CollectiveSetting,
  collective: SystemCollective,
  how: {
    type: number;
    bytes: number;
    group: number;
    part: LogicalDimension | undefined;
    involved: readonly boolean[] | undefined;
    implementations: readonly Implementation[];
  },
): CollectivePlan {
  const { system, network, rankCount } = run;
  const { type, bytes, group, part, involved, implementations } = how;
  const { chunks, chunkBytes } = chunksOf(collective, bytes, system.datasetSplits, rankCount);
  const isInGroup = part !== undefined;
  const candidates = isInGroup
    ? groupCandidates(part, implementations)
    : worldCandidates(topologyDimensions(network), rankCount, implementations, involved);
  const live = candidates.filter(({ members }) => members.count > 1);
  // Ring by phases, one dimension after the other, each with all the data.
  const isHierarchical = system.extensions?.hierarchicalRing.has(collective) ?? false;
  const isAware = system.collectiveOptimization === 'localBWAware' && !isHierarchical;
  const ways = dimensionOrders(run, live, chunks, { collective, bytes: chunkBytes, isAware });
  const orders = ways.orders.map((order) => phasesOf(collective, order, chunkBytes, isAware, isInGroup));
  return {
    group,
    type,
    bytes,
    chunks,
    chunkBytes,
    orders,
    ...(ways.orderOf === undefined ? {} : { orderOf: ways.orderOf }),
    endpointDelayNs: isInGroup ? GROUP_ENDPOINT_DELAY_NS : system.endpointDelayNs,
    isInGroup,
    members: part ?? wholeDimension(rankCount),
    groupSize: part?.count ?? rankCount,
    algorithm:
      isHierarchical && !isInGroup
        ? 'hierarchicalRing'
        : live.map(({ implementation }) => nameOf(implementation)).join('+'),
  };
}

/** A list of several entries stands for plain ring in a group (section 9). */
function groupCandidates(members: LogicalDimension, listed: readonly Implementation[]): Candidate[] {
  const ring: Implementation = { algorithm: 'ring', whole: false };
  const implementation = listed.length === 1 ? listed[0] : ring;
  return [{ members, implementation, dimension: 0 }];
}

function worldCandidates(
  dimensions: readonly LogicalDimension[],
  rankCount: number,
  listed: readonly Implementation[],
  involved: readonly boolean[] | undefined,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const [dimension, implementation] of listed.entries()) {
    const members = implementation.whole ? wholeDimension(rankCount) : dimensions[dimension];
    const takesPart = involved === undefined ? dimension < DIMENSIONS_BY_DEFAULT : (involved[dimension] ?? false);
    if (takesPart) candidates.push({ members, implementation, dimension });
    if (implementation.whole) break;
  }
  return candidates;
}

/** The phases in order (5.3), each starting with what the one before leaves. */
function phasesOf(
  collective: SystemCollective,
  live: readonly Candidate[],
  chunkBytes: number,
  isAware: boolean,
  isInGroup: boolean,
): Phase[] {
  let bytes = chunkBytes;
  const phases: Phase[] = [];
  const add = ({ members, implementation, dimension }: Candidate, kind: PhaseKind, turn: QueueTurn): void => {
    const shape = phaseShape(implementation, kind, members.count, bytes, isInGroup);
    bytes = shape.outputBytes;
    phases.push({ shape, implementation, members, dimension, turn });
  };
  if (collective !== 'allReduce' || !isAware) {
    const inOrder = collective === 'allGather' ? [...live].reverse() : live;
    for (const candidate of inOrder) add(candidate, collective, 'any');
    return phases;
  }
  const before = live.slice(0, -1);
  for (const candidate of before) add(candidate, 'reduceScatter', 'first');
  for (const candidate of live.slice(-1)) add(candidate, 'allReduce', 'first');
  for (const candidate of [...before].reverse()) add(candidate, 'allGather', 'last');
  return phases;
}

export function nameOf({ algorithm, window, whole }: Implementation): string {
  const name = `${algorithm}${window ?? ''}`;
  return whole ? `one${name[0].toUpperCase()}${name.slice(1)}` : name;
}
