import type { Command } from '../command.js';
import { factorFlag, yesFlag } from '../command.js';
import {
  COLLECTIVE_OPTIONS,
  ORDER_OPTION,
  OUTPUT_OPTIONS,
  READING_OPTIONS,
  SYSTEM_EXPANSION_OPTIONS,
} from '../options.js';
import { expansionOf, orderFlag, runPreparation } from '../preparation.js';

export const prepare: Command = {
  name: 'prepare',
  usage: '<in..> -o <dir>',
  summary: 'validate, expand, serialize, sync, annotate in one go',
  help: `Reads a raw traceset, checks it, and writes it ready for replay: collectives expanded, groups serialized, barriers
added, nodes annotated. Stops before writing anything when the check finds an error.`,
  options: {
    ...COLLECTIVE_OPTIONS,
    ...SYSTEM_EXPANSION_OPTIONS,
    serialize: { type: 'boolean', describe: 'order the collectives of each group (default yes)' },
    sync: { type: 'boolean', describe: 'a barrier before each collective (default yes, with --system no)' },
    annotate: { type: 'boolean', describe: 'partner, dependents and ready list (default yes)' },
    scale: { type: 'string', requiresArg: true, describe: 'factor for sizes and durations, 0 to 1' },
    ...ORDER_OPTION,
    ...READING_OPTIONS,
    ...OUTPUT_OPTIONS,
  },
  examples: [
    ['prepare traces -o prepared', 'the usual chain'],
    ['prepare traces --allreduce tree --no-sync -o prepared', 'another algorithm, no barriers'],
    ['prepare traces --for astra-sim -o prepared', 'transfers that ASTRA-sim runs'],
  ],
  run: async (asked) => {
    const { flags } = asked;
    const scale = factorFlag(flags, 'scale');
    const { call, steps } = await expansionOf(asked, 'prepare');
    return runPreparation(call, {
      validate: true,
      expand: true,
      ...steps,
      serialize: yesFlag(flags, 'serialize', true),
      // ASTRA-sim has no barriers.
      sync: yesFlag(flags, 'sync', steps.system === undefined),
      annotate: yesFlag(flags, 'annotate', true),
      order: orderFlag(flags),
      ...(scale === undefined ? {} : { scale }),
    });
  },
};
