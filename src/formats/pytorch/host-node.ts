import { JsonCursor, JsonKind } from '../json/json-cursor.js';
import { JsonKeys, KEY_END, KEY_UNKNOWN } from '../json/json-keys.js';
import { jsonText } from '../json/json-text.js';
import { NameTable } from '../name-table.js';
import type { HostTrace } from './host-trace.js';
import { PythonBytes } from './python-bytes.js';

/** Texts of inputs or outputs as chakra_converter stores them; empty where the node does not state them. */
export interface NodeTexts {
  readonly values: Uint8Array;
  readonly shapes: Uint8Array;
  readonly types: Uint8Array;
}

/** An attribute of a node. */
export interface HostAttribute {
  readonly name: string;
  /** As recorded: `uint64`, `int64`, `string`, …; for the flat keys of schema 1.0.1 what later schemas say. */
  readonly type: string;
  readonly kind: 'integer' | 'float' | 'boolean' | 'text' | 'null';
  /** Value of an integer, a float or a boolean (1, 0); NaN for an integer above 2^53, which `large` has. */
  readonly number: number;
  readonly large: bigint | undefined;
  /** UTF-8 of a text; of a list or an object what Python prints. Valid until the next node is read. */
  readonly text: Uint8Array;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const KEYS = new JsonKeys([
  ...['id', 'name', 'ctrl_deps', 'parent', 'inputs', 'outputs', 'attrs'],
  ...['input_shapes', 'input_types', 'output_shapes', 'output_types'],
  ...['rf_id', 'fw_parent', 'seq_id', 'scope', 'tid', 'fw_tid', 'op_schema'],
]);
const Key = {
  ...{ id: 0, name: 1, control: 2, parent: 3, inputs: 4, outputs: 5, attributes: 6 },
  ...{ inputShapes: 7, inputTypes: 8, outputShapes: 9, outputTypes: 10 },
} as const;
/** Keys from `rf_id` on: attributes of schema 1.0.1, with the types that later schemas give them. */
const FIRST_FLAT = 11;
const FLAT = [
  ...[
    ['rf_id', 'uint64'],
    ['fw_parent', 'uint64'],
    ['seq_id', 'int64'],
  ],
  ...[
    ['scope', 'uint64'],
    ['tid', 'uint64'],
    ['fw_tid', 'uint64'],
    ['op_schema', 'string'],
  ],
] as const;

const IO_KEYS = new JsonKeys(['values', 'shapes', 'types']);
const ENTRY_KEYS = new JsonKeys(['name', 'type', 'value']);

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/** Texts of a node, by place: values, shapes and types of the inputs, then of the outputs. */
const TEXTS = 6;

/**
 * Reads the nodes of a host trace again, one at a time and in any order, for what has no column: the texts of inputs and
 * outputs, and all attributes. Fastest in the order of the file.
 */
export class HostNodeReader {
  /** Of the node that was read last; valid until the next. */
  inputs: NodeTexts = { values: NOTHING, shapes: NOTHING, types: NOTHING };
  outputs: NodeTexts = { values: NOTHING, shapes: NOTHING, types: NOTHING };
  /** Attributes in the order of the file: the first `attributeCount` of the list. */
  readonly attributes: HostAttribute[] = [];
  attributeCount = 0;

  readonly #trace: HostTrace;
  readonly #cursor: JsonCursor;
  readonly #python = new PythonBytes();
  readonly #words = new NameTable();
  /**
   * What the entries of the last list had before their values, by place: recorders write the same ones again and again, and
   * comparing bytes is several times cheaper than reading keys.
   */
  readonly #heads: { readonly bytes: Uint8Array; readonly name: string; readonly type: string }[] = [];
  readonly #from = new Int32Array(TEXTS); // place in #python
  readonly #to = new Int32Array(TEXTS);

  constructor(trace: HostTrace) {
    this.#trace = trace;
    this.#cursor = new JsonCursor(trace.source);
  }

  /** @throws JsonSyntaxError where the file was changed since the trace was read */
  read(node: number): void {
    const cursor = this.#cursor;
    cursor.jump(this.#trace.offset[node], this.#trace.objectLength[node]);
    cursor.hold();
    this.attributeCount = 0;
    this.#python.length = 0;
    this.#from.fill(0);
    this.#to.fill(0);
    cursor.enterObject();
    for (let key = cursor.nextKey(KEYS); key !== KEY_END; key = cursor.nextKey(KEYS)) {
      switch (key) {
        case Key.inputs:
          this.#texts(0);
          break;
        case Key.outputs:
          this.#texts(3);
          break;
        case Key.inputShapes:
          this.#text(1);
          break;
        case Key.inputTypes:
          this.#text(2);
          break;
        case Key.outputShapes:
          this.#text(4);
          break;
        case Key.outputTypes:
          this.#text(5);
          break;
        case Key.attributes:
          this.#readAttributes();
          break;
        default:
          if (key >= FIRST_FLAT) {
            const [name, type] = FLAT[key - FIRST_FLAT];
            this.#value(this.#attribute(name, type));
          } else cursor.skip();
      }
    }
    cursor.release();
    this.inputs = this.#io(0);
    this.outputs = this.#io(3);
  }

  #io(first: number): NodeTexts {
    return { values: this.#written(first), shapes: this.#written(first + 1), types: this.#written(first + 2) };
  }

  #written(place: number): Uint8Array {
    const from = this.#from[place];
    const to = this.#to[place];
    return from === to ? NOTHING : this.#python.bytes.subarray(from, to);
  }

