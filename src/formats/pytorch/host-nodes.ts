import type { ByteSource } from '../../base/byte-source.js';
import type { JsonCursor } from '../json/json-cursor.js';
import { JsonKeys, KEY_END, KEY_UNKNOWN } from '../json/json-keys.js';
import { jsonValue, type JsonValue } from '../json/json-value.js';
import { NameTable } from '../name-table.js';
import {
  COMMUNICATION_ATTRIBUTES,
  communicationRecord,
  type CommunicationAttributes,
  type RecordedValues,
} from './communication-record.js';
import { HostColumns } from './host-columns.js';
import { HostGroups } from './host-groups.js';
import type { CommunicationRecord } from './host-trace.js';
import type { TraceFields } from './trace-fields.js';
import { wrongKind } from './wrong-kind.js';

const NODE_KEYS = new JsonKeys([
  ...['id', 'name', 'ctrl_deps', 'parent', 'inputs', 'outputs', 'attrs'],
  ...['rf_id', 'tid', 'fw_tid', 'seq_id', 'input_types', 'output_types'],
  ...['cat', 'inclusive_dur', 'exclusive_dur', 'inter_thread_dep', 'node_type'],
]);
const Key = {
  ...{ id: 0, name: 1, control: 2, parent: 3, inputs: 4, outputs: 5, attributes: 6 },
  ...{ recordId: 7, thread: 8, forwardThread: 9, sequence: 10, inputTypes: 11, outputTypes: 12 },
  ...{ category: 13, inclusive: 14, exclusive: 15, interThread: 16, nodeType: 17 },
} as const;

const ENTRY_KEYS = new JsonKeys(['name', 'type', 'value']);
const EntryKey = { name: 0, type: 1, value: 2 } as const;

/** Attributes that are read: those with a column, in this order, and behind them those of communication. */
const ATTRIBUTES = new JsonKeys(['rf_id', 'tid', 'fw_tid', 'seq_id', ...COMMUNICATION_ATTRIBUTES]);
const Attribute = { recordId: 0, thread: 1, forwardThread: 2, sequence: 3, communication: 4 } as const;

/** What is asked of a node by its name. */
const Role = { none: 0, record: 1, groups: 2 } as const;

const LARGEST_INT32 = 2 ** 31 - 1;

/** Reads the nodes of a host trace, one after the other. */
export class HostNodes {
  readonly #fields: TraceFields;
  readonly #cursor: JsonCursor;
  readonly #source: ByteSource;
  readonly #columns: HostColumns;
  readonly #names = new NameTable();
  readonly #roles: number[] = []; // by name
  readonly #communications = new Map<number, CommunicationRecord>();
  readonly #groups = new HostGroups();
  #inside = false;

  // The node at hand.
  #id = NaN;
  #parent = NaN;
  #name = -1;
  #recordId = 0;
  #thread = -1;
  #forwardThread = 0;
  #sequence = -1;
  #inputs = -1; // offsets of what is looked at again where the name asks for it, −1 for none
  #outputs = -1;
  #inputTypes = -1;
  #outputTypes = -1;
  #communication: CommunicationAttributes | undefined;
  readonly #subject = (): string => `${this.#fields.file}: node ${this.#columns.length} of the list`;

  constructor(fields: TraceFields, source: ByteSource) {
    this.#fields = fields;
    this.#cursor = fields.cursor;
    this.#source = source;
    this.#columns = new HostColumns(source.length);
  }

