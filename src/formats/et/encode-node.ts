import { madeNodeName } from '../../trace/node-label.js';
import { isCommunication, isTransfer, NodeType } from '../../trace/node-type.js';
import { WORLD } from '../../trace/process-group.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';
import { AttributeFields } from './attribute-fields.js';
import { Arm, ARM_READING, integerOf, Reading } from './attribute-arms.js';
import { putDelimitedHead, putNumberAttribute, putTemplate, Template, textAttribute } from './attribute-templates.js';
import { dependentsOf, type Dependents } from './dependents.js';
import { EtKeptNodes } from './kept-nodes.js';
import { armFor, armHolds, FREE_ARM, holdsNumber, Key, USUAL_ARM } from './known-attributes.js';
import { FieldWalk, Wire } from './wire.js';
import { lengthSize, putInteger, putLengthBefore, putVarint64, varint64Size, VARINT_BYTES } from './wire-write.js';

const FieldNumber = { id: 1, type: 3, control: 4, data: 5, duration: 7, attribute: 10 } as const;
const BEHIND_ALL_FIELDS = 1 << 30;

const LARGEST_PEER = 0x7fffffff;

/** In place of a position: the kept bytes are to be copied. */
const KEEP = -1;

const IDENTITY =
  (1 << Key.isCpuOp) |
  (1 << Key.groupName) |
  (1 << Key.commType) |
  (1 << Key.instance) |
  (1 << Key.collectiveSize) |
  (1 << Key.algorithm) |
  (1 << Key.addedSync);

/**
 * Operations and bytes of a made compute node that starts the rank: the roofline model aborts where the first node of a
 * run takes less than 1 ns, which so many bytes do at no rate below 65 TB/s. Elsewhere 1 is enough.
 */
const FIRST_WORK = 1 << 16;

/** Flags that the constant parts of a transfer depend on. */
const TEMPLATE_FLAGS = NodeFlag.addedSync | NodeFlag.cpu | NodeFlag.cpuGiven | NodeFlag.algorithmCarried;

/** Room for everything in a frame but texts, lists and kept bytes. */
const FIXED_ROOM = 1024;

/** The two constant parts of the transfers of one collective in one direction: before and behind the dependencies. */
interface TransferTemplate {
  readonly collective: number;
  readonly group: number;
  readonly commType: number;
  readonly flags: number;
  readonly head: Template;
  readonly attributes: Template;
}

/** Writes the nodes of one trace as frames. */
export class NodeEncoder {
  readonly #trace: RankTrace;
  readonly #dependents: Dependents | undefined;
  readonly #templates: (TransferTemplate | undefined)[] = new Array<undefined>(32).fill(undefined);
  readonly #groupAttributes: (Uint8Array | undefined)[] = [];
  readonly #textRoom: number;
  readonly #fields = new FieldWalk(new Uint8Array(0));
  readonly #attribute = new AttributeFields();
  #onlyMoved = false; // whether the attribute that was rewritten last stands in another arm and is the same otherwise
  #reserved = 2; // bytes kept free for the length of the next frame: what the last one took

  /** @param annotated whether partner and dependents are written on every node */
  constructor(trace: RankTrace, annotated: boolean) {
    this.#trace = trace;
    this.#dependents = annotated ? dependentsOf(trace) : undefined;
    let longest = 0;
    for (const name of trace.groupNames) longest = Math.max(longest, name.length);
    for (const { group, algorithm } of trace.collectives) {
      longest = Math.max(longest, group.length, algorithm?.length ?? 0);
    }
    this.#textRoom = FIXED_ROOM + 2 * 3 * longest;
  }