  /** {values, shapes, types}, or the list of values alone. */
  #texts(first: number): void {
    const cursor = this.#cursor;
    if (cursor.kind() !== JsonKind.object) {
      this.#text(first);
      return;
    }
    cursor.enterObject();
    for (let key = cursor.nextKey(IO_KEYS); key !== KEY_END; key = cursor.nextKey(IO_KEYS)) {
      if (key === KEY_UNKNOWN) cursor.skip();
      else this.#text(first + key);
    }
  }

  #text(place: number): void {
    const cursor = this.#cursor;
    const start = cursor.valueOffset();
    cursor.skip();
    this.#from[place] = this.#python.length;
    this.#python.value(cursor.bytes, cursor.placeOf(start), cursor.at);
    this.#to[place] = this.#python.length;
  }

  #readAttributes(): void {
    const cursor = this.#cursor;
    this.attributeCount = 0;
    cursor.enterArray();
    for (let place = 0; cursor.nextElement(); place++) {
      const known = this.#heads[place];
      if (known !== undefined && cursor.passBytes(known.bytes)) {
        const attribute = this.#attribute(known.name, known.type);
        this.#value(attribute);
        if (!cursor.leftObject()) this.#entry(attribute, place, -1);
        continue;
      }
      const start = cursor.valueOffset();
      cursor.enterObject();
      this.#entry(this.#attribute('', ''), place, start);
    }
  }

  /** Reads an entry, or what is left of it. @param start offset of one that is read from its beginning, −1 for another */
  #entry(attribute: Mutable<HostAttribute>, place: number, start: number): void {
    const cursor = this.#cursor;
    let isUsual = start >= 0; // name, type, value
    let expected = 0;
    for (let key = cursor.nextKey(ENTRY_KEYS); key !== KEY_END; key = cursor.nextKey(ENTRY_KEYS)) {
      isUsual &&= key === expected++;
      if (key === 0) attribute.name = this.#word();
      else if (key === 1) attribute.type = this.#word();
      else if (key === 2) {
        const end = cursor.valueOffset();
        if (isUsual) {
          const bytes = cursor.bytes.slice(cursor.placeOf(start), cursor.placeOf(end));
          this.#heads[place] = { bytes, name: attribute.name, type: attribute.type };
        }
        this.#value(attribute);
      } else cursor.skip();
    }
  }

  /** A name that occurs again and again. */
  #word(): string {
    const cursor = this.#cursor;
    if (cursor.kind() !== JsonKind.string) {
      cursor.skip();
      return '';
    }
    cursor.string();
    return this.#words.names[this.#words.ofJson(cursor.bytes, cursor.from, cursor.to, cursor.escaped)];
  }

  /** A further attribute of the node. */
  #attribute(name: string, type: string): Mutable<HostAttribute> {
    const place = this.attributeCount++;
    const known = this.attributes[place];
    if (known === undefined) {
      const attribute: HostAttribute = { name, type, kind: 'null', number: NaN, large: undefined, text: NOTHING };
      this.attributes.push(attribute);
      return attribute;
    }
    const attribute: Mutable<HostAttribute> = known;
    attribute.name = name;
    attribute.type = type;
    attribute.kind = 'null';
    attribute.number = NaN;
    attribute.large = undefined;
    attribute.text = NOTHING;
    return attribute;
  }

  #value(attribute: Mutable<HostAttribute>): void {
    const cursor = this.#cursor;
    attribute.large = undefined;
    switch (cursor.kind()) {
      case JsonKind.number:
        this.#number(attribute);
        break;
      case JsonKind.string:
        attribute.kind = 'text';
        cursor.string();
        attribute.text = cursor.escaped
          ? encoder.encode(jsonText(cursor.bytes, cursor.from, cursor.to))
          : cursor.bytes.subarray(cursor.from, cursor.to);
        break;
      case JsonKind.boolean:
        attribute.kind = 'boolean';
        attribute.number = cursor.boolean() ? 1 : 0;
        break;
      case JsonKind.null:
        cursor.null();
        attribute.kind = 'null';
        break;
      default: {
        const start = cursor.valueOffset();
        cursor.skip();
        const python = new PythonBytes();
        python.value(cursor.bytes, cursor.placeOf(start), cursor.at);
        attribute.kind = 'text';
        attribute.text = python.bytes.subarray(0, python.length);
      }
    }
  }

  #number(attribute: Mutable<HostAttribute>): void {
    const cursor = this.#cursor;
    const value = cursor.number();
    attribute.number = value;
    attribute.kind = 'integer';
    if (cursor.isInteger) {
      if (Number.isSafeInteger(value)) return;
      attribute.large = BigInt(cursor.numberText());
      attribute.number = NaN;
    } else attribute.kind = 'float';
  }
}
