import type { Options } from 'yargs';
import { requestError } from '../../base/errors.js';
import { OUTPUT_FORMS } from '../../pipeline/conversion/output-form.js';
import { choiceFlag, type Command } from '../command.js';
import { OUTPUT_OPTIONS, READING_OPTIONS } from '../options.js';

const HEADING = 'Of some forms:';

/** Options that some forms take and others do not (docs/converters.md). */
const CONVERSION_OPTIONS: Readonly<Record<string, Options>> = Object.fromEntries(
  Object.entries({
    ranks: 'number of ranks, for an input that does not say it',
    passes: 'passes over the layers of a text workload',
    'model-parallel': 'ranks of a model-parallel group of a text workload in a hybrid mode',
    size: 'bytes of the collective that a program of chunks is made for, such as 4MiB',
    'flops-per-second': 'speed of a host, for a form that counts computation in operations; 1e9 when left out',
    network: 'replay the traces on this network first, for a form with start times (as simulate --network)',
  }).map(([name, describe]) => [name, { group: HEADING, type: 'string', requiresArg: true, describe }]),
);

export const convert: Command = {
  name: 'convert',
  usage: '<in..> -o <dir>',
  summary: 'traces in another form, and from the forms of other programs',
  help: `Reads a traceset, or one file that holds a whole job in a form of another program, and writes it in the form --to
names: et (protobuf, schema 0.0.4), et.gz, or jsonl (one node a line, lossless both ways), or the form of another program. What a
form cannot carry is listed (docs/converters.md). Older schemas are converted; what changed is noted. With --for the form is et.`,
  options: {
    to: { choices: OUTPUT_FORMS, requiresArg: true, describe: 'form of the output' },
    ...CONVERSION_OPTIONS,
    ...READING_OPTIONS,
    ...OUTPUT_OPTIONS,
  },
  examples: [
    ['convert traces --to jsonl -o text', 'to read it'],
    ['convert text --to et -o traces', 'and back, the same bytes'],
    ['convert expanded --for astra-sim -o mended', 'so that ASTRA-sim runs them'],
  ],
  run: async (call) => {
    const usual = call.flags.for === undefined ? '' : 'et';
    const to = choiceFlag(call.flags, 'to', choiceFlag(call.flags, 'format', usual));
    if (to === '') {
      throw requestError('OPTION_MISSING', `convert: --to is missing, expected one of ${OUTPUT_FORMS.join(', ')}`);
    }
    const { runConversion } = await import('../conversion.js');
    return runConversion(call, to);
  },
};
