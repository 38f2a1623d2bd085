import type { Finding } from '../../base/finding.js';
import { jointedChain } from '../serialize.js';
import { findStalls } from '../waits/stalls.js';
import type { TracesetRule, TracesetSubject } from './rule.js';

/** That the traceset cannot stall, as it is and as `simulate` would order it; docs/validate.md says what that promises. */
export const stallRules: readonly TracesetRule[] = [
  { scope: 'traceset', codes: ['WAIT_CYCLE', 'STALL_POSSIBLE'], check: stalls },
];

function stalls({ surveys, plan, context }: TracesetSubject): Finding[] {
  // Of a rank that is missing nothing can be claimed; that it is missing is an error of its own.
  if (surveys.length !== context.worldSize) return [];
  const ran = (pass: string): boolean => surveys.some(({ passes }) => passes.includes(pass));
  const { serialize, sync } = context.addedOrder ?? { serialize: !ran('serialize'), sync: !ran('sync') };
  const hasOrder =
    [...plan.recorded.values()].includes(true) || surveys.some(({ waits }) => waits.issuedSends.node.length > 0);
  const chain =
    serialize && hasOrder
      ? {
          chain: surveys.map(({ collectives, waits }) =>
            jointedChain(collectives, waits.issuedSends, plan, 'recorded'),
          ),
        }
      : {};
  return findStalls(
    surveys.map(({ waits }) => waits),
    plan,
    { ...chain, sync },
  );
}
