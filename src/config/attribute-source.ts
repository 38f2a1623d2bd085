import { PrepError, requestError } from '../base/errors.js';
import { FLAG_OF_ATTRIBUTE, QUANTITIES } from './attributes.js';
import { checkConfig, shownValue } from './check-config.js';
import { ConfigDocument } from './config-document.js';
import { demandNoContradiction } from './contradictions.js';

export type Values = Readonly<Record<string, unknown>>;

/** Attributes from one place, each of them sound: a file, or one --set. */
export interface AttributeSource {
  readonly document: ConfigDocument;
  /** As written. */
  readonly values: Values;
  /** The same with times in ps, sizes in bytes and rates in Gbit/s. */
  readonly read: Values;
}

/**
 * The attributes of a file.
 * @throws PrepError `CONFIG_INVALID`
 */
export function fileSource(text: string, path: string): AttributeSource {
  return sourceOf(new ConfigDocument(text, path));
}

const EXAMPLE = '--set EgressLimit=300KB';

/**
 * The attribute that `--set Name=value` states: the value is what a configuration has behind the name.
 * @throws PrepError `USAGE` for another form and for the name of a flag, `CONFIG_INVALID` for an unknown name or a wrong value
 */
export function setSource(word: string): AttributeSource {
  const place = `--set ${word}`;
  const equals = word.indexOf('=');
  if (equals < 1 || /[\r\n]/.test(word)) {
    throw requestError('USAGE', `${place}: expected a name and a value, such as ${EXAMPLE}`);
  }
  const name = word.slice(0, equals).trim();
  const text = `${JSON.stringify(name)}: ${word.slice(equals + 1)}`;
  const source = sourceOf(new ConfigDocument(text, '', { place }));
  if (!/^[A-Z]/.test(name)) {
    throw requestError('USAGE', `${place}: ${name} is no attribute; expected one such as ${EXAMPLE}`, `use --${name}`);
  }
  return source;
}

function sourceOf(document: ConfigDocument): AttributeSource {
  const values = document.values();
  checkConfig(document, values);
  const read = withQuantities(document, values);
  demandNoContradiction(document, values, read);
  return { document, values, read };
}

/** @throws PrepError `CONFIG_INVALID` */
function withQuantities(document: ConfigDocument, values: Values): Values {
  const read: Record<string, unknown> = { ...values };
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

/** Attributes that say together what one flag says. */
const TOGETHER: Readonly<Record<string, string>> = {
  Scaling: 'scale',
  ScalingFactor: 'scale',
  ProfilingEnabled: 'profiling',
  ProfilingInterval: 'profiling',
};

/** Whether `name`, stated later, replaces what `earlier` said. */
export function replaces(name: string, earlier: string): boolean {
  return flagOf(name) === flagOf(earlier) || TOGETHER[name] === earlier;
}

/**
 * One thing said by --set and by a flag of the command line, of which neither is the later one.
 * @throws PrepError `USAGE` where they differ
 */
export function demandNoFlagBeside({ document, read }: AttributeSource, given: Values): void {
  for (const name of Object.keys(read)) {
    const flag = TOGETHER[name] ?? flagOf(name);
    if (given[flag] === undefined || given[flag] === read[name]) continue;
    const message = `${document.place(0)}: --${flag} says the same thing otherwise; expected one of the two`;
    throw requestError('USAGE', message, 'leave one of the two out');
  }
}

function flagOf(name: string): string {
  return FLAG_OF_ATTRIBUTE[name] ?? name;
}
