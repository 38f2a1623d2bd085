import { COMM_TYPE_ABSENT, COMM_TYPE_UNKNOWN } from '../../trace/collective-type.js';
import { NodeType } from '../../trace/node-type.js';
import { WORLD } from '../../trace/process-group.js';
import type { RankTraceBuilder } from '../../trace/rank-trace-builder.js';
import { NodeFlag } from '../../trace/rank-trace.js';
import { Arm, ARM_READING, ARM_WIRE, integerOf, integerText, listElement, Reading } from './attribute-arms.js';
import { AttributeFields } from './attribute-fields.js';
import { Oddity, type AttributeTally } from './attribute-tally.js';
import { GroupNameCache } from './group-name-cache.js';
import {
  ATTRIBUTE_NAME,
  armFor,
  attributeKey,
  EXACT,
  FREE_ARM,
  holdsNumber,
  Key,
  NOT_NEGATIVE,
  USUAL_ARM,
} from './known-attributes.js';
import { readIntegers } from './integer-list.js';
import { LastAttributes } from './last-attributes.js';
import { halves, MalformedWire, readLength, readNumber, readText, readVarint, skipField, Wire } from './wire.js';

/** A number that no column can hold; the reader of the file adds rank and node. */
export class NumberRefused extends Error {
  constructor(
    readonly code: 'NUMBER_TOO_LARGE' | 'NUMBER_INVALID',
    message: string,
  ) {
    super(message);
  }
}

function tooLarge(field: string, value: string, largest = '2^53 − 1'): NumberRefused {
  return new NumberRefused(
    'NUMBER_TOO_LARGE',
    `${field} ${value} is too large: at most ${largest} can be read exactly`,
  );
}

/** Tags of the fields of a node, (number << 3) | wire type. */
const Tag = {
  id: 0x08,
  name: 0x12,
  type: 0x18,
  control: 0x20,
  controlPacked: 0x22,
  data: 0x28,
  dataPacked: 0x2a,
  startTime: 0x30,
  duration: 0x38,
  inputs: 0x42,
  outputs: 0x4a,
  attribute: 0x52,
} as const;

const MAX_INT32 = 0x7fffffff;
const EXACT_HIGH = 0x200000; // 2^53 = 2^21 · 2^32

/**
 * Decodes one node message after another into the columns of a builder: the hot loop of reading. An attribute is told
 * by its bytes and its number kept by key until the message ends; then the columns are filled. Attributes with which the
 * last transfer began too are not read again.
 */
export class NodeDecoder {
  readonly #builder: RankTraceBuilder;
  readonly #tally: AttributeTally;
  readonly #anyOrder = new AttributeFields();
  // Made when they are needed first: most files of a traceset can be tiny.
  #groups: GroupNameCache | undefined;
  #lastSend: LastAttributes | undefined;
  #lastReceive: LastAttributes | undefined;
  readonly #ownValues = new Float64Array(32);
  #values = this.#ownValues; // [key] number of the attribute
  #node = 0;
  #flags = 0;
  #begun = false; // whether an attribute occurred
  #effect = false; // whether an attribute did more than give its number
  #seen = 0; // bit of each key that occurred: the first of equal names counts
  #have = 0; // bit of each key with a number in #values
  #splits: readonly number[] | undefined;
  #receiveSplits: readonly number[] | undefined;
  #algorithm: string | undefined;

  // The identity found last: neighbouring transfers are of one collective.
  #collective = -1;
  #group = -1;
  #type = -1;
  #instance = -1;
  #size = -1;

  constructor(builder: RankTraceBuilder, tally: AttributeTally) {
    this.#builder = builder;
    this.#tally = tally;
  }

  /** Forgets what it remembers of the builder's nodes, which begins again. */
  beginAgain(): void {
    this.#collective = -1;
  }

