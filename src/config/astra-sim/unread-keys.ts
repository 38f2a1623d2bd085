import type { Severity } from '../../base/finding.js';
import { ownValue } from '../../base/named-values.js';
import { implementationKey, SYSTEM_COLLECTIVES } from '../../astra-sim/system-configuration.js';
import { nearestName } from '../../base/nearest-name.js';
import { shownValue } from '../check-config.js';
import { knownKeys, type SettingsSchemaName } from './check-settings.js';
import { INTER_DIMENSION_KEY, interDimensionScheduling } from './inter-dimension-scheduling.js';
import type { Settings } from './settings.js';

/** A key of older versions: what became of it, and whether the value asks for what happens without it anyway. */
interface OlderKey {
  readonly fate: string;
  readonly harmless: (value: unknown) => boolean;
  readonly advice?: string;
}

const OLDER_KEYS: Readonly<Record<string, OlderKey>> = {
  // It let symmetric ranks share one run; the times are the same.
  'boost-mode': { fate: 'ASTRA-sim reads it no more', harmless: () => true },
  'seprate-log': { fate: 'ASTRA-sim reads it no more', harmless: () => true },
  'intra-dimension-scheduling': {
    fate: 'the chunks of a queue run in the order in which they come (FIFO)',
    harmless: (value) => value === 'FIFO',
  },
  [INTER_DIMENSION_KEY]: {
    fate: 'dimensions come in ascending order',
    harmless: (value) => interDimensionScheduling(value) === 'ascending',
    advice: '--system-extensions applies it',
  },
  ...Object.fromEntries(
    SYSTEM_COLLECTIVES.map(implementationKey).map((key) => [
      `${key}-chakra-experimental`,
      { fate: `it is called ${key}-custom now`, harmless: () => false },
    ]),
  ),
};

/**
 * Tells of keys that nobody reads: those of older versions, and unknown ones with the known key they are like.
 * @param extensions whether `inter-dimension-scheduling` is applied
 */
export function tellUnreadKeys(settings: Settings, schema: SettingsSchemaName, extensions = false): void {
  const system = schema === 'astra-sim-system';
  const known = knownKeys(schema);
  for (const key of settings.file.keys()) {
    if (known.includes(key) || (extensions && key === INTER_DIMENSION_KEY)) continue;
    const older = system ? ownValue(OLDER_KEYS, key) : undefined;
    if (older === undefined) {
      const nearest = nearestName(key, system ? [...known, INTER_DIMENSION_KEY] : known);
      const hint = nearest === undefined ? 'it has no effect' : `did you mean ${nearest}?`;
      settings.find('SYSTEM_KEY_UNKNOWN', key, `unknown key ${JSON.stringify(key)}, ${hint}`);
    } else {
      const value = settings.get(key);
      const severity: Severity = older.harmless(value) ? 'note' : 'warning';
      settings.find('SYSTEM_KEY_WITHOUT_EFFECT', key, `${key}: ${shownValue(value)} has no effect: ${older.fate}`, {
        severity,
        ...(older.advice !== undefined && { advice: older.advice }),
      });
    }
  }
}
