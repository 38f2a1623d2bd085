import type { Command } from '../command.js';
import { COLLECTIVE_OPTIONS, OUTPUT_OPTIONS, READING_OPTIONS, SYSTEM_EXPANSION_OPTIONS } from '../options.js';
import { expansionOf, runPreparation } from '../preparation.js';

export const expand: Command = {
  name: 'expand',
  usage: '<in..> -o <dir>',
  summary: 'collectives become point-to-point transfers',
  help: `Reads a traceset and writes it with every collective replaced by the sends and receives of an algorithm. A
collective's node stays as its exit, so what depended on it still does. Ends with a balance on stderr. With --system the
algorithms are those of ASTRA-sim's system layer.`,
  options: { ...COLLECTIVE_OPTIONS, ...SYSTEM_EXPANSION_OPTIONS, ...READING_OPTIONS, ...OUTPUT_OPTIONS },
  examples: [
    ['expand traces --allreduce ring -o expanded', 'all ranks of a folder'],
    ['expand traces --only 3 -o expanded', 'one rank, as a Makefile does it'],
    ['expand traces --system system.json --network network.yml -o expanded', 'the algorithms of ASTRA-sim'],
  ],
  run: async (asked) => {
    const { call, steps } = await expansionOf(asked, 'expand');
    return runPreparation(call, { expand: true, ...steps });
  },
};
