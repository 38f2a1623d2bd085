import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { JsonKind, type JsonCursor } from '../json/json-cursor.js';
import { JsonKeys, KEY_END } from '../json/json-keys.js';
import { jsonValue, type JsonValue } from '../json/json-value.js';
import { NameTable } from '../name-table.js';
import type { KernelCollective } from './device-trace.js';
import { Argument, EventArguments } from './event-arguments.js';
import { CATEGORY_KEYS, CATEGORY_LIST, Table } from './event-categories.js';
import { EventRows } from './event-rows.js';
import { EventTime } from './event-time.js';
import { kernelCollective } from './kernel-collective.js';
import { OpenEvents } from './open-events.js';
import type { TraceFields } from './trace-fields.js';

const KEYS = new JsonKeys(['ph', 'cat', 'name', 'pid', 'tid', 'ts', 'dur', 'args']);
const Key = { phase: 0, category: 1, name: 2, process: 3, thread: 4, start: 5, duration: 6, arguments: 7 } as const;

const PHASE_WHOLE = 0x58; // X
const PHASE_BEGIN = 0x42; // B
const PHASE_END = 0x45; // E

/** Further columns of each table, by their place. */
export const HostColumn = { annotation: 0, recordId: 1 } as const;
export const CallColumn = { correlation: 0 } as const;
export const DeviceColumn = { kind: 0, stream: 1, device: 2, correlation: 3, bytes: 4 } as const;
export const WaitColumn = {
  ...{ stream: 0, correlation: 1, waitsOnStream: 2, waitsOnCorrelation: 3, waitsOnEvent: 4 },
} as const;

const LARGEST_INT32 = 2 ** 31 - 1;
const NO_CATEGORY = 'none';

/** What was left out or mended, with the first of its kind. */
class Tally {
  count = 0;
  first = 0; // offset of the first event

  add(offset: number): void {
    if (this.count++ === 0) this.first = offset;
  }
}

/** Reads the events of a device trace, one after the other. */
export class DeviceEvents {
  readonly names = new NameTable();
  readonly collectives = new Map<number, KernelCollective>();
  /** By Table. */
  readonly tables = [new EventRows(2), new EventRows(1), new EventRows(5), new EventRows(5)] as const;

  readonly #fields: TraceFields;
  readonly #cursor: JsonCursor;
  readonly #arguments: EventArguments;
  readonly #categories = new NameTable();
  readonly #others: number[] = []; // events by category that are not read
  #open = new OpenEvents();
  #events = 0;
  #phases = 0;
  #certain = false;
  #inside = false;
  readonly #withoutStart = new Tally();
  readonly #withoutDuration = new Tally();
  readonly #negative = new Tally();
  readonly #cut = new Map<string, { count: number; shown: string; offset: number }>();

  // The event at hand.
  readonly #start = new EventTime();
  readonly #duration = new EventTime();
  #offset = 0;
  #phase = 0;
  #category = -1; // place in CATEGORY_LIST, −1 for one that is not read
  #categoryName = -1;
  #nameFrom = -1; // offsets
  #nameTo = -1;
  #nameEscaped = false;
  #process = -1;
  #thread = -1;
  #threadNumber = NaN;
  #hasStart = false;
  #hasDuration = false;
  readonly #subject = (): string => `${this.#fields.file}: event ${this.#events} of the list`;

  constructor(fields: TraceFields) {
    this.#fields = fields;
    this.#cursor = fields.cursor;
    this.#arguments = new EventArguments(fields);
  }

  /** Whether the list is one of events: an element was an object with a phase, if nothing else tells. */
  get sure(): boolean {
    return this.#certain || this.#phases > 0;
  }

