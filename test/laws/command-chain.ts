import fc from 'fast-check';
import { encodeChakraEt } from '../../src/formats/et/encode.js';
import { annotateRank } from '../../src/passes/annotate.js';
import type { PreparationOptions } from '../../src/passes/preparation-plan.js';
import { scaleRank } from '../../src/passes/scale.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { groupsOf, prepareAll } from '../support/preparation.js';
import { readBytes } from '../support/traces.js';
import type { Job } from './random-traceset.js';

/** A command that writes traces. */
export type Step = 'expand' | 'serialize' | 'sync' | 'scale' | 'annotate';

const STEPS: readonly Step[] = ['expand', 'serialize', 'sync', 'scale', 'annotate'];

/** Commands in any order, each once at most. */
export const commandChain: fc.Arbitrary<Step[]> = fc.shuffledSubarray([...STEPS]);

/**
 * What a chain of commands writes, each of which reads what the one before wrote.
 * @param more options of `expand`
 */
export function writtenBy(
  { traces, groups }: Job,
  steps: readonly Step[],
  more: Partial<PreparationOptions> = {},
): RankTrace[] {
  let current = traces;
  for (const step of steps) {
    if (step === 'scale') current = current.map((trace) => scaleRank(trace, 0.5));
    else if (step === 'annotate') current = current.map((trace) => annotateRank(trace).trace);
    else {
      const options = { [step]: true, groups: groupsOf(groups), ...(step === 'expand' && more) };
      current = prepareAll(current, options).traces;
    }
    current = current.map((trace) => readBytes(encodeChakraEt(trace), trace.rank).trace);
  }
  return current;
}
