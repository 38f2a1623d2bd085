import { JsonKind, type JsonCursor } from '../json/json-cursor.js';
import { JsonKeys, KEY_END, KEY_UNKNOWN } from '../json/json-keys.js';
import { jsonValue } from '../json/json-value.js';
import { COLLECTIVE_ARGUMENTS, type CollectiveArguments } from './kernel-collective.js';
import type { TraceFields } from './trace-fields.js';

const NUMBER_KEYS = [
  'External id',
  'Record function id',
  'correlation',
  'stream',
  'device',
  'bytes',
  'wait_on_stream',
  'wait_on_cuda_event_record_corr_id',
  'wait_on_cuda_event_id',
  'external id', // as Kineto wrote it before 2022
] as const;
/** Places of a number in `numbers`. */
export const Argument = {
  externalId: 0,
  recordId: 1,
  correlation: 2,
  stream: 3,
  device: 4,
  bytes: 5,
  waitsOnStream: 6,
  waitsOnCorrelation: 7,
  waitsOnEvent: 8,
} as const;
const OLD_EXTERNAL_ID = 9;

const KEYS = new JsonKeys([...NUMBER_KEYS, ...COLLECTIVE_ARGUMENTS]);

/** Reads the arguments of an event that are asked for. */
export class EventArguments {
  /** What the event states, NaN for what it does not; by Argument. */
  readonly numbers = new Float64Array(NUMBER_KEYS.length).fill(NaN);
  collective: CollectiveArguments | undefined;
  #stated = false; // whether anything was read since `clear`
  readonly #fields: TraceFields;
  readonly #cursor: JsonCursor;

  constructor(fields: TraceFields) {
    this.#fields = fields;
    this.#cursor = fields.cursor;
  }

  clear(): void {
    if (!this.#stated) return;
    this.#stated = false;
    this.numbers.fill(NaN);
    this.collective = undefined;
  }

  /** @param subject where the event stands, for messages */
  read(subject: () => string): void {
    const cursor = this.#cursor;
    this.clear();
    this.#stated = true;
    if (cursor.kind() !== JsonKind.object) {
      cursor.skip();
      return;
    }
    cursor.enterObject();
    let seen = 0;
    for (let key = cursor.nextKey(KEYS); key !== KEY_END; key = cursor.nextKey(KEYS)) {
      if (key === KEY_UNKNOWN) {
        cursor.skip();
        continue;
      }
      seen = this.#fields.see(seen, key);
      if (key >= NUMBER_KEYS.length) {
        (this.collective ??= {})[COLLECTIVE_ARGUMENTS[key - NUMBER_KEYS.length]] = jsonValue(cursor);
      } else if (cursor.kind() === JsonKind.string) {
        this.numbers[key] = this.#decimal();
      } else {
        const place = key === OLD_EXTERNAL_ID ? Argument.externalId : key;
        this.numbers[place] = this.#fields.id(NUMBER_KEYS[key], subject);
      }
    }
  }

  /** Calls of HIP state addresses as texts; those are no ids, and nothing is lost with them. */
  #decimal(): number {
    const text = this.#cursor.text();
    return /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
  }
}