  /**
   * Adds the node whose message is [start, end) of `bytes`; `view` is over the same bytes. What an array holds must not
   * change between calls: the next transfer is compared with the last one in it.
   * @throws MalformedWire, NumberRefused
   */
  decode(bytes: Uint8Array, view: DataView, start: number, end: number, frameOffset: number): void {
    const builder = this.#builder;
    const node = builder.length;
    if (node >= builder.capacity) builder.reserve(node + (node >> 1) + 16);
    const dataStart = builder.data.length;
    const controlStart = builder.control.length;
    this.#node = node;
    this.#begun = false;
    this.#flags = 0;
    this.#seen = 0;
    this.#have = 0;
    let position = start;
    let idLow = 0;
    let idHigh = 0;
    let type = 0;
    let duration = 0;
    while (position < end) {
      const tag = bytes[position++];
      switch (tag) {
        case Tag.attribute:
          position = this.#attributes(bytes, view, position - 1, end, type);
          break;
        case Tag.name:
          position = skipDelimited(bytes, position, end);
          break;
        case Tag.id: {
          const byte = bytes[position];
          if (byte < 128) {
            idLow = byte;
            idHigh = 0;
            position++;
          } else {
            position = readVarint(bytes, position);
            idLow = halves[0];
            idHigh = halves[1];
          }
          break;
        }
        case Tag.type: {
          const byte = bytes[position];
          if (byte < 128) {
            type = byte;
            position++;
          } else {
            position = readVarint(bytes, position);
            type = halves[1] === 0 && halves[0] >= 0 && halves[0] <= 254 ? halves[0] : 255;
          }
          break;
        }
        case Tag.controlPacked:
        case Tag.dataPacked: {
          const edges = tag === Tag.dataPacked ? builder.data : builder.control;
          const length = bytes[position];
          let listEnd = position + 1 + length;
          if (length < 128 && listEnd <= end) position++;
          else {
            position = readLength(bytes, position, end);
            listEnd = position + halves[0];
          }
          while (position < listEnd) {
            const byte = bytes[position];
            if (byte < 128) {
              edges.addId(byte, 0);
              position++;
            } else {
              position = readVarint(bytes, position);
              edges.addId(halves[0], halves[1]);
            }
          }
          if (position !== listEnd) throw new MalformedWire('a list of dependencies is cut', position);
          break;
        }
        case Tag.control:
        case Tag.data:
          position = readVarint(bytes, position);
          (tag === Tag.data ? builder.data : builder.control).addId(halves[0], halves[1]);
          break;
        case Tag.duration:
          position = readVarint(bytes, position);
          if (position <= end) duration = exactDuration();
          break;
        case Tag.startTime:
          position = readVarint(bytes, position);
          if ((halves[0] | halves[1]) !== 0) this.#flags |= NodeFlag.startTime;
          break;
        case Tag.inputs:
          this.#flags |= NodeFlag.inputs;
          position = skipDelimited(bytes, position, end);
          break;
        case Tag.outputs:
          position = skipDelimited(bytes, position, end);
          break;
        default:
          position = skipUnknown(bytes, position - 1, end);
      }
    }
    if (position !== end) throw new MalformedWire('a field runs past the end of its node', end);
    // Columns are 0 where nothing was written yet, and pages of a column that stays 0 need no memory.
    builder.length = node + 1;
    builder.idLow[node] = idLow;
    if (idHigh !== 0) builder.idHigh[node] = idHigh;
    builder.type[node] = type;
    if (duration !== 0) builder.durationMicros[node] = duration;
    builder.dataStart[node] = dataStart;
    if (controlStart !== 0) builder.controlStart[node] = controlStart;
    builder.frameOffset[node] = frameOffset;
    builder.frameLength[node] = end - start;
    this.#fillColumns(node, type);
  }

