import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { COLLECTIVE_NAMES } from '../trace/collective-type.js';
import {
  demandNoFlagBeside,
  fileSource,
  replaces,
  setSource,
  type AttributeSource,
  type Values,
} from './attribute-source.js';
import { FLAG_OF_ATTRIBUTE } from './attributes.js';
import { unusedSettings } from './contradictions.js';

/** What a run configuration says, a file or `--set` or both. */
export interface RunConfig {
  /**
   * Values by flag name, attributes of R-010 among them. Times that an attribute gives are ps, sizes bytes and rates Gbit/s, as
   * numbers; those under the name of a flag are text with a unit, as on the command line. `scale` is there only when `Scaling`
   * is on.
   */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Settings that count for nothing. */
  readonly findings: readonly Finding[];
}

/** What `--set` says, which wins over a file, the last of several. */
export interface SetAttributes {
  /** `Name=value` each. */
  readonly words: readonly string[];
  /** Flags of the command line, which must not say the same thing otherwise. */
  readonly given: Values;
}

const NOTHING_SET: SetAttributes = { words: [], given: {} };

/**
 * Reads `--config run.yaml` (YAML or JSON) and `--set`, and checks both against schemas/run-config.schema.json.
 * @param path undefined where no file is named
 * @throws PrepError `CONFIG_UNREADABLE`, `CONFIG_INVALID` naming file, line, column, value and what was expected, or `USAGE` for
 *   a `--set` that cannot be read or that a flag contradicts
 */
export function readRunConfig(path: string | undefined, set = NOTHING_SET): RunConfig {
  if (path === undefined) return runConfigOf([], set);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw requestError('CONFIG_UNREADABLE', `${path}: cannot be read (${(cause as Error).message})`);
  }
  return parseRunConfig(text, path, set);
}

/** As {@link readRunConfig}, from text; `path` is for messages. */
export function parseRunConfig(text: string, path: string, set = NOTHING_SET): RunConfig {
  return runConfigOf([fileSource(text, path)], set);
}

function runConfigOf(files: readonly AttributeSource[], { words, given }: SetAttributes): RunConfig {
  const set = words.map(setSource);
  for (const source of set) demandNoFlagBeside(source, given);
  /** The source of each attribute that counts. */
  const sources = new Map<string, AttributeSource>();
  for (const source of [...files, ...set]) {
    const names = Object.keys(source.values);
    for (const earlier of [...sources.keys()])
      if (names.some((name) => replaces(name, earlier))) sources.delete(earlier);
    for (const name of names) sources.set(name, source);
  }
  const chosen = (of: (source: AttributeSource) => Values): Record<string, unknown> =>
    Object.fromEntries([...sources].map(([name, source]) => [name, of(source)[name]]));
  const values = chosen((source) => source.values);
  const read = chosen((source) => source.read);
  return {
    flags: besideTheirFile(flagsOf(values, read), sources),
    findings: unusedSettings(values, (name) => sources.get(name)!.document),
  };
}

function flagsOf(values: Values, read: Values): Record<string, unknown> {
  const flags: Record<string, unknown> = {};
  for (const name of Object.keys(values)) {
    if (name === 'Scaling' || name === 'ScalingFactor') continue;
    const flag = FLAG_OF_ATTRIBUTE[name];
    flags[flag ?? name] = flag === undefined ? values[name] : read[name];
  }
  if (values.assume !== undefined) flags.assume = assumptionsText(values.assume);
  if (values.Scaling === true) flags.scale = values.ScalingFactor ?? 1;
  return flags;
}

/** An algorithm in a file that a configuration names: its path is relative to the configuration. */
function besideTheirFile(
  flags: Record<string, unknown>,
  sources: ReadonlyMap<string, AttributeSource>,
): Record<string, unknown> {
  for (const [name, { document }] of sources) {
    const flag = FLAG_OF_ATTRIBUTE[name] ?? name;
    const value = flags[flag];
    if (!document.isFile || typeof value !== 'string' || !COLLECTIVE_NAMES.some(({ option }) => option === flag))
      continue;
    const path = /^file:(.*)$/s.exec(value)?.[1];
    if (path !== undefined && !isAbsolute(path)) flags[flag] = `file:${join(dirname(document.path), path)}`;
  }
  return flags;
}

/** A list or a mapping of conventions as the command line says them: `allgather-size=total,root=position`. */
function assumptionsText(assume: unknown): string {
  if (Array.isArray(assume) || typeof assume === 'string') return [assume].flat().map(String).join(',');
  return Object.entries(assume as Record<string, string | number>)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}
