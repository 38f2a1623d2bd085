import { counted } from '../base/counts.js';
import { traceError } from '../base/errors.js';
import { formatId } from '../base/ids.js';
import { CollectiveType, COMM_TYPE_ABSENT } from '../trace/collective-type.js';
import { indicesById } from '../trace/id-order.js';
import { nodeLabel, nodeName } from '../trace/node-label.js';
import { isCommunication, NodeType, nodeTypeName } from '../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';
import { linkDependents } from './link-dependents.js';
import type { PlanCatalogue } from './plan-catalogue.js';
import { rooflineDurationNs, rooflineLimits, RooflineMeans, type RooflineLimits } from './roofline.js';
import type { SystemRun } from './system-run.js';
import { OperatorKind, Role, Slot, SystemNodes } from './system-nodes.js';

/** Tags of sends and receives are taken modulo this (astra-sim-semantics section 11). */
const TAGS = 500_000_000;
/** Priorities are kept in 32 bits. */
const MOST_PRIORITY = 2 ** 31 - 1;

/**
 * Reads the nodes of all ranks as the workload layer takes them (astra-sim-semantics section 3).
 * @throws PrepError `SYSTEM_NODE`, `SYSTEM_DANGLING`, `SYSTEM_EMPTY` and what {@link PlanCatalogue.numberOf} throws: where the program
 *   would abort or throw
 */
export class SystemGathering {
  readonly nodes = new SystemNodes();
  /** [ranks] of their compute nodes; empty without roofline. */
  readonly roofline: RooflineMeans[] = [];
  readonly #run: SystemRun;
  readonly #plans: PlanCatalogue;
  readonly #limits: RooflineLimits | undefined;

  constructor(run: SystemRun, plans: PlanCatalogue) {
    this.#run = run;
    this.#plans = plans;
    this.#limits = run.system.roofline ? rooflineLimits(run.system) : undefined;
    for (let rank = 0; rank < run.rankCount; rank++) run.withTrace(rank, (trace) => this.#add(trace));
  }

  #add(trace: RankTrace): void {
    const { nodes } = this;
    const { length, rank } = trace;
    if (length === 0) {
      throw traceError('SYSTEM_EMPTY', `rank ${rank}: ${trace.file} has no nodes; expected one node or more`);
    }
    demandNoDangling(trace, this.#run.options.deps);
    const order = indicesById(trace);
    const first = nodes.length;
    nodes.reserve(first + length);
    nodes.length += length;
    nodes.offset.push(nodes.length);
    if (this.#limits) this.roofline.push(new RooflineMeans(this.#limits));
    for (let place = 0; place < length; place++) {
      this.#addNode(trace, order === undefined ? place : order[place], first + place);
    }
    linkDependents(nodes, trace, order, this.#run.options.deps);
  }

  #addNode(trace: RankTrace, index: number, node: number): void {
    const { nodes } = this;
    const { system } = this.#run;
    const type = trace.type[index];
    const onCpu = (trace.flags[index] & NodeFlag.cpu) !== 0;
    const label = (): string => labelOf(trace, index);
    if (type > NodeType.collective) throw wrong(label(), `type ${nodeTypeName(type)} is not known`);
    nodes.operator[node] = operatorOf(type, onCpu);
    nodes.slot[node] = slotOf(type, onCpu);
    nodes.partner[node] = -1;
    if (system.replayOnly) {
      nodes.role[node] = Role.timed;
      nodes.amount[node] = durationNs(trace, index);
      if (type === NodeType.compute) this.roofline.at(-1)?.addTimed(nodes.amount[node]);
      return;
    }
    if (onCpu && isCommunication(type) && type !== NodeType.receive)
      throw wrong(label(), 'is_cpu_op is true; expected communication on the device');
    switch (type) {
      case NodeType.compute:
        this.#addCompute(trace, index, node, onCpu);
        break;
      case NodeType.collective:
        this.#addCollective(trace, index, node);
        break;
      case NodeType.send:
      case NodeType.receive:
        this.#addTransfer(trace, index, node);
        break;
      case NodeType.memoryLoad:
      case NodeType.memoryStore:
        nodes.role[node] = Role.memory;
        nodes.amount[node] = demandAttribute(trace, index, 'tensor_size');
        if (this.#run.memory.kind === 'NO_MEMORY_EXPANSION') {
          const { file } = this.#run.memory;
          throw wrong(
            label(),
            `an access to remote memory, and ${file} says NO_MEMORY_EXPANSION`,
            'name a memory with --memory',
          );
        }
        break;
      default:
        nodes.role[node] = Role.instant;
    }
  }

  #addCompute(trace: RankTrace, index: number, node: number, onCpu: boolean): void {
    const { nodes } = this;
    const means = this.roofline.at(-1);
    nodes.role[node] = Role.timed;
    if (this.#limits === undefined || onCpu) {
      nodes.amount[node] = durationNs(trace, index);
      means?.addTimed(nodes.amount[node]);
      return;
    }
    const operations = demandAttribute(trace, index, 'num_ops');
    const bytes = demandAttribute(trace, index, 'tensor_size');
    if (bytes === 0) {
      nodes.role[node] = Role.instant;
      return;
    }
    nodes.amount[node] = rooflineDurationNs(operations, bytes, this.#limits);
    means?.add(operations, bytes, nodes.amount[node]);
  }

  #addCollective(trace: RankTrace, index: number, node: number): void {
    const { nodes } = this;
    const type = trace.commType[index];
    const label = labelOf(trace, index);
    if (type === COMM_TYPE_ABSENT || type < 0) throw wrong(label, 'no comm_type that is known');
    if (type === CollectiveType.broadcast) {
      nodes.role[node] = Role.timed;
      nodes.amount[node] = durationNs(trace, index);
      return;
    }
    const bytes = trace.commSize[index];
    if (Number.isNaN(bytes)) throw wrong(label, 'no comm_size; expected bytes');
    nodes.role[node] = Role.collective;
    const group = trace.group[index];
    const { kept, frameOffset, frameLength } = trace;
    const asked = {
      type,
      bytes,
      group: group < 0 ? '' : trace.groupNames[group],
      involved:
        frameOffset[index] < 0 ? undefined : kept?.flagList(frameOffset[index], frameLength[index], 'involved_dim'),
      id: (BigInt(trace.idHigh[index]) << 32n) | BigInt(trace.idLow[index]),
      label,
    };
    nodes.partner[node] = this.#plans.numberOf(asked, trace.rank);
    const { extensions, schedulingPolicy } = this.#run.system;
    if (extensions === undefined) return;
    // Collectives run at the same time then.
    nodes.slot[node] = Slot.none;
    if (schedulingPolicy !== 'EXPLICIT') return;
    const priority = attribute(trace, index, 'comm_priority') ?? 0;
    if (priority !== Math.trunc(priority) || Math.abs(priority) > MOST_PRIORITY) {
      throw wrong(label, `comm_priority ${priority}; expected -${MOST_PRIORITY} to ${MOST_PRIORITY}`);
    }
    nodes.tag[node] = priority;
  }

  #addTransfer(trace: RankTrace, index: number, node: number): void {
    const { nodes } = this;
    const isSend = trace.type[index] === NodeType.send;
    const bytes = trace.commSize[index];
    const tag = trace.commTag[index];
    const partner = trace.peer[index];
    const label = (): string => labelOf(trace, index);
    if (!(bytes > 0)) throw wrong(label(), `comm_size ${bytes}; expected 1 byte or more`);
    if (Number.isNaN(tag)) throw wrong(label(), 'no comm_tag');
    if (partner < 0 || partner >= this.#run.rankCount || partner === trace.rank) {
      const name = isSend ? 'comm_dst' : 'comm_src';
      throw wrong(
        label(),
        `${name} ${partner < 0 ? 'is missing' : partner}; expected another rank of the ${this.#run.rankCount}`,
      );
    }
    nodes.role[node] = isSend ? Role.send : Role.receive;
    nodes.amount[node] = bytes;
    nodes.partner[node] = partner;
    nodes.tag[node] = tag % TAGS;
  }
}

