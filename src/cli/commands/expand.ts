import type { Command } from '../command.js';
import { COLLECTIVE_OPTIONS, OUTPUT_OPTIONS, READING_OPTIONS } from '../options.js';
import { algorithmFlags, runPreparation } from '../preparation.js';

export const expand: Command = {
  name: 'expand',
  usage: '<in..> -o <dir>',
  summary: 'collectives become point-to-point transfers',
  help: `Reads a traceset and writes it with every collective replaced by the sends and receives of an algorithm. A
collective's node stays as its exit, so what depended on it still does. Ends with a balance on stderr.`,
  options: { ...COLLECTIVE_OPTIONS, ...READING_OPTIONS, ...OUTPUT_OPTIONS },
  examples: [
    ['expand traces --allreduce ring -o expanded', 'all ranks of a folder'],
    ['expand traces --only 3 -o expanded', 'one rank, as a Makefile does it'],
  ],
  run: (call) => runPreparation(call, { expand: true, algorithms: algorithmFlags(call.flags) }),
};
