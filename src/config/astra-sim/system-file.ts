import type { Finding } from '../../base/finding.js';
import type { SystemConfiguration, SystemExtensions } from '../../astra-sim/system-configuration.js';
import { customImplementationsByNode, customImplementationsOf } from './custom-implementations.js';
import { implementationsOf } from './implementations.js';
import { appliedScheduling } from './inter-dimension-scheduling.js';
import { Settings } from './settings.js';
import { readSettingsText, SettingsFile } from './settings-file.js';
import { sharedBusOf } from './shared-bus.js';
import { tellUnreadKeys } from './unread-keys.js';

/** What the command line says about a system file. */
export interface SystemFileReading {
  /** `--injection-scale`: `endpoint-delay` is multiplied by it where the file has one. */
  readonly injectionScale: number;
  /** `--system-extensions`: settings of older versions are applied. */
  readonly extensions: boolean;
}

export interface SystemFile {
  readonly configuration: SystemConfiguration;
  /** Defaults, keys without effect, numbers that were cut off, paths found elsewhere. */
  readonly findings: readonly Finding[];
}

const CODES = { unreadable: 'SYSTEM_UNREADABLE', malformed: 'SYSTEM_MALFORMED' } as const;

/** Largest endpoint delay after scaling, ns: the program keeps it in 32 bits. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** Flags that the program compares with 0: `false` is not 0 to it. */
const FALSE_IS_ON = ['roofline-enabled', 'replay-only', 'track-local-mem'];

/**
 * Reads an ASTRA-sim system file (`--system`, section 1) with schemas/astra-sim-system.schema.json.
 * @throws PrepError `SYSTEM_UNREADABLE`; `SYSTEM_MALFORMED` naming file, line, column, value and what was expected;
 *   `SYSTEM_PATH_MISSING` for the traces of a custom implementation
 */
export function readSystemFile(path: string, how: SystemFileReading): SystemFile {
  return parseSystemFile(readSettingsText(path, CODES.unreadable), path, how);
}

/** As {@link readSystemFile}, from text; `path` is for messages, and for what lies beside the file. */
export function parseSystemFile(text: string, path: string, how: SystemFileReading): SystemFile {
  const settings = new Settings(new SettingsFile(text, path, CODES), 'astra-sim-system');
  tellUnreadKeys(settings, 'astra-sim-system', how.extensions);
  tellFlags(settings);
  const named = implementationsOf(settings, how.extensions);
  const sharedBus = sharedBusOf(settings);
  const roofline = settings.flag('roofline-enabled');
  const tracked = settings.flag('track-local-mem');
  const extensions: SystemExtensions | undefined = how.extensions
    ? { interDimensionScheduling: appliedScheduling(settings), hierarchicalRing: named.hierarchicalRing }
    : undefined;
  const configuration: SystemConfiguration = {
    file: path,
    // No default in the program, which takes what lies in memory: those of nearly all published files.
    schedulingPolicy: settings.getOr('scheduling-policy', 'LIFO'),
    collectiveOptimization: settings.getOr('collective-optimization', 'localBWAware'),
    datasetSplits: settings.whole('preferred-dataset-splits', 1),
    activeChunksPerDimension: settings.whole('active-chunks-per-dimension', 1),
    endpointDelayNs: endpointDelayOf(settings, how.injectionScale),
    localMemoryGBps: settings.getOr('local-mem-bw', 0),
    implementations: named.implementations,
    customImplementations: customImplementationsOf(settings),
    customByNode: customImplementationsByNode(settings),
    roofline,
    peakTflops: roofline ? settings.getOr('peak-perf', 0) : (settings.get<number>('peak-perf') ?? 0),
    replayOnly: settings.flag('replay-only'),
    ...(sharedBus !== undefined && { sharedBus }),
    ...(tracked && { localMemoryTrace: settings.getOr('local-mem-trace-filename', 'local_mem_trace') }),
    ...(extensions !== undefined && { extensions }),
  };
  return { configuration, findings: settings.allFindings() };
}

/** `endpoint-delay`, cut to a whole number before and after it is scaled; the default is not scaled. */
function endpointDelayOf(settings: Settings, scale: number): number {
  const key = 'endpoint-delay';
  const delay = settings.whole(key, 10);
  if (scale === 1) return delay;
  if (!settings.has(key)) {
    settings.findUnused('--injection-scale', `has no ${key}`);
    return delay;
  }
  const scaled = delay * scale;
  if (!(scaled >= 0 && scaled <= LONGEST_DELAY)) {
    throw settings.error([key], `0 to 2^31 - 1 ns after --injection-scale ${scale}`);
  }
  if (!Number.isInteger(scaled)) {
    const told = `${key}: ${delay} times --injection-scale ${scale} counts as ${Math.trunc(scaled)}`;
    settings.find('SYSTEM_VALUE_CUT', key, `${told}, ASTRA-sim takes whole numbers here`);
  }
  return Math.trunc(scaled);
}

function tellFlags(settings: Settings): void {
  for (const key of FALSE_IS_ON) {
    if (settings.get(key) !== false) continue;
    settings.find('SYSTEM_FALSE_IS_ON', key, `${key}: false is off here; ASTRA-sim takes it for on`);
  }
  if (settings.flag('trace-enabled')) {
    const fate = 'it adds lines to the log of ASTRA-sim';
    const facts = { severity: 'note' } as const;
    settings.find('SYSTEM_KEY_WITHOUT_EFFECT', 'trace-enabled', `trace-enabled has no effect: ${fate}`, facts);
  }
}
