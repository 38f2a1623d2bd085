import { CATALOGUE, type CatalogueEntry } from '../../base/catalogue.js';
import { EXIT, requestError } from '../../base/errors.js';
import { STOP_CODES, type StopEntry } from '../../base/stop-codes.js';
import type { Command } from '../command.js';

export const explain: Command = {
  name: 'explain',
  usage: '<code>',
  summary: 'what the code of a finding or an error means',
  help: 'Prints what the code of a finding or an error stands for, what it means, and what to do. docs/errors.md lists all.',
  options: {},
  examples: [['explain CYCLE', 'one code']],
  run: async ({ flags, printer }) => {
    const code = String(flags.code).toUpperCase();
    const found = (CATALOGUE as Readonly<Record<string, CatalogueEntry>>)[code];
    const stop = (STOP_CODES as Readonly<Record<string, StopEntry>>)[code];
    if (!found && !stop) {
      const known = [...Object.keys(CATALOGUE), ...Object.keys(STOP_CODES)].sort().join(', ');
      throw requestError('CODE_UNKNOWN', `unknown code: ${code} (known: ${known})`);
    }
    const text = found
      ? `${code} (${found.severity}): ${found.title}\n${found.meaning}\nAdvice: ${found.advice}.`
      : `${code} (exit status ${stop.exitStatus}): ${stop.title}\nAdvice: ${stop.advice}.`;
    await printer.data(flags.json === true ? `${JSON.stringify({ code, ...(found ?? stop) })}\n` : `${text}\n`);
    return EXIT.done;
  },
};