  /** Bytes that the frame of a node takes at most. */
  room(node: number): number {
    const { dataStart, controlStart, splits, receiveSplits, frameLength } = this.#trace;
    let numbers = dataStart[node + 1] - dataStart[node] + controlStart[node + 1] - controlStart[node];
    if (this.#dependents) numbers += this.#dependents.start[node + 1] - this.#dependents.start[node];
    if (splits.size > 0) numbers += splits.get(node)?.length ?? 0;
    if (receiveSplits.size > 0) numbers += receiveSplits.get(node)?.length ?? 0;
    return this.#textRoom + frameLength[node] + VARINT_BYTES * numbers;
  }

  /** Writes the frame of a node that has none; gives the position behind it. */
  encodeNew(bytes: Uint8Array, view: DataView, position: number, node: number): number {
    const trace = this.#trace;
    const start = position + this.#reserved;
    position = this.#putId(bytes, start, node);
    let seen = 0;
    if (trace.collective[node] >= 0) {
      const template = this.#transferTemplate(node);
      position = putTemplate(view, position, template.head);
      position = this.#putBetween(bytes, position, node);
      position = putTemplate(view, position, template.attributes);
      seen = IDENTITY;
    } else {
      position = putNameAndType(bytes, position, this.#nameOfNew(node), trace.type[node]);
      position = this.#putBetween(bytes, position, node);
    }
    return this.#finishFrame(bytes, start, this.#putMissing(bytes, view, position, node, seen));
  }

  /**
   * Writes the frame of a node from the one it was read from, at [from, to) of `kept`: every field in its order, the
   * columns in place of what they stand for, then what the columns have and the frame lacks.
   */
  encodeKept(
    bytes: Uint8Array,
    view: DataView,
    position: number,
    node: number,
    kept: Uint8Array,
    keptView: DataView,
    from: number,
    to: number,
  ): number {
    const start = position + this.#reserved;
    position = start;
    let written = 0; // the last of id, type, dependencies and duration that was written
    let seen = 0;
    let changed = 0; // of the seen, those with another value than in the kept bytes
    let run = from; // kept bytes [run, runEnd) are still to be copied: neighbouring fields go in one piece
    let runEnd = from;
    const fields = this.#fields.over(kept, from, to);
    while (fields.next()) {
      const { number } = fields;
      if (written < FieldNumber.duration) {
        position = copy(keptView, run, runEnd, view, position);
        run = runEnd;
        position = this.#putColumnsUpTo(number, bytes, position, node, written);
        written = Math.max(written, Math.min(number, FieldNumber.duration));
      }
      let keeps: boolean;
      if (number === FieldNumber.attribute && fields.wire === Wire.delimited) {
        const attribute = this.#attribute;
        attribute.read(kept, keptView, fields.start, fields.end);
        const bit = attribute.key === 0 ? 0 : 1 << attribute.key;
        if ((seen & bit) !== 0) {
          // A second attribute of a name would contradict the first where that has another value now.
          keeps = (changed & bit) === 0;
        } else {
          const place = position + runEnd - run;
          const end = attribute.key === 0 ? KEEP : this.#rewriteAttribute(bytes, view, place, node, kept, fields);
          keeps = end === KEEP;
          if (!keeps && !this.#onlyMoved) changed |= bit;
          if (end > place) {
            copy(keptView, run, runEnd, view, position);
            run = runEnd;
            position = end;
          }
        }
        seen |= bit;
      } else keeps = !this.#hasColumn(number, fields.wire, node);
      if (!keeps) continue;
      if (runEnd !== fields.fieldStart) {
        position = copy(keptView, run, runEnd, view, position);
        run = fields.fieldStart;
      }
      runEnd = fields.end;
    }
    position = copy(keptView, run, runEnd, view, position);
    position = this.#putColumnsUpTo(BEHIND_ALL_FIELDS, bytes, position, node, written);
    return this.#finishFrame(bytes, start, this.#putMissing(bytes, view, position, node, seen));
  }

  /** The message of a node as it is written from the one it was read from, without its length. */
  message(node: number, kept: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.room(node));
    const keptView = new DataView(kept.buffer, kept.byteOffset, kept.byteLength);
    const end = this.encodeKept(bytes, new DataView(bytes.buffer), 0, node, kept, keptView, 0, kept.length);
    let start = 0;
    while (bytes[start++] >= 128);
    return bytes.subarray(start, end);
  }

  #finishFrame(bytes: Uint8Array, start: number, end: number): number {
    const reserved = this.#reserved;
    this.#reserved = lengthSize(end - start);
    return putLengthBefore(bytes, start, reserved, end);
  }

  // ── fields ──

  #hasColumn(number: number, wire: number, node: number): boolean {
    switch (number) {
      case FieldNumber.id:
      case FieldNumber.duration:
        return wire === Wire.varint;
      case FieldNumber.type:
        return wire === Wire.varint && this.#trace.type[node] < 255;
      case FieldNumber.control:
      case FieldNumber.data:
        return wire === Wire.varint || wire === Wire.delimited;
      default:
        return false;
    }
  }