function operatorOf(type: number, onCpu: boolean): number {
  if (type === NodeType.metadata) return OperatorKind.none;
  if (type === NodeType.invalid) return OperatorKind.invalid;
  if (isCommunication(type)) return OperatorKind.communication;
  if (type !== NodeType.compute) return OperatorKind.memory;
  return onCpu ? OperatorKind.cpu : OperatorKind.gpu;
}

function slotOf(type: number, onCpu: boolean): number {
  if (onCpu) return Slot.cpu;
  if (type === NodeType.receive) return Slot.none;
  return type === NodeType.compute ? Slot.gpu : Slot.communication;
}

/** Its duration, or 1 ns where it has none. */
function durationNs({ durationMicros }: RankTrace, index: number): number {
  return durationMicros[index] === 0 ? 1 : durationMicros[index] * 1000;
}

/** @throws PrepError `SYSTEM_NODE` where a node has not the attribute */
function demandAttribute(trace: RankTrace, index: number, wanted: 'num_ops' | 'tensor_size'): number {
  const value = attribute(trace, index, wanted);
  if (value === undefined) throw wrong(labelOf(trace, index), `no ${wanted}; expected a whole number`);
  return value;
}

/** An integer attribute that has no column; of equal names the first counts. */
function attribute(trace: RankTrace, index: number, wanted: string): number | undefined {
  let value: number | undefined;
  if (trace.frameOffset[index] >= 0) {
    trace.kept?.forEachAttribute(trace.frameOffset[index], trace.frameLength[index], (name, _arm, integer) => {
      if (name === wanted && integer !== undefined && value === undefined) value = integer;
    });
  }
  return value;
}

function demandNoDangling(trace: RankTrace, deps: 'both' | 'data'): void {
  const lists: readonly (readonly [Uint32Array, Int32Array, string])[] = [
    [trace.dataStart, trace.dataTarget, 'data'],
    [trace.controlStart, trace.controlTarget, 'control'],
  ];
  for (const [start, target, list] of deps === 'data' ? lists.slice(0, 1) : lists) {
    const edge = target.findIndex((dependency) => dependency < 0);
    if (edge < 0) continue;
    let index = 0;
    while (start[index + 1] <= edge) index++;
    const missing = -1 - target[edge];
    const id = formatId(trace.danglingLow[missing], trace.danglingHigh[missing]);
    const all = target.filter((dependency) => dependency < 0).length;
    throw traceError(
      'SYSTEM_DANGLING',
      `${labelOf(trace, index)}: ${list} dependency on ${id}, which no node has (${counted(all, 'such dependency', 'such dependencies')} on this rank)`,
    );
  }
}

/** `rank 3 node 7 "all_reduce"` */
function labelOf(trace: RankTrace, index: number): string {
  const id = formatId(trace.idLow[index], trace.idHigh[index]);
  return `rank ${trace.rank} node ${nodeLabel(id, nodeName(trace, index))}`;
}

function wrong(label: string, what: string, advice?: string): ReturnType<typeof traceError> {
  return traceError('SYSTEM_NODE', `${label}: ${what}`, undefined, advice);
}
