import type { SystemRun } from '../../../src/astra-sim/system-run.js';
import type { Implementation, SystemCollective } from '../../../src/astra-sim/system-configuration.js';
import { CollectiveType } from '../../../src/trace/collective-type.js';
import type { Phase, Port } from './algorithms.js';
import { runCustomCollective } from './custom-collective.js';
import type { Action, Timer } from './events.js';
import { groupDimension, worldDimensions, type LogicalDimension } from './logical-dimension.js';
import type { Messages } from './messages.js';
import type { TraceNode } from './nodes.js';
import { sharedBus } from './shared-bus.js';
import { nativePhase, streamQueues, type StreamPhase } from './streams.js';
import type { Events } from './events.js';

const KINDS = new Map<number, SystemCollective>([
  [CollectiveType.allReduce, 'allReduce'],
  [CollectiveType.allGather, 'allGather'],
  [CollectiveType.reduceScatter, 'reduceScatter'],
  [CollectiveType.allToAll, 'allToAll'],
]);

/** Dimensions that take part where a node does not say. */
const DEFAULT_INVOLVED = [true, true, true, true];
/** Bus delay in the ring of a group of some of the ranks, ns. */
const SUBGROUP_BUNDLE_NS = 10;

/** What the collectives of one rank need. */
export interface CollectiveSurroundings {
  readonly run: SystemRun;
  readonly rank: number;
  readonly events: Events;
  readonly timer: Timer;
  readonly messages: Messages;
  /** Members of a group in declaration order, groups of METADATA nodes included. */
  groupRanks(name: string): readonly number[] | undefined;
  customNodes(prefix: string, position: number): readonly TraceNode[];
}

/** The system layer of one rank: gives what starts a collective node (sections 5 to 10). */
export function collectives(surroundings: CollectiveSurroundings): (node: TraceNode, completed: Action) => void {
  const { run, rank, timer, messages, events } = surroundings;
  const { system, options, network } = run;
  const { queuesPerDimension } = options;
  const sizes = network.dimensions.map(({ npus }) => npus);
  const admit = streamQueues(queuesPerDimension, system.activeChunksPerDimension);
  const queueChoice = queueChoices(queuesPerDimension);
  const bus = system.sharedBus && sharedBus(events, timer, system.sharedBus);
  const treesBuilt = new Map<string, number>();
  const streamsOfGroup = new Map<string, number>();
  let collectivesStarted = 0;

  const reductionNs = (bytes: number): number => {
    const bytesPerSecond = system.localMemoryGBps * 1e9;
    return bytesPerSecond === 0 ? 0 : 3 * Math.floor((bytes / bytesPerSecond) * 1e9);
  };
  const portOf = (subgroup: boolean, tag: string): Port => ({
    bundle(bytes, { from, reduce, returning }, done) {
      const passed = reduce ? (): void => timer(reductionNs(bytes), done) : done;
      if (subgroup) timer(SUBGROUP_BUNDLE_NS, passed);
      else if (bus === undefined) timer(system.endpointDelayNs, passed);
      else (from === 'npu' ? bus.npuSide : bus.adapterSide).request(bytes, reduce, returning, passed);
    },
    send: (to, bytes) => messages.send(rank, to, bytes, tag, () => {}),
    receive: (from, bytes, received) => messages.receive(from, rank, bytes, tag, received),
  });
  const nextTree = (kind: SystemCollective, { index }: LogicalDimension): Phase['tree'] => {
    const key = `${kind} ${index}`;
    const built = treesBuilt.get(key) ?? 0;
    treesBuilt.set(key, built + 1);
    return built % 2 === 0 ? 'rootMax' : 'rootMin';
  };
  const phasesOf = (kind: SystemCollective, live: readonly LogicalDimension[], chunk: number): Phase[] => {
    let bytes = chunk;
    return phasePlan(kind, live, system.collectiveOptimization).map(({ dimension, choice, ...step }) => {
      const treeKind = dimension.implementation.algorithm === 'doubleBinaryTree';
      const phase: Phase = {
        kind: step.kind,
        dimension,
        bytes,
        ...queueChoice(choice, dimension.index),
        tree: treeKind && !dimension.subgroup ? nextTree(kind, dimension) : 'rootMax',
      };
      bytes = outputBytes(phase);
      return phase;
    });
  };
  const nextTag = (group: string): string => {
    const number = streamsOfGroup.get(group) ?? 0;
    streamsOfGroup.set(group, number + 1);
    return `stream ${group} ${number}`;
  };
  const nextPriority = (node: TraceNode): number => {
    collectivesStarted++;
    if (system.schedulingPolicy === 'EXPLICIT') return node.priority;
    return system.schedulingPolicy === 'LIFO' ? collectivesStarted : -collectivesStarted;
  };

  return (node, completed) => {
    const kind = KINDS.get(node.commType ?? -1);
    if (kind === undefined) throw new Error(`node ${node.id} is no collective that a system runs`);
    if (node.commSize === undefined) throw new Error(`node ${node.id} has no comm_size`);
    const group = groupOf(node, run.rankCount, surroundings);
    if (group !== undefined && !group.ranks.includes(rank)) {
      throw new Error(`node ${node.id} of rank ${rank}: it is not in group ${group.name}`);
    }
    const subgroup = group !== undefined && group.ranks.length < run.rankCount;
    const tagSpace = group === undefined ? 'world' : `group ${group.name}`;
    const priority = nextPriority(node);
    const { chunk, chunks } = chunksOf(kind, node.commSize, system.datasetSplits, run.rankCount);
    let left = chunks;
    const chunkDone = (): void => {
      if (--left === 0) completed();
    };
    const start = (phases: readonly StreamPhase[]): void =>
      admit({ phases, priority, started: false, phase: 0, done: chunkDone });

    const prefix = system.customByNode.get(node.id) ?? system.customImplementations[kind];
    if (prefix !== undefined) {
      // One stream, whatever the number of chunks: with another number than 1 the collective never completes.
      const position = subgroup ? [...group.ranks].sort((a, b) => a - b).indexOf(rank) : rank;
      const rankOf = (peer: number): number => (subgroup ? group.ranks[peer] : peer);
      const nodes = surroundings.customNodes(prefix, position);
      start([
        { dimension: 0, queue: 0, run: (done) => runCustomCollective(nodes, rank, rankOf, timer, messages, done) },
      ]);
      return;
    }
    const implementations: readonly Implementation[] | undefined = system.implementations[kind];
    if (implementations === undefined) throw new Error(`node ${node.id}: there is no implementation of ${kind}`);
    const involved = node.involved ?? DEFAULT_INVOLVED;
    const live = subgroup
      ? [groupDimension(rank, group.ranks, implementations)]
      : worldDimensions(rank, sizes, implementations).filter(
          ({ index, ranks }) => ranks.length > 1 && involved[index] === true,
        );
    // With no dimension left there is nothing to run, and the node never completes.
    if (live.length === 0) return;
    for (let made = 0; made < chunks; made++) {
      const port = portOf(subgroup, nextTag(tagSpace));
      start(phasesOf(kind, live, chunk).map((phase) => nativePhase(phase, port)));
    }
  };
}

