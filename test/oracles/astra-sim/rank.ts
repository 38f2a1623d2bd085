import { CollectiveType } from '../../../src/trace/collective-type.js';
import { isMemory, NodeType } from '../../../src/trace/node-type.js';
import type { SystemRun } from '../../../src/astra-sim/system-run.js';
import { collectives, type CollectiveSurroundings } from './collective.js';
import type { Action } from './events.js';
import { openNodes, type TraceNode } from './nodes.js';
import type { RemoteMemory } from './remote-memory.js';
import {
  statisticsOf,
  type Interval,
  type OperatorKind,
  type RooflineShare,
  type TwinStatistics,
} from './statistics.js';
import { traceTag } from './trace-tag.js';

export interface RankSurroundings extends CollectiveSurroundings {
  readonly nodes: readonly TraceNode[];
  readonly memory: RemoteMemory;
  /** Registers the groups that a METADATA node declares. */
  declareGroups(node: TraceNode): void;
  finished(): void;
}

/** The workload layer of one rank (section 3). */
export interface TwinRank {
  /** Issues what is ready at time 0. */
  start(): void;
  /** When the rank finished; undefined as long as it did not. */
  readonly finishNs: number | undefined;
  /** Finish minus the durations of the compute nodes issued, ns. */
  readonly exposedNs: number | undefined;
  readonly statistics: TwinStatistics;
}

type Slot = 'cpu' | 'compute' | 'communication';

interface Compute {
  readonly durationNs: number;
  readonly roofline?: RooflineShare;
}

export function twinRank(surroundings: RankSurroundings): TwinRank {
  const { run, rank, events, timer, messages, memory } = surroundings;
  const { system } = run;
  const open = openNodes(surroundings.nodes);
  const busy = new Set<Slot>();
  const intervals: Interval[] = [];
  const startCollective = collectives(surroundings);
  let computeNs = 0;
  let finishNs: number | undefined;

  const scan = (): void => {
    // A snapshot: what becomes ready during the scan waits for the next completion.
    for (const node of [...open.ready]) {
      const slot = slotOf(node);
      if (slot === undefined || !busy.has(slot)) issue(node, slot);
    }
  };
  const testFinish = (): void => {
    if (finishNs !== undefined || open.ready.length > 0 || open.inFlight > 0 || busy.size > 0) return;
    finishNs = events.now;
    surroundings.finished();
  };
  const issue = (node: TraceNode, slot: Slot | undefined): void => {
    open.take(node);
    const compute = computeOf(node, run);
    const interval: Interval = {
      kind: operatorKind(node),
      startNs: events.now,
      endNs: events.now,
      ...(compute?.roofline && { roofline: compute.roofline }),
    };
    if (isSkipped(node, run)) {
      // Completes at once, and no scan follows.
      intervals.push(interval);
      if (node.type === NodeType.metadata) surroundings.declareGroups(node);
      open.complete(node);
      return;
    }
    if (slot !== undefined) busy.add(slot);
    const completed = (): void => {
      interval.endNs = events.now;
      intervals.push(interval);
      if (slot !== undefined) busy.delete(slot);
      open.complete(node);
      scan();
      testFinish();
    };
    if (compute !== undefined) {
      if (!node.cpu && (system.replayOnly || node.type === NodeType.compute)) computeNs += compute.durationNs;
      timer(compute.durationNs, completed);
    } else work(node, completed);
  };
  const work = (node: TraceNode, completed: Action): void => {
    const { id, type, cpu, peer, commSize } = node;
    if (isMemory(type)) {
      if (node.tensorSize === undefined) throw new Error(`node ${id} has no tensor_size`);
      memory(rank, timer, node.tensorSize, completed);
      return;
    }
    if (cpu && type !== NodeType.receive) throw new Error(`node ${id} communicates and is marked is_cpu_op`);
    if (type === NodeType.collective) {
      startCollective(node, completed);
      return;
    }
    if (peer === undefined || commSize === undefined) throw new Error(`node ${id}: peer or comm_size is missing`);
    if (type === NodeType.send) messages.send(rank, peer, commSize, traceTag(node), completed);
    else messages.receive(peer, rank, commSize, traceTag(node), completed);
  };
  return {
    start() {
      scan();
      testFinish();
    },
    get finishNs() {
      return finishNs;
    },
    get exposedNs() {
      return finishNs === undefined ? undefined : finishNs - computeNs;
    },
    get statistics() {
      return statisticsOf(intervals, system.roofline);
    },
  };
}

function slotOf({ type, cpu }: TraceNode): Slot | undefined {
  if (cpu) return 'cpu';
  if (type === NodeType.compute) return 'compute';
  return type === NodeType.receive ? undefined : 'communication';
}

/** Whether the node is passed over: done at once, without a scan behind it. */
function isSkipped(node: TraceNode, { system }: SystemRun): boolean {
  if (system.replayOnly) return false;
  if (node.type === NodeType.invalid || node.type === NodeType.metadata) return true;
  return node.type === NodeType.compute && !node.cpu && system.roofline && node.tensorSize === 0;
}

/** The fixed delay that a node is; undefined where it is more than that. */
function computeOf(node: TraceNode, run: SystemRun): Compute | undefined {
  const { system } = run;
  const { id, type, cpu, commType, operations, tensorSize, durationNs } = node;
  if (system.replayOnly) return { durationNs };
  if (type === NodeType.collective && !cpu && commType === CollectiveType.broadcast) return { durationNs };
  if (type !== NodeType.compute || isSkipped(node, run)) return undefined;
  if (cpu || !system.roofline) return { durationNs };
  if (operations === undefined || tensorSize === undefined) {
    throw new Error(`node ${id}: roofline needs num_ops and tensor_size`);
  }
  const peak = system.peakTflops * 1e12;
  const bandwidth = system.localMemoryGBps * 1e9;
  const intensity = operations / tensorSize;
  const perf = Math.min(bandwidth * intensity, peak);
  return {
    durationNs: Math.floor((operations / perf) * 1e9),
    roofline: {
      computeBound: perf >= peak,
      computeUtilization: perf / peak,
      memoryUtilization: perf / intensity / bandwidth,
      operationIntensity: intensity,
    },
  };
}

function operatorKind({ type, cpu }: TraceNode): OperatorKind | undefined {
  if (type === NodeType.compute) return cpu ? 'cpu' : 'gpu';
  if (isMemory(type)) return 'remoteMemory';
  if (type === NodeType.invalid) return 'invalid';
  return type === NodeType.metadata ? undefined : 'communication';
}