  /** Where the reader is, for messages; '' before the list of events. */
  place(): string {
    if (this.#inside) return this.sure ? `event ${this.#events} of the list, ` : '';
    return this.#events === 0 ? '' : 'behind the events, ';
  }

  /** Reads the list of events; a second one replaces the first. @param certain whether it can be no other list */
  readList(certain: boolean): void {
    const cursor = this.#cursor;
    this.#certain = certain;
    if (this.#events > 0) this.#forget();
    cursor.enterArray();
    while (cursor.nextElement()) {
      this.#inside = true;
      this.#readEvent();
      this.#events++;
    }
    this.#inside = false;
  }

  /** Events that are in no table, by category. */
  otherEvents(): ReadonlyMap<string, number> {
    return new Map(this.#others.flatMap((count, name) => (count ? [[this.#categories.names[name], count]] : [])));
  }

  /** Begun events that did not end, to be closed at the end of the trace: table and row of each. */
  unclosed(): readonly { readonly table: number; readonly row: number }[] {
    return this.#open.left();
  }

  findings(file: string): Finding[] {
    const findings: Finding[] = [];
    const tell = (
      code: 'EVENT_LEFT_OUT' | 'EVENT_DURATION' | 'EVENT_OPEN',
      tally: Tally,
      message: string,
      noun = 'event',
      nouns = 'events',
    ): void => {
      if (tally.count === 0) return;
      const text = `${file}: ${counted(tally.count, noun, nouns)} ${message}, first at byte ${tally.first}`;
      findings.push(finding(code, text, { file, byteOffset: tally.first, count: tally.count }));
    };
    tell('EVENT_LEFT_OUT', this.#withoutStart, 'without a time that can be read left out');
    tell('EVENT_DURATION', this.#withoutDuration, 'without a duration: taken as 0');
    tell('EVENT_DURATION', this.#negative, 'with a duration below 0: taken as 0');
    const left = new Tally();
    for (const { offset } of this.#open.left()) left.add(offset);
    tell('EVENT_OPEN', left, 'begun and never ended: taken to last until the end of the trace');
    const endings = new Tally();
    for (const offset of this.#open.endings) endings.add(offset);
    tell('EVENT_LEFT_OUT', endings, 'without a beginning left out', 'end of an event', 'ends of events');
    for (const [key, { count, shown, offset }] of this.#cut) {
      findings.push(
        finding(
          'KERNEL_ARGUMENT_CUT',
          `${file}: "${key}" of ${counted(count, 'kernel')} cannot be used, first ${shown} in the event at byte ${offset}`,
          {
            file,
            byteOffset: offset,
            count,
          },
        ),
      );
    }
    return findings;
  }

  #forget(): void {
    for (const rows of this.tables) rows.length = 0;
    for (const tally of [this.#withoutStart, this.#withoutDuration, this.#negative]) tally.count = 0;
    this.collectives.clear();
    this.#others.length = 0;
    this.#open = new OpenEvents();
    this.#cut.clear();
    this.#events = 0;
  }

  #readEvent(): void {
    const cursor = this.#cursor;
    const fields = this.#fields;
    this.#clear();
    this.#offset = cursor.valueOffset();
    if (cursor.kind() !== JsonKind.object) {
      cursor.skip(); // Chrome's own traces end in a null
      return;
    }
    cursor.hold();
    cursor.enterObject();
    let argumentsAt = -1;
    let argumentsRead = false;
    let seen = 0;
    for (let key = cursor.nextKey(KEYS); key !== KEY_END; key = cursor.nextKey(KEYS)) {
      seen = fields.see(seen, key);
      switch (key) {
        case Key.phase:
          this.#readPhase();
          break;
        case Key.category:
          this.#readCategory();
          break;
        case Key.name:
          this.#readName();
          break;
        case Key.process:
          this.#process = cursor.valueOffset();
          cursor.skip();
          break;
        case Key.thread:
          this.#thread = cursor.valueOffset();
          this.#readThread();
          break;
        case Key.start:
          this.#hasStart = this.#readTime(this.#start);
          break;
        case Key.duration:
          this.#hasDuration = this.#readTime(this.#duration);
          break;
        case Key.arguments:
          // An event that nobody asks for, or of which that is not known yet, is not looked into.
          argumentsAt = cursor.valueOffset();
          argumentsRead = this.#category >= 0;
          if (argumentsRead) this.#arguments.read(this.#subject);
          else cursor.skip();
          break;
        default:
          cursor.skip();
      }
    }
    const end = cursor.offset;
    if (this.#category >= 0 && argumentsAt >= 0 && !argumentsRead) {
      cursor.seek(argumentsAt);
      this.#arguments.read(this.#subject);
    }
    this.#take();
    cursor.seek(end);
    cursor.release();
  }

  #clear(): void {
    this.#phase = 0;
    this.#category = -1;
    this.#categoryName = -1;
    this.#nameFrom = -1;
    this.#process = this.#thread = -1;
    this.#threadNumber = NaN;
    this.#hasStart = this.#hasDuration = false;
    this.#arguments.clear();
  }

  #readPhase(): void {
    const cursor = this.#cursor;
    if (cursor.kind() !== JsonKind.string) {
      cursor.skip();
      return;
    }
    cursor.string();
    this.#phase = cursor.to - cursor.from === 1 ? cursor.bytes[cursor.from] : 0;
  }

  #readCategory(): void {
    const cursor = this.#cursor;
    this.#category = -1;
    this.#categoryName = -1;
    if (cursor.kind() !== JsonKind.string) {
      cursor.skip();
      return;
    }
    this.#category = cursor.stringIn(CATEGORY_KEYS);
    this.#categoryName = this.#categories.ofJson(cursor.bytes, cursor.from, cursor.to, cursor.escaped);
  }

  #readName(): void {
    const cursor = this.#cursor;
    this.#nameFrom = -1;
    if (cursor.kind() !== JsonKind.string) {
      cursor.skip();
      return;
    }
    const start = cursor.valueOffset();
    cursor.string();
    this.#nameFrom = start + 1;
    this.#nameTo = cursor.offset - 1;
    this.#nameEscaped = cursor.escaped;
  }

  /** Threads of metadata and of spans are texts: NaN. */
  #readThread(): void {
    const cursor = this.#cursor;
    if (cursor.kind() === JsonKind.number) this.#threadNumber = cursor.integer();
    else if (cursor.kind() === JsonKind.string) {
      const text = cursor.text();
      this.#threadNumber = /^-?[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
    } else cursor.skip();
  }

  /** A number, or a text of one. */
  #readTime(time: EventTime): boolean {
    const cursor = this.#cursor;
    const kind = cursor.kind();
    if (kind === JsonKind.string) cursor.string();
    else if (kind === JsonKind.number) cursor.passNumber();
    else {
      cursor.skip();
      return false;
    }
    return time.read(cursor.bytes, cursor.from, cursor.to);
  }

  #take(): void {
    const phase = this.#phase;
    if (phase !== 0) this.#phases++;
    if (phase === PHASE_BEGIN || phase === PHASE_END) this.#takeHalf(phase === PHASE_BEGIN);
    else if (phase === PHASE_WHOLE && this.#category >= 0) this.#add(this.#wholeDuration());
    else this.#countOther();
  }

  #wholeDuration(): number {
    if (!this.#hasDuration) {
      if (this.#hasStart) this.#withoutDuration.add(this.#offset);
      return 0;
    }
    const nanos = this.#duration.micros * 1000 + this.#duration.nanos;
    if (nanos >= 0) return nanos;
    if (this.#hasStart) this.#negative.add(this.#offset);
    return 0;
  }

  /** Beginning or end of an event that is written as two, by its thread. */
  #takeHalf(begins: boolean): void {
    const thread = `${this.#shown(this.#process)} ${this.#shown(this.#thread)}`;
    if (begins) {
      const row = this.#category < 0 ? -1 : this.#add(0);
      if (row < 0 && this.#category < 0) this.#countOther();
      const table = this.#category < 0 ? -1 : CATEGORY_LIST[this.#category].table;
      this.#open.begin(thread, { table, row, offset: this.#offset });
      return;
    }
    const begun = this.#open.end(thread, this.#offset);
    if (begun === undefined || begun.row < 0) return;
    const rows = this.tables[begun.table];
    const nanos = this.#hasStart ? rows.nanosUntil(begun.row, this.#start) : -1;
    rows.durationNs[begun.row] = Math.max(0, nanos);
    if (nanos < 0) this.#negative.add(begun.offset);
  }

  /** Adds the event to its table. Its row, −1 where it has no time. */
  #add(durationNs: number): number {
    if (!this.#hasStart) {
      this.#withoutStart.add(this.#offset);
      return -1;
    }
    const { table, kind } = CATEGORY_LIST[this.#category];
    const { numbers, collective } = this.#arguments;
    const rows = this.tables[table];
    const row = rows.add(this.#nameNumber(), this.#start, durationNs, this.#threadNumber, numbers[Argument.externalId]);
    const { extra } = rows;
    if (table === Table.host) {
      extra[HostColumn.annotation][row] = kind;
      extra[HostColumn.recordId][row] = numbers[Argument.recordId];
    } else if (table === Table.calls) {
      extra[CallColumn.correlation][row] = numbers[Argument.correlation];
    } else if (table === Table.device) {
      extra[DeviceColumn.kind][row] = kind;
      extra[DeviceColumn.stream][row] = this.#int32('stream', numbers[Argument.stream]);
      extra[DeviceColumn.device][row] = this.#int32('device', numbers[Argument.device]);
      extra[DeviceColumn.correlation][row] = numbers[Argument.correlation];
      extra[DeviceColumn.bytes][row] = numbers[Argument.bytes];
      if (collective !== undefined) this.collectives.set(row, kernelCollective(collective, this.#noteCut));
    } else {
      extra[WaitColumn.stream][row] = this.#int32('stream', numbers[Argument.stream]);
      extra[WaitColumn.correlation][row] = numbers[Argument.correlation];
      extra[WaitColumn.waitsOnStream][row] = this.#int32('wait_on_stream', numbers[Argument.waitsOnStream]);
      extra[WaitColumn.waitsOnCorrelation][row] = numbers[Argument.waitsOnCorrelation];
      extra[WaitColumn.waitsOnEvent][row] = numbers[Argument.waitsOnEvent];
    }
    return row;
  }

  #nameNumber(): number {
    if (this.#nameFrom < 0) return this.names.ofText('');
    const { bytes } = this.#cursor;
    const from = this.#cursor.placeOf(this.#nameFrom);
    return this.names.ofJson(bytes, from, from + this.#nameTo - this.#nameFrom, this.#nameEscaped);
  }

  #int32(field: string, value: number): number {
    if (!(Math.abs(value) > LARGEST_INT32)) return value;
    this.#fields.unusable(field, String(value), this.#offset);
    return NaN;
  }

  #countOther(): void {
    const name = this.#categoryName < 0 ? this.#categories.ofText(NO_CATEGORY) : this.#categoryName;
    this.#others[name] = (this.#others[name] ?? 0) + 1;
  }

  #shown(offset: number): string {
    if (offset < 0) return '';
    this.#cursor.seek(offset);
    return JSON.stringify(jsonValue(this.#cursor));
  }

  readonly #noteCut = (key: string, value: JsonValue): void => {
    const known = this.#cut.get(key);
    if (known !== undefined) known.count++;
    else {
      const text = JSON.stringify(value);
      const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
      this.#cut.set(key, { count: 1, shown, offset: this.#offset });
    }
  };
}
