import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import { traceError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { JsonKind, type JsonCursor } from '../json/json-cursor.js';
import { KEY_UNKNOWN } from '../json/json-keys.js';

const DECIMAL = /^-?[0-9]{1,15}$/;
/** Bytes of a value that a message shows. */
const SHOWN_BYTES = 40;

interface Unusable {
  count: number;
  readonly shown: string;
  readonly offset: number;
}

/**
 * Reads the values of known fields of a PyTorch trace. A value of another kind than the field has counts as absent and is
 * counted by field; `null` is absent without a word.
 */
export class TraceFields {
  /** Objects in which a known key stands more than once. */
  repeated = 0;
  #firstRepeated = 0; // offset
  readonly #unusable = new Map<string, Unusable>();

  constructor(
    readonly cursor: JsonCursor,
    readonly file: string,
  ) {}

  /**
   * Notes a key in the set of those that its object has.
   * @param seen bits of the keys so far @returns the bits with that key
   */
  see(seen: number, key: number): number {
    if (key === KEY_UNKNOWN) return seen;
    const bit = 1 << key;
    if ((seen & bit) !== 0 && this.repeated++ === 0) this.#firstRepeated = this.cursor.offset;
    return seen | bit;
  }

  /** An integer, NaN where it is absent or no integer below 2^53 in size. */
  integer(field: string): number {
    const { cursor } = this;
    const start = cursor.valueOffset();
    const kind = cursor.kind();
    if (kind === JsonKind.number) {
      const value = cursor.integer();
      if (value !== value) this.#note(field, cursor.numberText(), start);
      return value;
    }
    if (kind === JsonKind.string) {
      const text = cursor.text();
      if (DECIMAL.test(text)) return Number(text);
      this.#note(field, JSON.stringify(text), start);
      return NaN;
    }
    this.#other(field, start, kind);
    return NaN;
  }

  /**
   * An id: as `integer`, and one that cannot be exact is refused.
   * @param subject where it stands, for the message
   * @throws PrepError `NUMBER_TOO_LARGE` (exit status 1)
   */
  id(field: string, subject: () => string): number {
    const { cursor } = this;
    const start = cursor.valueOffset();
    if (cursor.kind() !== JsonKind.number) return this.integer(field);
    const value = cursor.integer();
    if (value === value) return value;
    const text = cursor.numberText();
    if (/^-?[0-9]+$/.test(text)) {
      const message = `${subject()}: ${field} ${text} at byte ${start} is too large: at most 2^53 − 1 can be read exactly`;
      const facts = { file: this.file, byteOffset: start };
      throw traceError('NUMBER_TOO_LARGE', message, [finding('NUMBER_TOO_LARGE', message, facts)]);
    }
    this.#note(field, text, start);
    return NaN;
  }

  /** A text, `undefined` where it is absent or none. A number stands for its digits. */
  text(field: string): string | undefined {
    const { cursor } = this;
    const start = cursor.valueOffset();
    const kind = cursor.kind();
    if (kind === JsonKind.string) return cursor.text();
    if (kind === JsonKind.number) {
      cursor.number();
      return cursor.numberText();
    }
    this.#other(field, start, kind);
    return undefined;
  }

  /** Counts a value that cannot be used. @param shown it, as a message shows it */
  unusable(field: string, shown: string, offset: number): void {
    this.#note(field, shown, offset);
  }

  findings(): Finding[] {
    const { file } = this;
    const findings = [...this.#unusable].map(([field, { count, shown, offset }]) =>
      finding(
        'ATTRIBUTE_NOT_NUMBER',
        `${file}: ${field} is ${shown} at byte ${offset} and not used there` +
          (count > 1 ? `; ${counted(count, 'value')} in all` : ''),
        { file, byteOffset: offset, count },
      ),
    );
    if (this.repeated > 0) {
      const message = `${file}: ${counted(this.repeated, 'key')} repeated in one object, first before byte ${this.#firstRepeated}: the last one counts`;
      findings.push(
        finding('JSON_KEY_REPEATED', message, { file, byteOffset: this.#firstRepeated, count: this.repeated }),
      );
    }
    return findings;
  }

  #other(field: string, start: number, kind: number): void {
    const { cursor } = this;
    if (kind === JsonKind.null) {
      cursor.null();
      return;
    }
    if (kind === JsonKind.boolean) this.#note(field, String(cursor.boolean()), start);
    else {
      cursor.skip();
      this.#note(field, kind === JsonKind.array ? 'a list' : 'an object', start);
    }
  }

  #note(field: string, shown: string, offset: number): void {
    const known = this.#unusable.get(field);
    if (known !== undefined) known.count++;
    else {
      const cut = shown.length > SHOWN_BYTES ? `${shown.slice(0, SHOWN_BYTES)}…` : shown;
      this.#unusable.set(field, { count: 1, shown: cut, offset });
    }
  }
}
