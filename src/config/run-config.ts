import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import { LineCounter, parseDocument, type Document } from 'yaml';
import { requestError, type PrepError } from '../base/errors.js';

const SCHEMA = new URL('../../../schemas/run-config.schema.json', import.meta.url);

/** Attribute names of R-010, and longer names, with the flags that say the same. */
const FLAG_OF_ATTRIBUTE: Readonly<Record<string, string>> = {
  AllReduceAlgorithm: 'allreduce',
  ReduceAlgorithm: 'reduce',
  AllGatherAlgorithm: 'allgather',
  ReduceScatterAlgorithm: 'reducescatter',
  ReduceScatterBlockAlgorithm: 'reducescatterblock',
  BroadcastAlgorithm: 'broadcast',
  GatherAlgorithm: 'gather',
  ScatterAlgorithm: 'scatter',
  AllToAllAlgorithm: 'alltoall',
  BarrierAlgorithm: 'barrier',
  ProcessGroupSerialization: 'serialize',
  CommCollectiveSynchronization: 'sync',
  UseMaxAsCommCollectiveStartTime: 'useMaxStart',
  AbortOnChakraWarning: 'abortOnWarning',
  NumOfChakraFiles: 'rankCount',
  TraceFamily: 'family',
  out: 'o',
};

/** Values by flag name; `scale` is there only when `Scaling` is on. */
export type RunConfig = Readonly<Record<string, unknown>>;

/**
 * Reads `--config run.yaml` (YAML or JSON) and checks it against schemas/run-config.schema.json.
 * @returns values by flag name
 * @throws PrepError `CONFIG_UNREADABLE`, or `CONFIG_INVALID` naming file, line, column, value and what was expected
 */
export function readRunConfig(path: string): RunConfig {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw requestError('CONFIG_UNREADABLE', `${path}: cannot be read (${(cause as Error).message})`);
  }
  return parseRunConfig(text, path);
}

/** As {@link readRunConfig}, from text; `path` is for messages. */
export function parseRunConfig(text: string, path: string): RunConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) throw invalid(path, lines, broken.pos[0], broken.message);
  const values: unknown = document.toJS() ?? {};
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as { properties: Record<string, unknown> };
  const check = new Ajv({ allErrors: false, strict: true }).compile(schema);
  if (!check(values)) {
    const error = check.errors![0];
    throw invalid(path, lines, position(document, error), describe(error, values, Object.keys(schema.properties)));
  }
  return flagsOf(values as Record<string, unknown>);
}

function flagsOf(values: Record<string, unknown>): RunConfig {
  const flags: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (name === 'Scaling' || name === 'ScalingFactor') continue;
    flags[FLAG_OF_ATTRIBUTE[name] ?? name] = value;
  }
  if (values.Scaling === true) flags.scale = values.ScalingFactor ?? 1;
  return flags;
}

function position(document: Document, error: ErrorObject): number {
  const path = error.instancePath.split('/').slice(1);
  if (error.keyword === 'additionalProperties') path.push(String(error.params.additionalProperty));
  let offset = 0;
  const contents = document.contents as {
    items?: { key?: { value: unknown; range?: number[] }; value?: { range?: number[] } }[];
  };
  const item = contents?.items?.find((pair) => pair.key !== undefined && String(pair.key.value) === path[0]);
  if (item) offset = (error.keyword === 'additionalProperties' ? item.key?.range : item.value?.range)?.[0] ?? 0;
  return offset;
}

function describe(error: ErrorObject, values: unknown, known: readonly string[]): string {
  if (error.keyword === 'additionalProperties') {
    return `unknown attribute: ${error.params.additionalProperty} (known: ${known.join(', ')})`;
  }
  const name = error.instancePath.slice(1);
  const value = name === '' ? values : (values as Record<string, unknown>)[name];
  const expected =
    error.keyword === 'enum'
      ? `one of ${(error.params.allowedValues as unknown[]).join(', ')}`
      : (error.message ?? '').replace(/^must be /, '');
  return `${name || 'the file'}: ${JSON.stringify(value)}, expected ${expected}`;
}

function invalid(path: string, lines: LineCounter, offset: number, message: string): PrepError {
  const { line, col } = lines.linePos(offset);
  return requestError('CONFIG_INVALID', `${path}:${line}:${col}: ${message}`);
}