function groupOf(
  { id, group: name }: TraceNode,
  rankCount: number,
  { groupRanks }: CollectiveSurroundings,
): { name: string; ranks: readonly number[] } | undefined {
  if (name === '' || name === '0') return undefined;
  const ranks = groupRanks(name);
  if (ranks === undefined) throw new Error(`node ${id}: there is no group ${name}`);
  return { name, ranks: ranks.length === 0 ? Array.from({ length: rankCount }, (_, rank) => rank) : ranks };
}

/** Section 5.1: bytes of a chunk, the same for all, and how many there are. */
function chunksOf(
  kind: SystemCollective,
  commSize: number,
  splits: number,
  rankCount: number,
): { chunk: number; chunks: number } {
  let size = commSize;
  let chunk = Math.floor(size / splits);
  if (kind !== 'allGather' && chunk < rankCount) {
    chunk = rankCount;
    size = splits * rankCount;
  }
  if (chunk === 0) throw new Error(`an all-gather of ${commSize} B in ${splits} chunks`);
  return { chunk, chunks: Math.ceil(size / chunk) };
}

type QueueChoice = 'any' | 'first' | 'last';

interface Step {
  readonly kind: SystemCollective;
  readonly dimension: LogicalDimension;
  readonly choice: QueueChoice;
}

/** Section 5.3: which collective runs over which dimension, in order. */
function phasePlan(
  kind: SystemCollective,
  live: readonly LogicalDimension[],
  optimization: 'baseline' | 'localBWAware',
): Step[] {
  if (kind === 'allReduce' && optimization === 'localBWAware') {
    const turning = live[live.length - 1];
    const before = live.slice(0, -1);
    return [
      ...before.map((dimension): Step => ({ kind: 'reduceScatter', dimension, choice: 'first' })),
      { kind: 'allReduce', dimension: turning, choice: 'first' },
      ...[...before].reverse().map((dimension): Step => ({ kind: 'allGather', dimension, choice: 'last' })),
    ];
  }
  const inOrder = kind === 'allGather' ? [...live].reverse() : live;
  return inOrder.map((dimension): Step => ({ kind, dimension, choice: 'any' }));
}

/** What a phase leaves for the next one. */
function outputBytes({ kind, bytes, dimension }: Phase): number {
  const { implementation, ranks } = dimension;
  if (implementation.algorithm === 'doubleBinaryTree') return bytes;
  if (kind === 'reduceScatter') return Math.floor(bytes / ranks.length);
  return kind === 'allGather' ? bytes * ranks.length : bytes;
}

/** Section 6: the round-robin counters of one rank. */
function queueChoices(
  count: number,
): (choice: QueueChoice, dimension: number) => { queue: number; clockwise: boolean } {
  const half = Math.floor(count / 2);
  const counters = new Map<string, number>();
  return (choice, dimension) => {
    if (count === 1) return { queue: 0, clockwise: choice !== 'last' };
    const first = choice === 'last' ? half : 0;
    const end = choice === 'first' ? half : count;
    const key = `${choice} ${dimension}`;
    const turns = counters.get(key) ?? 0;
    counters.set(key, turns + 1);
    const queue = first + (turns % (end - first));
    return { queue, clockwise: queue < half };
  };
}