  /** Takes attributes one behind the other, the first with its tag at `start`; gives the position behind them. */
  #attributes(bytes: Uint8Array, view: DataView, start: number, end: number, type: number): number {
    let position = start;
    let last: LastAttributes | undefined;
    if (!this.#begun) {
      this.#begun = true;
      last = this.#lastOfType(type);
      if (last === undefined) this.#values = this.#ownValues;
      else {
        position = last.begin(bytes, view, start, end);
        this.#values = last.values;
        this.#seen = last.seen;
        this.#have = last.have;
        this.#effect = false;
      }
    }
    while (position < end && bytes[position] === Tag.attribute) {
      const length = bytes[++position];
      let attributeEnd: number;
      if (length < 128) attributeEnd = ++position + length;
      else {
        position = readLength(bytes, position, end);
        attributeEnd = position + halves[0];
      }
      if (attributeEnd > end) throw new MalformedWire('an attribute is longer than its node', position);
      this.#attribute(bytes, view, position, attributeEnd);
      position = attributeEnd;
      if (last !== undefined) {
        if (this.#effect) last = undefined;
        else last.add(position, this.#seen, this.#have);
      }
    }
    return position;
  }

  /** Where neighbours of the type are likely to have the same attributes. */
  #lastOfType(type: number): LastAttributes | undefined {
    if (type === NodeType.send) return (this.#lastSend ??= new LastAttributes());
    return type === NodeType.receive ? (this.#lastReceive ??= new LastAttributes()) : undefined;
  }

  /** Takes an attribute in the form every producer writes, name and then value; others go the slow way. */
  #attribute(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    const nameLength = bytes[start + 1];
    let position = start + 2 + nameLength;
    if (bytes[start] !== 0x0a || nameLength >= 128 || position >= end) {
      this.#attributeSlowly(bytes, view, start, end);
      return;
    }
    const key = attributeKey(bytes, view, start + 2, nameLength);
    let tag = bytes[position++];
    if (tag >= 128) tag = (tag & 127) | (bytes[position++] << 7);
    const arm = tag >>> 3;
    const wire = tag & 7;
    if (arm < 256 && ARM_WIRE[arm] === wire) {
      switch (wire) {
        case Wire.varint: {
          const byte = bytes[position];
          if (byte < 128) {
            if (position + 1 !== end) break;
            if (key !== 0) this.#number(key, arm, byte, 0);
            return;
          }
          if (readVarint(bytes, position) !== end) break;
          if (key !== 0) this.#number(key, arm, halves[0], halves[1]);
          return;
        }
        case Wire.delimited: {
          const length = bytes[position];
          let valueStart = position + 1;
          let valueEnd = valueStart + length;
          if (length >= 128) {
            valueStart = readLength(bytes, position, end);
            valueEnd = valueStart + halves[0];
          }
          if (valueEnd === end) {
            if (key !== 0) this.#delimited(key, arm, bytes, valueStart, valueEnd);
            return;
          }
          break;
        }
        default:
          if (position + (wire === Wire.fixed64 ? 8 : 4) === end) {
            if (key !== 0) {
              readNumber(bytes, position, wire);
              this.#number(key, arm, halves[0], halves[1]);
            }
            return;
          }
      }
    }
    this.#attributeSlowly(bytes, view, start, end);
  }

  /** Any order of fields, repeated ones, a doc string, unknown fields, no value. */
  #attributeSlowly(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    const attribute = this.#anyOrder;
    attribute.read(bytes, view, start, end);
    const { key, arm } = attribute;
    if (key === 0) return;
    if (arm === Arm.unset || ARM_WIRE[arm] === Wire.delimited) {
      this.#delimited(key, arm, bytes, attribute.valueStart, attribute.valueEnd);
    } else this.#number(key, arm, attribute.low, attribute.high);
  }

  /** An attribute with a number, given by its halves. */
  #number(key: number, arm: number, low: number, high: number): void {
    const bit = 1 << key;
    if ((this.#seen & bit) !== 0) return;
    this.#seen |= bit;
    if (arm === USUAL_ARM[key] && high === 0 && low >= 0) this.#values[key] = low;
    else if (!this.#unusualNumber(key, arm, low, high)) return;
    this.#have |= bit;
  }

  /** Any arm, any size; false when the value cannot be used. */
  #unusualNumber(key: number, arm: number, low: number, high: number): boolean {
    const usual = USUAL_ARM[key];
    const reading = ARM_READING[arm];
    if (usual === Arm.string) {
      // A group named by a number: its decimal text is the name.
      if (key !== Key.groupName || reading === Reading.none || reading === Reading.bool) {
        return this.#unusable(key, arm);
      }
      this.#values[key] = this.#builder.internGroup(integerText(reading, low, high));
    } else {
      if (!holdsNumber(key, arm)) return this.#noInteger(key, arm, low, high);
      const value = integerOf(reading, low, high);
      if (value < 0 && NOT_NEGATIVE[key] !== 0) {
        const text = integerText(reading, low, high);
        // What cannot be a size is none; the others stay in their columns, to be written as they were read.
        if (key === Key.commSize || !Number.isSafeInteger(value)) return this.#impossible(key, arm, text);
        this.#effect = true;
        this.#count(key, arm, Oddity.impossible, text);
      }
      if (EXACT[key] !== 0 && !Number.isSafeInteger(value)) {
        throw tooLarge(ATTRIBUTE_NAME[key], integerText(reading, low, high));
      }
      this.#values[key] = value;
    }
    if (arm === armFor(key, this.#values[key]) || FREE_ARM[key] !== 0) return true;
    this.#effect = true;
    this.#flags |= NodeFlag.otherArm;
    this.#tally.add(key, arm, Oddity.otherArm, this.#node);
    return true;
  }

  /** An attribute with a text, a list, bytes or no value. */
  #delimited(key: number, arm: number, bytes: Uint8Array, start: number, end: number): void {
    const bit = 1 << key;
    if ((this.#seen & bit) !== 0) return;
    this.#seen |= bit;
    if (key === Key.groupName && arm === Arm.string) {
      this.#groups ??= new GroupNameCache(this.#builder);
      this.#values[key] = this.#groups.indexOf(bytes, start, end);
      this.#have |= bit;
    } else if (key === Key.algorithm && arm === Arm.string) {
      this.#effect = true;
      this.#algorithm = readText(bytes, start, end);
      this.#have |= bit;
    } else if ((key === Key.splits || key === Key.receiveSplits) && listElement(arm) !== undefined) {
      this.#effect = true;
      const splits = readIntegers(bytes, start, end, arm, (text) => {
        throw tooLarge(ATTRIBUTE_NAME[key], text);
      });
      if (key === Key.splits) this.#splits = splits;
      else this.#receiveSplits = splits;
      const { reading } = listElement(arm)!;
      const ofIntegers = reading !== Reading.none && reading !== Reading.bool;
      if (splits !== undefined) this.#have |= bit;
      else if (ofIntegers) this.#impossible(key, arm, '');
      else this.#unusable(key, arm);
    } else if (arm === Arm.string) this.#unusable(key, arm, quoted(readText(bytes, start, end)));
    else this.#unusable(key, arm);
  }

  /** A float, or a bool where a number belongs. */
  #noInteger(key: number, arm: number, low: number, high: number): false {
    const value = floatOf(arm, low, high);
    if (value === undefined) return this.#unusable(key, arm);
    const possible = Number.isInteger(value) && (value >= 0 || NOT_NEGATIVE[key] === 0);
    if (possible || USUAL_ARM[key] === Arm.bool) return this.#unusable(key, arm, String(value));
    return this.#impossible(key, arm, String(value));
  }

  #unusable(key: number, arm: number, example = ''): false {
    return this.#odd(key, arm, arm === Arm.unset ? Oddity.empty : Oddity.otherKind, example);
  }

  #impossible(key: number, arm: number, example: string): false {
    return this.#odd(key, arm, Oddity.impossible, example);
  }

  #odd(key: number, arm: number, oddity: number, example: string): false {
    // Partner and dependents are written for others and never read.
    if (key === Key.partner || key === Key.dependents) return false;
    this.#effect = true;
    this.#flags |= NodeFlag.notNumber;
    this.#count(key, arm, oddity, example);
    return false;
  }