  /** Writes the columns of the fields above `written` and up to `number`, in the order of their numbers. */
  #putColumnsUpTo(number: number, bytes: Uint8Array, position: number, node: number, written: number): number {
    if (written < FieldNumber.id && number >= FieldNumber.id) position = this.#putId(bytes, position, node);
    if (written < FieldNumber.type && number >= FieldNumber.type) {
      const type = this.#trace.type[node];
      if (type > 0 && type < 255) {
        bytes[position] = FieldNumber.type << 3;
        position = putInteger(bytes, position + 1, type);
      }
    }
    if (written < FieldNumber.control && number >= FieldNumber.control) {
      position = this.#putControl(bytes, position, node);
    }
    if (written < FieldNumber.data && number >= FieldNumber.data) position = this.#putData(bytes, position, node);
    if (written < FieldNumber.duration && number >= FieldNumber.duration) {
      position = this.#putDuration(bytes, position, node);
    }
    return position;
  }

  #putId(bytes: Uint8Array, position: number, node: number): number {
    const low = this.#trace.idLow[node];
    const high = this.#trace.idHigh[node];
    if (low === 0 && high === 0) return position;
    bytes[position] = FieldNumber.id << 3;
    return putVarint64(bytes, position + 1, low, high);
  }

  #putBetween(bytes: Uint8Array, position: number, node: number): number {
    position = this.#putControl(bytes, position, node);
    position = this.#putData(bytes, position, node);
    return this.#putDuration(bytes, position, node);
  }

  #putControl(bytes: Uint8Array, position: number, node: number): number {
    const { controlStart, controlTarget } = this.#trace;
    const from = controlStart[node];
    const to = controlStart[node + 1];
    return from === to ? position : this.#putIds(bytes, position, FieldNumber.control, controlTarget, from, to);
  }

  #putData(bytes: Uint8Array, position: number, node: number): number {
    const { dataStart, dataTarget } = this.#trace;
    const from = dataStart[node];
    const to = dataStart[node + 1];
    return from === to ? position : this.#putIds(bytes, position, FieldNumber.data, dataTarget, from, to);
  }

  /** A packed list of the ids of nodes; dangling ones by the ids they were read with. */
  #putIds(bytes: Uint8Array, position: number, field: number, target: Int32Array, from: number, to: number): number {
    const { idLow, idHigh, danglingLow, danglingHigh } = this.#trace;
    bytes[position] = (field << 3) | Wire.delimited;
    const start = position + 2;
    position = start;
    for (let edge = from; edge < to; edge++) {
      const node = target[edge];
      if (node >= 0) position = putVarint64(bytes, position, idLow[node], idHigh[node]);
      else position = putVarint64(bytes, position, danglingLow[-1 - node], danglingHigh[-1 - node]);
    }
    return putLengthBefore(bytes, start, 1, position);
  }

  #putDuration(bytes: Uint8Array, position: number, node: number): number {
    const duration = this.#trace.durationMicros[node];
    if (duration === 0) return position;
    bytes[position] = FieldNumber.duration << 3;
    return putInteger(bytes, position + 1, duration);
  }

  // ── attributes ──

  /**
   * Writes the known attribute of the current field from its column; gives the position behind it, or KEEP where the
   * kept bytes are right as they are. `position` itself means that the attribute is left out.
   */
  #rewriteAttribute(
    bytes: Uint8Array,
    view: DataView,
    position: number,
    node: number,
    kept: Uint8Array,
    fields: FieldWalk,
  ): number {
    const attribute = this.#attribute;
    const { key, arm } = attribute;
    this.#onlyMoved = false;
    if (this.#dependents !== undefined && (key === Key.partner || key === Key.dependents)) return position;
    const value = holdsNumber(key, arm) ? integerOf(ARM_READING[arm], attribute.low, attribute.high) : NaN;
    // The column may come from the same thing under its older name.
    if (HAS_OLDER_NAME.includes(key) && !isReadable(key, arm)) return KEEP;
    let wanted = this.#columnValue(key, node);
    if (Number.isNaN(wanted)) {
      const end = this.#putTextOrList(bytes, position, key, node);
      if (end !== position) {
        if (equal(kept, fields.fieldStart, fields.end, bytes, position, end)) return KEEP;
        // Else it is a group's number.
        this.#onlyMoved = key === Key.groupName && arm !== USUAL_ARM[key];
        return this.#carryOthers(kept, fields, bytes, position, end);
      }
      if (wasRemoved(key, arm, value, attribute.valueEnd - attribute.valueStart)) return position;
      // Without a column, or not to be read as a number: only the arm can be put right.
      wanted = ARM_ONLY.includes(key) ? value : NaN;
    }
    if (!armHolds(key, wanted) || (wanted === value && (arm === armFor(key, value) || FREE_ARM[key] !== 0)))
      return KEEP;
    this.#onlyMoved = wanted === value;
    const end = putNumberAttribute(bytes, view, position, key, wanted);
    return this.#carryOthers(kept, fields, bytes, position, end);
  }

  /** Adds what the kept attribute has beside name and value to the one written at [position, end). */
  #carryOthers(kept: Uint8Array, fields: FieldWalk, bytes: Uint8Array, position: number, end: number): number {
    if (this.#attribute.plain) return end;
    let start = position + 1;
    while (bytes[start++] >= 128);
    end = this.#attribute.copyOthers(kept, fields.start, fields.end, bytes, end);
    return putLengthBefore(bytes, start, start - position - 1, end);
  }

  /** Number that the columns have for an attribute, NaN where they have none. */
  #columnValue(key: number, node: number): number {
    const trace = this.#trace;
    switch (key) {
      case Key.isCpuOp: {
        const flags = trace.flags[node];
        if ((flags & NodeFlag.cpuGiven) === 0) return NaN;
        return (flags & NodeFlag.cpu) !== 0 ? 1 : 0;
      }
      case Key.commType: {
        if (trace.commType[node] >= 0) return trace.commType[node];
        const collective = trace.collective[node];
        return collective >= 0 && trace.collectives[collective].type >= 0 ? trace.collectives[collective].type : NaN;
      }
      case Key.commSize:
        return trace.commSize[node];
      case Key.commTag:
        return trace.commTag[node];
      case Key.commDestination:
        return trace.type[node] === NodeType.send ? peerOf(trace, node) : NaN;
      case Key.commSource:
        return trace.type[node] === NodeType.receive ? peerOf(trace, node) : NaN;
      case Key.root:
        return trace.root.get(node) ?? NaN;
      case Key.issueOrder:
        return trace.issueOrder.get(node) ?? NaN;
      case Key.instance:
        return trace.collective[node] >= 0 ? trace.collectives[trace.collective[node]].instance : NaN;
      case Key.collectiveSize:
        return trace.collective[node] >= 0 ? trace.collectives[trace.collective[node]].size : NaN;
      case Key.step:
        return trace.step[node] >= 0 ? trace.step[node] : NaN;
      case Key.addedSync:
        return (trace.flags[node] & NodeFlag.addedSync) !== 0 ? 1 : NaN;
      default:
        return NaN;
    }
  }

  /** Writes an attribute that is no number from its column; gives `position` back where the column is empty. */
  #putTextOrList(bytes: Uint8Array, position: number, key: number, node: number): number {
    const trace = this.#trace;
    if (key === Key.groupName) return this.#putGroupName(bytes, position, node);
    if (key === Key.algorithm && this.#carriesAlgorithm(node)) {
      const { algorithm } = trace.collectives[trace.collective[node]];
      if (algorithm !== undefined) return put(textAttribute(key, algorithm), bytes, position);
    }
    if (key === Key.splits || key === Key.receiveSplits) {
      const splits = (key === Key.splits ? trace.splits : trace.receiveSplits).get(node);
      if (splits !== undefined) return putSplits(bytes, position, key, splits);
    }
    return position;
  }

  /** Whether the algorithm is written on a node of a collective: on its exit, or on the transfer that stands in for it. */
  #carriesAlgorithm(node: number): boolean {
    const { collective, type, flags } = this.#trace;
    if (collective[node] < 0) return false;
    return type[node] === NodeType.metadata || (flags[node] & NodeFlag.algorithmCarried) !== 0;
  }

  #putGroupName(bytes: Uint8Array, position: number, node: number): number {
    const trace = this.#trace;
    const group = trace.group[node];
    if (group >= 0) {
      const whole = (this.#groupAttributes[group] ??= textAttribute(Key.groupName, trace.groupNames[group]));
      return put(whole, bytes, position);
    }
    const collective = trace.collective[node];
    if (collective < 0 || trace.collectives[collective].group === WORLD) return position;
    return put(textAttribute(Key.groupName, trace.collectives[collective].group), bytes, position);
  }

  /** Writes the attributes that the columns have and `seen` lacks. */
  #putMissing(bytes: Uint8Array, view: DataView, position: number, node: number, seen: number): number {
    const trace = this.#trace;
    if ((seen & IDENTITY) !== IDENTITY) position = this.#putIdentity(bytes, view, position, node, seen);
    if ((trace.flags[node] & NodeFlag.workMade) !== 0) position = this.#putWork(bytes, view, position, node, seen);
    const size = trace.commSize[node];
    if (!Number.isNaN(size) && (seen & (1 << Key.commSize)) === 0) {
      position = putNumberAttribute(bytes, view, position, Key.commSize, size);
    }
    const type = trace.type[node];
    const peer = isTransfer(type) ? trace.peer[node] : -1;
    if (peer >= 0) {
      const key = type === NodeType.send ? Key.commDestination : Key.commSource;
      if ((seen & (1 << key)) === 0) position = putNumberAttribute(bytes, view, position, key, peer);
    }
    const tag = trace.commTag[node];
    if (!Number.isNaN(tag) && (seen & (1 << Key.commTag)) === 0) {
      position = putNumberAttribute(bytes, view, position, Key.commTag, tag);
    }
    const step = trace.step[node];
    if (step >= 0 && (seen & (1 << Key.step)) === 0) {
      position = putNumberAttribute(bytes, view, position, Key.step, step);
    }
    // What stands under an older name is not said twice.
    if (trace.root.size > 0 && (seen & (1 << Key.rootRank)) === 0) {
      position = this.#putRare(bytes, view, position, node, seen, Key.root);
    }
    if (trace.issueOrder.size > 0) position = this.#putRare(bytes, view, position, node, seen, Key.issueOrder);
    if (trace.splits.size > 0 && (seen & (1 << Key.splits)) === 0) {
      position = this.#putTextOrList(bytes, position, Key.splits, node);
    }
    if (trace.receiveSplits.size > 0 && (seen & (1 << Key.receiveSplits)) === 0) {
      position = this.#putTextOrList(bytes, position, Key.receiveSplits, node);
    }
    if (this.#dependents !== undefined) {
      if (peer >= 0) position = putNumberAttribute(bytes, view, position, Key.partner, peer);
      position = this.#putDependents(bytes, position, this.#dependents, node);
    }
    return position;
  }

  #putWork(bytes: Uint8Array, view: DataView, position: number, node: number, seen: number): number {
    const { dataStart, controlStart } = this.#trace;
    const isFirst = dataStart[node] === dataStart[node + 1] && controlStart[node] === controlStart[node + 1];
    for (const key of [Key.operations, Key.tensorSize]) {
      if ((seen & (1 << key)) !== 0) continue;
      position = putNumberAttribute(bytes, view, position, key, isFirst ? FIRST_WORK : 1);
    }
    return position;
  }

  #putRare(bytes: Uint8Array, view: DataView, position: number, node: number, seen: number, key: number): number {
    const value = (seen & (1 << key)) === 0 ? this.#columnValue(key, node) : NaN;
    return Number.isNaN(value) ? position : putNumberAttribute(bytes, view, position, key, value);
  }

  /** The attributes that are equal on all transfers of a collective in one direction. */
  #putIdentity(bytes: Uint8Array, view: DataView, position: number, node: number, seen: number): number {
    const trace = this.#trace;
    if ((seen & (1 << Key.isCpuOp)) === 0) {
      // Official readers want it on every communication node; absent means device.
      if ((trace.flags[node] & NodeFlag.cpuGiven) !== 0 || isCommunication(trace.type[node])) {
        const cpu = (trace.flags[node] & NodeFlag.cpu) !== 0 ? 1 : 0;
        position = putNumberAttribute(bytes, view, position, Key.isCpuOp, cpu);
      }
    }
    const named = trace.collective[node] >= 0 || (trace.flags[node] & NodeFlag.groupNamed) !== 0;
    const grouped = named ? 1 << Key.groupName : (1 << Key.groupName) | (1 << Key.commGroup);
    if ((seen & grouped) === 0) position = this.#putGroupName(bytes, position, node);
    position = this.#putRare(bytes, view, position, node, seen, Key.commType);
    if (trace.collective[node] >= 0) {
      position = this.#putRare(bytes, view, position, node, seen, Key.instance);
      position = this.#putRare(bytes, view, position, node, seen, Key.collectiveSize);
      if ((seen & (1 << Key.algorithm)) === 0) position = this.#putTextOrList(bytes, position, Key.algorithm, node);
    }
    return this.#putRare(bytes, view, position, node, seen, Key.addedSync);
  }

  #putDependents(bytes: Uint8Array, position: number, dependents: Dependents, node: number): number {
    const { idLow, idHigh } = this.#trace;
    const { start, nodes } = dependents;
    const from = start[node];
    const to = start[node + 1];
    if (from === to) return position;
    let size = 0;
    for (let at = from; at < to; at++) size += varint64Size(idLow[nodes[at]], idHigh[nodes[at]]);
    position = putListHead(bytes, position, Key.dependents, size);
    for (let at = from; at < to; at++) position = putVarint64(bytes, position, idLow[nodes[at]], idHigh[nodes[at]]);
    return position;
  }

  // ── new nodes ──

  #transferTemplate(node: number): TransferTemplate {
    const trace = this.#trace;
    const collective = trace.collective[node];
    const group = trace.group[node];
    const commType = trace.commType[node];
    const flags = trace.flags[node] & TEMPLATE_FLAGS;
    // One place a direction and kind, because sends and receives of a collective alternate.
    const place = (trace.type[node] & 15) | ((flags & NodeFlag.addedSync) !== 0 ? 16 : 0);
    const known = this.#templates[place];
    if (
      known !== undefined &&
      known.collective === collective &&
      known.group === group &&
      known.commType === commType &&
      known.flags === flags
    ) {
      return known;
    }
    const bytes = new Uint8Array(this.#textRoom);
    const view = new DataView(bytes.buffer);
    const headEnd = putNameAndType(bytes, 0, this.#nameOfNew(node), trace.type[node]);
    const end = this.#putIdentity(bytes, view, headEnd, node, 0);
    const made = {
      collective,
      group,
      commType,
      flags,
      head: new Template(bytes.subarray(0, headEnd)),
      attributes: new Template(bytes.subarray(headEnd, end)),
    };
    this.#templates[place] = made;
    return made;
  }

  /** The name it was read with in another format, or the one of a node that a pass made. */
  #nameOfNew(node: number): string {
    const { kept, frameOffset, frameLength } = this.#trace;
    if (kept !== undefined && !(kept instanceof EtKeptNodes) && frameOffset[node] >= 0) {
      const name = kept.name(frameOffset[node], frameLength[node]);
      if (name !== '') return name;
    }
    return madeNodeName(this.#trace, node);
  }
}

