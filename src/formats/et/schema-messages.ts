import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type protobuf from 'protobufjs';
import type { SchemaVersion } from './schema-version.js';
import { MalformedWire } from './wire.js';

const FILES: Record<SchemaVersion, string> = {
  '0.0.1': 'history/et_def-0.0.1.proto',
  '0.0.2': 'history/et_def-0.0.2.proto',
  '0.0.3': 'history/et_def-0.0.3.proto',
  '0.0.3+': 'history/et_def-0.0.3-aug2023.proto',
  '0.0.4': 'et_def.proto',
};
const FOLDER = new URL('../../../../proto/', import.meta.url);
const PACKAGE = 'ChakraProtoMsg';

/** A message as it was read; a field that was not there has the default of its type. */
export interface ReadMessage {
  /** What no field of the schema takes. */
  readonly $unknowns?: readonly Uint8Array[];
}

/** A 64-bit integer of a message. */
export interface Wide {
  readonly low: number;
  readonly high: number;
  readonly unsigned: boolean;
}

/** An integer of a message, of 32 or 64 bits. */
export type Integer = number | Wide;

// Loading the library takes longer than many a command, and few files need it.
let library: typeof protobuf | undefined;
const schemas = new Map<SchemaVersion, SchemaMessages>();

/** The messages of one schema, after its file in `proto/`. */
export class SchemaMessages {
  readonly #protobuf: typeof protobuf;
  readonly #names: protobuf.Namespace;

  private constructor(readonly version: SchemaVersion) {
    this.#protobuf = library ??= createRequire(import.meta.url)('protobufjs') as typeof protobuf;
    const text = readFileSync(new URL(FILES[version], FOLDER), 'utf8');
    const { root } = this.#protobuf.parse(text, { keepCase: true });
    this.#names = root.lookup(PACKAGE) as protobuf.Namespace;
  }

  static of(version: SchemaVersion): SchemaMessages {
    let messages = schemas.get(version);
    if (messages === undefined) schemas.set(version, (messages = new SchemaMessages(version)));
    return messages;
  }

  /** Reads the message [start, end). Throws MalformedWire. */
  read<T extends ReadMessage>(type: string, bytes: Uint8Array, start: number, end: number): T {
    const reader = this.#protobuf.Reader.create(bytes.subarray(start, end));
    reader.discardUnknown = false;
    try {
      return this.#names.lookupType(type).decode(reader) as unknown as T;
    } catch (error) {
      const reason = `it is no ${type} of schema ${this.version}: ${(error as Error).message}`;
      throw new MalformedWire(reason, start + Math.min(reader.pos, end - start));
    }
  }

  /** A frame: length and message. */
  frame(type: string, message: object): Uint8Array {
    return this.#names.lookupType(type).encodeDelimited(message).finish();
  }

  /** Number of an enum value by name; `undefined` when the schema does not name it. */
  valueOf(type: string, name: string): number | undefined {
    return this.#names.lookupEnum(type).values[name];
  }

  /** Name of an enum value by number. */
  nameOf(type: string, value: number): string | undefined {
    return this.#names.lookupEnum(type).valuesById[value];
  }
}