  #count(key: number, arm: number, oddity: number, example: string): void {
    const counted = this.#tally.add(key, arm, oddity, this.#node);
    if (counted.count === 1) counted.example = example;
  }

  /** Writes the columns of the attributes, each of them once. */
  #fillColumns(node: number, type: number): void {
    const have = this.#have;
    const values = this.#values;
    const builder = this.#builder;
    if ((have & (1 << Key.isCpuOp)) !== 0) {
      this.#flags |= values[Key.isCpuOp] !== 0 ? NodeFlag.cpuGiven | NodeFlag.cpu : NodeFlag.cpuGiven;
    }
    if ((have & RARE) !== 0) this.#fillRare(node);
    if ((have & WORK) !== 0) this.#noteWork();
    builder.flags[node] = this.#flags;
    let commType: number = COMM_TYPE_ABSENT;
    if ((have & (1 << Key.commType)) !== 0) {
      commType = values[Key.commType];
      if (!(commType >= 0 && commType <= 9)) commType = COMM_TYPE_UNKNOWN;
    }
    builder.commType[node] = commType;
    builder.commSize[node] = (have & (1 << Key.commSize)) !== 0 ? values[Key.commSize] : NaN;
    builder.commTag[node] = (have & (1 << Key.commTag)) !== 0 ? values[Key.commTag] : NaN;
    let peer = 0;
    if (type === NodeType.send) peer = Key.commDestination;
    else if (type === NodeType.receive) peer = Key.commSource;
    builder.peer[node] = (have & (1 << peer)) !== 0 ? rankOf(values[peer]) : -1;
    if (peer !== 0) {
      if ((have & (1 << peer)) !== 0 && values[peer] < 0) this.#below0(peer);
      if ((have & (1 << Key.commTag)) !== 0 && values[Key.commTag] < 0) this.#below0(Key.commTag);
    }
    let group = -1;
    if ((have & (1 << Key.groupName)) !== 0) group = values[Key.groupName];
    else if ((have & (1 << Key.commGroup)) !== 0) group = builder.internGroup(String(values[Key.commGroup]));
    builder.group[node] = group;
    builder.collective[node] = (have & (1 << Key.instance)) !== 0 ? this.#identity(group, commType) : -1;
    let step = -1;
    if ((have & (1 << Key.step)) !== 0) {
      step = values[Key.step];
      if (step > MAX_INT32) throw tooLarge(ATTRIBUTE_NAME[Key.step], String(step), '2^31 − 1');
    }
    builder.step[node] = Math.max(-1, step);
  }

  /** A partner or tag of this send or receive that cannot be one; elsewhere they mean nothing. */
  #below0(key: number): void {
    this.#count(key, USUAL_ARM[key], Oddity.impossible, String(this.#values[key]));
  }

  #noteWork(): void {
    const have = this.#have;
    const values = this.#values;
    const operations = (have & (1 << Key.operations)) !== 0 && values[Key.operations] > 0;
    const bytes = (have & (1 << Key.tensorSize)) !== 0 && values[Key.tensorSize] > 0;
    if (operations || bytes) this.#flags |= NodeFlag.work;
  }

  #fillRare(node: number): void {
    const have = this.#have;
    const values = this.#values;
    const builder = this.#builder;
    if ((have & (1 << Key.root)) !== 0) builder.root.set(node, values[Key.root]);
    else if ((have & (1 << Key.rootRank)) !== 0) builder.root.set(node, values[Key.rootRank]);
    if ((have & (1 << Key.issueOrder)) !== 0) builder.issueOrder.set(node, values[Key.issueOrder]);
    if ((have & (1 << Key.splits)) !== 0) builder.splits.set(node, this.#splits!);
    if ((have & (1 << Key.receiveSplits)) !== 0) builder.receiveSplits.set(node, this.#receiveSplits!);
    if ((have & (1 << Key.addedSync)) !== 0 && values[Key.addedSync] !== 0) this.#flags |= NodeFlag.addedSync;
  }

  /** Index of the node's collective: group (or the world), type and instance say which it is. */
  #identity(group: number, type: number): number {
    const have = this.#have;
    const builder = this.#builder;
    const instance = this.#values[Key.instance];
    const size = (have & (1 << Key.collectiveSize)) !== 0 ? this.#values[Key.collectiveSize] : 0;
    const named = (have & (1 << Key.algorithm)) !== 0;
    if (
      !named &&
      this.#collective >= 0 &&
      group === this.#group &&
      type === this.#type &&
      instance === this.#instance &&
      size === this.#size
    ) {
      return this.#collective;
    }
    const identity = { group: group < 0 ? WORLD : builder.groupNames[group], type, instance, size };
    this.#collective = builder.internCollective(named ? { ...identity, algorithm: this.#algorithm! } : identity);
    this.#group = group;
    this.#type = type;
    this.#instance = instance;
    this.#size = size;
    return this.#collective;
  }
}

