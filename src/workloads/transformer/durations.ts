import { requestError } from '../../base/errors.js';
import { nearestName } from '../../base/nearest-name.js';
import type { Cost } from './operations.js';
import type { TransformerParameters } from './parameters.js';

/**
 * Duration of a compute in whole ns: as stated for its operation, else what a roofline gives, the longer of its operations at peak and
 * its bytes at the memory's bandwidth (Williams, Waterman, Patterson, Roofline, 2009); 0 where nobody said.
 */
export function computeNs(parameters: TransformerParameters, operation: string, { operations, bytes }: Cost): number {
  const { peakTflops, memoryGbps, durationsMicros } = parameters;
  if (durationsMicros !== undefined && Object.hasOwn(durationsMicros, operation)) {
    return Math.round(durationsMicros[operation] * 1000);
  }
  if (peakTflops === undefined || memoryGbps === undefined) return 0;
  // 10^12 operations a second are 1000 a ns, 10^9 bytes a second one.
  return Math.round(Math.max(operations / (1000 * peakTflops), bytes / memoryGbps));
}

/** @throws PrepError `CASE_PARAMETER` for a name that no compute of the job has, or a value that is no duration */
export function demandDurations({ durationsMicros }: TransformerParameters, operations: ReadonlySet<string>): void {
  for (const [name, micros] of Object.entries(durationsMicros ?? {})) {
    if (!operations.has(name)) {
      const known = [...operations];
      const meant = nearestName(name, known);
      throw requestError(
        'CASE_PARAMETER',
        `transformer: --durations: no compute of this job is called ${name}`,
        meant === undefined ? `they are: ${known.join(', ')}` : `did you mean ${meant}?`,
      );
    }
    if (!(micros >= 0 && Number.isSafeInteger(Math.round(micros * 1000)))) {
      throw requestError(
        'CASE_PARAMETER',
        `transformer: --durations: ${name}: ${micros}: expected µs, a number from 0`,
      );
    }
  }
}
