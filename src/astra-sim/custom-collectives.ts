import { traceError } from '../base/errors.js';
import { formatId } from '../base/ids.js';
import { isTransfer, NodeType, nodeTypeName } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { CollectivePlan } from './collective-plan.js';
import type { SystemRun } from './system-run.js';

/** A node of a trace that describes an algorithm. */
export interface AlgorithmNode {
  readonly type: number;
  /** Duration in ns, or bytes. */
  readonly amount: number;
  /** Position of the partner of a send or receive. */
  readonly partner: number;
  readonly tag: number;
  readonly dependencies: number;
  readonly dependents: number[];
}

/** What a custom collective does with time. */
export interface CustomIssuer {
  issueComputation(rank: number, durationNs: number, node: number): void;
  issueCustomSend(rank: number, to: number, tag: number, bytes: number, node: number): void;
  issueCustomReceive(rank: number, from: number, tag: number, bytes: number, node: number): void;
  customDone(rank: number): void;
}

/** The custom collective of a rank under way. */
interface Execution {
  readonly nodes: readonly AlgorithmNode[];
  readonly waiting: Int32Array; // [nodes] dependencies not complete
  readonly ranks: readonly number[] | undefined;
  left: number;
}

const TAGS = 500_000_000;

/**
 * Collectives whose algorithm a trace describes, one file a position (astra-sim-semantics section 10): every node is issued as soon as its
 * dependencies are complete, without slots, endpoint delays and reductions; sizes and tags are those of the algorithm.
 */
export class CustomCollectives {
  readonly #run: SystemRun;
  readonly #issuer: CustomIssuer;
  readonly #groupNames: readonly string[];
  readonly #algorithms = new Map<string, readonly AlgorithmNode[]>();
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
    this.#algorithm(plan, this.#position(rank, plan), this.#members(plan)?.length ?? this.#run.rankCount);
  }

  begin(rank: number, plan: CollectivePlan): void {
    const ranks = this.#members(plan);
    const nodes = this.#algorithm(plan, this.#position(rank, plan), ranks?.length ?? this.#run.rankCount);
    const waiting = Int32Array.from(nodes, ({ dependencies }) => dependencies);
    this.#executions[rank] = { nodes, waiting, ranks, left: nodes.length };
    for (let node = 0; node < nodes.length; node++) if (nodes[node].dependencies === 0) this.#issue(rank, node);
  }

  complete(rank: number, node: number): void {
    const execution = this.#executions[rank];
    if (execution === undefined) return;
    execution.left--;
    const ready = execution.nodes[node].dependents.filter((dependent) => --execution.waiting[dependent] === 0);
    for (const dependent of ready) this.#issue(rank, dependent);
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
    const { type, amount, partner, tag } = execution.nodes[node];
    if (type === NodeType.compute) {
      this.#issuer.issueComputation(rank, amount, node);
      return;
    }
    const other = execution.ranks === undefined ? partner : execution.ranks[partner];
    if (type === NodeType.send) this.#issuer.issueCustomSend(rank, other, tag, amount, node);
    else this.#issuer.issueCustomReceive(rank, other, tag, amount, node);
  }

  /** Place in the group as it is declared: the program takes the sorted list for the place and the declared one for partners. */
  #position(rank: number, plan: CollectivePlan): number {
    return this.#members(plan)?.indexOf(rank) ?? rank;
  }

  #members({ group, isInGroup }: CollectivePlan): readonly number[] | undefined {
    return isInGroup ? this.#run.groups.get(this.#groupNames[group])?.ranks : undefined;
  }

  #algorithm({ custom = '' }: CollectivePlan, position: number, members: number): readonly AlgorithmNode[] {
    const key = `${position} ${members} ${custom}`;
    let nodes = this.#algorithms.get(key);
    if (nodes === undefined) {
      nodes = this.#run.withCustomTrace(custom, position, (trace) => readAlgorithm(trace, position, members));
      this.#algorithms.set(key, nodes);
    }
    return nodes;
  }
}

/**
 * The algorithm of a position, as its trace describes it.
 * @param members positions there are
 * @throws PrepError `SYSTEM_CUSTOM`
 */
export function readAlgorithm(trace: RankTrace, position: number, members: number): AlgorithmNode[] {
  const { length, type, durationMicros, commSize, commTag, peer, file } = trace;
  const dependencies = Array.from({ length }, () => new Set<number>());
  for (const [start, target] of [
    [trace.dataStart, trace.dataTarget],
    [trace.controlStart, trace.controlTarget],
  ]) {
    for (let index = 0; index < length; index++) {
      for (let edge = start[index]; edge < start[index + 1]; edge++) dependencies[index].add(target[edge]);
    }
  }
  const nodes = Array.from({ length }, (_, index): AlgorithmNode => {
    const label = `${file} node ${formatId(trace.idLow[index], trace.idHigh[index])}`;
    const isMessage = isTransfer(type[index]);
    if (!isMessage && type[index] !== NodeType.compute) {
      throw wrong(
        `${label}: ${nodeTypeName(type[index])} in a custom collective; expected COMP_NODE, COMM_SEND_NODE or COMM_RECV_NODE`,
      );
    }
    if ([...dependencies[index]].some((dependency) => dependency < 0)) {
      throw wrong(`${label}: a dependency on an id that no node has`);
    }
    if (isMessage && !(commSize[index] > 0))
      throw wrong(`${label}: comm_size ${commSize[index]}; expected 1 byte or more`);
    if (isMessage && Number.isNaN(commTag[index])) throw wrong(`${label}: no comm_tag`);
    if (isMessage && !(peer[index] >= 0 && peer[index] < members && peer[index] !== position)) {
      throw wrong(`${label}: partner ${peer[index]}; expected another position of the ${members}`);
    }
    const amount = isMessage ? commSize[index] : durationMicros[index] === 0 ? 1 : durationMicros[index] * 1000;
    return {
      type: type[index],
      amount,
      partner: peer[index],
      tag: isMessage ? commTag[index] % TAGS : 0,
      dependencies: dependencies[index].size,
      dependents: [],
    };
  });
  for (let index = 0; index < length; index++) {
    for (const dependency of dependencies[index]) nodes[dependency].dependents.push(index);
  }
  if (!nodes.some(({ dependencies: count }) => count === 0)) throw wrong(`${file}: no node without dependencies`);
  return nodes;
}

function wrong(message: string): ReturnType<typeof traceError> {
  return traceError('SYSTEM_CUSTOM', message);
}
