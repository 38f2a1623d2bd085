import { CATALOGUE, type CatalogueEntry } from '../../base/catalogue.js';
import { EXIT, requestError } from '../../base/errors.js';
import { STOP_CODES, type StopEntry } from '../../base/stop-codes.js';
import type { Command } from '../command.js';

export const explain: Command = {
  name: 'explain',
  usage: '<code>',
  summary: 'what the code of a finding or an error means',
  help: `Reads no trace and writes no file: prints what the code of a finding or of an error stands for, what it means, and
what to do. docs/errors.md lists all codes.`,
  options: {},
  examples: [
    ['explain CYCLE', 'the code of a finding'],
    ['explain OUTPUT_IS_INPUT --json', 'the code of an error, for a script'],
  ],
  run: async ({ inputs, flags, printer }) => {
    const code = inputs[0].toUpperCase();
    const found = (CATALOGUE as Readonly<Record<string, CatalogueEntry>>)[code];
    const stop = (STOP_CODES as Readonly<Record<string, StopEntry>>)[code];
    if (!found && !stop) {
      const similar = similarCodes(code);
      throw requestError(
        'CODE_UNKNOWN',
        `unknown code: ${code}${similar.length === 0 ? '' : `, similar are ${similar.join(', ')}`}`,
        'docs/errors.md lists all codes',
      );
    }
    const text = found
      ? `${code} (${found.severity}): ${found.title}\n${found.meaning}\nAdvice: ${found.advice}.`
      : `${code} (exit status ${stop.exitStatus}): ${stop.title}\nAdvice: ${stop.advice}.`;
    const document = { schema: 'chakra-prep/explanation/1', code, ...(found ?? stop) };
    await printer.data(`${flags.json === true ? JSON.stringify(document) : text}\n`);
    return EXIT.done;
  },
};

/** Codes that have a word of this one. */
function similarCodes(code: string): string[] {
  const words = code.split(/[^A-Z]+/).filter((word) => word.length > 2);
  return [...Object.keys(CATALOGUE), ...Object.keys(STOP_CODES)]
    .filter((known) => words.some((word) => known.includes(word)))
    .sort();
}
