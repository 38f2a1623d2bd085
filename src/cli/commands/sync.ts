import type { Command } from '../command.js';
import { OUTPUT_OPTIONS, READING_OPTIONS } from '../options.js';
import { runPreparation } from '../preparation.js';

export const sync: Command = {
  name: 'sync',
  usage: '<in..> -o <dir>',
  summary: 'a barrier before each collective, so that its transfers start together',
  help: `Reads a traceset and writes it with a barrier of zero-byte transfers before each collective. Records and counters
leave the barrier's transfers out; chakra-perf marks them.`,
  options: { ...READING_OPTIONS, ...OUTPUT_OPTIONS },
  examples: [
    ['sync serialized -o synced', 'after serialize'],
    ['sync traces -o synced', 'on raw traces; expand may follow'],
  ],
  run: (call) => runPreparation(call, { sync: true }),
};