const encoder = new TextEncoder();

/** Keys without a column of their own whose value can still be moved to the usual arm. */
const ARM_ONLY: readonly number[] = [
  ...[Key.operations, Key.tensorSize, Key.commSource, Key.commDestination],
  Key.commType, // one that is none of 0 … 9
];

const HAS_OLDER_NAME: readonly number[] = [Key.root, Key.groupName];

/** Whether a group's name or a root can be read from this arm. */
function isReadable(key: number, arm: number): boolean {
  if (arm === USUAL_ARM[key]) return true;
  return key === Key.groupName ? ARM_READING[arm] !== Reading.none && arm !== Arm.bool : holdsNumber(key, arm);
}

/** The largest rank of the column stands for all larger numbers too. */
function peerOf({ peer }: RankTrace, node: number): number {
  return peer[node] >= 0 && peer[node] < LARGEST_PEER ? peer[node] : NaN;
}

/** Whether a pass took an attribute away: it could be read, and now its column is empty. */
function wasRemoved(key: number, arm: number, value: number, textLength: number): boolean {
  switch (key) {
    case Key.groupName:
      return arm === USUAL_ARM[key] && textLength > 0;
    case Key.isCpuOp:
    case Key.commTag:
      return !Number.isNaN(value);
    case Key.commType:
      return value >= 0 && value <= 9;
    case Key.addedSync:
      return value > 0;
    case Key.commSize:
    case Key.root:
    case Key.issueOrder:
    case Key.instance:
    case Key.step:
      return value >= 0;
    default:
      return false;
  }
}

