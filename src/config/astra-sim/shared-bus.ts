import type { SharedBusConfiguration } from '../../astra-sim/system-configuration.js';
import type { Settings } from './settings.js';

const KEYS = ['L', 'o', 'g', 'G', 'local-reduction-delay'] as const;

/** `model-shared-bus` with its parameters (section 15); undefined where it is off. */
export function sharedBusOf(settings: Settings): SharedBusConfiguration | undefined {
  if (!settings.flag('model-shared-bus')) {
    for (const key of KEYS) {
      if (settings.has(key)) settings.findUnused(key, 'does not turn model-shared-bus on');
    }
    return undefined;
  }
  // The program keeps all four in single precision, and makes integers of three.
  const time = (key: string): number => {
    const value = settings.getOr(key, 0);
    return settings.cut(key, value, Math.trunc(Math.fround(value)));
  };
  return {
    latencyNs: time('L'),
    overheadNs: time('o'),
    gapNs: time('g'),
    gapPerByteNs: Math.fround(settings.getOr('G', 0)),
    reductionDelayNs: settings.whole('local-reduction-delay', 1),
  };
}
