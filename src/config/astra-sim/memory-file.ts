import type { Finding } from '../../base/finding.js';
import type { RemoteMemoryConfiguration } from '../../astra-sim/system-configuration.js';
import { Settings } from './settings.js';
import { readSettingsText, SettingsFile } from './settings-file.js';
import { tellUnreadKeys } from './unread-keys.js';

export interface MemoryFile {
  readonly configuration: RemoteMemoryConfiguration;
  /** Defaults, keys without effect, numbers that were cut off. */
  readonly findings: readonly Finding[];
}

const CODES = { unreadable: 'MEMORY_UNREADABLE', malformed: 'MEMORY_MALFORMED' } as const;

/**
 * Reads an ASTRA-sim remote memory file (`--memory`, section 4) with schemas/astra-sim-memory.schema.json.
 * @throws PrepError `MEMORY_UNREADABLE`; `MEMORY_MALFORMED` naming file, line, column, value and what was expected
 */
export function readMemoryFile(path: string): MemoryFile {
  return parseMemoryFile(readSettingsText(path, CODES.unreadable), path);
}

/** As {@link readMemoryFile}, from text; `path` is for messages. */
export function parseMemoryFile(text: string, path: string): MemoryFile {
  const settings = new Settings(new SettingsFile(text, path, CODES), 'astra-sim-memory');
  tellUnreadKeys(settings, 'astra-sim-memory');
  // No default in the program. Under this one no access goes unnoticed: the first stops the run.
  const kind = settings.getOr<RemoteMemoryConfiguration['kind']>('memory-type', 'NO_MEMORY_EXPANSION');
  const none = kind === 'NO_MEMORY_EXPANSION';
  const perNode = kind === 'PER_NODE_MEMORY_EXPANSION';
  const unused = [
    ...(none ? ['remote-mem-latency', 'remote-mem-bw'] : []),
    ...(perNode ? [] : ['num-npus-per-node', 'num-nodes']),
  ];
  for (const key of unused) if (settings.has(key)) settings.findUnused(key, `says ${kind}`);
  const configuration: RemoteMemoryConfiguration = {
    file: path,
    kind,
    latencyNs: none ? 0 : settings.whole('remote-mem-latency', 0),
    bytesPerNs: none ? 0 : divisor(settings, 'remote-mem-bw', kind),
    ranksPerNode: perNode ? divisor(settings, 'num-npus-per-node', kind) : 1,
  };
  return { configuration, findings: settings.allFindings() };
}

/** A whole number that the program divides by. */
function divisor(settings: Settings, key: string, kind: string): number {
  if (!((settings.get<number>(key) ?? 0) >= 1)) throw settings.error([key], `a number, at least 1, under ${kind}`);
  return settings.whole(key, 1);
}
