import { readFileSync } from 'node:fs';
import { PrepError, requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { FLAG_OF_ATTRIBUTE, QUANTITIES } from './attributes.js';
import { checkConfig, shownValue } from './check-config.js';
import { ConfigDocument } from './config-document.js';
import { demandNoContradiction, unusedSettings } from './contradictions.js';

/** What a run configuration says. */
export interface RunConfig {
  /**
   * Values by flag name, attributes of R-010 among them. Times that an attribute gives are ps and sizes bytes, as numbers;
   * those under the name of a flag are text with a unit, as on the command line. `scale` is there only when `Scaling` is on
   * (R-095).
   */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Settings that count for nothing. */
  readonly findings: readonly Finding[];
}

/**
 * Reads `--config run.yaml` (YAML or JSON) and checks it against schemas/run-config.schema.json.
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
  const document = new ConfigDocument(text, path);
  const values = document.values();
  checkConfig(document, values);
  const read = withQuantities(document, values);
  demandNoContradiction(document, values, read);
  return { flags: flagsOf(values, read), findings: unusedSettings(document, values) };
}

/** Values with times in ps and sizes in bytes. @throws PrepError `CONFIG_INVALID` */
function withQuantities(document: ConfigDocument, values: Record<string, unknown>): Record<string, unknown> {
  const read = { ...values };
  for (const [name, value] of Object.entries(values)) {
    const quantity = QUANTITIES[name];
    if (!quantity) continue;
    const refused = (why: string): PrepError =>
      document.error(
        document.valueOffset([name]),
        `${name}: ${shownValue(value)}, expected ${quantity.expected}${why}`,
      );
    try {
      read[name] = quantity.read(asWritten(document, name, value), typeof value === 'number');
    } catch (error) {
      if (error instanceof PrepError) throw refused(` (${error.message})`);
      throw error;
    }
    if (!((read[name] as number) >= quantity.least && (read[name] as number) <= quantity.largest)) throw refused('');
  }
  return read;
}

/** A number as its digits say, which a double may not hold; one that YAML writes otherwise, such as 0x10, by its value. */
function asWritten(document: ConfigDocument, name: string, value: unknown): string {
  const source = document.source(name);
  return typeof value === 'number' && source !== undefined && /^[0-9.]+([eE][+-]?[0-9]+)?$/.test(source)
    ? source
    : String(value);
}

function flagsOf(values: Record<string, unknown>, read: Record<string, unknown>): Record<string, unknown> {
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

/** A list or a mapping of conventions as the command line says them: `allgather-size=total,root=position`. */
function assumptionsText(assume: unknown): string {
  if (Array.isArray(assume) || typeof assume === 'string') return [assume].flat().map(String).join(',');
  return Object.entries(assume as Record<string, string | number>)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}
