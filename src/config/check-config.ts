import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { nearestName } from '../base/nearest-name.js';
import { QUANTITIES } from './attributes.js';
import type { ConfigDocument } from './config-document.js';
import { expectation, type ValueSchema } from './schema-expectation.js';

const SCHEMA = new URL('../../../schemas/run-config.schema.json', import.meta.url);

interface ConfigSchema {
  readonly properties: Readonly<Record<string, ValueSchema>>;
}

/** The schema and its check, which takes long to compile: made when the first configuration is read. */
let compiled: { schema: ConfigSchema; check: ValidateFunction } | undefined;

/** Longest value a message shows, characters. */
const SHOWN = 60;

/**
 * Holds the values of a configuration against schemas/run-config.schema.json.
 * @throws PrepError `CONFIG_INVALID` for the first wrong name or value of the file
 */
export function checkConfig(document: ConfigDocument, values: unknown): asserts values is Record<string, unknown> {
  const { schema, check } = (compiled ??= compileSchema());
  if (check(values)) return;
  const placed = check.errors!.map((error) => ({ error, offset: offsetOf(document, error) }));
  const [{ error, offset }] = placed.sort((a, b) => a.offset - b.offset);
  throw document.error(offset, describe(error, values, schema.properties));
}

function compileSchema(): NonNullable<typeof compiled> {
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as ConfigSchema;
  return { schema, check: new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema) };
}

function offsetOf(document: ConfigDocument, error: ErrorObject): number {
  if (error.keyword === 'additionalProperties') return document.keyOffset(String(error.params.additionalProperty));
  const steps = stepsOf(error);
  return steps.length === 0 ? 0 : document.valueOffset(steps);
}

function describe(error: ErrorObject, values: unknown, properties: ConfigSchema['properties']): string {
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params.additionalProperty);
    const known = Object.keys(properties);
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? `(known: ${known.join(', ')})` : `(did you mean ${nearest}?)`;
    return `unknown attribute: ${name} ${hint}`;
  }
  const [name] = stepsOf(error);
  if (name === undefined) return `the file: ${shownValue(values)}, expected attributes and values such as RunTime: 1ms`;
  const expected = QUANTITIES[name]?.expected ?? expectation(properties[name]);
  return `${name}: ${shownValue((values as Record<string, unknown>)[name])}, expected ${expected}`;
}

/** Steps of the path to the wrong value; none for the file itself. */
export function stepsOf({ instancePath }: ErrorObject): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A value as it stands in a message. */
export function shownValue(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