const RARE =
  (1 << Key.root) |
  (1 << Key.rootRank) |
  (1 << Key.issueOrder) |
  (1 << Key.splits) |
  (1 << Key.receiveSplits) |
  (1 << Key.addedSync);
const WORK = (1 << Key.operations) | (1 << Key.tensorSize);

/** The duration in `halves`, whole µs. */
function exactDuration(): number {
  const low = halves[0];
  const high = halves[1];
  if (high === 0 && low >= 0) return low;
  if (high < 0) {
    const signed = integerText(Reading.signed64, low, high);
    const message = `duration_micros is ${integerText(Reading.unsigned64, low, high)} (${signed} as a signed number), expected a duration of 0 or more`;
    throw new NumberRefused('NUMBER_INVALID', message);
  }
  if (high >= EXACT_HIGH) {
    throw tooLarge('duration_micros', integerText(Reading.unsigned64, low, high));
  }
  return high * 0x100000000 + (low >>> 0);
}

/** The number of a float arm; `undefined` for any other arm. */
function floatOf(arm: number, low: number, high: number): number | undefined {
  if (arm !== Arm.double && arm !== Arm.float) return undefined;
  floatBits.setInt32(0, low, true);
  floatBits.setInt32(4, high, true);
  return arm === Arm.double ? floatBits.getFloat64(0, true) : floatBits.getFloat32(0, true);
}

const floatBits = new DataView(new ArrayBuffer(8));

/** A text for a message, at most 40 letters of it. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);
}

/** A rank for the peer column: −1 for a negative one, the largest int32 for one that no job has. */
function rankOf(value: number): number {
  return value < 0 ? -1 : Math.min(value, MAX_INT32);
}

function skipDelimited(bytes: Uint8Array, position: number, end: number): number {
  const length = bytes[position];
  // A length that runs past the end is found when the message is over.
  if (length < 128) return position + 1 + length;
  return readLength(bytes, position, end) + halves[0];
}

function skipUnknown(bytes: Uint8Array, start: number, end: number): number {
  const position = readVarint(bytes, start);
  const tag = halves[0];
  const valid = position <= end && tag >>> 3 !== 0 && halves[1] === 0;
  if (!valid) throw new MalformedWire('a field has no valid number', start);
  return skipField(bytes, position, end, tag);
}
