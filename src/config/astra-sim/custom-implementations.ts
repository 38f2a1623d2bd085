import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import { requestError } from '../../base/errors.js';
import {
  implementationKey,
  SYSTEM_COLLECTIVES,
  type SystemConfiguration,
} from '../../astra-sim/system-configuration.js';
import { ConfigDocument } from '../config-document.js';
import { pathBeside, placesBeside } from './beside.js';
import type { Settings } from './settings.js';
import { readSettingsText } from './settings-file.js';

const BY_NODE = 'per-node-custom-implementation';
/** Trace of the first position, which every custom implementation has. */
const FIRST_TRACE = '.0.et';
const LARGEST_ID = 2n ** 64n - 1n;

/** A path as a file names it, and where it was found. */
interface FoundPath {
  readonly named: string;
  readonly path: string;
}

/**
 * Prefixes of `<collective>-implementation-custom`, as paths that can be opened (section 10).
 * @throws PrepError `SYSTEM_PATH_MISSING` where the first trace is nowhere
 */
export function customImplementationsOf(settings: Settings): SystemConfiguration['customImplementations'] {
  const prefixes: Partial<Record<(typeof SYSTEM_COLLECTIVES)[number], string>> = {};
  for (const collective of SYSTEM_COLLECTIVES) {
    const key = `${implementationKey(collective)}-custom`;
    const [prefix] = settings.get<readonly string[]>(key) ?? [];
    if (prefix === undefined) continue;
    const { path } = settings.file;
    prefixes[collective] = found(prefix, FIRST_TRACE, path, `${path}:${settings.file.line(key)}: ${key}`);
    tellMoved(settings, key, [{ named: prefix, path: prefixes[collective] }]);
  }
  return prefixes;
}

/**
 * Reads the file of `per-node-custom-implementation`: YAML, `node id: prefix` (section 10).
 * @throws PrepError `SYSTEM_PATH_MISSING` where it or a first trace is nowhere, `SYSTEM_MALFORMED` with line and column
 */
export function customImplementationsByNode(settings: Settings): Map<bigint, string> {
  const named = settings.get<string>(BY_NODE);
  if (named === undefined) return new Map();
  const { path, codes } = settings.file;
  const file = found(named, '', path, `${path}:${settings.file.line(BY_NODE)}: ${BY_NODE}`);
  tellMoved(settings, BY_NODE, [{ named, path: file }]);
  const document = new ConfigDocument(readSettingsText(file, codes.unreadable), file, {
    code: codes.malformed,
    asWritten: true,
  });
  const prefixes = prefixesByNode(document);
  tellMoved(
    settings,
    BY_NODE,
    prefixes.map(([, prefix]) => prefix),
    file,
  );
  return new Map(prefixes.map(([id, prefix]) => [id, prefix.path]));
}

function prefixesByNode(document: ConfigDocument): [bigint, FoundPath][] {
  const values = document.values();
  if (typeof values !== 'object' || Array.isArray(values)) {
    throw document.error(0, 'expected lines such as 7: custom/ring, a node id and the prefix of its traces');
  }
  return document.names().map((name) => {
    if (!/^(0|[1-9]\d*)$/.test(name) || BigInt(name) > LARGEST_ID) {
      throw document.error(document.keyOffset(name), `${name}: expected the id of a node, in decimal digits`);
    }
    const prefix = (values as Record<string, unknown>)[name];
    const offset = document.valueOffset([name]);
    if (typeof prefix !== 'string' || prefix === '') {
      throw document.error(offset, `${name}: expected the prefix of the traces of a custom implementation`);
    }
    const path = found(prefix, FIRST_TRACE, document.path, `${document.place(offset)}: ${name}`);
    return [BigInt(name), { named: prefix, path }];
  });
}

function found(named: string, ending: string, namedIn: string, subject: string): string {
  const path = pathBeside(named, ending, namedIn);
  if (path !== undefined) return path;
  const places = placesBeside(named, namedIn);
  throw requestError('SYSTEM_PATH_MISSING', `${subject}: ${named}${ending} is not there, looked ${places}`);
}

/** Says which paths are not where ASTRA-sim looks. */
function tellMoved(settings: Settings, key: string, paths: readonly FoundPath[], file?: string): void {
  const moved = paths.filter(({ named, path }) => named !== path);
  if (moved.length === 0) return;
  const [first] = moved;
  const where = `${first.named} is not in the working directory, taken as ${first.path}`;
  if (file === undefined) settings.find('SYSTEM_PATH_FOUND', key, `${key}: ${where}`);
  else {
    const more = moved.length === 1 ? '' : `, and ${counted(moved.length - 1, 'more prefix', 'more prefixes')} alike`;
    settings.findings.push(finding('SYSTEM_PATH_FOUND', `${file}: ${where}${more}`, { file, count: moved.length }));
  }
}