  /** Where the reader is, for messages; '' before the list of nodes. */
  place(): string {
    const { length } = this.#columns;
    if (!this.#inside) return length === 0 ? '' : 'behind the nodes, ';
    return `node ${length} of the list${Number.isNaN(this.#id) ? '' : ` (id ${this.#id})`}, `;
  }

  /** Reads the list of nodes; a second one replaces the first. */
  readList(): void {
    const cursor = this.#cursor;
    this.#columns.length = 0;
    this.#communications.clear();
    this.#groups.clear();
    this.#id = NaN;
    cursor.enterArray();
    while (cursor.nextElement()) {
      this.#inside = true;
      this.#readNode();
    }
    this.#inside = false;
  }

  finish() {
    const { groups, broken } = this.#groups.finish(this.#communications);
    return {
      ...this.#columns.finish(),
      names: this.#names.names,
      communications: this.#communications,
      groups,
      brokenGroups: broken,
    };
  }

  #readNode(): void {
    const cursor = this.#cursor;
    const fields = this.#fields;
    this.#clear();
    const start = cursor.valueOffset();
    cursor.hold();
    cursor.enterObject();
    let seen = 0;
    for (let key = cursor.nextKey(NODE_KEYS); key !== KEY_END; key = cursor.nextKey(NODE_KEYS)) {
      seen = fields.see(seen, key);
      switch (key) {
        case Key.id:
          this.#id = fields.id('id', this.#subject);
          break;
        case Key.name:
          cursor.string();
          this.#name = this.#names.ofJson(cursor.bytes, cursor.from, cursor.to, cursor.escaped);
          break;
        case Key.control:
        case Key.parent:
          this.#parent = fields.id('ctrl_deps', this.#subject);
          break;
        case Key.inputs:
          this.#inputs = this.#passed();
          break;
        case Key.outputs:
          this.#outputs = this.#passed();
          break;
        case Key.inputTypes:
          this.#inputTypes = this.#passed();
          break;
        case Key.outputTypes:
          this.#outputTypes = this.#passed();
          break;
        case Key.attributes:
          this.#readAttributes();
          break;
        case Key.recordId:
        case Key.thread:
        case Key.forwardThread:
        case Key.sequence:
          this.#readColumn(key - Key.recordId);
          break;
        case Key.category:
        case Key.inclusive:
        case Key.exclusive:
        case Key.interThread:
          throw wrongKind(this.#source, fields.file, 'pytorch-host-json', 'linked-json');
        case Key.nodeType:
          throw wrongKind(this.#source, fields.file, 'pytorch-host-json', 'stage-json');
        default:
          cursor.skip();
      }
    }
    if (Number.isNaN(this.#id)) throw cursor.problem('a node without an id', start);
    const end = cursor.offset;
    if (this.#name < 0) this.#name = this.#names.ofText('');
    const role = this.#roleOf(this.#name);
    if (role !== Role.none) this.#lookAgain(role, end);
    cursor.release();
    this.#add(start, end - start);
  }

  #clear(): void {
    this.#id = NaN;
    this.#parent = NaN;
    this.#name = -1;
    this.#inputs = this.#outputs = this.#inputTypes = this.#outputTypes = -1;
    this.#clearAttributes();
  }

  #clearAttributes(): void {
    this.#recordId = 0;
    this.#thread = -1;
    this.#forwardThread = 0;
    this.#sequence = -1;
    this.#communication = undefined;
  }

  #passed(): number {
    const offset = this.#cursor.valueOffset();
    this.#cursor.skip();
    return offset;
  }

  /** `attrs`: a list of {name, type, value}, in whatever order. */
  #readAttributes(): void {
    const cursor = this.#cursor;
    const fields = this.#fields;
    this.#clearAttributes();
    cursor.enterArray();
    while (cursor.nextElement()) {
      let attribute: number = KEY_UNKNOWN;
      let named = false;
      let value = -1; // offset of a value that stands before its name
      let seen = 0;
      cursor.enterObject();
      for (let key = cursor.nextKey(ENTRY_KEYS); key !== KEY_END; key = cursor.nextKey(ENTRY_KEYS)) {
        seen = fields.see(seen, key);
        if (key === EntryKey.name) {
          attribute = cursor.stringIn(ATTRIBUTES);
          named = true;
        } else if (key !== EntryKey.value) cursor.skip();
        else if (!named) value = this.#passed();
        else this.#readAttribute(attribute);
      }
      if (value < 0 || attribute < 0) continue;
      const end = cursor.offset;
      cursor.seek(value);
      this.#readAttribute(attribute);
      cursor.seek(end);
    }
  }

  #readAttribute(attribute: number): void {
    if (attribute === KEY_UNKNOWN) this.#cursor.skip();
    else if (attribute < Attribute.communication) this.#readColumn(attribute);
    else {
      const name = COMMUNICATION_ATTRIBUTES[attribute - Attribute.communication];
      (this.#communication ??= {})[name] = jsonValue(this.#cursor);
    }
  }

  #readColumn(attribute: number): void {
    const fields = this.#fields;
    if (attribute === Attribute.recordId) this.#recordId = or(fields.id('rf_id', this.#subject), 0);
    else if (attribute === Attribute.sequence) this.#sequence = or(fields.id('seq_id', this.#subject), -1);
    else if (attribute === Attribute.thread) this.#thread = this.#readThread('tid', -1);
    else this.#forwardThread = this.#readThread('fw_tid', 0);
  }

  #readThread(field: string, absent: number): number {
    const offset = this.#cursor.offset;
    const thread = or(this.#fields.integer(field), absent);
    if (thread >= -1 && thread <= LARGEST_INT32) return thread;
    this.#fields.unusable(field, String(thread), offset);
    return absent;
  }

  #roleOf(name: number): number {
    while (this.#roles.length <= name) {
      const text = this.#names.names[this.#roles.length];
      const groups = text.includes('process_group:init') ? Role.groups : Role.none;
      this.#roles.push(text === 'record_param_comms' ? Role.record : groups);
    }
    return this.#roles[name];
  }

  /** Reads inputs and outputs of a node that says something of communication. */
  #lookAgain(role: number, end: number): void {
    const node = this.#columns.length;
    const inputs = this.#values(this.#inputs, this.#inputTypes);
    if (role === Role.groups) this.#groups.add(node, inputs.values[0]);
    else {
      const outputs = this.#values(this.#outputs, this.#outputTypes);
      const record = communicationRecord(inputs, outputs, this.#communication ?? {});
      if (record !== undefined) this.#communications.set(node, record);
      else this.#fields.unusable('record_param_comms', 'of no known form', this.#cursor.offset);
    }
    this.#cursor.seek(end);
  }

  /** {values, shapes, types}, or the list of values whose types stand apart. */
  #values(offset: number, types: number): RecordedValues {
    const value = this.#valueAt(offset);
    if (Array.isArray(value)) return { values: value, types: texts(this.#valueAt(types)) };
    if (typeof value !== 'object' || value === null) return { values: [], types: [] };
    return { values: Array.isArray(value.values) ? value.values : [], types: texts(value.types) };
  }

  #valueAt(offset: number): JsonValue {
    if (offset < 0) return null;
    this.#cursor.seek(offset);
    return jsonValue(this.#cursor);
  }

  #add(offset: number, length: number): void {
    const columns = this.#columns;
    columns.reserve();
    const node = columns.length++;
    columns.id[node] = this.#id;
    columns.parent[node] = this.#parent;
    columns.name[node] = this.#name;
    columns.recordId[node] = this.#recordId;
    columns.thread[node] = this.#thread;
    columns.forwardThread[node] = this.#forwardThread;
    columns.sequence[node] = this.#sequence;
    columns.offset[node] = offset;
    columns.objectLength[node] = length;
    this.#id = NaN;
  }
}

function or(value: number, absent: number): number {
  return Number.isNaN(value) ? absent : value;
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map((entry) => (typeof entry === 'string' ? entry : '')) : [];
}
