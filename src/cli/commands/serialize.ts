import type { Command } from '../command.js';
import { ORDER_OPTION, OUTPUT_OPTIONS, READING_OPTIONS } from '../options.js';
import { orderFlag, runPreparation } from '../preparation.js';

export const serialize: Command = {
  name: 'serialize',
  usage: '<in..> -o <dir>',
  summary: 'each group runs one collective at a time, in the order of issue',
  help: `Reads a traceset and writes it with a dependency of each collective on the one its rank issued before in the
same process group. Where the trace records no order nothing is added, unless --order ids takes ascending ids.`,
  options: { ...ORDER_OPTION, ...READING_OPTIONS, ...OUTPUT_OPTIONS },
  examples: [
    ['serialize expanded -o serialized', 'the recorded order'],
    ['serialize traces --order ids -o serialized', 'ascending node ids stand for the order'],
  ],
  run: (call) => runPreparation(call, { serialize: true, order: orderFlag(call.flags) }),
};
