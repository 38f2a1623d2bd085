import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';

/**
 * What is to be said of passes that are asked for and find no collectives any more: what was expanded and then written
 * for ASTRA-sim has no exits, by which collectives are found.
 * @param ranks passes that ran on each before
 * @param wanted the passes that are asked for
 */
export function exitsLeftOut(
  ranks: readonly { readonly passes: readonly string[] }[],
  wanted: readonly ('serialize' | 'sync')[],
): Finding[] {
  return wanted.flatMap((pass) => {
    const gone = ranks.filter(
      ({ passes }) => passes.includes('astra-sim') && passes.includes('expand') && !passes.includes(pass),
    );
    if (gone.length === 0) return [];
    const message = `${pass}: nothing is added to collectives that were expanded and written for ASTRA-sim, on ${gone.length} of ${ranks.length} ranks`;
    return [finding('EXITS_LEFT_OUT', message, { pass, count: gone.length })];
  });
}