function putNameAndType(bytes: Uint8Array, position: number, name: string, type: number): number {
  const text = encoder.encode(name);
  bytes[position] = 0x12;
  position = putInteger(bytes, position + 1, text.length);
  bytes.set(text, position);
  position += text.length;
  if (type === 0) return position;
  bytes[position] = FieldNumber.type << 3;
  return putInteger(bytes, position + 1, type);
}

function putSplits(bytes: Uint8Array, position: number, key: number, splits: readonly number[]): number {
  let size = 0;
  const scratch = new Uint8Array(VARINT_BYTES);
  for (const split of splits) size += putInteger(scratch, 0, split);
  position = putListHead(bytes, position, key, size);
  for (const split of splits) position = putInteger(bytes, position, split);
  return position;
}

/** Writes an attribute with a packed list up to its values, which take `size` bytes. */
function putListHead(bytes: Uint8Array, position: number, key: number, size: number): number {
  position = putDelimitedHead(bytes, position, key, 1 + lengthSize(size) + size);
  bytes[position] = 0x0a;
  return putInteger(bytes, position + 1, size);
}

/** Copies bytes by words; gives the position behind them. */
function copy(from: DataView, start: number, end: number, to: DataView, position: number): number {
  let at = start;
  for (; at <= end - 4; at += 4, position += 4) to.setInt32(position, from.getInt32(at));
  for (; at < end; at++, position++) to.setUint8(position, from.getUint8(at));
  return position;
}

function equal(one: Uint8Array, start: number, end: number, other: Uint8Array, from: number, to: number): boolean {
  if (end - start !== to - from) return false;
  for (let at = start; at < end; at++, from++) if (one[at] !== other[from]) return false;
  return true;
}

function put(whole: Uint8Array, bytes: Uint8Array, position: number): number {
  bytes.set(whole, position);
  return position + whole.length;
}
