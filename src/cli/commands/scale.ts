import { requestError } from '../../base/errors.js';
import { factorFlag, type Command } from '../command.js';
import { OUTPUT_OPTIONS, READING_OPTIONS } from '../options.js';
import { runPreparation } from '../preparation.js';

export const scale: Command = {
  name: 'scale',
  usage: '<in..> --factor <f> -o <dir>',
  summary: 'sizes and durations times a factor',
  help: `Reads a traceset and writes it with every comm_size and duration multiplied by a factor from 0 to 1 and cut to a
whole byte or microsecond. Dependencies stay.`,
  options: {
    factor: { type: 'string', requiresArg: true, describe: 'factor, 0 to 1' },
    ...READING_OPTIONS,
    ...OUTPUT_OPTIONS,
  },
  examples: [
    ['scale expanded --factor 0.5 -o half', 'half of everything'],
    ['scale - --factor 0.5 -o - < job.0.et > half.0.et', 'one rank in a pipe'],
  ],
  run: (call) => {
    const factor = factorFlag(call.flags, 'factor') ?? factorFlag(call.flags, 'scale');
    if (factor === undefined) {
      throw requestError('OPTION_MISSING', 'scale: --factor is missing, expected a number from 0 to 1');
    }
    return runPreparation(call, { scale: factor });
  },
};
