import type { RankTrace } from '../../trace/rank-trace.js';
import { Arm, ARM_READING, ARM_WIRE, integerOf, Reading } from './attribute-arms.js';
import { FieldWalk, halves, readVarint, Wire } from './wire.js';

const NAME = 2;
const ATTRIBUTE = 10;

const encoder = new TextEncoder();

/**
 * Reads integer attributes that have no column, by name, from the frames of nodes: one object for all nodes of a job,
 * filled again for each. No text is built.
 */
export class NamedIntegers {
  /** [name] number of the node read last, NaN where it has none; of equal names the last counts. */
  readonly values: Float64Array;
  /** [name] numbers of an int64 or uint64 list, `undefined` where there is none. */
  readonly lists: (number[] | undefined)[];
  /** Attributes of the node read last whose names were not asked for and are not in `known`. */
  others = 0;
  /** Whether the node read last has a name. */
  isNamed = false;
  readonly #names: readonly Uint8Array[];
  /** [length of a name] places in #names; those from `asked` on are known names. */
  readonly #byLength: number[][] = [];
  readonly #asked: number;
  #hasLists = false;
  readonly #node = new FieldWalk(new Uint8Array(0));
  readonly #parts = new FieldWalk(new Uint8Array(0));

  /** @param asked attributes to read @param known attributes that somebody else reads */
  constructor(asked: readonly string[], known: readonly string[] = []) {
    this.values = new Float64Array(asked.length).fill(NaN);
    this.lists = asked.map(() => undefined);
    this.#asked = asked.length;
    this.#names = [...asked, ...known].map((name) => encoder.encode(name));
    this.#names.forEach((name, place) => (this.#byLength[name.length] ??= []).push(place));
  }

  /** Reads a node of a trace; one that a pass made has no attributes here. */
  read(trace: RankTrace, node: number): void {
    const { values, lists } = this;
    // Loops, because a call of fill costs more than these few values.
    for (let name = 0; name < values.length; name++) values[name] = NaN;
    if (this.#hasLists) for (let name = 0; name < lists.length; name++) lists[name] = undefined;
    this.#hasLists = false;
    this.others = 0;
    this.isNamed = false;
    const { kept, frameOffset, frameLength } = trace;
    if (kept === undefined || frameOffset[node] < 0) return;
    const bytes = kept.source.read(frameOffset[node], frameLength[node]);
    const fields = this.#node.over(bytes, 0, bytes.length);
    while (fields.next()) {
      if (fields.wire !== Wire.delimited) continue;
      if (fields.number === ATTRIBUTE) this.#take(bytes, fields.start, fields.end);
      else if (fields.number === NAME) this.isNamed = fields.end > fields.start;
    }
  }

  #take(bytes: Uint8Array, start: number, end: number): void {
    const parts = this.#parts.over(bytes, start, end);
    let place = -1;
    let value = NaN;
    let list: number[] | undefined;
    while (parts.next()) {
      const { number, wire } = parts;
      if (number === 1 && wire === Wire.delimited) place = this.#placeOf(bytes, parts.start, parts.end);
      else if (number < 256 && ARM_WIRE[number] === wire) {
        if (ARM_READING[number] !== Reading.none) {
          parts.number64();
          value = integerOf(ARM_READING[number], halves[0], halves[1]);
        } else if (number === Arm.int64List || number === Arm.uint64List) {
          list = packedIntegers(bytes, parts.start, parts.end);
        }
      }
    }
    if (place < 0) this.others++;
    else if (place < this.#asked) {
      this.values[place] = value;
      if (list === undefined) return;
      this.lists[place] = list;
      this.#hasLists = true;
    }
  }

  #placeOf(bytes: Uint8Array, start: number, end: number): number {
    const candidates = this.#byLength[end - start];
    if (candidates === undefined) return -1;
    for (const place of candidates) {
      const name = this.#names[place];
      // Names of one length often begin alike.
      let at = name.length - 1;
      while (at >= 0 && bytes[start + at] === name[at]) at--;
      if (at < 0) return place;
    }
    return -1;
  }
}

/** Numbers of a list message, packed or not. */
function packedIntegers(bytes: Uint8Array, start: number, end: number): number[] {
  const values: number[] = [];
  const fields = new FieldWalk(bytes, start, end);
  while (fields.next()) {
    if (fields.number !== 1) continue;
    for (let position = fields.start; position < fields.end;) {
      position = readVarint(bytes, position);
      values.push(integerOf(Reading.signed64, halves[0], halves[1]));
    }
  }
  return values;
}
