import type { CatalogueEntry } from './entry.js';

/** What --fix changed, and what it could not. */
export const REPAIR_CODES = {
  REPAIRED: {
    severity: 'note',
    title: 'repaired by --fix',
    meaning: 'The traceset that was written differs in this from the one that was read.',
    consequence: 'None, where the repair is what was meant. The traces that were read are as they were.',
    remedy: ['Nothing to do where that is meant.', 'Otherwise mend the producer, and use the traces that were read.'],
    example: {
      finding: 'note REPAIRED: rank 0: is_cpu_op false written on 1 node without it: node 5 "no side"',
      mended: 'The producer writes `is_cpu_op` on every node; there is nothing left to repair.',
    },
    advice: 'nothing to do where that is meant',
  },
  NOT_REPAIRED: {
    severity: 'note',
    title: 'left by --fix',
    meaning: 'Only a guess could repair it; `validate` reports what stands in the way.',
    consequence: 'The copy has the fault as the traces that were read have it.',
    remedy: ['Mend what stands in the way, or its producer, and run `chakra-prep validate --fix` again.'],
    example: {
      finding:
        'note NOT_REPAIRED: rank 0: 2 nodes in one circle of dependencies, of which none can come first, left in the order of the file: nodes 2 "one" and 3',
      mended: 'The cycle of nodes 2 and 3 is broken by hand; `--fix` then puts parents first.',
    },
    advice: 'mend what stands in the way, or its producer, first',
  },
} satisfies Record<string, CatalogueEntry>;
