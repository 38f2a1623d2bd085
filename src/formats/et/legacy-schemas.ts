import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Reader, Root, Type } from 'protobufjs';
import type { SchemaVersion } from './schema-version.js';

/** Schemas before 0.0.4. */
export type LegacySchema = Exclude<SchemaVersion, '0.0.4'>;

const PROTO = new URL('../../../../proto/', import.meta.url);

const FILES: Record<LegacySchema, string> = {
  '0.0.1': 'history/et_def-0.0.1.proto',
  '0.0.2': 'history/et_def-0.0.2.proto',
  '0.0.3': 'history/et_def-0.0.3.proto',
  '0.0.3+': 'history/et_def-0.0.3-aug2023.proto',
};

/** The messages of an older schema, and those of today. */
export interface LegacyTypes {
  readonly node: Type;
  /** Only August 2023 has metadata. */
  readonly metadata: Type | undefined;
  readonly currentNode: Type;
  readonly currentMetadata: Type;
  readonly Reader: typeof Reader;
}

const loaded = new Map<LegacySchema, LegacyTypes>();

/** Old files are rare: protobufjs and the schemas are loaded when the first of them is met, and kept for the next. */
export function legacyTypes(schema: LegacySchema): LegacyTypes {
  let types = loaded.get(schema);
  if (types === undefined) loaded.set(schema, (types = loadTypes(schema)));
  return types;
}

function loadTypes(schema: LegacySchema): LegacyTypes {
  const library = createRequire(import.meta.url)('protobufjs') as { Root: typeof Root; Reader: typeof Reader };
  const load = (file: string): Root =>
    new library.Root().loadSync(fileURLToPath(new URL(file, PROTO)), { keepCase: true });
  const old = load(FILES[schema]);
  const current = load('et_def.proto');
  return {
    node: old.lookupType('Node'),
    metadata: (old.get('GlobalMetadata') as Type | null) ?? undefined,
    currentNode: current.lookupType('ChakraProtoMsg.Node'),
    currentMetadata: current.lookupType('ChakraProtoMsg.GlobalMetadata'),
    Reader: library.Reader,
  };
}
