import { CATALOGUE, type FindingCode } from '../base/catalogue.js';
import { requestError, traceError, type PrepError } from '../base/errors.js';
import { CollectiveType, COMM_TYPE_ABSENT } from '../trace/collective-type.js';
import { indicesById } from '../trace/id-order.js';
import { isCommunication, isMemory, isTransfer, NodeType, nodeTypeName } from '../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';
import { demandSoundTrace } from './demand-sound-trace.js';
import { linkDependents } from './link-dependents.js';
import { hasAttribute, wholeNumber } from './node-attribute.js';
import { NodeNotes } from './node-notes.js';
import { placeOf } from './node-place.js';
import type { PlanCatalogue } from './plan-catalogue.js';
import { rooflineDurationNs, rooflineLimits, RooflineMeans, type RooflineLimits } from './roofline.js';
import type { SystemConfiguration } from './system-configuration.js';
import type { SystemRun } from './system-run.js';
import { OperatorKind, Role, Slot, SystemNodes } from './system-nodes.js';
import { TAG_LIMIT } from './trace-tags.js';

/** Nodes of a rank whose rare attributes are looked at: producers write them right on all, or on none. */
const LOOKED_AT = 256;
/** Priorities are kept in 32 bits. */
const MOST_PRIORITY = 2 ** 31 - 1;

/**
 * Reads the nodes of all ranks as the workload layer takes them (astra-sim-semantics section 3).
 * @throws PrepError what {@link demandSoundTrace} and {@link PlanCatalogue.numberOf} throw, and the code of what is wrong with a
 *   node, such as `ASTRA_ATTRIBUTE_MISSING`: where the program would abort or throw
 */
export class SystemGathering {
  readonly nodes = new SystemNodes();
  /** [ranks] of their compute nodes; empty without roofline. */
  readonly roofline: RooflineMeans[] = [];
  readonly notes = new NodeNotes();
  readonly #run: SystemRun;
  readonly #plans: PlanCatalogue;
  readonly #limits: RooflineLimits | undefined;
  // Of the rank at hand.
  #endsLookedAt = 0;
  #dimensionsLookedAt = 0;
  /** By group: collectives so far. */
  readonly #ordinals = new Map<number, number>();

  constructor(run: SystemRun, plans: PlanCatalogue) {
    this.#run = run;
    this.#plans = plans;
    this.#limits = run.system.roofline ? rooflineLimits(run.system) : undefined;
    for (let rank = 0; rank < run.rankCount; rank++) run.withTrace(rank, (trace) => this.#add(trace));
  }

  #add(trace: RankTrace): void {
    const { nodes } = this;
    const { length } = trace;
    demandSoundTrace(trace, this.#run.options.deps);
    this.#endsLookedAt = 0;
    this.#dimensionsLookedAt = 0;
    this.#ordinals.clear();
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
    const { nodes, notes } = this;
    const type = trace.type[index];
    const onCpu = (trace.flags[index] & NodeFlag.cpu) !== 0;
    if (type > NodeType.collective) {
      throw wrong('NODE_TYPE_UNKNOWN', trace, index, `type ${nodeTypeName(type)}; expected one of the schema`);
    }
    const operator = operatorOf(type, onCpu);
    nodes.operator[node] = operator;
    nodes.slot[node] = slotOf(type, onCpu);
    nodes.partner[node] = -1;
    if (type === NodeType.metadata) notes.add('metadata', trace, index);
    else if (operator !== OperatorKind.gpu && operator !== OperatorKind.communication) {
      notes.add('statistics', trace, index);
    }
    if (this.#run.system.replayOnly) {
      this.#addTimed(trace, index, node);
      if (type === NodeType.compute) this.roofline.at(-1)?.addTimed(nodes.amount[node]);
      return;
    }
    if (onCpu && isCommunication(type) && type !== NodeType.receive) {
      throw wrong('ASTRA_COMM_ON_CPU', trace, index, 'is_cpu_op is true; expected communication on the device');
    }
    if (type === NodeType.compute) this.#addCompute(trace, index, node, onCpu);
    else if (type === NodeType.collective) this.#addCollective(trace, index, node);
    else if (isTransfer(type)) this.#addTransfer(trace, index, node);
    else if (isMemory(type)) this.#addMemory(trace, index, node);
    else nodes.role[node] = Role.instant;
  }

  /** A node that takes its duration, or 1 ns where it has none. */
  #addTimed(trace: RankTrace, index: number, node: number): void {
    const micros = trace.durationMicros[index];
    this.nodes.role[node] = Role.timed;
    this.nodes.amount[node] = micros === 0 ? 1 : micros * 1000;
    if (micros === 0) this.notes.add('untimed', trace, index);
  }

