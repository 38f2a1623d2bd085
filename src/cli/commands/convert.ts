import { requestError } from '../../base/errors.js';
import { choiceFlag, type Command } from '../command.js';
import { OUTPUT_OPTIONS, READING_OPTIONS } from '../options.js';
import { runPreparation } from '../preparation.js';

export const convert: Command = {
  name: 'convert',
  usage: '<in..> -o <dir>',
  summary: 'the same traceset in another form',
  help: `Reads a traceset and writes it in the form --to names: et (protobuf, schema 0.0.4), et.gz, or jsonl (one node a
line, lossless both ways). Older schemas are converted; what changed is noted. With --for the form is et.`,
  options: {
    to: { choices: ['et', 'et.gz', 'jsonl'], describe: 'form of the output' },
    ...READING_OPTIONS,
    ...OUTPUT_OPTIONS,
  },
  examples: [
    ['convert traces --to jsonl -o text', 'to read it'],
    ['convert text --to et -o traces', 'and back, the same bytes'],
    ['convert expanded --for astra-sim -o mended', 'so that ASTRA-sim runs them'],
  ],
  run: (call) => {
    const usual = call.flags.for === undefined ? '' : 'et';
    const to = choiceFlag(call.flags, 'to', choiceFlag(call.flags, 'format', usual));
    if (to === '') throw requestError('OPTION_MISSING', 'convert: --to is missing, expected one of et, et.gz, jsonl');
    return runPreparation({ ...call, flags: { ...call.flags, format: to } }, {});
  },
};
