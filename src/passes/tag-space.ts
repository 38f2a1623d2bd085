import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { MAX_EXACT } from '../base/units.js';
import type { CollectivePairing } from '../collectives/build-plan.js';
import type { PassName } from './pass-names.js';

/** Passes that ran on a rank before. */
interface PreparedRank {
  readonly passes: readonly string[];
}

/** Ranks that a pass ran on before. */
export function ranBefore(ranks: readonly PreparedRank[], pass: PassName): number {
  return ranks.filter(({ passes }) => passes.includes(pass)).length;
}

/**
 * What is to be said of the tags that passes give to transfers: they begin above the largest in the traces.
 * `NUMBER_TOO_LARGE` where they leave what can be counted exactly, `TAG_WIDE` above 31 bits.
 */
export function tagFindings(
  { tagBase, tagStride, instances }: CollectivePairing,
  ranks: readonly PreparedRank[],
  { expand, sync }: { readonly expand: boolean; readonly sync: boolean },
): Finding[] {
  const adds = (pass: PassName): boolean => ranBefore(ranks, pass) < ranks.length;
  const lists = instances.length * (Number(expand && adds('expand')) + Number(sync && adds('sync')));
  const largest = tagBase + lists * tagStride - 1;
  if (lists === 0 || largest <= 0x7fffffff) return [];
  const needed = instances.length === 1 ? '1 collective needs' : `${instances.length} collectives need`;
  const message = `${needed} tags up to ${largest}`;
  return [
    largest > MAX_EXACT
      ? finding('NUMBER_TOO_LARGE', `${message}; tags stay below 2^53`)
      : finding('TAG_WIDE', `${message}, above 2^31 − 1`),
  ];
}
