import { requestError } from '../base/errors.js';
import { CollectiveType } from '../trace/collective-type.js';
import type { AskedCollective } from './asked-collective.js';
import { nameOf, type Phase } from './collective-plan.js';
import { Pattern } from './phase-shape.js';
import { implementationKey, type SystemCollective } from './system-configuration.js';

/**
 * Refuses a phase at which the program stalls, crashes or exits (astra-sim-semantics section 18).
 * @throws PrepError `SYSTEM_IMPLEMENTATION`
 */
export function demandRunnable(
  { shape, implementation }: Phase,
  { place, type }: AskedCollective,
  collective: SystemCollective,
): void {
  const { pattern, count, distances, sends } = shape;
  const isHalving = pattern === Pattern.halvingDoubling;
  if (!isHalving && pattern !== Pattern.doubleBinaryTree) return;
  const where = `${place().label}: ${implementationKey(collective)} ${nameOf(implementation)}`;
  if (isHalving && type === CollectiveType.allToAll) {
    const message = `${where}: halving-doubling has no AllToAll; expected ring or direct`;
    throw requestError('SYSTEM_IMPLEMENTATION', message, 'use ring or direct there');
  }
  if ((count & (count - 1)) === 0) return;
  // An all-gather ends where everyone has a partner in every step.
  const steps = distances.subarray(0, sends);
  if (isHalving && shape.kind === 'allGather' && steps.every((distance) => count % (2 * distance) === 0)) return;
  throw requestError(
    'SYSTEM_IMPLEMENTATION',
    `${where} over ${count} ranks; expected a power of two`,
    'use ring or direct there',
  );
}
