import type { CatalogueEntry } from './entry.js';

/** What --fix changed. */
export const REPAIR_CODES = {
  REPAIRED: {
    severity: 'note',
    title: 'repaired by --fix',
    meaning: 'The traceset that was written differs in this from the one that was read.',
    consequence: 'None, where the repair is what was meant. The traces that were read are as they were.',
    remedy: ['Nothing to do where that is meant.', 'Otherwise mend the producer, and use the traces that were read.'],
    example: {
      finding: 'note REPAIRED: rank 0: is_cpu_op false was written on 20 nodes that had none',
      mended: 'The producer writes `is_cpu_op` on every node; there is nothing left to repair.',
    },
    advice: 'nothing to do where that is meant',
  },
} satisfies Record<string, CatalogueEntry>;