  #addCompute(trace: RankTrace, index: number, node: number, onCpu: boolean): void {
    const { nodes, notes } = this;
    const means = this.roofline.at(-1);
    if (this.#limits === undefined || onCpu) {
      this.#addTimed(trace, index, node);
      means?.addTimed(nodes.amount[node]);
      return;
    }
    demandLimits(this.#run.system);
    const operations = demandAttribute(trace, index, 'num_ops');
    const bytes = demandAttribute(trace, index, 'tensor_size');
    nodes.role[node] = bytes === 0 ? Role.instant : Role.timed;
    if (bytes === 0) {
      notes.add('emptyTensor', trace, index);
      return;
    }
    if (operations === 0) notes.add('noOperations', trace, index);
    nodes.amount[node] = rooflineDurationNs(operations, bytes, this.#limits);
    means?.add(operations, bytes, nodes.amount[node]);
  }

  #addMemory(trace: RankTrace, index: number, node: number): void {
    const { kind, file } = this.#run.memory;
    if (kind === 'NO_MEMORY_EXPANSION') {
      const what = `an access to remote memory; expected none, ${file} says NO_MEMORY_EXPANSION`;
      throw wrong('ASTRA_REMOTE_MEMORY', trace, index, what, 'name a memory with --memory');
    }
    this.nodes.role[node] = Role.memory;
    this.nodes.amount[node] = demandAttribute(trace, index, 'tensor_size');
  }

