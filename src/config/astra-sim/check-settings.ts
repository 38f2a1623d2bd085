import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { shownValue, stepsOf } from '../check-config.js';
import { expectation, type ValueSchema } from '../schema-expectation.js';
import type { SettingsFile } from './settings-file.js';

/** A JSON schema of a settings file; keys that it does not name are not looked at. */
export interface SettingsSchema {
  readonly properties: Readonly<Record<string, ValueSchema>>;
}

interface Compiled {
  readonly schema: SettingsSchema;
  readonly check: ValidateFunction;
}

const compiled = new Map<string, Compiled>();

/** What a schema is called in schemas/. */
export type SettingsSchemaName = 'astra-sim-system' | 'astra-sim-memory';

/**
 * Holds the values of a file against its schema.
 * @throws PrepError with the file's code for the first wrong value of the file, then for a key that has to be there
 */
export function checkSettings(file: SettingsFile, name: SettingsSchemaName): Readonly<Record<string, unknown>> {
  const { schema, check } = compiledSchema(name);
  if (check(file.values)) return file.values as Record<string, unknown>;
  const placed = check.errors!.map((error) => ({ error, offset: file.valueOffset(stepsOf(error)) }));
  // A missing key is found at the beginning of the file, but what stands there wrongly may be that key.
  const order = (error: ErrorObject): number => (error.keyword === 'required' ? 1 : 0);
  placed.sort((a, b) => order(a.error) - order(b.error) || a.offset - b.offset);
  throw file.error(placed[0].offset, describe(placed[0].error, file.values, schema));
}

/** Keys of a schema. */
export function knownKeys(name: SettingsSchemaName): string[] {
  return Object.keys(compiledSchema(name).schema.properties);
}

/** Compiling takes long: done when the first file of its kind is read. */
function compiledSchema(name: SettingsSchemaName): Compiled {
  let found = compiled.get(name);
  if (found === undefined) {
    const url = new URL(`../../../../schemas/${name}.schema.json`, import.meta.url);
    const schema = JSON.parse(readFileSync(url, 'utf8')) as SettingsSchema;
    found = { schema, check: new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema) };
    compiled.set(name, found);
  }
  return found;
}

function describe(error: ErrorObject, values: unknown, { properties }: SettingsSchema): string {
  if (error.keyword === 'required') {
    const key = String(error.params.missingProperty);
    return `${key}: missing, expected ${expectation(properties[key])}`;
  }
  const [key] = stepsOf(error);
  if (key === undefined) return `the file: ${shownValue(values)}, expected an object of settings`;
  return `${key}: ${shownValue((values as Record<string, unknown>)[key])}, expected ${expectation(properties[key])}`;
}
