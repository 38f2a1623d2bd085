import { EXIT, requestError } from '../../base/errors.js';
import { explanationLines, explanationOf } from '../../base/explanation.js';
import { similarCodes } from '../../base/similar-codes.js';
import type { Command } from '../command.js';

export const explain: Command = {
  name: 'explain',
  usage: '<code>',
  summary: 'what the code of a finding or an error means',
  help: `Reads no trace and writes no file: prints the page of a code of a finding or of an error: what it means, why it
matters, how to mend it, and an example. docs/errors.md has the pages of all codes.`,
  options: {},
  examples: [
    ['explain CYCLE', 'the code of a finding'],
    ['explain OUTPUT_IS_INPUT --json', 'the code of an error, for a script'],
  ],
  run: async ({ inputs, flags, printer }) => {
    const code = inputs[0].toUpperCase();
    const explanation = explanationOf(code);
    if (explanation === undefined) throw unknownCode(code);
    const document = { schema: 'chakra-prep/explanation/1', ...explanation };
    const text = flags.json === true ? JSON.stringify(document) : explanationLines(explanation).join('\n');
    await printer.data(`${text}\n`);
    return EXIT.done;
  },
};

function unknownCode(code: string): Error {
  const similar = similarCodes(code);
  return requestError(
    'CODE_UNKNOWN',
    `unknown code: ${code}${similar.length === 0 ? '' : `, similar are ${similar.join(', ')}`}`,
    'docs/errors.md lists all codes',
  );
}
