import { traceError } from '../base/errors.js';
import { formatId } from '../base/ids.js';
import { indicesById } from '../trace/id-order.js';
import { isTransfer, NodeType, nodeTypeName } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { CollectivePlan } from './collective-plan.js';
import { linkDependents } from './link-dependents.js';
import { groupDimension, positionOf, type LogicalDimension } from './logical-dimension.js';
import { Role, SystemNodes } from './system-nodes.js';
import type { SystemRun } from './system-run.js';
import { TAG_LIMIT } from './trace-tags.js';

/** What a custom collective does with time. */
export interface CustomIssuer {
  issueComputation(rank: number, durationNs: number, node: number): void;
  issueCustomSend(rank: number, to: number, tag: number, bytes: number, node: number): void;
  issueCustomReceive(rank: number, from: number, tag: number, bytes: number, node: number): void;
  customDone(rank: number): void;
}

/** The custom collective of a rank under way. */
interface Execution {
  /** Of the position: `partner` of a send or receive is a position too. */
  readonly algorithm: SystemNodes;
  readonly waiting: Int32Array; // [nodes] dependencies not complete
  /** By position; of all ranks none. */
  readonly ranks: Int32Array | undefined;
  left: number;
}

/**
 * Collectives whose algorithm a trace describes, one file a position (astra-sim-semantics section 10): every node is issued as soon as its
 * dependencies are complete, without slots, endpoint delays and reductions; sizes and tags are those of the algorithm.
 */
export class CustomCollectives {
  readonly #run: SystemRun;
  readonly #issuer: CustomIssuer;
  readonly #groupNames: readonly string[];
  readonly #algorithms = new Map<string, SystemNodes>();
  readonly #parts = new Map<number, LogicalDimension>(); // by group
  readonly #executions: (Execution | undefined)[];

  /** @param groupNames by the index that plans have */
  constructor(run: SystemRun, issuer: CustomIssuer, groupNames: readonly string[]) {
    this.#run = run;
    this.#issuer = issuer;
    this.#groupNames = groupNames;
    this.#executions = new Array<undefined>(run.rankCount).fill(undefined);
  }

  /**
   * Reads the algorithm of a rank, so that what is wrong with it is said before the run.
   * @throws PrepError `SYSTEM_CUSTOM`
   */
  prepare(rank: number, plan: CollectivePlan): void {
    const part = this.#part(plan);
    this.#algorithm(plan, positionIn(part, rank), part?.count ?? this.#run.rankCount);
  }

  begin(rank: number, plan: CollectivePlan): void {
    const part = this.#part(plan);
    const algorithm = this.#algorithm(plan, positionIn(part, rank), part?.count ?? this.#run.rankCount);
    const { length, waiting } = algorithm;
    this.#executions[rank] = { algorithm, waiting: waiting.slice(), ranks: part?.members, left: length };
    for (let node = 0; node < length; node++) if (waiting[node] === 0) this.#issue(rank, node);
  }

  complete(rank: number, node: number): void {
    const execution = this.#executions[rank];
    if (execution === undefined) return;
    const { dependentStart, dependents } = execution.algorithm;
    execution.left--;
    for (let edge = dependentStart[node]; edge < dependentStart[node + 1]; edge++) {
      if (--execution.waiting[dependents[edge]] === 0) this.#issue(rank, dependents[edge]);
    }
    if (execution.left > 0) return;
    this.#executions[rank] = undefined;
    this.#issuer.customDone(rank);
  }

  /** Nodes of the algorithm that are not complete on a rank. */
  left(rank: number): number {
    return this.#executions[rank]?.left ?? 0;
  }