  #addCollective(trace: RankTrace, index: number, node: number): void {
    const { nodes } = this;
    const type = trace.commType[index];
    if (type === COMM_TYPE_ABSENT) throw missing('comm_type', trace, index);
    if (type < 0) throw wrong('ASTRA_COLLECTIVE_TYPE', trace, index, 'comm_type is none of 0 to 9');
    if (type === CollectiveType.broadcast) {
      this.notes.add('broadcast', trace, index);
      this.#addTimed(trace, index, node);
      return;
    }
    const bytes = trace.commSize[index];
    if (Number.isNaN(bytes)) throw missing('comm_size', trace, index);
    const group = trace.group[index];
    const asked = {
      type,
      bytes,
      group: group < 0 ? '' : trace.groupNames[group],
      involved: this.#involved(trace, index),
      id: (BigInt(trace.idHigh[index]) << 32n) | BigInt(trace.idLow[index]),
      place: () => placeOf(trace, index),
    };
    nodes.role[node] = Role.collective;
    const number = this.#plans.numberOf(asked, trace.rank);
    const { group: planGroup } = this.#plans.plans[number];
    const ordinal = this.#ordinals.get(planGroup) ?? 0;
    this.#ordinals.set(planGroup, ordinal + 1);
    nodes.partner[node] = number;
    nodes.amount[node] = ordinal;
    const { extensions, schedulingPolicy } = this.#run.system;
    if (extensions === undefined) return;
    // Collectives run at the same time then.
    nodes.slot[node] = Slot.none;
    if (schedulingPolicy === 'EXPLICIT') nodes.tag[node] = priorityOf(trace, index);
  }

  /** `involved_dim`, `undefined` where the node has none. */
  #involved(trace: RankTrace, index: number): readonly boolean[] | undefined {
    const { kept, frameOffset, frameLength } = trace;
    if (kept === undefined || frameOffset[index] < 0) return undefined;
    const list = kept.flagList(frameOffset[index], frameLength[index], 'involved_dim');
    if (list === undefined && this.#dimensionsLookedAt++ < LOOKED_AT && hasAttribute(trace, index, 'involved_dim')) {
      this.notes.add('dimensions', trace, index);
    }
    return list;
  }

  #addTransfer(trace: RankTrace, index: number, node: number): void {
    const { nodes } = this;
    const isSend = trace.type[index] === NodeType.send;
    const bytes = trace.commSize[index];
    const tag = trace.commTag[index];
    const partner = trace.peer[index];
    const end = isSend ? 'comm_dst' : 'comm_src';
    if (Number.isNaN(bytes)) throw missing('comm_size', trace, index);
    if (bytes === 0) throw wrong('ASTRA_SIZE_ZERO', trace, index, 'comm_size 0; expected 1 byte or more');
    if (Number.isNaN(tag)) throw missing('comm_tag', trace, index);
    if (partner < 0) throw wrong('PEER_MISSING', trace, index, `no ${end}; expected a rank`);
    if (partner === trace.rank) {
      throw wrong('ASTRA_PEER_SELF', trace, index, `${end} is the rank itself; expected another one`);
    }
    if (partner >= this.#run.rankCount) {
      const what = `${end} ${partner}; expected a rank below ${this.#run.rankCount}`;
      throw wrong('PEER_OUT_OF_RANGE', trace, index, what);
    }
    if (tag < 0 || tag >= TAG_LIMIT) this.notes.add('tag', trace, index);
    if (this.#endsLookedAt < LOOKED_AT) this.#lookAtEnd(trace, index, isSend ? 'comm_src' : 'comm_dst');
    nodes.role[node] = isSend ? Role.send : Role.receive;
    nodes.amount[node] = bytes;
    nodes.partner[node] = partner;
    nodes.tag[node] = (tag >>> 0) % TAG_LIMIT;
  }

  #lookAtEnd(trace: RankTrace, index: number, own: 'comm_src' | 'comm_dst'): void {
    this.#endsLookedAt++;
    const end = wholeNumber(trace, index, own);
    if (end !== undefined && end !== trace.rank) this.notes.add('foreignEnd', trace, index);
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

/** @throws PrepError `SYSTEM_MALFORMED` for a roofline without a limit, with which the program divides by 0 */
function demandLimits({ file, peakTflops, localMemoryGBps }: SystemConfiguration): void {
  if (peakTflops > 0 && localMemoryGBps > 0) return;
  const key = peakTflops > 0 ? 'local-mem-bw' : 'peak-perf';
  const message = `${file}: ${key} is 0 and roofline-enabled is on; expected a number above 0`;
  throw requestError('SYSTEM_MALFORMED', message, `set ${key}, or leave roofline-enabled out`);
}

/** `comm_priority`, 0 where the node has none. @throws PrepError `NUMBER_TOO_LARGE` */
function priorityOf(trace: RankTrace, index: number): number {
  const priority = wholeNumber(trace, index, 'comm_priority') ?? 0;
  if (Math.abs(priority) <= MOST_PRIORITY) return priority;
  const what = `comm_priority ${priority}; expected -${MOST_PRIORITY} to ${MOST_PRIORITY}`;
  throw wrong('NUMBER_TOO_LARGE', trace, index, what, 'take smaller ones');
}

/** @throws PrepError `ASTRA_ATTRIBUTE_MISSING` */
function demandAttribute(trace: RankTrace, index: number, name: 'num_ops' | 'tensor_size'): number {
  const value = wholeNumber(trace, index, name);
  if (value === undefined) throw missing(name, trace, index);
  return value;
}

function missing(attribute: string, trace: RankTrace, index: number): PrepError {
  return wrong('ASTRA_ATTRIBUTE_MISSING', trace, index, `no ${attribute}; expected a whole number`);
}

function wrong(code: FindingCode, trace: RankTrace, index: number, what: string, advice?: string): PrepError {
  return traceError(code, `${placeOf(trace, index).label}: ${what}`, [], advice ?? CATALOGUE[code].advice);
}
