import { requestError } from '../../base/errors.js';
import type { ConversionOptions } from '../../formats/conversion.js';
import type { ConversionRequest } from './conversion-request.js';

/** Flags of the options that a form may take. */
export const OPTION_FLAGS: Readonly<Record<keyof ConversionOptions, string>> = {
  ranks: '--ranks',
  passes: '--passes',
  size: '--size',
  modelParallel: '--model-parallel',
  flopsPerSecond: '--flops-per-second',
  startNs: '--network',
};

/** One side of a conversion: what it is called, and the options it takes. */
export interface OptionTaker {
  readonly title: string;
  readonly options: readonly (keyof ConversionOptions)[];
}

/**
 * Every option that is given must be taken by one side of the conversion.
 * @throws PrepError `OPTION_NOT_TAKEN` (exit status 2) for the first that none takes
 */
export function demandOptionsTaken(
  given: readonly (keyof ConversionOptions)[],
  from: OptionTaker,
  to: OptionTaker,
): void {
  const taken = [...new Set([...from.options, ...to.options])];
  const option = given.find((name) => !taken.includes(name));
  if (option === undefined) return;
  const flags = taken.map((name) => OPTION_FLAGS[name]);
  throw requestError(
    'OPTION_NOT_TAKEN',
    `${OPTION_FLAGS[option]}: a conversion from ${from.title} to ${to.title} has no use for it`,
    flags.length === 0
      ? 'leave it out; this conversion takes no such option'
      : `leave it out; it takes ${flags.join(', ')}`,
  );
}

/** Options that a request states. */
export function givenOptions({
  options,
  timedBy,
}: Pick<ConversionRequest, 'options' | 'timedBy'>): (keyof ConversionOptions)[] {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name as keyof ConversionOptions);
  return timedBy === undefined ? names : [...names, 'startNs'];
}