  #issue(rank: number, node: number): void {
    const execution = this.#executions[rank];
    if (execution === undefined) return;
    const { role, amount, partner, tag } = execution.algorithm;
    if (role[node] === Role.timed) {
      this.#issuer.issueComputation(rank, amount[node], node);
      return;
    }
    const other = execution.ranks?.[partner[node]] ?? partner[node];
    if (role[node] === Role.send) this.#issuer.issueCustomSend(rank, other, tag[node], amount[node], node);
    else this.#issuer.issueCustomReceive(rank, other, tag[node], amount[node], node);
  }

  /** The group of a plan, `undefined` for all ranks. */
  #part({ group, isInGroup }: CollectivePlan): LogicalDimension | undefined {
    if (!isInGroup) return undefined;
    let part = this.#parts.get(group);
    if (part === undefined) {
      part = groupDimension(this.#run.groups.get(this.#groupNames[group])!.ranks);
      this.#parts.set(group, part);
    }
    return part;
  }

  #algorithm({ custom = '' }: CollectivePlan, position: number, members: number): SystemNodes {
    const key = `${position} ${members} ${custom}`;
    let algorithm = this.#algorithms.get(key);
    if (algorithm === undefined) {
      const { deps } = this.#run.options;
      algorithm = this.#run.withCustomTrace(custom, position, (trace) => readAlgorithm(trace, position, members, deps));
      this.#algorithms.set(key, algorithm);
    }
    return algorithm;
  }
}

/** Place in the group as it is declared: the program takes the sorted list for the place and the declared one for partners. */
function positionIn(part: LogicalDimension | undefined, rank: number): number {
  return part === undefined ? rank : positionOf(part, rank);
}

/**
 * The nodes of a trace that describes the algorithm of a position, in ascending id; partners are positions.
 * @param members positions there are
 * @param deps dependencies that count
 * @throws PrepError `SYSTEM_CUSTOM`
 */
export function readAlgorithm(trace: RankTrace, position: number, members: number, deps: 'both' | 'data'): SystemNodes {
  const { length, file } = trace;
  const nodes = new SystemNodes();
  const order = indicesById(trace);
  nodes.reserve(length);
  nodes.length = length;
  nodes.offset.push(length);
  for (let node = 0; node < length; node++) {
    const index = order === undefined ? node : order[node];
    readNode(nodes, node, trace, index, position, members);
    demandNoDangling(trace, index, deps);
  }
  linkDependents(nodes, trace, order, deps);
  if (!nodes.waiting.includes(0)) throw wrong(`${file}: no node without dependencies`);
  return nodes;
}

function readNode(
  nodes: SystemNodes,
  node: number,
  trace: RankTrace,
  index: number,
  position: number,
  members: number,
): void {
  const { type, durationMicros, commSize, commTag, peer } = trace;
  const label = labelOf(trace, index);
  if (type[index] === NodeType.compute) {
    nodes.role[node] = Role.timed;
    nodes.amount[node] = durationMicros[index] === 0 ? 1 : durationMicros[index] * 1000;
    return;
  }
  if (!isTransfer(type[index])) {
    throw wrong(
      `${label}: ${nodeTypeName(type[index])} in a custom collective; expected COMP_NODE, COMM_SEND_NODE or COMM_RECV_NODE`,
    );
  }
  if (!(commSize[index] > 0)) throw wrong(`${label}: comm_size ${commSize[index]}; expected 1 byte or more`);
  if (Number.isNaN(commTag[index])) throw wrong(`${label}: no comm_tag`);
  if (!(peer[index] >= 0 && peer[index] < members && peer[index] !== position)) {
    throw wrong(`${label}: partner ${peer[index]}; expected another position of the ${members}`);
  }
  nodes.role[node] = type[index] === NodeType.send ? Role.send : Role.receive;
  nodes.amount[node] = commSize[index];
  nodes.partner[node] = peer[index];
  nodes.tag[node] = commTag[index] % TAG_LIMIT;
}

function demandNoDangling(trace: RankTrace, index: number, deps: 'both' | 'data'): void {
  const { dataStart, dataTarget, controlStart, controlTarget } = trace;
  const data = dataTarget.subarray(dataStart[index], dataStart[index + 1]);
  const control = controlTarget.subarray(controlStart[index], controlStart[index + 1]);
  for (const targets of deps === 'data' ? [data] : [data, control]) {
    if (targets.some((dependency) => dependency < 0)) {
      throw wrong(`${labelOf(trace, index)}: a dependency on an id that no node has`);
    }
  }
}

function labelOf({ file, idLow, idHigh }: RankTrace, index: number): string {
  return `${file} node ${formatId(idLow[index], idHigh[index])}`;
}

function wrong(message: string): ReturnType<typeof traceError> {
  return traceError('SYSTEM_CUSTOM', message);
}
