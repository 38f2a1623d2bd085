import { CATALOGUE, type CatalogueEntry } from '../../base/catalogue.js';
import { EXIT, requestError } from '../../base/errors.js';
import type { Command } from '../command.js';

export const explain: Command = {
  name: 'explain',
  usage: '<code>',
  summary: 'what a code of a finding means',
  help: 'Prints what a finding code stands for, what it means for a simulation, and what to do.',
  options: {},
  examples: [['explain CYCLE', 'one code']],
  run: async ({ flags, printer }) => {
    const code = String(flags.code).toUpperCase();
    const found = (CATALOGUE as Readonly<Record<string, CatalogueEntry>>)[code];
    if (!found) throw requestError('CODE_UNKNOWN', `unknown code: ${code} (known: ${Object.keys(CATALOGUE).join(', ')})`);
    const { severity, title, meaning, advice } = found;
    const text = flags.json === true ? JSON.stringify({ code, ...found }) : `${code} (${severity}): ${title}\n${meaning}\nAdvice: ${advice}.`;
    await printer.data(`${text}\n`);
    return EXIT.done;
  },
};
